import type { AccountStatus } from '../../../banking/accounts/account.ts'
import { arrayOf } from '../../../database/arrays.ts'
import type { Queryable } from '../../../database/database.ts'

export interface ShownAccount {
  id: number
  customerId: number
  createdAt: string
  name: string
  accountNumber: string
  balance: number
  hold: number
  status: AccountStatus
  tags: Record<string, string>
}

export interface AccountRow extends ShownAccount {
  version: number
}

const shown = `id, customer_id as "customerId", created_at as "createdAt", name, account_number as "accountNumber",
  balance, hold, status, tags`
const columns = `${shown}, version`

/**
 * The time is taken while openings are announced: when the month turns, an account with a time before it is either there
 * or announced.
 */
export async function insertAccount(
  transaction: Queryable,
  account: {
    id: number
    organisationId: number
    customerId: number
    tags: Record<string, string>
    /** Absent or null: now. */
    openedAt?: string | null
  },
): Promise<AccountRow | undefined> {
  const [row] = await transaction.query<AccountRow>(
    `insert into account (id, organisation_id, customer_id, created_at, name, status, tags)
     with announced as materialized (select pg_advisory_xact_lock_shared($5::int, $6::int))
     select $1::bigint, c.organisation_id, c.id, coalesce($7::timestamptz, bank_time(c.organisation_id)), c.name, 'Open',
       $4::jsonb
     from announced cross join customer c where c.organisation_id = $2::bigint and c.id = $3::bigint
     returning ${columns}`,
    [
      account.id,
      account.organisationId,
      account.customerId,
      JSON.stringify(account.tags),
      ...openingLock(account.organisationId),
      account.openedAt,
    ],
  )
  return row
}

/** Waits until every account whose opening had begun is there, or is not going to be. */
export async function awaitOpenings(database: Queryable, organisationId: number): Promise<void> {
  await database.query(`select pg_advisory_xact_lock($1::int, $2::int)`, openingLock(organisationId))
}

/** Any fixed number that no other advisory lock begins with; organisations that share the other only wait a little. */
function openingLock(organisationId: number): [number, number] {
  return [7_275_741, organisationId % 2 ** 31]
}

export async function findAccount(database: Queryable, id: number): Promise<ShownAccount | undefined> {
  const [row] = await database.query<ShownAccount>(`select ${shown} from account where id = $1::bigint`, [id])
  return row
}

/** An account as the interface shows it: JSON, all but its tags, whose order and spaces are JavaScript's. */
export interface AccountJson {
  id: number
  organisationId: number
  json: string
  /** Null for none, as most have. */
  tags: Record<string, string> | null
}

/** The same as `depositAccount` makes of a row: here it costs the service nothing, and a test holds one against the other. */
export function findAccountJson(database: Queryable, ids: number[], routingNumber: string): Promise<AccountJson[]> {
  return database.query(
    `select id, organisation_id as "organisationId", nullif(tags, '{}') as tags, concat(
       '{"id":"', id, '","type":"depositAccount","customerId":"', customer_id,
       '","createdAt":"', to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
       '","name":', to_json(name), ',"depositProduct":"checking","routingNumber":"', $2::text,
       '","accountNumber":"', account_number, '","currency":"USD","available":', balance - hold,
       ',"balance":', balance, ',"hold":', hold, ',"status":"', status, '","tags":') as json
     from account where id = any($1::bigint[])`,
    [arrayOf('bigint', ids), routingNumber],
  )
}

export async function lockAccount(
  transaction: Queryable,
  organisationId: number,
  id: number,
): Promise<AccountRow | undefined> {
  const [row] = await transaction.query<AccountRow>(
    `select ${columns} from account where organisation_id = $1::bigint and id = $2::bigint for no key update`,
    [organisationId, id],
  )
  return row
}

export async function updateAccountStatus(
  transaction: Queryable,
  id: number,
  status: AccountStatus,
  closeReason: string | null,
): Promise<AccountRow> {
  const [row] = await transaction.query<AccountRow>(
    `update account set status = $2::text, close_reason = $3::text, version = version + 1 where id = $1::bigint
     returning ${columns}`,
    [id, status, closeReason],
  )
  if (!row) throw new Error('an update of a locked account answered no row')
  return row
}

export async function listAccountRows(
  database: Queryable,
  filter: { organisationId: number; customerId: number | null; status: AccountStatus | null },
  page: { take: number; offset: number; ascending: boolean },
): Promise<AccountRow[]> {
  const order = page.ascending ? 'created_at, id' : 'created_at desc, id desc'
  return database.query(
    `select ${columns} from account
     where organisation_id = $1::bigint and id > 0
       and ($2::bigint is null or customer_id = $2) and ($3::text is null or status = $3)
     order by ${order} limit $4 offset $5`,
    [filter.organisationId, filter.customerId, filter.status, page.take, page.offset],
  )
}

export function findAccountsByNumber(
  database: Queryable,
  accountNumbers: string[],
): Promise<{ id: number; accountNumber: string }[]> {
  return database.query(
    `select id, account_number as "accountNumber" from account where account_number = any($1::text[]) and id > 0`,
    [accountNumbers],
  )
}
