import { heldBy } from '../../banking/authorizations/authorization.ts'
import { hasPeriodLimit } from '../../banking/cards/card-limits.ts'
import type { Books, BooksState, Rows } from '../books.ts'
import type { LedgerAuthorization } from '../records.ts'
import { type CardDay, spendingChange, spentIn } from '../spending.ts'
import { byId } from './by-id.ts'
import type { UndoLog } from './undo-log.ts'

export function authorizationBooks(
  state: BooksState,
  rows: Rows,
  undo: UndoLog,
  addHold: (accountId: number, amount: number) => void,
): Pick<Books, 'authorization' | 'insertAuthorization' | 'updateAuthorization' | 'spentIn'> {
  const authorizations = byId(state.authorizations)
  const spending = spendingBooks(state, undo)
  return {
    authorization: (id) => authorizations.get(id),
    spentIn: spending.spentIn,
    insertAuthorization(authorization) {
      spending.change(authorization, undefined)
      addHold(authorization.accountId, heldBy(authorization))
      undo.append(rows.authorizations, authorization)
    },
    updateAuthorization(authorization) {
      const before = authorizations.get(authorization.id)
      if (!before) throw new Error(`authorization ${authorization.id} was not read under lock`)
      addHold(authorization.accountId, heldBy(authorization) - heldBy(before))
      spending.change(authorization, before)
      undo.replace(authorizations, authorization, before)
      undo.append(rows.authorizationUpdates, authorization)
    },
  }
}

/** The purchases of cards that have limits of days or months. Those of other cards are not counted. */
function spendingBooks(state: BooksState, undo: UndoLog) {
  const daysOf = new Map<number, CardDay[]>()
  for (const { id, limits } of state.cards) if (limits && hasPeriodLimit(limits)) daysOf.set(id, [])
  for (const day of state.spending) daysOf.get(day.cardId)?.push(day)
  return {
    spentIn: (cardId: number, period: string) => spentIn(daysOf.get(cardId) ?? [], period),
    change(after: LedgerAuthorization, before: LedgerAuthorization | undefined): void {
      const days = daysOf.get(after.cardId)
      if (!days) return
      const day: CardDay = { cardId: after.cardId, day: after.createdAt.slice(0, 10), ...spendingChange(after, before) }
      undo.append(days, day)
    },
  }
}
