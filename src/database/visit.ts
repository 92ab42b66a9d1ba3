import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Closers } from '../base/closers.ts'
import { StartupError } from '../base/startup-error.ts'
import { type Database, openDatabase, plainTimeouts, serversOf } from './database.ts'
import { findEmbedded, startEmbedded } from './embedded/embedded.ts'

interface Place {
  databaseUrl: string | undefined
  dataDir: string
}

/** Runs `work` on the database of a service, whether the service is running or not. */
export function visitDatabase<T>(
  place: Place,
  work: (database: Database) => Promise<T>,
  closers?: Closers,
  options?: VisitOptions,
): Promise<T> {
  return visitServers(place, (servers) => withServers(servers, work), closers, options)
}

interface VisitOptions {
  /** Whether an embedded database is made if there is none yet. */
  create?: boolean
}

/**
 * Runs `work` with the servers of a service, whether the service is running or not. A server that has to be started for it
 * is among the `closers` until it is stopped.
 */
export async function visitServers<T>(
  { databaseUrl, dataDir }: Place,
  work: (servers: ReturnType<typeof serversOf>) => Promise<T>,
  closers?: Closers,
  { create = false }: VisitOptions = {},
): Promise<T> {
  if (databaseUrl !== undefined) return work(serversOf(databaseUrl))
  const running = await findEmbedded(dataDir)
  if (running) return work([{ ...running, ssl: false }])
  if (!create && !existsSync(join(dataDir, 'pg18')))
    throw new StartupError(`there is no bank in ${dataDir} yet: purser start makes one`)
  const starting = startEmbedded({
    dataDir,
    say: () => undefined,
    lost: (error) => {
      throw error
    },
  })
  closers?.add(() =>
    starting.then(
      (embedded) => embedded.stop(),
      () => undefined,
    ),
  )
  const embedded = await starting
  try {
    return await work([{ ...embedded.connection, ssl: false }])
  } finally {
    await embedded.stop()
  }
}

async function withServers<T>(
  servers: ReturnType<typeof serversOf>,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  // Commands read whole tables, so statements have no time limit.
  const database = openDatabase({ servers, connections: 1, timeouts: { ...plainTimeouts, statementMs: 0 } })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}
