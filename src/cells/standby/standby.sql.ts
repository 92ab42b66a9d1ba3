import type { Queryable } from '../../database/database.ts'

/** The database that a server has. */
interface Place {
  /** The cluster, the database in it and the cell: alike on a primary and its standbys, and nowhere else. */
  bank: string
  /** The latest history that is noted in the database. A standby of a former primary lacks it. */
  history: string | null
}

export interface PrimaryPlace extends Place {
  /** The position in the log after everything that the statement could see. */
  written: number
}

export interface StandbyPlace extends Place {
  inRecovery: boolean
  /** The position in the log up to which changes are visible; null if the server was never a standby. */
  replayed: number | null
  /** When the server was started, by which connections to another one are recognised. */
  started: string
}

const PLACE = `(select system_identifier::text from pg_control_system()) || ' '
    || (select oid from pg_database where datname = current_database()) || ' ' || coalesce((select mark from cell), '') as bank,
  (select number || ' ' || place || ' ' || coalesce(mark, '') from database_history order by number desc limit 1) as history`

/**
 * A change is on disk before it is visible, unless commits do not wait for the disk. The end of the log in memory would
 * always do, but on a quiet server it may stay ahead of the disk, and so of standbys, for minutes.
 */
export async function findPrimaryPlace(primary: Queryable): Promise<PrimaryPlace> {
  const [row] = await primary.query<PrimaryPlace>(
    `select ${PLACE}, (case current_setting('synchronous_commit') when 'off' then pg_current_wal_insert_lsn()
       else pg_current_wal_flush_lsn() end - '0/0'::pg_lsn)::bigint as written`,
  )
  return row as PrimaryPlace
}

export async function findStandbyPlace(standby: Queryable): Promise<StandbyPlace> {
  const [row] = await standby.query<StandbyPlace>(
    `select ${PLACE}, pg_is_in_recovery() as "inRecovery", pg_postmaster_start_time()::text as started,
       (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::bigint as replayed`,
  )
  return row as StandbyPlace
}

/** Makes the transactions of a session read-only, for the moment in which the server may be promoted. */
export async function refuseWrites(standby: Queryable): Promise<void> {
  await standby.query(`select set_config('default_transaction_read_only', 'on', false)`)
}
