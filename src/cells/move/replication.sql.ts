import type { Queryable } from '../../database/database.ts'
import { replicatedTables } from './tables.ts'

/** The name of the publication, the slot and the subscription of a move. */
const nameOf = (id: number) => `purser_move_${id}`
/** The publication of the tables that have no rows to copy. */
const emptyOf = (id: number) => `purser_move_${id}_empty`

/** The tables that have rows of the organisation. */
export async function filledTables(database: Queryable, id: number): Promise<string[]> {
  const parts = replicatedTables.map(
    ({ name, rows }) => `select '${name}' as name where exists (select from ${name} where ${rows})`,
  )
  const found = await database.query<{ name: string }>(parts.join(' union all '), [id], 'once')
  return found.map(({ name }) => name)
}

/** Publishes the rows of one organisation and the mark of its move: those of the filled tables apart from the others. */
export async function createPublications(database: Queryable, id: number, filled: string[]): Promise<void> {
  const rowsOf = (name: string) => `${name} where (organisation_id = ${id})`
  const others = replicatedTables.map(({ name }) => name).filter((name) => !filled.includes(name))
  const tables = [`organisation_move_mark where (id = ${id})`, ...filled.map(rowsOf)]
  await publish(database, nameOf(id), tables)
  await publish(database, emptyOf(id), others.map(rowsOf))
}

async function publish(database: Queryable, name: string, tables: string[]): Promise<void> {
  const list = tables.length > 0 ? `for table ${tables.join(', ')}` : ''
  await database.query(`create publication ${name} ${list} with (publish = 'insert, update, delete')`, [], 'once')
}

export async function dropPublications(database: Queryable, id: number): Promise<void> {
  await database.query(`drop publication if exists ${nameOf(id)}, ${emptyOf(id)}`, [], 'once')
}

/** Made apart from the subscription, which could not make it if both databases are on one server. */
export async function createSlot(database: Queryable, id: number): Promise<void> {
  await database.query(`select pg_create_logical_replication_slot($1::text, 'pgoutput')`, [nameOf(id)], 'once')
}

/** Drops the slot unless it is in use. True if there is none any more. */
export async function dropSlot(database: Queryable, id: number): Promise<boolean> {
  await database.query(
    `select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = $1::text and not active`,
    [nameOf(id)],
    'once',
  )
  const rows = await database.query('select from pg_replication_slots where slot_name = $1::text', [nameOf(id)], 'once')
  return rows.length === 0
}

/** Ends the process that sends the log to a server that cannot be reached from here. */
export async function endSender(database: Queryable, id: number): Promise<void> {
  await database.query(
    `select pg_terminate_backend(a.pid) from pg_replication_slots s join pg_stat_activity a on a.pid = s.active_pid
     where s.slot_name = $1::text and a.usename = current_user`,
    [nameOf(id)],
    'once',
  )
}

/**
 * Starts the copy. `url` is the address at which the server reaches the other one. The server makes a connection, a slot and a
 * process for each table that it copies, so that the empty ones, which are most tables of most organisations, are followed only.
 */
export async function createSubscription(database: Queryable, id: number, url: string): Promise<void> {
  const [row] = await database.query<{ create: string; add: string }>(
    `select format('create subscription %I connection %L publication %I with (create_slot = false, slot_name = %L,
         copy_data = false, disable_on_error = true)', $1::text, $2::text, $3::text, $1::text) as create,
       format('alter subscription %I add publication %I', $1::text, $1::text) as add`,
    [nameOf(id), url, emptyOf(id)],
    'once',
  )
  await database.query(row?.create ?? '', [], 'once')
  await database.query(row?.add ?? '', [], 'once')
}

/** Ends the copy. The slot stays at the other server, and is dropped there. */
export async function dropSubscription(database: Queryable, id: number): Promise<void> {
  const found = await database.query(
    `select from pg_subscription s join pg_database d on d.oid = s.subdbid
     where s.subname = $1::text and d.datname = current_database()`,
    [nameOf(id)],
    'once',
  )
  if (found.length === 0) return
  await database.query(`alter subscription ${nameOf(id)} disable`, [], 'once')
  await database.query(`alter subscription ${nameOf(id)} set (slot_name = none)`, [], 'once')
  await database.query(`drop subscription ${nameOf(id)}`, [], 'once')
}

/** How far the copy is: a table is ready when its rows are there and its changes are followed. */
export interface CopyProgress {
  ready: number
  all: number
  /** False if the server has given up after an error. */
  enabled: boolean
  /** The tables that are being copied. */
  copying: string[]
}

