import { type RecordBook, recordBook, recordKind } from '../../../ledger/kinds.ts'
import type { LedgerRecurringPayment, LedgerRun } from '../records.ts'
import { readRecurringPayments, writeRecurringPayments } from './recurring-payments.sql.ts'

interface RecurringBook extends RecordBook<LedgerRecurringPayment> {
  /** Notes what became of a due date. One that waits is noted again. */
  note(run: LedgerRun): void
  runs: LedgerRun[]
}

/** Recurring payments, with their runs. */
export const recurringPayments = recordKind({
  name: 'recurring payments',
  read: (transaction, ids: number[]) => readRecurringPayments(transaction, ids),
  open(rows: LedgerRecurringPayment[], batch): RecurringBook {
    const runs: LedgerRun[] = []
    return {
      ...recordBook('recurring payment', rows, batch),
      note: (run) => batch.undo.append(runs, run),
      runs,
    }
  },
  write: (transaction, book) => writeRecurringPayments(transaction, book),
})
