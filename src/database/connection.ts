import type { Socket } from 'node:net'
import pg from 'pg'
import { clock } from '../base/clock.ts'
import { columnTypes } from './column-types.ts'
import { runCopy } from './copy.ts'
import type { ClientTimeouts, Queryable, Timeouts, Use } from './database.ts'
import { classified, DatabaseUnavailable, isEnded, isReadOnly, LockTimeout, UnsuitableServer } from './errors.ts'
import { noteHistory } from './history.sql.ts'
import { runPrepared } from './prepared.ts'
import { configureSession, type Session } from './session.sql.ts'

/** The first keepalive probe of an idle connection; the system's own default is two hours. */
const KEEP_ALIVE_MS = 2_000
/** How much later than the server the client gives a statement up. */
const MARGIN_MS = 1_000
/** How long a server may take to say goodbye. */
const CLOSE_MS = 1_000

export interface ConnectionOptions {
  timeouts: Timeouts & ClientTimeouts
  pipeline: boolean
  /** Refuse a server that takes no writes. */
  writable: boolean
  /** The server is used as a standby: the session writes nothing to it, even if it was promoted. */
  standby: boolean
  greet: ((connection: Queryable) => Promise<void>) | undefined
}

/** Connects to `server`, the one at `position` of the list, and sets the session up. */
export async function openConnection(
  server: pg.ClientConfig,
  position: number,
  { timeouts, pipeline, writable, standby, greet }: ConnectionOptions,
): Promise<Connection> {
  const client = newClient(server, { application_name: 'purser', types: columnTypes, pipeline })
  return withinDeadline(client, timeouts.connectMs, async () => {
    await client.connect()
    const session = await configureSession(client, timeouts)
    if (writable && session.readOnly) throw new UnsuitableServer('the server takes no writes')
    if (!session.readOnly && !standby) await noteHistory(client)
    const connection = new Connection(client, position, session, timeouts)
    await greet?.(connection)
    return connection
  })
}

/** A client that is not connected yet; `settings` give way to the parameters of a connection string. */
export function newClient(server: pg.ClientConfig, settings: pg.ClientConfig): pg.Client {
  const client = new pg.Client({
    ...settings,
    ...server,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  })
  // A broken connection shows at its next statement; without a listener the error would end the process.
  client.on('error', () => undefined)
  return client
}

export class NoAnswer extends Error {}

/** Runs `work` on a client and destroys its connection if the work fails or takes longer than `ms`. */
export async function withinDeadline<T>(client: pg.Client, ms: number, work: () => Promise<T>): Promise<T> {
  const cancel = after(ms, () => destroy(client, new NoAnswer(`the server did not answer within ${ms} ms`)))
  try {
    return await work()
  } catch (error) {
    destroy(client)
    throw error
  } finally {
    cancel()
  }
}

/**
 * Calls `expired` in `ms` milliseconds, after whatever has arrived by then was read: an event loop that was held up must
 * not take its own delay for the server's. Returns how to call it off.
 */
export function after(ms: number, expired: () => void): () => void {
  let cancelled = false
  const timer = setTimeout(
    () =>
      setImmediate(() => {
        if (!cancelled) expired()
      }),
    ms,
  )
  return () => {
    cancelled = true
    clearTimeout(timer)
  }
}

/** Ends a connection without waiting for the server; its statements fail with `reason`. */
function destroy(client: pg.Client, reason?: Error): void {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
  stream.destroy(reason)
}

/** Says goodbye to the server, and does not wait for one that hangs. */
export async function endClient(client: pg.Client): Promise<void> {
  const cancel = after(CLOSE_MS, () => destroy(client))
  await client.end().finally(cancel)
}

/** One connection of a pool. */
export class Connection implements Queryable {
  /** The place of its server in the list of servers. */
  readonly position: number
  readonly pid: number
  /** Whether the server took no writes when the connection was opened. It may take them since, in another history. */
  readonly beganReadOnly: boolean
  /** False once it must not be used for further work. */
  usable = true
  /** Whether a statement failed because the server takes no writes any more. */
  readOnly = false
  /** Whether a statement failed because the server had ended the connection. */
  endedByServer = false
  /** The number of statements that were answered. */
  answered = 0
  readonly #client: pg.Client
  readonly #statementMs: number
  readonly #endMs: number
  #limitMs: number
  /** Statements that were sent and are not answered. */
  #unanswered = 0
  /** When the server last answered, or got the first of the unanswered statements. */
  #sinceMs = 0

  constructor(
    client: pg.Client,
    position: number,
    { pid, readOnly }: Session,
    { statementMs, endMs }: ConnectionOptions['timeouts'],
  ) {
    this.#client = client
    this.position = position
    this.pid = pid
    this.beganReadOnly = readOnly
    this.#statementMs = statementMs === 0 ? Number.POSITIVE_INFINITY : statementMs + MARGIN_MS
    this.#limitMs = this.#statementMs
    this.#endMs = endMs
  }

  async query<Row>(text: string, values: unknown[] = [], use: Use = 'prepared'): Promise<Row[]> {
    if (this.#unanswered++ === 0) this.#sinceMs = clock.elapsedMs()
    try {
      const rows =
        use === 'prepared'
          ? await runPrepared<Row>(this.#client, nameOf(text), text, values)
          : await this.#runOnce<Row>(text, values, use)
      this.answered++
      return rows
    } catch (error) {
      throw this.#noted(classified(error))
    } finally {
      this.#unanswered--
      this.#sinceMs = clock.elapsedMs()
    }
  }

  async #runOnce<Row>(text: string, values: unknown[], use: 'once' | 'copy'): Promise<Row[]> {
    if (use === 'once') return (await this.#client.query({ text, values })).rows as Row[]
    await runCopy(this.#client, text, String(values[0]))
    return []
  }

  /** Ends a transaction by `commit` or `rollback`, within its limit unless the limit was lifted. */
  async end(statement: 'commit' | 'rollback'): Promise<void> {
    if (this.#limitMs !== Number.POSITIVE_INFINITY) this.#limitMs = Math.min(this.#limitMs, this.#endMs)
    try {
      await this.query(statement)
    } finally {
      this.#limitMs = this.#statementMs
    }
  }

  /** Lifts the limit for statements until the transaction ends. */
  liftLimit(): void {
    this.#limitMs = Number.POSITIVE_INFINITY
  }

  /** How long the server has owed an answer. */
  silentMs(nowMs: number): number {
    return this.#unanswered === 0 ? 0 : nowMs - this.#sinceMs
  }

  isOverdue(nowMs: number): boolean {
    return this.silentMs(nowMs) > this.#limitMs
  }

  whenEnded(listener: () => void): void {
    this.#client.once('end', listener)
  }

  destroy(reason: Error): void {
    this.usable = false
    destroy(this.#client, reason)
  }

  close(): Promise<void> {
    this.usable = false
    return endClient(this.#client)
  }

  #noted(error: unknown): unknown {
    if (error instanceof DatabaseUnavailable && !(error instanceof LockTimeout)) {
      // Not one that was given up here, because the server was silent.
      this.endedByServer ||= this.usable && isEnded(error)
      this.usable = false
      this.readOnly ||= isReadOnly(error)
    }
    return error
  }
}

const statementNames = new Map<string, string>()

function nameOf(text: string): string {
  const name = statementNames.get(text) ?? `s${statementNames.size}`
  statementNames.set(text, name)
  return name
}
