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

const sidesOf = (sideText: string, ids: string) => `
  select s.*, case when s.source_kind in (${paymentKinds}) then s.source_id end as payment_id
  from (${sideText} where t.id = any(${ids}::bigint[])) s`

/** As in the lists of transactions, `offset 0` keeps each join a look-up per row. */
const selectStates = `
  select p.*, x.id as side, x.account_id as "sideAccountId", a.customer_id as "sideCustomerId", x.amount as "sideAmount",
    x.direction as "sideDirection", x.balance as "sideBalance", x.created_at as "sideCreatedAt",
    x.source_kind as "sideSourceKind", x.party as "sideParty", x.description as "sideDescription", x.other_id as "otherId",
    o.customer_id as "otherCustomerId", o.name as "otherName", o.account_number as "otherAccountNumber"
  from (
    ${sidesOf(debitSide, '$2')} union all ${sidesOf(creditSide, '$3')}
    union all
    select null, null, null, null, null, null, null, null, null, null, null, null, null, id from unnest($1::bigint[]) id) x
  cross join lateral (select ${paymentColumns} from payment where id = x.payment_id offset 0) p
  left join lateral (select customer_id from account where id = x.account_id offset 0) a on true
  left join lateral (select customer_id, name, account_number from account where id = x.other_id offset 0) o on true`

/**
 * Payments by their ids, and transactions of payments by theirs: an even id is a debit, an odd one a credit. Planned every
 * time, because a plan that was kept from when the tables were small reads all of them.
 */
export function findFirstStateRows(
  database: Queryable,
  { payments, transactions }: { payments: number[]; transactions: number[] },
): Promise<FirstStateRow[]> {
  const debits = transactions.filter((id) => id % 2 === 0)
  const credits = transactions.flatMap((id) => (id % 2 === 0 ? [] : id - 1))
  return database.query(
    selectStates,
    [payments, debits, credits].map((ids) => arrayOf('bigint', ids)),
    'once',
  )
}
