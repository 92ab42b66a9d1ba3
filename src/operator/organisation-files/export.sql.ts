import type { MovedTable } from '../../cells/move/tables.ts'
import type { Queryable } from '../../database/database.ts'
import type { OrganisationRow } from './format.ts'

/** Lets a transaction see one moment, for as long as the file takes. */
export async function beginExport(transaction: Queryable): Promise<void> {
  await transaction.query('set transaction isolation level repeatable read, read only')
  await transaction.query('set local idle_in_transaction_session_timeout = 0')
}

export async function readOrganisation(transaction: Queryable, id: number): Promise<OrganisationRow | undefined> {
  const [row] = await transaction.query<{ row: OrganisationRow }>(
    'select to_json(o) as row from organisation o where id = $1::bigint and ended_at is null',
    [id],
    'once',
  )
  return row?.row
}

/** Whether a service runs on the database: each keeps a connection that listens. */
export async function isServed(transaction: Queryable): Promise<boolean> {
  const [row] = await transaction.query<{ served: boolean }>(
    `select exists (select from pg_stat_activity
       where datname = current_database() and application_name = 'purser listener') as served`,
    [],
    'once',
  )
  return row?.served === true
}

/** The cents in the accounts of customers, and how many payments leave, or are made, without another request. */
export async function readSums(transaction: Queryable, id: number): Promise<{ balance: number; leaving: number }> {
  const [row] = await transaction.query<{ balance: number; leaving: number }>(
    `select (select coalesce(sum(balance), 0) from account where organisation_id = $1::bigint and id > 0)::bigint as balance,
       (select count(*) from payment where organisation_id = $1::bigint and status in ('Pending', 'PendingReview', 'Clearing'))
       + (select count(*) from recurring_payment where organisation_id = $1::bigint and status = 'Active') as leaving`,
    [id],
    'once',
  )
  if (!row) throw new Error('sums without a row')
  return row
}

/** Begins to read the rows of a table as JSON. A cursor takes no parameters; the id is a number. */
export async function openRows(transaction: Queryable, { name, rows }: MovedTable, id: number): Promise<void> {
  // A card refers to the one that it replaces, which is older.
  const order = name === 'card' ? 'order by id' : ''
  const own = rows.replaceAll('$1', `${id}::bigint`)
  await transaction.query(
    `declare archived_rows no scroll cursor for select to_json(t)::text as row from ${name} t where ${own} ${order}`,
    [],
    'once',
  )
}

export async function fetchRows(transaction: Queryable, count: number): Promise<string[]> {
  const rows = await transaction.query<{ row: string }>(`fetch forward ${count} from archived_rows`, [], 'once')
  return rows.map(({ row }) => row)
}

export async function closeRows(transaction: Queryable): Promise<void> {
  await transaction.query('close archived_rows', [], 'once')
}
