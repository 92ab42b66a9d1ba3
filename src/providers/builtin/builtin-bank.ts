import type { Logger } from 'pino'
import type { BankingProvider } from '../../banking/provider.ts'
import type { Answer, Write } from '../../base/operation.ts'
import type { RewardsProvider } from '../../rewards/provider.ts'
import type { RewardRecords } from '../../rewards/records/records.ts'
import type { Scenario } from '../../sandbox/create-scenario.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { accountsOf } from './bank/accounts.ts'
import { applicationsOf } from './bank/applications.ts'
import { authorizationsOf } from './bank/authorizations.ts'
import { cardsOf } from './bank/cards.ts'
import { customersOf } from './bank/customers.ts'
import { documentsOf } from './bank/documents.ts'
import { externalAccountsOf } from './bank/external-accounts.ts'
import { paymentsOf } from './bank/payments.ts'
import { transactionsOf } from './bank/transactions.ts'
import { verificationTokensOf } from './bank/verification-tokens.ts'
import type { BankParts } from './bank-parts.ts'
import { clockOf } from './clock/clock.ts'
import { scenariosOf } from './clock/scenarios.ts'
import { offersOf } from './offers/offers.ts'
import { payoutTimerOf } from './rewards/payouts.ts'
import { rewardEngineOf } from './rewards/reward-engine.ts'
import { lockBuiltinCard, rewardRecordsOf } from './rewards/reward-records.ts'
import { type MonthTurns, monthTimerOf, monthTurnsOf } from './statements/month-turn.ts'
import { statementsOf } from './statements/statements.ts'

/** The bank inside: everything the port asks for, what the sandbox simulates on top, and the records of rewards. */
export interface BuiltinBank {
  bank: BankingProvider
  offers: RewardsProvider
  sandbox: Sandbox
  monthTurns: MonthTurns
  records: RewardRecords
  /** Does the work that has become due in every organisation; failures are logged for each. */
  catchUp(log: Pick<Logger, 'warn'>): Promise<void>
  /** The scenario at the first start of a sandbox, with a history. */
  createDemo(write: Write<Scenario>): Promise<Answer>
}

export function openBuiltinBank(parts: BankParts): BuiltinBank {
  const { createCustomer, ...customers } = customersOf(parts)
  const { returnPayment, ...payments } = paymentsOf(parts)
  const { receiveAch, ...transactions } = transactionsOf(parts)
  const { approveApplication, denyApplication, ...applications } = applicationsOf(parts)
  const { approveDocument, rejectDocument, ...documents } = documentsOf(parts)
  const engine = rewardEngineOf(parts)
  const { createRewardableTransaction, getDailyReconciliation } = engine
  const { listAuthorizations, getAuthorization, authorizationTimer, ...authorizations } = authorizationsOf(
    parts,
    engine,
  )
  const { createStatement, ...statements } = statementsOf({ ...parts, listTransactions: transactions.listTransactions })
  const { catchUp, ...clock } = clockOf(parts, [authorizationTimer, monthTimerOf(parts), payoutTimerOf(parts)])
  const bank = {
    ...accountsOf(parts),
    ...applications,
    ...documents,
    ...cardsOf(parts),
    ...customers,
    ...externalAccountsOf(parts),
    ...payments,
    ...transactions,
    ...statements,
    ...verificationTokensOf(parts),
    listAuthorizations,
    getAuthorization,
  }
  const simulation = {
    createCustomer,
    receiveAch,
    returnPayment,
    createStatement,
    approveApplication,
    denyApplication,
    approveDocument,
    rejectDocument,
    ...authorizations,
    ...clock,
  }
  const records = {
    ...rewardRecordsOf({ ...parts, lockCard: lockBuiltinCard }),
    createRewardableTransaction,
    getDailyReconciliation,
  }
  const { createDemo, createScenario } = scenariosOf(parts, bank, simulation, records)
  const offers = offersOf(parts)
  return {
    bank,
    offers,
    records,
    sandbox: { ...simulation, createScenario },
    monthTurns: monthTurnsOf(parts),
    createDemo,
    catchUp,
  }
}
