import type { Books, BooksState, Rows } from '../books.ts'
import type { LedgerReward } from '../records.ts'
import { byId } from './by-id.ts'
import type { UndoLog } from './undo-log.ts'

/** Rewardable purchases, and which offers each partner user has earned. */
export function purchaseBooks(
  state: BooksState,
  rows: Rows,
  undo: UndoLog,
): Pick<Books, 'purchasesOf' | 'hasEarned' | 'insertPurchase' | 'updatePurchase'> {
  const purchases = byId(state.purchases)
  const earned = new Set(state.earned)

  function noteEarned(reward: LedgerReward | null): void {
    if (!reward) return
    const name = `${reward.partnerUserId}:${reward.offerId}`
    const wasEarned = earned.has(name)
    const isEarned = reward.state === 'PENDING' || reward.state === 'CONFIRMED' || reward.state === 'PAID'
    isEarned ? earned.add(name) : earned.delete(name)
    undo.push(() => (wasEarned ? earned.add(name) : earned.delete(name)))
  }

  return {
    purchasesOf: (authorizationId) =>
      [...purchases.values()]
        .filter((purchase) => purchase.authorizationId === authorizationId)
        .sort((a, b) => a.id - b.id),
    hasEarned: (partnerUserId, offerId) => earned.has(`${partnerUserId}:${offerId}`),
    insertPurchase(purchase) {
      purchases.set(purchase.id, purchase)
      undo.push(() => purchases.delete(purchase.id))
      noteEarned(purchase.reward)
      undo.append(rows.purchases, purchase)
    },
    updatePurchase(purchase) {
      const before = purchases.get(purchase.id)
      if (!before) throw new Error(`purchase ${purchase.id} was not read under lock`)
      undo.replace(purchases, purchase, before)
      noteEarned(purchase.reward)
      undo.append(rows.purchaseUpdates, purchase)
    },
  }
}
