import type { Queryable } from '../../../database/database.ts'
import { afterClause, afterValues, equals, type ListWindow, orderOf } from '../../../database/lists.ts'
import { receivedColumns } from '../../records/received-columns.ts'
import type { LedgerReceived } from '../../records/received-records.ts'

export interface UnbookedReceived {
  id: number
  accountId: number | null
  customerId: number | null
  dueAt: string
}

/** The received payments of an organisation that are booked next. */
export function nextUnbooked(database: Queryable, organisationId: number, limit: number): Promise<UnbookedReceived[]> {
  return database.query(
    `select id, account_id as "accountId", customer_id as "customerId", due_at as "dueAt" from received_payment
     where organisation_id = $1::bigint and booked_at is null order by due_at, id limit $2`,
    [organisationId, limit],
    'once',
  )
}

/** A received payment of an organisation. One that names no account is the bank's. */
export async function findReceived(
  database: Queryable,
  organisationId: number,
  id: number,
): Promise<LedgerReceived | undefined> {
  const [row] = await database.query<LedgerReceived>(
    `select ${receivedColumns} from received_payment
     where id = $2::bigint and organisation_id = $1::bigint and account_id is not null`,
    [organisationId, id],
  )
  return row
}

export interface ReceivedFilter {
  organisationId: number
  accountId: number | null
  customerId: number | null
  status: string[] | null
  direction: string[] | null
  since: string | null
  until: string | null
}

export function listReceived(database: Queryable, filter: ReceivedFilter, page: ListWindow): Promise<LedgerReceived[]> {
  const { organisationId, accountId, customerId, status, direction, since, until } = filter
  const order = `order by ${orderOf(page)}`
  const rows = (owner: string) => `select * from received_payment
       where ${owner} and account_id is not null
         and ($4::text[] is null or status = any($4)) and ($5::text[] is null or direction = any($5))
         and ($6::timestamptz is null or created_at > $6) and ($7::timestamptz is null or created_at < $7)
         ${afterClause(page, 10)}`
  const ofAccounts = `select r.* from account a
     cross join lateral (${rows('account_id = a.id')} ${order} limit $8::bigint + $9::bigint) r
     where a.organisation_id = $1::bigint and ${equals('a.id', 2, accountId)} and ${equals('a.customer_id', 3, customerId)}`
  const ofOrganisation = rows('organisation_id = $1::bigint and $2::bigint is null and $3::bigint is null')
  return database.query(
    `select ${receivedColumns} from (${accountId === null && customerId === null ? ofOrganisation : ofAccounts}) r
     ${order} limit $8 offset $9`,
    [
      ...[organisationId, accountId, customerId, status, direction, since, until],
      ...[page.take, page.offset, ...afterValues(page)],
    ],
    'once',
  )
}
