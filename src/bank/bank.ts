import type { Logger } from 'pino'
import type { Accounting } from '../accounting/accounting.ts'
import type { BankingProvider } from '../banking/provider.ts'
import type { Answer, Caller, Write } from '../base/operation.ts'
import type { TaskLog } from '../base/tasks/task-log.ts'
import type { Processor } from '../processor/processor.ts'
import type { Review } from '../review/review.ts'
import type { RewardsProvider } from '../rewards/provider.ts'
import type { RewardRecords } from '../rewards/records/records.ts'
import type { Scenario } from '../sandbox/create-scenario.ts'
import type { Simulations } from '../sandbox/sandbox.ts'
import type { Directory } from '../tools/tools.ts'
import { accountHoldsOf } from './account-control/account-holds.ts'
import { accountStatusOf } from './account-control/account-status.ts'
import { holdForecastOf, holdTimerOf } from './account-control/hold-expiry.ts'
import { paymentBlockingOf } from './account-control/payment-blocking.ts'
import { accountingOf } from './accounting/accounting.ts'
import { accountsOf } from './accounts/accounts.ts'
import { transactionsOf } from './accounts/transactions.ts'
import { buildDueFiles, cutoffForecastOf, cutoffTimerOf } from './ach/build-file.ts'
import { clearingForecastOf, clearingTimerOf } from './ach/debit-clearing.ts'
import { type Delivery, deliveryOf } from './ach/delivery.ts'
import { type FileIntake, intakeOf } from './ach/incoming/open-intake.ts'
import { receivedForecastOf, receivedTimerOf } from './ach/incoming/received.ts'
import { receivedPaymentsOf } from './ach/incoming/received-payments.ts'
import { achBatchesOf } from './ach/lists/batches.ts'
import { sandboxFilesOf } from './ach/lists/sandbox-files.ts'
import { networkForecastOf, networkTimerOf } from './ach/network/network.ts'
import { receiveByFile } from './ach/network/receive-by-file.ts'
import { returnByFile } from './ach/network/return-by-file.ts'
import { reconcileDay } from './ach/reconciliation.ts'
import { refundTimerOf } from './ach/refunds.ts'
import { returnForecastOf, returnTimerOf } from './ach/returning/return-files.ts'
import { settlementForecastOf, settlementTimerOf } from './ach/settlement.ts'
import { leavingForecastOf, leavingTimerOf } from './ach/verifying/verification-files.ts'
import { type NamedFolder, readFolders } from './ach/watch/rail-state.ts'
import { type RailControl, railControlOf } from './ach/witness/resume.ts'
import { authorizationForecastOf, authorizationTimerOf } from './cards/authorization-expiry.ts'
import { authorizationsOf } from './cards/authorizations.ts'
import { cardsOf } from './cards/cards.ts'
import { type Booking, bookItem } from './closing/settle-items.ts'
import { applicationsOf } from './customers/applications.ts'
import { customersOf } from './customers/customers.ts'
import { documentsOf } from './customers/documents.ts'
import { verificationTokensOf } from './customers/verification-tokens.ts'
import { payoutForecastOf, payoutTimerOf } from './earning/payouts.ts'
import { readFirstRows } from './first-states/first-states.ts'
import { accountLimitsOf } from './limits/account-limits.ts'
import { directoryOf } from './lookup/directory.ts'
import { offersOf } from './offers/offers.ts'
import type { BankParts } from './parts/bank-parts.ts'
import { bookTransfersOf } from './payments/book-transfers.ts'
import { retryForecastOf, retryTimerOf } from './payments/debit-retry-timer.ts'
import { externalAccountsOf } from './payments/external-accounts.ts'
import { mandatesOf } from './payments/mandates.ts'
import { paymentBatchesOf } from './payments/payment-batch.ts'
import { paymentsOf } from './payments/payments.ts'
import { recurringForecastOf, recurringTimerOf } from './payments/recurring/due-runs.ts'
import { recurringPaymentsOf } from './payments/recurring/recurring-payments.ts'
import { returnRatesOf } from './payments/return-rates.ts'
import { verificationForecastOf, verificationTimerOf } from './payments/verification/endings.ts'
import { microEntriesOf, verificationsOf } from './payments/verification/verifications.ts'
import { processorOf } from './processor/processor.ts'
import { proposalForecastOf, proposalTimerOf } from './proposals/expiry.ts'
import { releaseTimerOf } from './review/releases.ts'
import { reviewOf } from './review/review.ts'
import { activationsOf } from './rewards/activations.ts'
import { campaignsOf } from './rewards/campaigns.ts'
import { getPurchaseExplanation, getRewardExplanation } from './rewards/explanation.ts'
import { createRewardableTransaction } from './rewards/handed-in.ts'
import { getDailyReconciliation } from './rewards/reconciliation.ts'
import { lockBuiltinCard, rewardRecordsOf } from './rewards/reward-records.ts'
import { clockOf, deliveryForecastOf } from './sandbox/clock.ts'
import { scenariosOf } from './sandbox/scenarios.ts'
import { type MonthTurns, monthForecastOf, monthTimerOf, monthTurnsOf } from './statements/month-turn.ts'
import { statementsOf } from './statements/statements.ts'
import type { Forecast, Timer } from './time/due.ts'

