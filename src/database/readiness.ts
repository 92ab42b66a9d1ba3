import { setTimeout as sleep } from 'node:timers/promises'
import { clock } from '../base/clock.ts'
import { after } from './connection.ts'
import type { Queryable } from './database.ts'
import { DatabaseUnavailable, isRefusedForGood } from './errors.ts'
import { READ_ONLY } from './session.sql.ts'
import type { WriteWatch } from './write-watch.ts'

/** The limit for an answer on readiness. */
const READY_MS = 1_900

/**
 * A check that throws DatabaseUnavailable unless the database takes writes and answers their COMMIT, so that a payment could
 * be made. Concurrent callers share its statements.
 */
export function openReadiness(database: Queryable, writes: Pick<WriteWatch, 'probe'>): () => Promise<void> {
  let checking: Promise<unknown> | undefined
  return async () => {
    const startedMs = clock.elapsedMs()
    const leftMs = () => Math.max(0, READY_MS - (clock.elapsedMs() - startedMs))
    // One that began before may fail although the database is back.
    if (checking && (await succeeds(within(leftMs(), checking)))) return
    checking ??= Promise.all([requireWritable(database), writes.probe()]).finally(() => {
      checking = undefined
    })
    await within(leftMs(), checking)
  }
}

function succeeds(promise: Promise<unknown>): Promise<boolean> {
  return promise.then(
    () => true,
    () => false,
  )
}

/** The pause between two attempts to reach the database at the start. */
const RETRY_MS = 500

/**
 * Waits until the database can be reached: it may start at the same time as the service, or fail over. Throws for reasons
 * that do not pass by themselves, and when the time is over.
 */
export async function reachDatabase(database: Queryable, waitMs: number, say: (line: string) => void): Promise<void> {
  const deadlineMs = clock.elapsedMs() + waitMs
  for (let attempt = 1; ; attempt++) {
    try {
      return await requireWritable(database)
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable) || isRefusedForGood(error) || error instanceof ReadOnlyServer)
        throw error
      if (clock.elapsedMs() > deadlineMs) {
        if (waitMs === 0) throw error
        throw new DatabaseUnavailable(`${error.message}; gave up after ${Math.round(waitMs / 1_000)} s`, {
          cause: error,
        })
      }
      if (attempt === 1) say(`waiting up to ${Math.round(waitMs / 1_000)} s for the database: ${error.message}`)
      await sleep(RETRY_MS)
    }
  }
}

class ReadOnlyServer extends DatabaseUnavailable {}

/** Throws DatabaseUnavailable if the server is a standby or takes no writes for another reason. */
export async function requireWritable(database: Queryable): Promise<void> {
  const [row] = await database.query<{ readOnly: boolean }>(READ_ONLY)
  if (row?.readOnly) {
    throw new ReadOnlyServer(
      'the database takes no writes: it is a standby, or default_transaction_read_only is on; its URL must name a primary',
    )
  }
}

function within(ms: number, promise: Promise<unknown>): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = after(ms, () => reject(new DatabaseUnavailable(`the database did not answer within ${ms} ms`)))
    promise.then(() => resolve(), reject).finally(cancel)
  })
}
