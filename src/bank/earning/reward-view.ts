import { type EventType, emit } from '../../events/event.ts'
import type { Books } from '../../ledger/books.ts'
import type { Reward } from '../../rewards/records/reward.ts'
import type { RewardableTransaction } from '../../rewards/records/rewardable-transaction.ts'
import type { LedgerPurchase, LedgerReward } from '../records/records.ts'

export type Rewarded = LedgerPurchase & { reward: LedgerReward }

/** The next version of a record that changed at a time. */
export function nextVersion<Row extends { version: number; updatedAt: string | null }>(row: Row, now: string): Row {
  return { ...row, version: row.version + 1, updatedAt: now }
}

/** The event of a reward that has come to a state. */
export const rewardEvents: Record<Reward['state'], EventType> = {
  PENDING: 'reward.created',
  CONFIRMED: 'reward.confirmed',
  PAID: 'reward.paid',
  REJECTED: 'reward.rejected',
  REVERSED: 'reward.reversed',
  CLAWED_BACK: 'reward.clawedBack',
}

export function emitReward(books: Books, type: EventType, { reward, ...purchase }: Rewarded): void {
  emit(books.events, type, reward.version, rewardOf(reward, purchase))
}

function rewardOf(reward: LedgerReward, purchase: Pick<LedgerPurchase, 'id' | 'amount'>): Reward {
  return {
    id: reward.id,
    partnerUserId: reward.partnerUserId,
    rewardableTransactionId: purchase.id,
    offerId: reward.offerId,
    merchantName: reward.merchantName,
    amount: purchase.amount,
    userAmount: reward.userAmount,
    state: reward.state,
    createdAt: reward.createdAt,
    updatedAt: reward.updatedAt,
  }
}

export function rewardableTransactionOf(purchase: LedgerPurchase): RewardableTransaction {
  const { id, linkId, bankTransactionId, createdAt, updatedAt } = purchase
  return { id, partnerUserCardId: linkId, bankTransactionId, createdAt, updatedAt }
}
