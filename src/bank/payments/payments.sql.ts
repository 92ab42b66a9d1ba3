import { arrayOf } from '../../database/arrays.ts'
import type { Queryable } from '../../database/database.ts'
import {
  afterClause,
  afterValues,
  countLimit,
  countStatement,
  type ListWindow,
  orderOf,
  totalBy,
} from '../../database/lists.ts'
import { type PaymentRow, paymentColumns } from '../records/payment-columns.ts'

export function findPayments(database: Queryable, ids: number[]): Promise<PaymentRow[]> {
  return database.query(`select ${paymentColumns} from payment where id = any($1::bigint[])`, [arrayOf('bigint', ids)])
}

/** Replaces the account number of a payment, unless it has been replaced since it was read. */
export async function replacePaymentNumber(
  database: Queryable,
  id: number,
  { before, after }: { before: string; after: string },
): Promise<void> {
  await database.query(
    `update payment set counterparty_account_number = $3::text
     where id = $1::bigint and counterparty_account_number = $2::text`,
    [id, before, after],
  )
}

export interface PaymentFilter {
  organisationId: number
  /** The accounts whose payments can match; null if those of every account can. */
  accountIds: number[] | null
  paymentId: number | null
  customerId: number | null
  externalAccountId: number | null
  tags: Record<string, string> | null
  statuses: string[] | null
  types: string[]
  directions: string[] | null
  since: string | null
  until: string | null
  fromAmount: number | null
  toAmount: number | null
  sameDay: boolean | null
}

export function listPaymentRows(database: Queryable, filter: PaymentFilter, page: ListWindow): Promise<PaymentRow[]> {
  return database.query(
    `select ${paymentColumns} from ${rowsAlongIndex(filter, page)} order by ${orderOf(page)} limit $15 offset $16`,
    [...valuesOf(filter), page.take, page.offset, ...afterValues(page)],
  )
}

/** The payments of a page, along the index that fits the filter. */
function rowsAlongIndex({ paymentId, accountIds }: PaymentFilter, page: ListWindow): string {
  const rest = `and ${period} and ${matching} ${afterClause(page, 17)}`
  if (paymentId !== null) return `payment where ${isOne} ${rest}`
  if (accountIds === null) return `payment where ${isOfOrganisation} ${rest}`
  const ofAccount = (account: string) => `payment where account_id = ${account} ${rest}`
  if (accountIds.length === 1) return ofAccount(`(select own_id from ${ownAccounts})`)
  return `${ownAccounts} cross join lateral (
    select * from ${ofAccount('a.own_id')} order by ${orderOf(page)} limit $15::bigint + $16::bigint) p`
}

/** Counts along the index that fits the filter. */
export function countPayments(transaction: Queryable, filter: PaymentFilter): Promise<string> {
  const statement =
    filter.paymentId !== null ? countOfOne : filter.accountIds !== null ? countOfAccounts : countOfOrganisation
  return totalBy(transaction, statement, valuesOf(filter))
}

/** The filters that no index serves. */
const matching = `($3::bigint is null or id = $3)
       and ($4::bigint is null or customer_id = $4)
       and ($5::bigint is null or external_account_id = $5)
       and ($6::jsonb is null or coalesce(tags, '{}') @> $6)
       and ($7::text[] is null or status = any($7))
       and type = any($8::text[])
       and ($9::text[] is null or direction = any($9))
       and ($12::bigint is null or amount >= $12)
       and ($13::bigint is null or amount <= $13)
       and ($14::boolean is null or same_day = $14)`

/** A range of the index also in a kept plan, unlike a condition that begins with `is null or`. */
const period = `created_at > coalesce($10::timestamptz, '-infinity') and created_at < coalesce($11::timestamptz, 'infinity')`
const newestFirst = 'order by created_at desc, id desc'

const isOne = `id = $3::bigint and organisation_id = $1::bigint and ($2::bigint[] is null or account_id = any($2))`
const isOfOrganisation = 'organisation_id = $1::bigint and $2::bigint[] is null'
const ownAccounts = `(select id as own_id from account where id = any($2::bigint[]) and organisation_id = $1::bigint) a`

const countOfOne = countStatement(`payment where ${isOne} and ${period}`, matching)
const countOfOrganisation = countStatement(`payment where ${isOfOrganisation} and ${period} ${newestFirst}`, matching)
const countOfAccounts = countStatement(
  `${ownAccounts} cross join lateral (
     select * from payment where account_id = a.own_id and ${period} ${newestFirst} ${countLimit}) p`,
  matching,
)

function valuesOf(filter: PaymentFilter): unknown[] {
  return [
    filter.organisationId,
    filter.accountIds,
    filter.paymentId,
    filter.customerId,
    filter.externalAccountId,
    filter.tags && JSON.stringify(filter.tags),
    filter.statuses,
    filter.types,
    filter.directions,
    filter.since,
    filter.until,
    filter.fromAmount,
    filter.toAmount,
    filter.sameDay,
  ]
}

/** The external accounts among these that name accounts of one bank. */
export function findPayeesAt(
  database: Queryable,
  organisationId: number,
  routingNumber: string,
  ids: number[],
): Promise<{ id: number; accountNumber: string }[]> {
  return database.query(
    `select id, account_number as "accountNumber" from external_account
     where id = any($3::bigint[]) and organisation_id = $1::bigint and routing_number = $2::text and deleted_at is null`,
    [organisationId, routingNumber, arrayOf('bigint', ids)],
  )
}
