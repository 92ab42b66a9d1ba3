import { byId, recordKind } from '../../ledger/kinds.ts'
import { payments } from './payments.ts'
import { type EarningId, lockEarning, type ReadEarning, writePurchases } from './purchases.sql.ts'
import type { LedgerLink, LedgerPurchase, LedgerReward } from './records.ts'

interface PurchaseBook {
  /** The link of a card to a partner user. */
  link(id: number): LedgerLink | undefined
  /** The purchases of an authorization, oldest first. */
  of(authorizationId: number): LedgerPurchase[]
  /** Whether a partner user has a pending, confirmed or paid reward from an offer. */
  hasEarned(partnerUserId: number, offerId: string): boolean
  insert(purchase: LedgerPurchase): void
  update(purchase: LedgerPurchase): void
  inserted: LedgerPurchase[]
  /** Purchases that earned after they were inserted, as they were then. */
  rewarded: LedgerPurchase[]
  updated: LedgerPurchase[]
}

const partnerUserLock = (id: number) => `partner user ${id}`

/** Rewardable purchases, and which offers each partner user has earned. */
export const purchases = recordKind({
  name: 'purchases',
  early: true,
  locks: ({ partnerUserIds }: EarningId) => partnerUserIds.map(partnerUserLock),
  async read(transaction, ids: EarningId[], batch): Promise<ReadEarning[]> {
    const { heldUserIds, ...earning } = await lockEarning(transaction, ids, batch.locking)
    for (const id of heldUserIds) batch.held.add(partnerUserLock(id))
    batch.add(payments.ids(earning.purchases.flatMap(({ reward }) => reward?.paymentId ?? [])))
    return [earning]
  },
  open([read]: ReadEarning[], { undo }): PurchaseBook {
    const links = byId(read?.links ?? [])
    const purchases = byId(read?.purchases ?? [])
    const earned = new Set(read?.earned)
    const inserted: LedgerPurchase[] = []
    const rewarded: LedgerPurchase[] = []
    const updated: LedgerPurchase[] = []

    function noteEarned(reward: LedgerReward | null): void {
      if (!reward) return
      const name = `${reward.partnerUserId}:${reward.offerId}`
      const wasEarned = earned.has(name)
      const isEarned = reward.state === 'PENDING' || reward.state === 'CONFIRMED' || reward.state === 'PAID'
      isEarned ? earned.add(name) : earned.delete(name)
      undo.push(() => (wasEarned ? earned.add(name) : earned.delete(name)))
    }

    return {
      link: (id) => links.get(id),
      of: (authorizationId) =>
        [...purchases.values()]
          .filter((purchase) => purchase.authorizationId === authorizationId)
          .sort((a, b) => a.id - b.id),
      hasEarned: (partnerUserId, offerId) => earned.has(`${partnerUserId}:${offerId}`),
      insert(purchase) {
        purchases.set(purchase.id, purchase)
        undo.push(() => purchases.delete(purchase.id))
        noteEarned(purchase.reward)
        undo.append(inserted, purchase)
      },
      update(purchase) {
        const before = purchases.get(purchase.id)
        if (!before) throw new Error(`purchase ${purchase.id} was not read under lock`)
        undo.replace(purchases, purchase, before)
        noteEarned(purchase.reward)
        undo.append(before.reward || !purchase.reward ? updated : rewarded, purchase)
      },
      inserted,
      rewarded,
      updated,
    }
  },
  write: (transaction, book) => writePurchases(transaction, book),
})
