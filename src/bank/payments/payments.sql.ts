import { arrayOf } from '../../database/arrays.ts'
import type { Queryable } from '../../database/database.ts'
import {
  amountRange,
  conditions,
  countLimit,
  countStatement,
  isOfOrganisation,
  type ListWindow,
  lastSearched,
  named,
  newestFirst,
  type OwnFilter,
  orderOf,
  pageOfRows,
  period,
  totalBy,
} from '../../database/lists.ts'
import { haveWords } from '../customers/matches.sql.ts'
import { type PaymentRow, paymentColumns, waitsFor } from '../records/payment-columns.ts'

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

export interface PaymentFilter extends OwnFilter {
  /** The accounts whose payments can match; null if those of every account can. */
  accountIds: number[] | null
  paymentId: number | null
  returnedSince?: string
}

const isOfType = 'type = any($type::text[])'
const matching = [
  'id = $paymentId::bigint',
  'customer_id = $customerId::bigint',
  'external_account_id = $externalAccountId::bigint',
  `coalesce(tags, '{}') @> $tags::jsonb`,
  'status = any($status::text[])',
  'direction = any($direction::text[])',
  ...amountRange,
  'same_day = $sameDay::boolean',
  haveWords(['description', 'counterparty_name'], '$search::text'),
]
/** Each has an index of the few payments that match. */
const recurring = [
  'recurring_payment_id = $recurringPaymentId::bigint',
  '($isRecurring::boolean and recurring_payment_id is not null)',
]
const ofAccounts = '($accountIds::bigint[] is null or account_id = any($accountIds::bigint[]))'
const isOne = ['id = $paymentId::bigint', isOfOrganisation, ofAccounts]
/** The payments that were returned since a time, by what gave their money back: the few of them have indexes. */
const returned = `(
    select distinct id as returned_id from (
      select source_id as id, created_at as at from transfer
      where organisation_id = $organisationId::bigint and source_kind = 'payment_return' and description like 'Return %'
        and created_at >= $returnedSince::timestamptz
      union all select id, returned_at from debit
      where organisation_id = $organisationId::bigint and returned_at >= $returnedSince::timestamptz
      order by at desc limit 10000) newest) r
  cross join lateral (select * from payment where id = r.returned_id offset 0) p`
/** One account, by its id: the planner takes an array for ten ids, and would plan each time anew to know better. */
const ownAccount = `(select id from account where id = ($accountIds::bigint[])[1] and ${isOfOrganisation})`
const ownAccounts = `(select id as own_id from account where id = any($accountIds::bigint[]) and ${isOfOrganisation}) a`

/** The time after which a list with a search looks at payments; null if it looks at all. */
export async function findSearchStart(database: Queryable, filter: PaymentFilter): Promise<string | null> {
  const last = (owner: string) => lastSearched('payment', [owner], filter)
  const rows =
    filter.accountIds === null
      ? last(isOfOrganisation)
      : `select p.created_at from ${ownAccounts} cross join lateral (${last('account_id = a.own_id')}) p`
  const statement = `select max(created_at) as start from (${rows}) r`
  const [row] = await database.query<{ start: string | null }>(...named(statement, filter))
  return row?.start ?? null
}

/** A page along the index that fits the filter. */
export function listPaymentRows(database: Queryable, filter: PaymentFilter, page: ListWindow): Promise<PaymentRow[]> {
  const where = (...owner: string[]) =>
    conditions({ always: [...owner, isOfType], along: [...period, ...recurring], matching }, filter, page)
  const of = (...owner: string[]) => `payment p where ${where(...owner)}`
  const { paymentId, accountIds } = filter
  const rows =
    filter.returnedSince !== undefined
      ? `${returned} where ${where(isOfOrganisation, ofAccounts)}`
      : paymentId !== null
        ? of(...isOne)
        : accountIds === null
          ? of(isOfOrganisation)
          : accountIds.length === 1
            ? of(`account_id = ${ownAccount}`)
            : `${ownAccounts} cross join lateral (
                 select * from ${of('account_id = a.own_id')}
                 order by ${orderOf(page)} limit $take::bigint + $offset::bigint) p`
  return pageOfRows(database, `select ${paymentColumns}, ${waitsFor('p')} from ${rows}`, filter, page)
}

/** Counts along the index that fits the filter. */
export function countPayments(transaction: Queryable, filter: PaymentFilter): Promise<string> {
  const where = (...owner: string[]) => conditions({ always: owner, along: [...period, ...recurring] }, filter)
  const of = (...owner: string[]) => `payment where ${where(...owner)}`
  const { paymentId, accountIds } = filter
  const rows =
    filter.returnedSince !== undefined
      ? `${returned} where ${where(isOfOrganisation, ofAccounts)}`
      : paymentId !== null
        ? of(...isOne)
        : accountIds === null
          ? `${of(isOfOrganisation)} ${newestFirst}`
          : `${ownAccounts} cross join lateral (
               select * from ${of('account_id = a.own_id')} ${newestFirst} ${countLimit}) p`
  return totalBy(transaction, countStatement(rows, [isOfType, ...matching]), filter)
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
