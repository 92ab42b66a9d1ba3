import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { DatabaseOptions } from './database.ts'

export interface ListenerOptions {
  servers: DatabaseOptions['servers']
  channel: string
  /** Called for every notice, and whenever there is a connection again: what came meanwhile was missed. */
  heard(): void
  /** How long to wait before the next try, when the connection is gone. */
  retryMs?: number
}

/** Hears the notices of a channel, on a connection of its own that is made again whenever it breaks. */
export function openListener({ servers, channel, heard, retryMs = 1_000 }: ListenerOptions): {
  close(): Promise<void>
} {
  const closing = new AbortController()
  let turn = 0

  async function listen(): Promise<void> {
    const client = new pg.Client({
      ...servers[turn % servers.length],
      application_name: 'purser listener',
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
    })
    const ended = new Promise((resolve) => client.once('end', resolve))
    const end = () => void client.end().catch(() => undefined)
    // The connection's end is what is acted upon; without a listener its error would end the process.
    client.on('error', () => undefined)
    client.on('notification', heard)
    try {
      // Not to be ended while it connects: it would be waited for in vain.
      await client.connect()
      if (closing.signal.aborted) return
      closing.signal.addEventListener('abort', end)
      await client.query(`listen ${pg.escapeIdentifier(channel)}`)
      heard()
      await ended
    } finally {
      closing.signal.removeEventListener('abort', end)
      await client.end().catch(() => undefined)
    }
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      await listen().catch(() => {
        // This server is away or is a replica: the next one in turn.
        turn++
      })
      await sleep(retryMs, undefined, { signal: closing.signal }).catch(() => undefined)
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
