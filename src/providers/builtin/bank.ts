import type { BankingProvider } from '../../banking/provider.ts'
import type { Answer, Write } from '../../base/operation.ts'
import type { RewardsProvider } from '../../rewards/provider.ts'
import type { Scenario } from '../../sandbox/create-scenario.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { accountsOf } from './accounts.ts'
import { authorizationsOf } from './authorizations.ts'
import { cardsOf } from './cards.ts'
import { clockOf } from './clock.ts'
import { customersOf } from './customers.ts'
import { externalAccountsOf } from './external-accounts.ts'
import { offersOf } from './offers.ts'
import type { BuiltinParts } from './parts.ts'
import { paymentsOf } from './payments.ts'
import { scenariosOf } from './scenarios.ts'
import { transactionsOf } from './transactions.ts'

/** The bank inside: everything the port asks for, and what the sandbox simulates on top. */
export interface BuiltinBank {
  bank: BankingProvider
  offers: RewardsProvider
  sandbox: Sandbox
  /** Does what has become due in every organisation. */
  catchUp(): Promise<void>
  /** The scenario at the first start of a sandbox, with a history. */
  createDemo(write: Write<Scenario>): Promise<Answer>
}

export function openBuiltinBank(parts: BuiltinParts): BuiltinBank {
  const { createCustomer, ...customers } = customersOf(parts)
  const { returnPayment, ...payments } = paymentsOf(parts)
  const { receiveAch, ...transactions } = transactionsOf(parts)
  const { listAuthorizations, getAuthorization, authorizationTimer, ...authorizations } = authorizationsOf(parts)
  const { catchUp, ...clock } = clockOf(parts, [authorizationTimer])
  const bank = {
    ...accountsOf(parts),
    ...cardsOf(parts),
    ...customers,
    ...externalAccountsOf(parts),
    ...payments,
    ...transactions,
    listAuthorizations,
    getAuthorization,
  }
  const simulation = { createCustomer, receiveAch, returnPayment, ...authorizations, ...clock }
  const { createDemo, createScenario } = scenariosOf(parts, bank, simulation)
  return { bank, offers: offersOf(parts), sandbox: { ...simulation, createScenario }, createDemo, catchUp }
}
