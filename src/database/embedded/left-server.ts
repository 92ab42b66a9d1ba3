import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { newClient, withinDeadline } from '../connection.ts'
import { findLocation } from './cluster-location.ts'
import { endServer } from './embedded.ts'

/** The sessions of processes that wait here do not count. */
const WAITING = 'purser waits for the end'
const PAUSE_MS = 50
const ANSWER_MS = 2_000

/**
 * Ends the server that a killed parent process left behind, when no process uses it any more. A service that has taken
 * it over keeps it.
 */
export async function endLeftServer(dataDir: string, server: pg.ClientConfig): Promise<void> {
  while (await isUsed(server)) await sleep(PAUSE_MS)
  await endServer(findLocation(dataDir, () => undefined))
}

/** Whether another process has a session. A server that does not answer is left to the next step. */
async function isUsed(server: pg.ClientConfig): Promise<boolean> {
  const client = newClient(server, { application_name: WAITING })
  try {
    return await withinDeadline(client, ANSWER_MS, async () => {
      await client.connect()
      const { rows } = await client.query<{ used: boolean }>(
        `select exists (
           select from pg_stat_activity where backend_type = 'client backend' and application_name <> $1
         ) as used`,
        [WAITING],
      )
      await client.end()
      return rows[0]?.used === true
    })
  } catch {
    return false
  }
}
