import type { Books, BooksState, Rows } from '../books.ts'
import { byId } from './by-id.ts'
import type { UndoLog } from './undo-log.ts'

export function paymentBooks(
  state: BooksState,
  rows: Rows,
  undo: UndoLog,
): Pick<Books, 'payment' | 'pendingOf' | 'insertPayment' | 'updatePayment'> {
  const payments = byId(state.payments)
  return {
    payment: (id) => payments.get(id),
    pendingOf(accountId) {
      if (rows.payments.some((payment) => payment.accountId === accountId)) return undefined
      return [...payments.values()].filter((each) => each.accountId === accountId && each.status === 'Pending')
    },
    insertPayment(payment) {
      payments.set(payment.id, payment)
      undo.push(() => payments.delete(payment.id))
      undo.append(rows.payments, payment)
    },
    updatePayment(payment) {
      const before = payments.get(payment.id)
      if (!before) throw new Error(`payment ${payment.id} was not read under lock`)
      const changed = { ...payment, version: before.version + 1 }
      undo.replace(payments, changed, before)
      undo.append(rows.paymentUpdates, changed)
      return changed
    },
  }
}

export function receivedBooks(
  state: BooksState,
  rows: Rows,
  undo: UndoLog,
): Pick<
  Books,
  | 'received'
  | 'insertReceived'
  | 'updateReceived'
  | 'insertReceivedEntry'
  | 'insertAchException'
  | 'resolveAchException'
> {
  const received = byId(state.received)
  return {
    received: (id) => received.get(id),
    insertReceived: (row) => undo.append(rows.received, row),
    updateReceived(row) {
      const before = received.get(row.id)
      if (!before) throw new Error(`received payment ${row.id} was not read under lock`)
      const changed = { ...row, version: before.version + 1 }
      undo.replace(received, changed, before)
      undo.append(rows.receivedUpdates, changed)
      return changed
    },
    insertReceivedEntry: (entry) => undo.append(rows.receivedEntries, entry),
    insertAchException: (exception) => undo.append(rows.achExceptions, exception),
    resolveAchException: (resolution) => undo.append(rows.achResolutions, resolution),
  }
}
