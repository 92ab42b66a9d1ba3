import { reservedBy } from '../../banking/account-holds/account-hold.ts'
import { byId } from '../books/by-id.ts'
import type { UndoLog } from '../books/undo-log.ts'
import type { Books, BooksState, Rows } from '../books.ts'

/** The holds that a batch has read, and those that it makes and ends. Each changes the hold of its account. */
export function holdBooks(
  state: BooksState,
  rows: Rows,
  undo: UndoLog,
  addHold: (accountId: number, amount: number) => void,
): Pick<Books, 'hold' | 'insertHold' | 'endHold'> {
  const holds = byId(state.holds)
  return {
    hold: (id) => holds.get(id),
    insertHold(hold) {
      addHold(hold.accountId, reservedBy(hold))
      undo.append(rows.holds, hold)
    },
    endHold(hold) {
      const before = holds.get(hold.id)
      if (!before) throw new Error(`hold ${hold.id} was not read under lock`)
      const ended = { ...hold, version: before.version + 1 }
      addHold(hold.accountId, reservedBy(ended) - reservedBy(before))
      undo.replace(holds, ended, before)
      undo.append(rows.endedHolds, ended)
      return ended
    },
  }
}
