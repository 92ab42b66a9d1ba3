import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { endClient, newClient, withinDeadline } from './connection.ts'
import type { DatabaseOptions } from './database.ts'
import { READ_ONLY } from './session.sql.ts'

export interface ListenerOptions {
  servers: DatabaseOptions['servers']
  channel: string
  /** Called for every notification, and without one after every connect: notifications before it were missed. */
  heard(payload?: string): void
  /** The pause before the next attempt to connect. */
  retryMs?: number
  /** How often the connection is tested. */
  heartbeatMs?: number
}

/** The limit for connecting, and for the answer to a heartbeat. */
const ANSWER_MS = 3_000

/**
 * Listens to the notifications of a channel on a connection of its own, and connects again whenever it breaks. A listener
 * sends nothing, so it would never notice a server that is gone: a heartbeat asks.
 */
export function openListener(options: ListenerOptions): { close(): Promise<void> } {
  const { servers, retryMs = 1_000 } = options
  const closing = new AbortController()

  async function run(): Promise<void> {
    for (let turn = 0; !closing.signal.aborted; turn++) {
      // A server that is away or a standby gives way to the next one.
      await listen(servers[turn % servers.length] ?? {}, options, closing.signal).catch(() => undefined)
      await pause(retryMs, closing.signal)
    }
  }

  const running = run()
  return {
    close: async () => {
      closing.abort()
      await running
    },
  }
}

/** Listens on one connection until it breaks, the server takes no writes any more, or `closing` is aborted. */
async function listen(server: pg.ClientConfig, options: ListenerOptions, closing: AbortSignal): Promise<void> {
  const { channel, heard, heartbeatMs = 5_000 } = options
  const client = newClient(server, { application_name: 'purser listener' })
  client.on('notification', ({ payload = '' }) => heard(payload))
  const broken = new AbortController()
  client.once('end', () => broken.abort())
  const stopped = AbortSignal.any([closing, broken.signal])

  await withinDeadline(client, ANSWER_MS, async () => {
    await client.connect()
    await client.query(`listen ${pg.escapeIdentifier(channel)}`)
  })
  heard()
  for (;;) {
    await pause(heartbeatMs, stopped)
    if (stopped.aborted) break
    const { rows } = await withinDeadline(client, ANSWER_MS, () => client.query<{ readOnly: boolean }>(READ_ONLY))
    if (rows[0]?.readOnly) break
  }
  await endClient(client)
}

/** Waits so long, or until `signal` is aborted. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined)
}
