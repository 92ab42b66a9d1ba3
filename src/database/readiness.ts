import { after } from './connection.ts'
import type { Queryable } from './database.ts'
import { DatabaseUnavailable } from './errors.ts'
import { READ_ONLY } from './session.sql.ts'

/** The limit for an answer on readiness; the interface promises one within three seconds. */
const READY_MS = 2_500

/** A check that throws DatabaseUnavailable unless the database takes writes. Concurrent callers share one statement. */
export function openReadiness(database: Queryable): () => Promise<void> {
  let checking: Promise<void> | undefined
  return () => {
    checking ??= requireWritable(database).finally(() => {
      checking = undefined
    })
    return within(READY_MS, checking)
  }
}

/** Throws DatabaseUnavailable where the server is a standby or takes no writes for another reason. */
export async function requireWritable(database: Queryable): Promise<void> {
  const [row] = await database.query<{ readOnly: boolean }>(READ_ONLY)
  if (row?.readOnly) {
    throw new DatabaseUnavailable(
      'the database takes no writes: it is a standby, or default_transaction_read_only is on; DATABASE_URL must name a primary',
    )
  }
}

function within(ms: number, promise: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = after(ms, () => reject(new DatabaseUnavailable(`the database did not answer within ${ms} ms`)))
    promise.then(resolve, reject).finally(cancel)
  })
}
