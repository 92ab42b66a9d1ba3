import type { Queryable } from '../../database/database.ts'

/** One move at a time leaves or enters a cell. */
const MOVE_LOCK = 7_275_761
/** The trigger `guard_move` takes this lock for each change of the organisation that moves. */
const FENCE = 7_275_760

/** Opens the connection, which takes the lock of moves. */
export async function pingConnection(connection: Queryable): Promise<void> {
  await connection.query('select 1')
}

/** Takes the lock of moves for as long as the connection lives. False if another move has it. */
export async function takeMoveLock(connection: Queryable): Promise<boolean> {
  const [row] = await connection.query<{ taken: boolean }>('select pg_try_advisory_lock($1::bigint) as taken', [
    MOVE_LOCK,
  ])
  return row?.taken === true
}

/** Whether a command that moves an organisation out of this cell or into it runs. */
export async function isMoveLocked(connection: Queryable): Promise<boolean> {
  const [row] = await connection.query<{ locked: boolean }>(
    `select exists (select from pg_locks where locktype = 'advisory' and granted and classid = 0 and objsubid = 1
       and objid::bigint = $1::bigint and database = (select oid from pg_database where datname = current_database())) as locked`,
    [MOVE_LOCK],
  )
  return row?.locked === true
}

/**
 * Refuses all further changes of the organisation, and waits for those that are under way, for as long as the connection
 * lives: a command that is killed pauses nothing. Throws LockTimeout if a transaction takes longer than the time.
 */
export async function raiseFence(connection: Queryable, waitMs: number): Promise<void> {
  await connection.query(`select set_config('lock_timeout', $1::text, false)`, [`${waitMs}ms`])
  await connection.query('select pg_advisory_lock($1::bigint)', [FENCE])
}

export async function lowerFence(connection: Queryable): Promise<void> {
  await connection.query('select pg_advisory_unlock($1::bigint)', [FENCE])
}

/** Keeps the fence up for good, also after the connection. False if the fence fell, or another run took the move over. */
export async function persistFence(connection: Queryable, id: number, run: string): Promise<boolean> {
  const rows = await connection.query(
    `update organisation_move set state = 'switching'
     where id = $1::bigint and run = $2::uuid and state in ('pausing', 'switching') and exists (
       select from pg_locks where locktype = 'advisory' and pid = pg_backend_pid() and granted and mode = 'ExclusiveLock'
         and classid = 0 and objid::bigint = $3::bigint and objsubid = 1)
     returning id`,
    [id, run, FENCE],
  )
  return rows.length === 1
}
