import type pg from 'pg'
import type { Connection } from './connection.ts'
import { CommitLost, DatabaseUnavailable } from './errors.ts'
import { Pool } from './pool.ts'

export { CommitLost, DatabaseUnavailable, LockTimeout, OrganisationEnded, OrganisationMoving } from './errors.ts'
export { serversOf } from './servers.ts'

/**
 * Runs statements. A statement is prepared once per connection and kept there, so its text must come from a fixed set and
 * everything that varies belongs into `values`. A text composed for one request is run `once` and leaves nothing behind:
 * prepared, callers could fill the memory of service and server with statements that never come again. A statement whose
 * plan must not be kept is run `once` too. `copy … from stdin` is a `copy`, and its only value the rows as text.
 */
export interface Queryable {
  query<Row>(text: string, values?: unknown[], use?: Use): Promise<Row[]>
}
export type Use = 'prepared' | 'once' | 'copy'

/** The seam to PostgreSQL. Every statement, COMMIT and connection attempt ends within a limit, whatever the server does. */
export interface Database extends Queryable {
  /** Runs `work` between BEGIN and COMMIT; anything it throws rolls back. */
  transaction<T>(work: (transaction: Queryable) => Promise<T>, options?: TransactionOptions): Promise<T>
  /** A number that grows with every connection that is lost: the next one may lead to another server. */
  epoch(): number
  connections(): ConnectionCounts
  /** Whether no server can be reached at the moment. */
  isDown(): boolean
  /** For how long the oldest unanswered statement has been with a server. */
  oldestMs(): number
  close(): Promise<void>
}

/** The connections of a pool at this moment. */
export interface ConnectionCounts {
  most: number
  open: number
  inUse: number
  /** The callers that wait for a connection. */
  waiting: number
  /** The attempts to connect to a server that failed so far. */
  failed: number
  /** The connections that were lost so far. */
  lost: number
}

interface TransactionOptions {
  /** Lifts the client-side limit, for work that lifts the server's limits too. */
  unlimited?: boolean
}

export interface DatabaseOptions {
  /** The servers in the order to try: more than one for failover. */
  servers: pg.ClientConfig[]
  connections: number
  timeouts: Timeouts
  /** Sends statements without waiting for the one before; they still run in their order. */
  pipeline?: boolean
  /** The servers are used as standbys: nothing is written to them, even if one was promoted. */
  standby?: boolean
  /** Runs first on every new connection. */
  greet?: (connection: Queryable) => Promise<void>
}

/** Limits that the server enforces. The client gives a statement up a second later. */
export interface Timeouts extends Partial<ClientTimeouts> {
  /** The longest wait for a lock. */
  lockMs: number
  /** The longest statement; 0 is no limit. */
  statementMs: number
  /** The longest pause between two statements of a transaction. */
  idleMs: number
}

/** Limits that the client enforces; the pool has a value for each. */
export interface ClientTimeouts {
  /** The longest wait of a caller for a connection. */
  waitMs: number
  /** The longest attempt to connect to a server. */
  connectMs: number
  /** The longest COMMIT or ROLLBACK, which the statement timeout of the server does not cover. */
  endMs: number
  /** How long a statement is unanswered before the server is asked whether it is alive. */
  suspectMs: number
}

/** The timeouts of everything except the lane, which has shorter ones. */
export const plainTimeouts: Timeouts = { lockMs: 10_000, statementMs: 30_000, idleMs: 15_000 }

/** A statement that changes nothing. Functions of PostgreSQL may. */
const READ = /^\s*select\b(?!.*\bpg_\w+\()/is

export function openDatabase(options: DatabaseOptions): Database {
  const pool = new Pool(options)
  const { pipeline = false } = options

  /**
   * A connection may have ended while it was idle. Its first statement then fails, which says nothing about the server: the work is
   * repeated on another connection, if it had no effect and `repeatable` allows it. `repeatable` reads the whole statement, 12 µs
   * for a long one, and is called only after a failure. Each repetition uses up an idle connection, so that they end.
   */
  async function onConnection<T>(work: (connection: Connection) => Promise<T>, repeatable: () => boolean): Promise<T> {
    for (;;) {
      const taken = pool.take()
      const connection = taken instanceof Promise ? await taken : taken
      const { answered } = connection
      try {
        return await work(connection)
      } catch (error) {
        const wasIdle = connection === taken
        if (!wasIdle || !connection.endedByServer || connection.answered > answered || !repeatable()) throw error
      } finally {
        pool.giveBack(connection)
      }
    }
  }

  return {
    query: (text, values, use) =>
      onConnection(
        (connection) => connection.query(text, values, use),
        () => READ.test(text),
      ),
    transaction: (work, { unlimited = false } = {}) =>
      onConnection(
        (connection) => {
          if (unlimited) connection.liftLimit()
          return inTransaction(connection, work, pipeline)
        },
        // Without a pipeline, the work begins when BEGIN is answered.
        () => !pipeline,
      ),
    epoch: () => pool.epoch(),
    connections: () => pool.counts(),
    isDown: () => pool.isDown(),
    oldestMs: () => pool.oldestMs(),
    close: () => pool.close(),
  }
}

async function inTransaction<T>(
  connection: Connection,
  work: (transaction: Queryable) => Promise<T>,
  pipeline: boolean,
): Promise<T> {
  const begun = connection.query('begin')
  if (!pipeline) await begun
  // The rejection can be ignored: if BEGIN fails, the statements after it in the pipeline fail too and report the error.
  begun.catch(() => undefined)
  let result: T
  try {
    result = await work(connection)
  } catch (error) {
    // A rollback that fails has lost its connection and with it the transaction; the first error says more.
    await connection.end('rollback').catch(() => undefined)
    throw error
  }
  await connection.end('commit').catch((error: unknown) => {
    throw error instanceof DatabaseUnavailable ? new CommitLost('COMMIT was not answered', { cause: error }) : error
  })
  return result
}