/** The built-in bank: the banking port, the catalogue of offers, the simulations of the sandbox and the reward records. */
export interface BuiltinBank extends FileIntake {
  bank: BankingProvider
  accounting: Accounting
  processor: Processor
  review: Review
  offers: RewardsProvider
  sandbox: Simulations
  monthTurns: MonthTurns
  records: RewardRecords
  directory: Directory
  /** Does the work that has become due in every organisation; failures are logged for each. */
  catchUp(log: Pick<Logger, 'warn' | 'info'>, tasks?: TaskLog): Promise<void>
  /** Delivers the ACH files that have been built, and in live mode builds those that are due. */
  moveFiles(log: Pick<Logger, 'warn'>): Promise<void>
  /** The state of the folders of ACH files in live mode. */
  folders(): Promise<NamedFolder[]>
  rail: RailControl
  /** Books an item of the settlement account by hand. */
  bookItem(id: number, booking: Booking, request?: Write<null>): Promise<Answer>
  /** Creates the scenario of a sandbox's first start, with a history of some months. */
  createDemo(write: Write<Scenario>): Promise<Answer>
}

/**
 * The work of cut-offs and settlements. Batches also settle after the setting was changed; pending payments wait for it. A
 * live bank builds its files for all organisations at once.
 */
function railTimersOf(parts: BankParts, delivery: Delivery | undefined): Timer[] {
  const { ach, mode } = parts
  const [settlement, refund, received] = [settlementTimerOf(parts), refundTimerOf(parts), receivedTimerOf(parts)]
  const clearing = clearingTimerOf(parts)
  if (ach === 'instant' || mode === 'live' || !delivery) return [settlement, refund, clearing, received]
  const bank = { ...parts, ach }
  // Of the work of one time, files leave first, then batches settle, answers come, debits are credited, and received payments are booked.
  const leaving = [cutoffTimerOf(bank, delivery), returnTimerOf(bank, delivery), leavingTimerOf(bank, delivery)]
  return [...leaving, settlement, refund, networkTimerOf(bank), clearing, received]
}

/** All work that comes due. */
function timersOf(parts: BankParts, delivery: Delivery | undefined, rail: RailControl): Timer[] {
  const held = { isHeld: async () => (await rail.holdReason()) !== undefined }
  return [
    ...railTimersOf(parts, delivery),
    releaseTimerOf(parts),
    authorizationTimerOf(parts),
    holdTimerOf(parts),
    verificationTimerOf(parts),
    proposalTimerOf(parts),
    monthTimerOf(parts),
    payoutTimerOf(parts),
    // Money that arrives at the same time comes first.
    recurringTimerOf(parts, held),
    retryTimerOf(parts, held),
  ]
}

/** The next items of the work that can be foreseen. */
function forecastsOf(parts: BankParts): Forecast[] {
  return [
    cutoffForecastOf(parts),
    returnForecastOf(parts),
    leavingForecastOf(parts),
    settlementForecastOf(parts),
    networkForecastOf(parts),
    clearingForecastOf(parts),
    receivedForecastOf(parts),
    authorizationForecastOf(parts),
    holdForecastOf(parts),
    verificationForecastOf(parts),
    proposalForecastOf(parts),
    monthForecastOf(parts),
    payoutForecastOf(parts),
    recurringForecastOf(parts),
    retryForecastOf(parts),
    deliveryForecastOf(parts),
  ]
}

/** Operations that ask nobody about people and accounts, for sample records, which are made up. */
function unscreened(parts: BankParts) {
  const quiet = { ...parts, screening: undefined }
  const { createApplication } = applicationsOf(quiet)
  const { createExternalAccount } = externalAccountsOf(quiet)
  return { createApplication, createExternalAccount }
}

