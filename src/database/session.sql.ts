import type pg from 'pg'
import type { Timeouts } from './database.ts'

export interface Session {
  /** The process of the server that serves the connection. */
  pid: number
  readOnly: boolean
}

/**
 * Sets the session up in one round trip. As startup parameters the settings would give way to `options` of DATABASE_URL,
 * and some poolers refuse or ignore them. Times are read in UTC; compiling a short statement takes longer than running
 * it; a lost race for a key must be visible to the next statement, which a stricter isolation level would hide.
 */
export async function configureSession(client: pg.Client, timeouts: Timeouts): Promise<Session> {
  const { rows } = await client.query<Session & { timeZone: string; dateStyle: string }>({
    text: `select set_config('TimeZone', 'UTC', false) as "timeZone",
       set_config('DateStyle', 'ISO', false) as "dateStyle",
       set_config('jit', 'off', false),
       set_config('default_transaction_isolation', 'read committed', false),
       set_config('lock_timeout', $1::text, false),
       set_config('statement_timeout', $2::text, false),
       set_config('idle_in_transaction_session_timeout', $3::text, false),
       pg_backend_pid() as pid,
       current_setting('transaction_read_only')::boolean as "readOnly"`,
    values: [timeouts.lockMs, timeouts.statementMs, timeouts.idleMs].map(String),
  })
  const [session] = rows
  if (session?.timeZone !== 'UTC' || !session.dateStyle.startsWith('ISO')) {
    throw new Error('the server does not keep the session settings TimeZone and DateStyle')
  }
  return session
}

/** Of these processes of the server, the ones that work on a statement. */
export async function workingProcesses(client: pg.Client, pids: number[]): Promise<number[]> {
  const { rows } = await client.query<{ pid: number }>({
    text: `select pid from pg_stat_activity
     where pid = any($1::int[]) and coalesce(state, 'active') not like 'idle%'`,
    values: [pids],
  })
  return rows.map(({ pid }) => pid)
}

/** The process of the server that runs the statement. */
export const BACKEND = 'select pg_backend_pid() as pid'

/**
 * Writes to the log and to no table, so that COMMIT waits for the disk and for a synchronous standby, as that of every
 * write does.
 */
export const WRITE_NOTHING = `select pg_logical_emit_message(true, 'purser', '')::text`

/** Whether the server is a standby or refuses writes for another reason. */
export const READ_ONLY = `select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as "readOnly"`
