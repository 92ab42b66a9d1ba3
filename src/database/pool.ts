import type pg from 'pg'
import { clock } from '../base/clock.ts'
import { messageOf } from '../base/message-of.ts'
import { after, type Connection, type ConnectionOptions, openConnection } from './connection.ts'
import type { ClientTimeouts, ConnectionCounts, DatabaseOptions, Timeouts } from './database.ts'
import { DatabaseUnavailable, UnsuitableServer } from './errors.ts'
import { findSilent } from './find-silent.ts'

/** Callers of the service wait for ten seconds at most. */
const clientTimeouts: ClientTimeouts = { waitMs: 5_000, connectMs: 3_000, endMs: 5_000, suspectMs: 1_000 }
/** How long a caller waits for a connection while no server can be reached: it is better served by a refusal at once. */
const WAIT_WHILE_DOWN_MS = 500
/**
 * The pause after an attempt to connect that failed on every server. Callers are refused at once meanwhile: an attempt for
 * each request of callers who do not wait took twice the CPU time of an answer.
 */
const REFUSE_MS = 100
/** The longest attempt to connect if another server can be tried. */
const CONNECT_ONE_OF_SEVERAL_MS = 2_000
/** How often waiting callers and unanswered statements are checked. */
const CHECK_MS = 250
/** The pause after a server has proved to be alive. */
const ASK_AGAIN_MS = 1_000
/** How long the server may take to say that it is alive before new callers are refused. */
const DOUBT_MS = 1_500

interface Waiter {
  resolve(connection: Connection): void
  reject(error: unknown): void
  sinceMs: number
}

/**
 * Keeps up to `connections` connections to the first server that accepts them. Nothing in it waits without a limit: a
 * caller for `waitMs`, a connection attempt for `connectMs`, a statement for a little more than its server-side timeout.
 * A server that hangs is found out within seconds, and its connections are destroyed.
 */
export class Pool {
  readonly #servers: pg.ClientConfig[]
  readonly #max: number
  readonly #timeouts: Timeouts & ClientTimeouts
  readonly #connecting: ConnectionOptions
  readonly #all = new Set<Connection>()
  readonly #idle: Connection[] = []
  readonly #waiting: Waiter[] = []
  /** Connection attempts under way. */
  #opening = 0
  /** Whether the last attempt failed on every server: then one attempt at a time is enough. */
  #down = false
  /** The failure of that attempt, and when it was over. */
  #failure: { error: unknown; atMs: number } | undefined
  /** The position of the server that new connections go to first. */
  #current = 0
  #lost = 0
  #failed = 0
  #asking = false
  /** Whether a server owes answers and does not say that it is alive. */
  #doubted = false
  #askAgainMs = 0
  #closed: (() => void) | undefined
  readonly #checking: NodeJS.Timeout

  constructor({ servers, connections, timeouts, pipeline = false, standby = false, greet }: DatabaseOptions) {
    const several = servers.length > 1
    this.#servers = servers
    this.#max = connections
    this.#timeouts = { ...clientTimeouts, ...(several && { connectMs: CONNECT_ONE_OF_SEVERAL_MS }), ...timeouts }
    this.#connecting = { timeouts: this.#timeouts, pipeline, greet, writable: several && !standby, standby }
    // The check runs after the event loop has read what arrived: its own delay must not count as the server's.
    this.#checking = setInterval(() => setImmediate(() => this.#check()), CHECK_MS)
    this.#checking.unref()
  }

