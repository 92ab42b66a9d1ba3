import { type EventType, emit } from '../../../events/event.ts'
import type { Books } from '../../../ledger/books.ts'
import type { LedgerPurchase, LedgerReward } from '../../../ledger/records.ts'
import type { Reward } from '../../../rewards/records/reward.ts'
import type { RewardableTransaction } from '../../../rewards/records/rewardable-transaction.ts'

export type Rewarded = LedgerPurchase & { reward: LedgerReward }

/** A record after a change at a time. */
export function nextVersion<Row extends { version: number; updatedAt: string | null }>(row: Row, now: string): Row {
  return { ...row, version: row.version + 1, updatedAt: now }
}

export function tellOfReward(books: Books, type: EventType, { reward, ...purchase }: Rewarded): void {
  emit(books.events, type, reward.version, rewardOf(reward, purchase))
}

function rewardOf(reward: LedgerReward, purchase: Pick<LedgerPurchase, 'id' | 'amount' | 'createdAt'>): Reward {
  return {
    id: reward.id,
    partnerUserId: reward.partnerUserId,
    rewardableTransactionId: purchase.id,
    offerId: reward.offerId,
    merchantName: reward.merchantName,
    amount: purchase.amount,
    userAmount: reward.userAmount,
    state: reward.state,
    createdAt: purchase.createdAt,
    updatedAt: reward.updatedAt,
  }
}

export function rewardableTransactionOf(purchase: LedgerPurchase): RewardableTransaction {
  const { id, linkId, bankTransactionId, createdAt, updatedAt } = purchase
  return { id, partnerUserCardId: linkId, bankTransactionId, createdAt, updatedAt }
}
