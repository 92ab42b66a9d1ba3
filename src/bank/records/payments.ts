import { byId, type RecordBook, recordBook, recordKind } from '../../ledger/kinds.ts'
import { paymentRows } from './payment-columns.ts'
import { readLinked, readPayees, readPayments, readPending, writeChangedPayments, writeLinks } from './payments.sql.ts'
import type { LedgerPayee, LedgerPayment } from './records.ts'

/** The external accounts that payments go to. */
export const payees = recordKind({
  name: 'payees',
  early: true,
  read: (transaction, ids: number[]) => readPayees(transaction, ids),
  open: (rows: LedgerPayee[]) => byId(rows),
})

/** The id of a payment, the account whose payments that have not left are read, or the payment whose retries and reversals are. */
type PaymentId = number | { pendingOf: number } | { linkedTo: number }

interface PaymentBook extends RecordBook<LedgerPayment> {
  /** The payments of an account that have not left. Undefined if one of them is new, and is written with this batch. */
  pendingOf(accountId: number): LedgerPayment[] | undefined
  /** The retries and the reversals of a payment. */
  linkedTo(id: number): LedgerPayment[]
}

export const payments = recordKind({
  name: 'payments',
  async read(transaction, ids: PaymentId[]) {
    const own = ids.filter((id) => typeof id === 'number')
    const accountIds = ids.flatMap((id) => (typeof id === 'object' && 'pendingOf' in id ? id.pendingOf : []))
    const linkedIds = ids.flatMap((id) => (typeof id === 'object' && 'linkedTo' in id ? id.linkedTo : []))
    return [
      ...(await readPayments(transaction, own)),
      ...(await readPending(transaction, accountIds)),
      ...(await readLinked(transaction, linkedIds)),
    ]
  },
  open(rows: LedgerPayment[], batch): PaymentBook {
    const book = recordBook('payment', rows, batch)
    return {
      ...book,
      linkedTo: (id) => [...book.all()].filter(({ link }) => link?.paymentId === String(id)),
      pendingOf(accountId) {
        if (book.inserted.some((payment) => payment.accountId === accountId)) return undefined
        return [...book.all()].filter((each) => each.accountId === accountId && each.status === 'Pending')
      },
    }
  },
  write: (transaction, { updated }) => writeChangedPayments(transaction, updated),
  writeBehind: (transaction, { inserted }) => {
    const linked = inserted.filter(({ link }) => link !== null)
    return linked.length === 0 ? undefined : writeLinks(transaction, linked)
  },
  joined: { table: 'payment', rows: paymentRows, of: ({ inserted }) => inserted },
})