  /** Takes a connection for exclusive use; returns it without a promise if one is idle. */
  take(): Connection | Promise<Connection> {
    const connection = this.#doubted ? undefined : this.#idle.pop()
    if (connection) return connection
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(new DatabaseUnavailable('the database is closed'))
      const nowMs = clock.elapsedMs()
      if (this.#failure && this.isDown() && nowMs - this.#failure.atMs < REFUSE_MS) return reject(this.#failure.error)
      this.#waiting.push({ resolve, reject, sinceMs: nowMs })
      this.#grow()
    })
  }

  giveBack(connection: Connection, isUsed = true): void {
    if (!this.#all.has(connection)) return
    if (!connection.usable) this.#drop(connection, 'the connection is not usable any more')
    else if (connection.beganReadOnly && isUsed && !this.#connecting.standby)
      this.#drop(connection, 'the server took no writes')
    else if (this.#closed) void connection.close()
    else {
      // It has answered.
      this.#doubted = false
      this.#hand(connection)
    }
  }

  #hand(connection: Connection): void {
    const waiter = this.#waiting.shift()
    if (waiter) waiter.resolve(connection)
    else this.#idle.push(connection)
  }

  /** Grows with every connection that is lost. */
  epoch(): number {
    return this.#lost
  }

  /** Whether there is no connection, and the last attempts to connect or to hear from a server were in vain. */
  isDown(): boolean {
    return this.#doubted || (this.#down && this.#all.size === 0)
  }

  /** For how long the oldest unanswered statement has been with a server. */
  oldestMs(): number {
    const nowMs = clock.elapsedMs()
    return Math.max(0, ...[...this.#all].map((connection) => connection.silentMs(nowMs)))
  }

  counts(): ConnectionCounts {
    return {
      most: this.#max,
      open: this.#all.size,
      inUse: this.#all.size - this.#idle.length,
      waiting: this.#waiting.length,
      failed: this.#failed,
      lost: this.#lost,
    }
  }

  /** Closes idle connections at once and the others when they are given back. */
  async close(): Promise<void> {
    if (this.#closed) return
    const finished = new Promise<void>((resolve) => {
      this.#closed = resolve
    })
    for (const { reject } of this.#waiting.splice(0)) reject(new DatabaseUnavailable('the database is closed'))
    for (const connection of this.#idle.splice(0)) void connection.close()
    this.#finishClosing()
    await finished
    clearInterval(this.#checking)
  }

  /** Opens connections for waiting callers, as far as there is room. */
  #grow(): void {
    while (!this.#closed && this.#opening < this.#waiting.length && this.#hasRoom()) void this.#open()
  }

  #hasRoom(): boolean {
    return this.#all.size + this.#opening < this.#max && !(this.#down && this.#opening > 0)
  }

  async #open(): Promise<void> {
    this.#opening++
    const startedMs = clock.elapsedMs()
    try {
      const connection = await this.#connect()
      this.#down = false
      this.#failure = undefined
      this.#all.add(connection)
      connection.whenEnded(() => this.#forget(connection))
      this.giveBack(connection, false)
    } catch (error) {
      this.#down = true
      this.#failure = { error, atMs: clock.elapsedMs() }
      // Callers that wait for a connection in use go on waiting. Those that came since get an attempt of their own: the server
      // may be back by now.
      while (this.#all.size === 0 && this.#waiting[0] && this.#waiting[0].sinceMs <= startedMs) {
        this.#waiting.shift()?.reject(error)
      }
    }
    this.#opening--
    if (!this.#down || this.#all.size === 0) this.#grow()
    this.#finishClosing()
  }

  /** Tries every server once, the current one first. */
  async #connect(): Promise<Connection> {
    const first = this.#current
    const failures: unknown[] = []
    for (let offset = 0; offset < this.#servers.length; offset++) {
      const position = (first + offset) % this.#servers.length
      try {
        const connection = await openConnection(this.#servers[position] ?? {}, position, this.#connecting)
        this.#current = position
        return connection
      } catch (error) {
        this.#failed++
        failures.push(error)
      }
    }
    throw new DatabaseUnavailable(reasonOf(failures), { cause: failures.at(-1) })
  }

  /** Destroys a connection, and if its server became read-only and another can be tried, the server's idle ones. */
  #drop(connection: Connection, reason: string): void {
    connection.destroy(new Error(reason))
    this.#forget(connection)
    if (connection.readOnly && this.#servers.length > 1) {
      for (const other of this.#idle.filter(({ position }) => position === connection.position))
        this.#drop(other, reason)
    }
  }

  #forget(connection: Connection): void {
    if (!this.#all.delete(connection)) return
    if (!this.#closed) this.#lost++
    connection.usable = false
    const at = this.#idle.indexOf(connection)
    if (at >= 0) this.#idle.splice(at, 1)
    this.#grow()
    this.#finishClosing()
  }

  #check(): void {
    if (this.#closed && this.#all.size === 0) return
    const nowMs = clock.elapsedMs()
    const waitMs = this.isDown() ? WAIT_WHILE_DOWN_MS : this.#timeouts.waitMs
    while (this.#waiting[0] && this.#waiting[0].sinceMs + waitMs < nowMs) {
      this.#waiting.shift()?.reject(new DatabaseUnavailable('no connection to the database became free in time'))
    }
    for (const connection of this.#all) {
      if (connection.isOverdue(nowMs)) this.#drop(connection, 'the database did not answer in time')
    }
    this.#grow()
    if (!this.#asking && nowMs >= this.#askAgainMs) void this.#askSuspect(nowMs)
  }

  /** Asks a server that owes an answer whether it is alive, and gives up the connections that are not. */
  async #askSuspect(nowMs: number): Promise<void> {
    const suspect = [...this.#all].find((connection) => connection.silentMs(nowMs) > this.#timeouts.suspectMs)
    if (!suspect) return
    const { position } = suspect
    this.#asking = true
    const ofServer = [...this.#all].filter((connection) => connection.position === position)
    const cancelDoubt = after(DOUBT_MS, () => {
      this.#doubted = true
    })
    const { hangs, silent } = await findSilent(this.#servers[position] ?? {}, ofServer)
    cancelDoubt()
    if (hangs) {
      this.#down = true
      if (this.#current === position) this.#current = (position + 1) % this.#servers.length
    }
    for (const connection of silent) this.#drop(connection, 'the database server does not answer')
    this.#doubted = false
    while (this.#waiting.length > 0 && this.#idle.length > 0) this.#hand(this.#idle.pop() as Connection)
    this.#askAgainMs = clock.elapsedMs() + ASK_AGAIN_MS
    this.#asking = false
  }

  #finishClosing(): void {
    if (this.#all.size === 0 && this.#opening === 0) this.#closed?.()
  }
}

/** A refusal by PgBouncer, with its cure. */
/** The reason why no server can be used: connections that failed, and servers that are not the one that is wanted. */
function reasonOf(failures: unknown[]): string {
  const unsuitable = failures.filter((error) => error instanceof UnsuitableServer)
  const failed = failures.filter((error) => !(error instanceof UnsuitableServer))
  const unreached = failed.map((error) => explained(messageOf(error))).join('; ')
  const reasons = unsuitable.map(messageOf)
  return [...(unreached ? [`no connection to the database: ${unreached}`] : []), ...reasons].join('; ')
}

function explained(failure: string): string {
  const [, parameter] = /unsupported startup parameter: (\S+)/.exec(failure) ?? []
  if (!parameter) return failure
  return `${failure} (PgBouncer takes it where ignore_startup_parameters names ${parameter}; it also needs pool_mode = session)`
}
