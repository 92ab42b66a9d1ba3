import type { Queryable } from '../../../database/database.ts'
import {
  amountRange,
  conditions,
  type ListWindow,
  type OwnFilter,
  orderOf,
  pageOfRows,
  period,
} from '../../../database/lists.ts'
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

export interface ReceivedFilter extends OwnFilter {
  accountId: number | null
  customerId: number | null
}

const filters = {
  always: ['account_id is not null'],
  along: period,
  matching: ['status = any($status::text[])', 'direction = any($direction::text[])', ...amountRange],
}
const owner = {
  always: ['a.organisation_id = $organisationId::bigint'],
  along: ['a.id = $accountId::bigint', 'a.customer_id = $customerId::bigint'],
}

export function listReceived(database: Queryable, filter: ReceivedFilter, page: ListWindow): Promise<LedgerReceived[]> {
  const rows = `select * from received_payment where ${conditions(filters, filter, page)}`
  const ofAccounts = `select r.* from account a
    cross join lateral (
      ${rows} and account_id = a.id order by ${orderOf(page)} limit $take::bigint + $offset::bigint) r
    where ${conditions(owner, filter)}`
  const ofOrganisation = `${rows} and organisation_id = $organisationId::bigint`
  const found = filter.accountId === null && filter.customerId === null ? ofOrganisation : ofAccounts
  return pageOfRows(database, `select ${receivedColumns} from (${found}) r`, filter, page, 'once')
}
