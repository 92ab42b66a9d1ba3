import { byId, type RecordBook, recordBook, recordKind } from '../../ledger/kinds.ts'
import { paymentRows } from './payment-columns.ts'
import { readPayees, readPayments, readPending, writeChangedPayments } from './payments.sql.ts'
import type { LedgerPayee, LedgerPayment } from './records.ts'

/** The external accounts that payments go to. */
export const payees = recordKind({
  name: 'payees',
  early: true,
  read: (transaction, ids: number[]) => readPayees(transaction, ids),
  open: (rows: LedgerPayee[]) => byId(rows),
})

/** The id of a payment, or the account whose payments that have not left are read. */
type PaymentId = number | { pendingOf: number }

interface PaymentBook extends RecordBook<LedgerPayment> {
  /** The payments of an account that have not left. Undefined if one of them is new, and is written with this batch. */
  pendingOf(accountId: number): LedgerPayment[] | undefined
}

export const payments = recordKind({
  name: 'payments',
  async read(transaction, ids: PaymentId[]) {
    const own = ids.filter((id) => typeof id === 'number')
    const accountIds = ids.flatMap((id) => (typeof id === 'number' ? [] : id.pendingOf))
    return [...(await readPayments(transaction, own)), ...(await readPending(transaction, accountIds))]
  },
  open(rows: LedgerPayment[], batch): PaymentBook {
    const book = recordBook('payment', rows, batch)
    return {
      ...book,
      pendingOf(accountId) {
        if (book.inserted.some((payment) => payment.accountId === accountId)) return undefined
        return [...book.all()].filter((each) => each.accountId === accountId && each.status === 'Pending')
      },
    }
  },
  write: (transaction, { updated }) => writeChangedPayments(transaction, updated),
  joined: { table: 'payment', rows: paymentRows, of: ({ inserted }) => inserted },
})
