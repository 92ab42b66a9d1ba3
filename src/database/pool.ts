import { clock } from '../base/clock.ts'
import { messageOf } from '../base/message-of.ts'
import { type Connection, openConnection } from './connection.ts'
import type { DatabaseOptions } from './database.ts'
import { DatabaseUnavailable } from './errors.ts'
import { findSilent } from './find-silent.ts'

/** How long a caller waits for a connection. */
const WAIT_MS = 5_000
/** The limit for one attempt to connect; shorter where another server can be tried. */
const CONNECT_MS = 5_000
const CONNECT_ONE_OF_SEVERAL_MS = 2_000
/** How often waiting callers and unanswered statements are checked. */
const CHECK_MS = 250
/** How long a statement is unanswered before the server is asked whether it is alive. */
const SUSPECT_MS = 1_000
/** The pause after a server has proved to be alive. */
const ASK_AGAIN_MS = 2_000

export interface Pool {
  /** A connection for the caller alone; at once where one is idle. */
  take(): Connection | Promise<Connection>
  giveBack(connection: Connection): void
  /** Grows with every connection that is lost. */
  epoch(): number
  close(): Promise<void>
}

interface Waiter {
  resolve(connection: Connection): void
  reject(error: unknown): void
  untilMs: number
}

/**
 * Keeps up to `connections` connections to the first server that accepts them. Nothing in it waits without a limit: a
 * caller for WAIT_MS, a connection attempt for CONNECT_MS, a statement for a little more than its server-side timeout.
 * A server that hangs is found out within seconds, and its connections are destroyed.
 */
export function openPool({ servers, connections: max, timeouts, pipeline = false, greet }: DatabaseOptions): Pool {
  const all = new Set<Connection>()
  const idle: Connection[] = []
  const waiting: Waiter[] = []
  /** Connection attempts under way. */
  let opening = 0
  /** Whether the last attempt failed on every server: then one attempt at a time is enough. */
  let down = false
  /** The position of the server that new connections go to first. */
  let current = 0
  let lost = 0
  let asking = false
  let askAgainMs = 0
  let closed: (() => void) | undefined

  const connecting = {
    timeouts,
    pipeline,
    greet,
    writable: servers.length > 1,
    connectMs: servers.length > 1 ? CONNECT_ONE_OF_SEVERAL_MS : CONNECT_MS,
  }
  // The check runs after the event loop has read what arrived: its own delay must not count as the server's.
  const checking = setInterval(() => setImmediate(check), CHECK_MS)
  checking.unref()

  function take(): Connection | Promise<Connection> {
    const connection = idle.pop()
    if (connection) return connection
    return new Promise((resolve, reject) => {
      if (closed) return reject(new DatabaseUnavailable('the database is closed'))
      waiting.push({ resolve, reject, untilMs: clock.elapsedMs() + WAIT_MS })
      grow()
    })
  }

  function giveBack(connection: Connection): void {
    if (!all.has(connection)) return
    if (!connection.usable) drop(connection, 'the connection is not usable any more')
    else if (closed) void connection.close()
    else hand(connection)
  }

  function hand(connection: Connection): void {
    const waiter = waiting.shift()
    if (waiter) waiter.resolve(connection)
    else idle.push(connection)
  }

  /** Opens connections for waiting callers, as far as there is room. */
  function grow(): void {
    while (!closed && opening < waiting.length && all.size + opening < max && !(down && opening > 0)) void open()
  }

  async function open(): Promise<void> {
    opening++
    try {
      const connection = await connect()
      down = false
      all.add(connection)
      connection.whenEnded(() => forget(connection))
      giveBack(connection)
    } catch (error) {
      down = true
      // Callers that wait for a connection in use go on waiting.
      if (all.size === 0) for (const { reject } of waiting.splice(0)) reject(error)
    }
    opening--
    if (!down) grow()
    finishClosing()
  }

  /** Tries every server once, the current one first. */
  async function connect(): Promise<Connection> {
    const first = current
    const failures: string[] = []
    let cause: unknown
    for (let offset = 0; offset < servers.length; offset++) {
      const position = (first + offset) % servers.length
      try {
        const connection = await openConnection(servers[position] ?? {}, position, connecting)
        current = position
        return connection
      } catch (error) {
        cause = error
        failures.push(messageOf(error))
      }
    }
    throw new DatabaseUnavailable(`no connection to the database: ${failures.join('; ')}`, { cause })
  }

  /** Destroys a connection that must not be used again, and with a server that became read-only its idle ones. */
  function drop(connection: Connection, reason: string): void {
    connection.destroy(new Error(reason))
    forget(connection)
    if (connection.readOnly && servers.length > 1) {
      for (const other of idle.filter(({ position }) => position === connection.position)) drop(other, reason)
    }
  }

  function forget(connection: Connection): void {
    if (!all.delete(connection)) return
    if (!closed) lost++
    connection.usable = false
    const at = idle.indexOf(connection)
    if (at >= 0) idle.splice(at, 1)
    grow()
    finishClosing()
  }

  function check(): void {
    if (closed && all.size === 0) return
    const nowMs = clock.elapsedMs()
    while (waiting[0] && waiting[0].untilMs < nowMs) {
      waiting.shift()?.reject(new DatabaseUnavailable('no connection to the database became free in time'))
    }
    for (const connection of all) {
      if (connection.isOverdue(nowMs)) drop(connection, 'the database did not answer in time')
    }
    grow()
    if (!asking && nowMs >= askAgainMs) void askSuspects(nowMs)
  }

  /** Asks a server that owes an answer whether it is alive, and gives up on the connections that are not. */
  async function askSuspects(nowMs: number): Promise<void> {
    const suspects = [...all].filter((connection) => connection.silentMs(nowMs) > SUSPECT_MS)
    const position = suspects[0]?.position
    if (position === undefined) return
    asking = true
    const ofServer = [...all].filter((connection) => connection.position === position)
    const { hangs, silent } = await findSilent(servers[position] ?? {}, ofServer)
    if (hangs) {
      down = true
      if (current === position) current = (position + 1) % servers.length
    }
    for (const connection of silent) drop(connection, 'the database server does not answer')
    askAgainMs = clock.elapsedMs() + ASK_AGAIN_MS
    asking = false
  }

  function finishClosing(): void {
    if (closed && all.size === 0 && opening === 0) closed()
  }

  async function close(): Promise<void> {
    if (closed) return
    const finished = new Promise<void>((resolve) => {
      closed = resolve
    })
    for (const { reject } of waiting.splice(0)) reject(new DatabaseUnavailable('the database is closed'))
    for (const connection of idle.splice(0)) void connection.close()
    finishClosing()
    await finished
    clearInterval(checking)
  }

  return { take, giveBack, epoch: () => lost, close }
}
