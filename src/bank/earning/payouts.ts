import { LAST_INSTANT } from '../../base/clock.ts'
import { Problem } from '../../base/problem.ts'
import { CommitLost, type Database, DatabaseUnavailable } from '../../database/database.ts'
import { emit } from '../../events/event.ts'
import type { Books, Command } from '../../ledger/books.ts'
import type { TransferOrder } from '../../ledger/records.ts'
import type { RewardPayment } from '../../rewards/records/reward-payment.ts'
import { stateAfter } from '../../rewards/records/reward-states.ts'
import { post } from '../accounts/posting.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import { bankWrite } from '../parts/bank-write.ts'
import { startPayment } from '../payments/send-payment.ts'
import { authorizations } from '../records/cards.ts'
import { noOptions } from '../records/payment-columns.ts'
import { purchases } from '../records/purchases.ts'
import type { LedgerAuthorization, LedgerPayment, LedgerReward } from '../records/records.ts'
import type { DueRun, Forecast, Timer } from '../time/due.ts'
import { type DueReward, dueRewards, nextRewardPaymentIds, putOffPayout } from './payouts.sql.ts'
import { emitReward, nextVersion, type Rewarded } from './reward-view.ts'

/** The ids of a payout's records, taken before the lane. */
interface Payout {
  paymentId: number
  transferId: number
  rewardPaymentId: number
}

type PayoutParts = Pick<BankParts, 'database' | 'ids' | 'lane' | 'runOnce' | 'routingNumber'>

const PAID_AT_ONCE = 100

/** Pays out rewards when their time has come. */
export function payoutTimerOf(parts: PayoutParts): Timer {
  return async (organisationId) => {
    const [first] = await dueRewards(parts.database, organisationId, LAST_INSTANT, 1)
    return first && { at: first.dueAt, run: (run) => payUntil(parts, organisationId, first.dueAt, run) }
  }
}

/** The rewards that are paid out next. */
export function payoutForecastOf({ database }: Pick<BankParts, 'database'>): Forecast {
  return async (organisationId, limit) =>
    (await dueRewards(database, organisationId, LAST_INSTANT, limit)).map(({ id, dueAt }) => ({
      at: dueAt,
      type: 'reward.paid',
      id: String(id),
    }))
}

async function payUntil(parts: PayoutParts, organisationId: number, until: string, run: DueRun): Promise<void> {
  for (;;) {
    const due = await dueRewards(parts.database, organisationId, until, PAID_AT_ONCE)
    const rewardPaymentIds = await nextRewardPaymentIds(parts.database, due.length)
    const outcomes = await Promise.allSettled(
      due.map((reward, at) => payDue(parts, organisationId, reward, rewardPaymentIds[at] ?? 0)),
    )
    await reportAll(parts.database, organisationId, due, outcomes, run)
    if (due.length < PAID_AT_ONCE || run.isOver()) return
  }
}

/**
 * Reports what became of each payout. One that was refused, such as one that would pass the balance limit, is put off; its
 * reward stays PENDING. A failure that passes by itself is thrown once the others are reported.
 */
async function reportAll(
  database: Database,
  organisationId: number,
  due: DueReward[],
  outcomes: PromiseSettledResult<boolean>[],
  run: DueRun,
): Promise<void> {
  let passing: PromiseRejectedResult | undefined
  for (const [at, { id, dueAt }] of due.entries()) {
    const outcome = outcomes[at]
    if (outcome?.status === 'fulfilled' && outcome.value)
      run.happened({ at: dueAt, type: 'reward.paid', id: String(id) })
    if (outcome?.status !== 'rejected') continue
    if (passesByItself(outcome.reason)) {
      passing ??= outcome
      continue
    }
    await putOffPayout(database, organisationId, id)
    run.putOff({ type: 'reward', id: String(id) }, outcome.reason)
  }
  if (passing) throw passing.reason
}

function passesByItself(error: unknown): boolean {
  if (error instanceof Problem) return error.status >= 500
  return error instanceof DatabaseUnavailable || error instanceof CommitLost
}

/** Returns false if the reward has been paid or reversed meanwhile. */
async function payDue(
  { ids, lane, runOnce, routingNumber }: PayoutParts,
  organisationId: number,
  due: DueReward,
  rewardPaymentId: number,
): Promise<boolean> {
  const write = bankWrite(organisationId)
  const payout = { paymentId: await ids.next(), transferId: await ids.nextPair(), rewardPaymentId }
  let paid = false
  const command: Command<void> = {
    write,
    accountIds: [due.accountId],
    internal: ['rewards_funding'],
    reads: [
      authorizations.ids([due.authorizationId]),
      purchases.ids([{ authorizationId: due.authorizationId, partnerUserIds: [due.partnerUserId] }]),
    ],
    decide: (books) => {
      paid = decidePayout(books, due, payout, routingNumber)
    },
  }
  await runOnce.attempt(write, () => lane.run(command))
  return paid
}

function decidePayout(books: Books, due: DueReward, payout: Payout, routingNumber: string): boolean {
  const purchase = books
    .of(purchases)
    .of(due.authorizationId)
    .find(({ reward }) => reward?.id === due.id)
  const authorization = books.of(authorizations).get(due.authorizationId)
  if (!authorization || !purchase?.reward || stateAfter(purchase.reward.state, 'pay') === undefined) return false
  const now = books.now(authorization.organisationId)
  const rewarded = { ...purchase, reward: nextVersion(paidBy(purchase.reward, payout, now), now) }
  books.of(purchases).update(rewarded)
  emitReward(books, 'reward.paid', rewarded)
  payOut(books, rewarded, authorization, payout, routingNumber)
  return true
}

export function paidBy(reward: LedgerReward, { paymentId, rewardPaymentId }: Payout, paidAt: string): LedgerReward {
  return { ...reward, state: 'PAID', paymentId, paidAt, rewardPaymentId }
}

/** The cash back of a reward that is marked as paid arrives in the account, as a payment within the bank. */
export function payOut(
  books: Books,
  { organisationId, reward }: Rewarded,
  { accountId, customerId }: Pick<LedgerAuthorization, 'accountId' | 'customerId'>,
  { paymentId, transferId, rewardPaymentId }: Payout,
  routingNumber: string,
): void {
  const funding = books.internal('rewards_funding')
  const createdAt = books.now(organisationId)
  const payment: LedgerPayment = {
    id: paymentId,
    organisationId,
    accountId,
    customerId,
    type: 'bookPayment',
    direction: 'Debit',
    status: 'Sent',
    amount: reward.userAmount,
    description: 'Cash back',
    originalType: 'REWARD',
    createdAt,
    externalAccountId: null,
    counterparty: {
      name: reward.merchantName,
      routingNumber,
      accountNumber: funding.accountNumber,
      accountType: 'Checking',
    },
    destinationAccountId: null,
    ...noOptions,
    version: 1,
  }
  const order: TransferOrder = {
    id: transferId,
    debitAccountId: funding.id,
    creditAccountId: accountId,
    amount: reward.userAmount,
    sourceKind: 'reward',
    sourceId: paymentId,
    party: null,
    description: 'Cash back',
  }
  startPayment(books, payment)
  post(books, order, payment, routingNumber)
  const record: RewardPayment = { id: rewardPaymentId, rewardId: reward.id, paymentId, createdAt, updatedAt: null }
  emit(books.events, 'rewardPayment.created', 1, record)
}