/** The simulations of transfers by other banks. If payments leave with files, their transfers come with files, too. */
function transfersOf(
  parts: BankParts,
  plain: Pick<Simulations, 'receiveAch' | 'returnPayment'>,
): Pick<Simulations, 'receiveAch' | 'returnPayment'> {
  const { ach } = parts
  if (ach === 'instant') return plain
  const bank = { ...parts, ach }
  return {
    receiveAch: (write, input) => receiveByFile(bank, write, input),
    returnPayment: (write, input) => returnByFile(bank, write, input, plain.returnPayment),
  }
}

function moverOf(parts: BankParts, delivery: Delivery | undefined, rail: RailControl): BuiltinBank['moveFiles'] {
  const { ach, mode } = parts
  return async (log) => {
    if (ach === 'instant') return
    await rail.requireOpen()
    if (mode === 'live') await buildDueFiles({ ...parts, ach })
    await delivery?.deliverAll(log)
  }
}

/** Payments that are made in other ways than one by one, the verification of external accounts, and what stops payments. */
function furtherPaymentsOf(parts: BankParts) {
  const further = { ...paymentBatchesOf(parts), ...recurringPaymentsOf(parts), ...verificationsOf(parts) }
  const control = { ...paymentBlockingOf(parts), ...returnRatesOf(parts) }
  return { ...bookTransfersOf(parts), ...further, ...control }
}

export function openBuiltinBank(parts: BankParts): BuiltinBank {
  const delivery = parts.ach === 'instant' ? undefined : deliveryOf({ ...parts, ach: parts.ach })
  const rail = railControlOf(parts)
  const { createCustomer, ...customers } = customersOf(parts)
  const { returnPayment, ...payments } = paymentsOf(parts)
  const { receiveAch, ...transactions } = transactionsOf(parts)
  const { approveApplication, denyApplication, ...applications } = applicationsOf(parts)
  const { approveDocument, rejectDocument, ...documents } = documentsOf(parts)
  const { listAuthorizations, listAllAuthorizations, getAuthorization, ...authorizations } = authorizationsOf(parts)
  const { createStatement, ...statements } = statementsOf({ ...parts, listTransactions: transactions.listTransactions })
  const { catchUp, ...clock } = clockOf(parts, timersOf(parts, delivery, rail), forecastsOf(parts))
  const bank = {
    ...accountsOf(parts),
    ...accountStatusOf(parts),
    ...accountLimitsOf(parts),
    ...accountHoldsOf(parts),
    ...applications,
    ...documents,
    ...cardsOf(parts),
    ...customers,
    ...externalAccountsOf(parts),
    ...mandatesOf(parts),
    ...payments,
    ...furtherPaymentsOf(parts),
    ...receivedPaymentsOf(parts),
    ...achBatchesOf(parts),
    getAchReconciliation: ({ organisationId }: Caller, date: string) =>
      reconcileDay(parts.database, organisationId, date),
    ...transactions,
    ...statements,
    ...verificationTokensOf(parts),
    listAuthorizations,
    listAllAuthorizations,
    getAuthorization,
  }
  const simulation = {
    createCustomer,
    ...transfersOf(parts, { receiveAch, returnPayment }),
    ...{ ...sandboxFilesOf(parts), ...microEntriesOf(parts) },
    createStatement,
    approveApplication,
    denyApplication,
    approveDocument,
    rejectDocument,
    ...authorizations,
    ...clock,
  }
  const records: RewardRecords = {
    ...rewardRecordsOf({ ...parts, lockCard: lockBuiltinCard }),
    ...{ ...campaignsOf(parts), ...activationsOf(parts) },
    createRewardableTransaction: (write, input) => createRewardableTransaction(parts, write, input),
    getDailyReconciliation: ({ organisationId }, date) => getDailyReconciliation(parts.database, organisationId, date),
    getPurchaseExplanation: (caller, settlementId) => getPurchaseExplanation(parts.database, caller, settlementId),
    getRewardExplanation: (caller, rewardId) => getRewardExplanation(parts.database, caller, rewardId),
  }
  const { createDemo, createScenario } = scenariosOf({
    parts,
    bank: { ...bank, ...unscreened(parts) },
    sandbox: simulation,
    records,
  })
  return {
    bank,
    accounting: accountingOf(parts, readFirstRows),
    processor: processorOf(parts),
    review: reviewOf(parts),
    offers: offersOf(parts),
    records,
    directory: directoryOf({ ...parts, control: rail }),
    sandbox: { ...simulation, createScenario },
    monthTurns: monthTurnsOf(parts),
    createDemo,
    catchUp,
    moveFiles: moverOf(parts, delivery, rail),
    folders: () => readFolders(parts.ach),
    rail,
    bookItem: (id, said, request) => bookItem(parts, id, said, request),
    ...intakeOf(parts),
  }
}