export async function copyProgress(database: Queryable, id: number): Promise<CopyProgress> {
  const [row] = await database.query<CopyProgress>(
    `select count(*) filter (where r.srsubstate = 'r') as ready, count(*) as all, bool_and(s.subenabled) as enabled,
       coalesce(array_agg(r.srrelid::regclass::text) filter (where r.srsubstate = 'd'), '{}') as copying
     from pg_subscription s join pg_subscription_rel r on r.srsubid = s.oid where s.subname = $1::text`,
    [nameOf(id)],
    'once',
  )
  if (!row) throw new Error('a count returned no row')
  return row
}

/** Raises the mark of a move in the cell that the organisation leaves. */
export async function raiseMark(database: Queryable, id: number): Promise<number> {
  const [row] = await database.query<{ mark: number }>(
    `insert into organisation_move_mark as m (id, mark) values ($1::bigint, 1)
     on conflict (id) do update set mark = m.mark + 1 returning mark`,
    [id],
  )
  return row?.mark ?? 0
}

/** The mark that has arrived. */
export async function arrivedMark(database: Queryable, id: number): Promise<number> {
  const [row] = await database.query<{ mark: number }>(
    'select mark from organisation_move_mark where id = $1::bigint',
    [id],
  )
  return row?.mark ?? 0
}

/** The slots with which a server copies tables have such names, of which one is another for each subscription. */
const COPYING = '^pg_[0-9]+_sync_[0-9]+_'

/** The settings and rights that a move needs at the server of the cell that the organisation leaves. */
export interface SenderSettings {
  walLevel: string
  /** Slots and senders of the log that are free, or that the move has from a run that was interrupted. */
  slots: number
  senders: number
  mayReplicate: boolean
  ownsTables: boolean
}

export async function senderSettings(database: Queryable, id: number): Promise<SenderSettings> {
  const [row] = await database.query<SenderSettings>(
    `select current_setting('wal_level') as "walLevel",
       current_setting('max_replication_slots')::int - (select count(*) from pg_replication_slots
         where slot_name <> $1::text and slot_name !~ '${COPYING}')::int as slots,
       current_setting('max_wal_senders')::int - (select count(*) from pg_stat_replication
         where application_name <> $1::text and application_name !~ '${COPYING}')::int as senders,
       r.rolsuper or r.rolreplication as "mayReplicate",
       r.rolsuper or pg_has_role(c.relowner, 'usage') as "ownsTables"
     from pg_roles r cross join pg_class c where r.rolname = current_user and c.oid = 'organisation'::regclass`,
    [nameOf(id)],
    'once',
  )
  if (!row) throw new Error('the server returned no settings')
  return row
}

/** The same at the server of the other cell. */
export interface ReceiverSettings {
  workers: number
  maySubscribe: boolean
  ownsTables: boolean
}

export async function receiverSettings(database: Queryable): Promise<ReceiverSettings> {
  const [row] = await database.query<ReceiverSettings>(
    `select current_setting('max_logical_replication_workers')::int as workers,
       r.rolsuper or coalesce((
         select pg_has_role(current_user, p.oid, 'member') from pg_roles p where p.rolname = 'pg_create_subscription'), false
       ) as "maySubscribe",
       r.rolsuper or pg_has_role(c.relowner, 'usage') as "ownsTables"
     from pg_roles r cross join pg_class c where r.rolname = current_user and c.oid = 'organisation'::regclass`,
    [],
    'once',
  )
  if (!row) throw new Error('the server returned no settings')
  return row
}

/** A replication slot of a move between cells, and how much of the log it keeps. */
export interface MoveSlot {
  slot: string
  /** The organisation that moves; null if no move has it. */
  organisation: string | null
  bytes: number
}

/** The slots of moves that no server reads. Those of the copies of single tables have a name that PostgreSQL gives. */
export async function unreadSlots(database: Queryable): Promise<MoveSlot[]> {
  const [table] = await database.query<{ found: boolean }>(
    `select to_regclass('organisation_move') is not null as found`,
    [],
    'once',
  )
  if (!table?.found) return []
  return database.query(
    `select s.slot_name as slot, m.name as organisation,
       coalesce(pg_wal_lsn_diff(pg_current_wal_lsn(), s.restart_lsn), 0)::bigint as bytes
     from pg_replication_slots s left join organisation_move m on s.slot_name = 'purser_move_' || m.id
     where s.database = current_database() and not s.active
       and (s.slot_name like 'purser\\_move\\_%' or s.slot_name ~ '^pg_[0-9]+_sync_[0-9]+_')
     order by s.slot_name`,
    [],
    'once',
  )
}
