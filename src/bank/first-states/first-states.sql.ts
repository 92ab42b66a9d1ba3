import { arrayOf } from '../../database/arrays.ts'
import type { Queryable } from '../../database/database.ts'
import { creditSide, debitSide, paymentKinds, type TransactionRow } from '../accounts/transactions.sql.ts'
import { type PaymentRow, paymentColumns } from '../records/payment-columns.ts'

/** A payment, and a transaction of its account if one was asked for. */
export interface FirstStateRow extends PaymentRow, Partial<TransferSide> {}

/** A payment with a transaction of its account. */
export type SideRow = PaymentRow & TransferSide

interface TransferSide {
  side: number
  sideAmount: number
  sideDirection: TransactionRow['direction']
  sideBalance: number
  sideCreatedAt: string
  sideSourceKind: TransactionRow['sourceKind']
  sideParty: string | null
  sideDescription: string | null
  otherId: number
  otherCustomerId: number | null
}

/** Sides of transfers with their payments, on the accounts of these. `offset 0` keeps each join a look-up per row. */
const sidesOf = (side: string) => `
  select p.*, s.id as side, s.amount as "sideAmount", s.direction as "sideDirection", s.balance as "sideBalance",
    s.created_at as "sideCreatedAt", s.source_kind as "sideSourceKind", s.party as "sideParty",
    s.description as "sideDescription", s.other_id as "otherId", o.customer_id as "otherCustomerId"
  from (${side} where t.id = any($1::bigint[]) and t.source_kind in (${paymentKinds}) offset 0) s
  cross join lateral (
    select ${paymentColumns} from payment where id = s.source_id and account_id = s.account_id offset 0) p
  cross join lateral (select customer_id from account where id = s.other_id offset 0) o`
const selectDebits = sidesOf(debitSide)
const selectCredits = sidesOf(creditSide)
const selectPayments = `select ${paymentColumns} from payment where id = any($1::bigint[])`

/**
 * Payments by their ids, and the transactions of their accounts by theirs. A page of events mostly has both of a payment, which
 * are one row then. Planned every time, because a plan that was kept from when the tables were small reads all of them.
 */
export async function findFirstStateRows(
  database: Queryable,
  wanted: { payments: number[]; transactions: number[] },
): Promise<FirstStateRow[]> {
  const read = async <Row>(text: string, ids: number[]): Promise<Row[]> =>
    ids.length === 0 ? [] : database.query(text, [arrayOf('bigint', ids)], 'once')
  // An even id is a debit, an odd one the credit of the transfer before it.
  const debits = wanted.transactions.filter((id) => id % 2 === 0)
  const credits = wanted.transactions.flatMap((id) => (id % 2 === 0 ? [] : id - 1))
  const sides = [...(await read<SideRow>(selectDebits, debits)), ...(await read<SideRow>(selectCredits, credits))]
  const known = new Set(sides.map(({ id }) => id))
  const missing = new Set(wanted.payments.filter((id) => !known.has(id)))
  return [...sides, ...(await read<PaymentRow>(selectPayments, [...missing]))]
}
