import pg from 'pg'
import { messageOf } from '../base/message-of.ts'
import { runPrepared } from './prepared.ts'

/**
 * A statement is prepared once a connection and kept there for good, so that its text must come from a fixed set; what
 * varies goes into `values`. A text that is composed for one request is run `once` and leaves nothing behind, neither
 * here nor on the server: prepared, callers could fill the memory of both with statements that never come again. So is
 * one whose plan must not be kept.
 */
export interface Queryable {
  query<Row>(text: string, values?: unknown[], use?: 'prepared' | 'once'): Promise<Row[]>
}

/** The seam to PostgreSQL. */
export interface Database extends Queryable {
  /** Runs `work` between BEGIN and COMMIT; anything it throws rolls back. */
  transaction<T>(work: (transaction: Queryable) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** No server answered, or it went away before COMMIT was sent: nothing happened. */
export class DatabaseUnavailable extends Error {}

/** A lock was not to be had in time, or two transactions met head on: nothing happened. */
export class LockTimeout extends DatabaseUnavailable {}

/** The connection broke while COMMIT was on its way: only the database knows whether it happened. */
export class CommitLost extends Error {}

export interface DatabaseOptions {
  /** Candidates in the order to try: more than one for failover. */
  servers: pg.ClientConfig[]
  connections: number
  timeouts: Timeouts
  /** Statements are sent without waiting for the one before; they still run in their order. */
  pipeline?: boolean
  /** Runs first on every new connection. */
  greet?: (connection: Queryable) => Promise<void>
}

export interface Timeouts {
  /** The longest wait for a lock. */
  lockMs: number
  /** The longest statement. */
  statementMs: number
  /** The longest pause between two statements of a transaction. */
  idleMs: number
}

/** For everything but the lane, which has shorter ones. */
export const plainTimeouts: Timeouts = { lockMs: 10_000, statementMs: 30_000, idleMs: 15_000 }

export function openDatabase({ servers, connections, timeouts, pipeline = false, greet }: DatabaseOptions): Database {
  // The server that new connections go to; one that fails or takes no writes gives way to the next.
  let turn = 0
  const pool = new pg.Pool({
    max: connections,
    connectionTimeoutMillis: 5_000,
    // A connection has statements prepared and, for the lane, a slot: too much to throw away after a pause.
    idleTimeoutMillis: 0,
    Client: class extends pg.Client {
      constructor() {
        super({ ...session(timeouts), ...servers[turn % servers.length], pipeline })
        // A connection that breaks while it is lent out shows at its next statement; unheard it would end the process.
        this.on('error', () => undefined)
      }
    },
    verify: (client, done) => {
      const checks = async () => {
        if (servers.length > 1) await refuseReadOnly(client)
        await greet?.(queryable(client))
      }
      checks().then(() => done(), done)
    },
  })
  // An idle connection that breaks is replaced by the next query; without a listener it would end the process.
  pool.on('error', () => undefined)

  async function connect(): Promise<pg.PoolClient> {
    let last: unknown
    for (const _candidate of servers) {
      try {
        return await pool.connect()
      } catch (error) {
        last = error
        turn++
      }
    }
    throw new DatabaseUnavailable(`no connection to the database: ${messageOf(last)}`, { cause: last })
  }

  async function withClient<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await connect()
    let broken = false
    try {
      return await work(client)
    } catch (error) {
      broken = error instanceof CommitLost || (error instanceof DatabaseUnavailable && !(error instanceof LockTimeout))
      throw error
    } finally {
      client.release(broken)
    }
  }

  return {
    query: (text, values, use) => withClient((client) => run(client, text, values, use)),
    transaction: (work) => withClient((client) => inTransaction(client, work, pipeline)),
    close: () => pool.end(),
  }
}

/**
 * `postgres://user:secret@one:5432,two:5433/bank` names several servers, of which the one that takes writes is used.
 * The driver knows single hosts only, so the list is taken apart here.
 */
export function serversOf(databaseUrl: string): pg.ClientConfig[] {
  const [, scheme, userInfo = '', hosts = '', rest = ''] =
    /^(postgres(?:ql)?:\/\/)((?:[^@/]*@)?)([^/?]*)(.*)$/.exec(databaseUrl) ?? []
  if (!scheme) throw new TypeError('not a postgres:// URL')
  const parameters = rest.replace(/([?&])target_session_attrs=[^&]*(&|$)/, '$1')
  return hosts.split(',').map((host) => {
    const connectionString = `${scheme}${userInfo}${host}${parameters}`
    if (host !== '' && !URL.canParse(connectionString)) throw new TypeError('not a postgres:// URL')
    return { connectionString }
  })
}

/** What every connection starts with; times are read as text in UTC, so the session must speak UTC. */
function session({ lockMs, statementMs, idleMs }: Timeouts): pg.ClientConfig {
  return {
    // Statements are short: compiling one would take longer than running it.
    options: '-c TimeZone=UTC -c DateStyle=ISO -c jit=off',
    application_name: 'purser',
    keepAlive: true,
    lock_timeout: lockMs,
    statement_timeout: statementMs,
    idle_in_transaction_session_timeout: idleMs,
    types: { getTypeParser },
  }
}

async function refuseReadOnly(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query<{ transaction_read_only: string }>('show transaction_read_only')
  if (rows[0]?.transaction_read_only === 'on') throw new Error('the server is read-only')
}

async function inTransaction<T>(
  client: pg.PoolClient,
  work: (transaction: Queryable) => Promise<T>,
  pipeline: boolean,
): Promise<T> {
  const begun = run(client, 'begin')
  if (!pipeline) await begun
  // In a pipeline a BEGIN that fails takes the statements behind it along, whose errors are told.
  begun.catch(() => undefined)
  let result: T
  try {
    result = await work(queryable(client))
  } catch (error) {
    // When even the rollback fails the connection is gone, and the transaction with it: the first error says more.
    await run(client, 'rollback').catch(() => undefined)
    throw error
  }
  await run(client, 'commit').catch((error: unknown) => {
    throw error instanceof DatabaseUnavailable ? new CommitLost('COMMIT was not answered', { cause: error }) : error
  })
  return result
}

function queryable(client: pg.PoolClient): Queryable {
  return { query: (text, values, use) => run(client, text, values, use) }
}

const statementNames = new Map<string, string>()

function nameOf(text: string): string {
  const name = statementNames.get(text) ?? `s${statementNames.size}`
  statementNames.set(text, name)
  return name
}

async function run<Row>(
  client: pg.PoolClient,
  text: string,
  values: unknown[] = [],
  use: 'prepared' | 'once' = 'prepared',
): Promise<Row[]> {
  try {
    if (use === 'prepared') return await runPrepared<Row>(client, nameOf(text), text, values)
    const { rows } = await client.query({ text, values })
    return rows as Row[]
  } catch (error) {
    throw classified(error)
  }
}

/**
 * SQLSTATEs that mean: not now, and not on this connection. 08 connection, 53 resources, 57P shutdown, 25006 a server
 * that became a replica, 26000 and 0A000 a prepared statement that is gone or answers otherwise than it did.
 */
const UNAVAILABLE = /^(08|53|57P|25006|26000|0A000)/
/** Lock and statement time-outs, deadlocks, serialisation failures. */
const CONTENTION = /^(55P03|57014|40P01|40001)$/

function classified(error: unknown): unknown {
  if (error instanceof pg.DatabaseError) {
    // It was made where the answer was read; what helps is who had asked.
    Error.captureStackTrace(error)
    const code = error.code ?? ''
    if (CONTENTION.test(code)) return new LockTimeout(error.message, { cause: error })
    return UNAVAILABLE.test(code) ? new DatabaseUnavailable(error.message, { cause: error }) : error
  }
  // What a value's own conversion throws is a bug of ours; all else that is no SQLSTATE is a broken connection.
  if (error instanceof TypeError || error instanceof RangeError) return error
  return new DatabaseUnavailable(messageOf(error), { cause: error })
}

const UNIQUE_VIOLATION = '23505'

/** Whether a statement failed because a row with the same key was there before. */
export function isDuplicate(error: unknown, constraint: string): boolean {
  return error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION && error.constraint === constraint
}

const INT8 = 20
const TIMESTAMPTZ = 1184

function getTypeParser(oid: number, format?: 'text' | 'binary') {
  if (oid === INT8) return parseSafeInteger
  if (oid === TIMESTAMPTZ) return parseTimestamp
  return pg.types.getTypeParser(oid, format as 'text')
}

function parseSafeInteger(text: string): number {
  const number = Number(text)
  if (!Number.isSafeInteger(number)) throw new RangeError(`a bigint outside the safe range: ${text}`)
  return number
}

/** `2026-01-31 12:00:00.5+00` to the interface's `2026-01-31T12:00:00.500Z`. */
function parseTimestamp(text: string): string {
  const space = text.indexOf(' ')
  const fraction = text.slice(space + 10, -3)
  return `${text.slice(0, space)}T${text.slice(space + 1, space + 9)}.${`${fraction}000`.slice(0, 3)}Z`
}
