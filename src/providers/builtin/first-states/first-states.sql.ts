import { arrayOf } from '../../../database/arrays.ts'
import type { Queryable } from '../../../database/database.ts'
import { type PaymentRow, paymentColumns } from '../../../ledger/payment-columns.ts'
import { creditSide, debitSide, paymentKinds, type TransactionRow } from '../bank/transactions.sql.ts'

/** A payment, and a side of one of its transfers where a transaction was asked for. */
export type FirstStateRow = PaymentRow & (TransferSide | { side: null })

interface TransferSide {
  side: number
  sideAccountId: number
  sideCustomerId: number
  sideAmount: number
  sideDirection: TransactionRow['direction']
  sideBalance: number
  sideCreatedAt: string
  sideSourceKind: TransactionRow['sourceKind']
  sideParty: string | null
  sideDescription: string | null
  otherId: number
  otherCustomerId: number | null
  otherName: string
  otherAccountNumber: string
}

const sideColumns = `s.id as side, s.account_id as "sideAccountId", s.amount as "sideAmount", s.direction as "sideDirection",
  s.balance as "sideBalance", s.created_at as "sideCreatedAt", s.source_kind as "sideSourceKind",
  s.party as "sideParty", s.description as "sideDescription", s.other_id as "otherId", s.source_id as "paymentId"`

/** Sides of transfers of payments: an even id is a debit, an odd one a credit. */
const selectSides = `
  select ${sideColumns} from (${debitSide} where t.id = any($1::bigint[])) s where s.source_kind in (${paymentKinds})
  union all
  select ${sideColumns} from (${creditSide} where t.id = any($2::bigint[])) s where s.source_kind in (${paymentKinds})`
const selectPayments = `select ${paymentColumns} from payment where id = any($1::bigint[])`
const selectAccounts = `
  select id, customer_id as "customerId", name, account_number as "accountNumber" from account where id = any($1::bigint[])`

type Side = Omit<TransferSide, 'sideCustomerId' | 'otherCustomerId' | 'otherName' | 'otherAccountNumber'> & {
  paymentId: number
}
type Account = TransactionRow['other']

/**
 * Payments by their ids, and transactions of payments by theirs. One statement a table: a join of them all took more time
 * to plan than to run. Planned every time, because a plan that was kept from when the tables were small reads all of them.
 */
export async function findFirstStateRows(
  database: Queryable,
  wanted: { payments: number[]; transactions: number[] },
): Promise<FirstStateRow[]> {
  const sides = await findSides(database, wanted.transactions)
  const paymentIds = new Set([...wanted.payments, ...sides.map(({ paymentId }) => paymentId)])
  const accountIds = new Set(sides.flatMap(({ sideAccountId, otherId }) => [sideAccountId, otherId]))
  const payments = await byId<PaymentRow>(database, selectPayments, paymentIds)
  const accounts = await byId<Account>(database, selectAccounts, accountIds)
  return [
    ...[...new Set(wanted.payments)].flatMap((id) => {
      const payment = payments.get(id)
      return payment ? [{ ...payment, side: null }] : []
    }),
    ...sides.flatMap((side) => rowOf(side, payments.get(side.paymentId), accounts)),
  ]
}

function rowOf(side: Side, payment: PaymentRow | undefined, accounts: Map<number, Account>): FirstStateRow[] {
  const account = accounts.get(side.sideAccountId)
  const other = accounts.get(side.otherId)
  // An internal account has no customer, and its transactions are not shown.
  if (!payment || !account || account.customerId === null || !other) return []
  const shown = { sideCustomerId: account.customerId, otherCustomerId: other.customerId, otherName: other.name }
  return [{ ...payment, ...side, ...shown, otherAccountNumber: other.accountNumber }]
}

async function findSides(database: Queryable, transactions: number[]): Promise<Side[]> {
  if (transactions.length === 0) return []
  const debits = transactions.filter((id) => id % 2 === 0)
  const credits = transactions.flatMap((id) => (id % 2 === 0 ? [] : id - 1))
  return database.query(selectSides, [arrayOf('bigint', debits), arrayOf('bigint', credits)], 'once')
}

async function byId<Row extends { id: number }>(
  database: Queryable,
  text: string,
  ids: Set<number>,
): Promise<Map<number, Row>> {
  if (ids.size === 0) return new Map()
  const rows = await database.query<Row>(text, [arrayOf('bigint', [...ids])], 'once')
  return new Map(rows.map((row) => [row.id, row]))
}
