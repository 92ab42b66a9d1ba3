import type { Books } from '../../ledger/books.ts'
import type { Reads } from '../../ledger/kinds.ts'
import type { TransferOrder } from '../../ledger/records.ts'
import { sharesOf } from '../../rewards/matching.ts'
import { stateAfter } from '../../rewards/records/reward-states.ts'
import { post } from '../accounts/posting.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import { payments } from '../records/payments.ts'
import { purchases } from '../records/purchases.ts'
import type { LedgerPurchase, LedgerReward } from '../records/records.ts'
import { type CampaignPlan, changeBudgets, changeUse, coversReward, planReads } from './campaign-rewards.ts'
import { partnerUsersOf } from './earning.sql.ts'
import { emitReward, nextVersion, rewardEvents } from './reward-view.ts'

/** The partner users to lock for a refund, and a transfer id for each purchase of the authorization. */
export interface ClawBack extends CampaignPlan {
  partnerUserIds: number[]
  transferIds: number[]
}

export async function prepareClawBack(
  { database, ids }: Pick<BankParts, 'database' | 'ids'>,
  authorizationId: number,
): Promise<ClawBack> {
  const earned = await partnerUsersOf(database, authorizationId)
  return {
    partnerUserIds: [...new Set(earned.map(({ partnerUserId }) => partnerUserId))],
    activationIds: earned.flatMap(({ activationId }) => activationId ?? []),
    campaignIds: [...new Set(earned.flatMap(({ campaignId }) => campaignId ?? []))],
    transferIds: await Promise.all(earned.map(() => ids.nextPair())),
  }
}

/** The records that a refund reads beside its authorization. */
export function clawBackReads(plan: ClawBack, authorizationId: number): Reads[] {
  return [purchases.ids([{ authorizationId, partnerUserIds: plan.partnerUserIds }]), ...planReads(plan)]
}

/** Whether the plan foresees every purchase of the authorization. One that settled after the plan was made is missing. */
export function coversPurchases(books: Books, plan: ClawBack, authorizationId: number): boolean {
  const { partnerUserIds, transferIds } = plan
  const made = books.of(purchases).of(authorizationId)
  const isLocked = ({ reward }: LedgerPurchase) =>
    !reward || (partnerUserIds.includes(reward.partnerUserId) && coversReward(plan, reward))
  return made.length <= transferIds.length && made.every(isLocked)
}

/**
 * Takes a refund off the purchases of an authorization, the newest first, and takes back what their rewards paid too much.
 * The plan must cover the purchases.
 */
export function clawBack(
  books: Books,
  plan: ClawBack,
  { authorizationId, refund }: { authorizationId: number; refund: number },
  routingNumber: string,
): void {
  const transferIds = [...plan.transferIds]
  let left = refund
  for (const purchase of books.of(purchases).of(authorizationId).reverse()) {
    const part = Math.min(left, purchase.amount - purchase.refunded)
    left -= part
    const transferId = transferIds.pop()
    if (part > 0 && transferId !== undefined) refundPurchase(books, purchase, part, { transferId, routingNumber })
  }
}

function refundPurchase(
  books: Books,
  purchase: LedgerPurchase,
  part: number,
  { transferId, routingNumber }: { transferId: number; routingNumber: string },
): void {
  const refunded = purchase.refunded + part
  const now = books.now(purchase.organisationId)
  const changed = nextVersion({ ...purchase, refunded }, now)
  const before = purchase.reward
  if (!before) {
    books.of(purchases).update(changed)
    return
  }
  const reward = reduced(before, purchase.amount - refunded, purchase.amount, now)
  const rewarded = { ...changed, reward }
  books.of(purchases).update(rewarded)
  if (reward === before) return
  emitReward(books, reward.state === before.state ? 'reward.amountChanged' : rewardEvents[reward.state], rewarded)
  const difference = before.userAmount - reward.userAmount
  const isOver = reward.state !== before.state
  changeBudgets(books, rewarded, { amount: -difference, count: isOver ? -1 : 0 })
  if (isOver) changeUse(books, reward.activationId, -1)
  if (before.state === 'PAID' && difference > 0) takeBack(books, before, difference, { transferId, routingNumber })
}

/** A reward after a part of its purchase was refunded; the same object if its shares stay as they are. */
function reduced(reward: LedgerReward, left: number, purchase: number, now: string): LedgerReward {
  const shares = sharesOf(left, reward, purchase)
  if (shares.userAmount === reward.userAmount && shares.issuerAmount === reward.issuerAmount) return reward
  const state = shares.userAmount > 0 ? reward.state : (stateAfter(reward.state, 'refundAll') ?? reward.state)
  return nextVersion({ ...reward, ...shares, state }, now)
}

/** Moves cash back from the account that received it to the funding account. */
function takeBack(
  books: Books,
  { paymentId }: LedgerReward,
  amount: number,
  { transferId, routingNumber }: { transferId: number; routingNumber: string },
): void {
  const payout = books.of(payments).get(paymentId ?? 0)
  if (!payout) throw new Error('the payout of a reward was not read')
  const order: TransferOrder = {
    id: transferId,
    debitAccountId: payout.accountId,
    creditAccountId: books.internal('rewards_funding').id,
    amount,
    sourceKind: 'reward_clawback',
    sourceId: payout.id,
    party: null,
    description: 'Cash back taken back',
  }
  post(books, order, payout, routingNumber)
}
