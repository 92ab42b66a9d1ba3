import type { Queryable } from '../database/database.ts'

export interface ServerSettings {
  version: string
  fsync: string
  full_page_writes: string
  synchronous_commit: string
  max_connections: string
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

/** The settings of the server that durability and capacity depend on. */
export async function serverSettings(database: Queryable): Promise<ServerSettings> {
  const [row] = await database.query<ServerSettings>(
    `select current_setting('server_version') as version, current_setting('fsync') as fsync,
       current_setting('full_page_writes') as full_page_writes,
       current_setting('synchronous_commit') as synchronous_commit,
       current_setting('max_connections') as max_connections`,
    [],
    'once',
  )
  if (!row) throw new Error('the server returned no settings')
  return row
}
