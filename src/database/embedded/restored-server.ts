import { setTimeout as sleep } from 'node:timers/promises'
import { StartupError } from '../../base/startup-error.ts'
import { newClient } from '../connection.ts'
import { type ClusterLocation, findLocation } from './cluster-location.ts'
import { draftSuffix } from './drafts.ts'
import { findBinaries } from './embedded-binaries.ts'
import { failureOf, isRunning, launchServer, port, type Server, shutDown } from './embedded-server.ts'

const PAUSE_MS = 100

/** A server on a copy of a backup, which nothing outside of this process reaches and which reaches nothing outside. */
export interface RestoredServer {
  connection: { host: string; port: number; user: string; database: string; ssl: false }
  stop(): Promise<void>
}

/**
 * The settings that keep a restored server to itself. It listens on no network; it has no settings of the backup, so that no
 * archive, standby, library or job of the former server is used; and it receives no changes from other databases.
 */
const alone = {
  archive_mode: 'off',
  hot_standby: 'off',
  max_logical_replication_workers: '0',
  shared_preload_libraries: '',
  synchronous_standby_names: '',
}

/** Finds the place of a restored cluster in a folder, which it makes. */
export function placeRestored(folder: string): ClusterLocation {
  return findLocation(folder, () => undefined)
}

/** Starts a server on a restored cluster, and waits until it has read the log and takes writes. */
export async function startRestored(
  location: ClusterLocation,
  login: { user: string; database: string },
  settings: Record<string, string>,
): Promise<RestoredServer> {
  const binaries = findBinaries(location, draftSuffix(), () => undefined)
  const server: Server = { location, binaries, settings: { ...settings, ...alone }, stopping: false }
  const launch = launchServer(server)
  const host = server.socketDir ?? location.cluster
  const connection = { host, port, ...login, ssl: false as const }
  for (;;) {
    const refusal = await refusalOf(connection)
    if (refusal === undefined) return { connection, stop: () => shutDown(server) }
    if (!isRunning(launch.child)) {
      throw new StartupError(`the restored database did not start: ${failureOf(location, launch)}`)
    }
    if (/does not exist/.test(refusal)) {
      await shutDown(server)
      throw new StartupError(`the backup is of another bank: ${refusal}`)
    }
    await sleep(PAUSE_MS)
  }
}

/** The reason for which a server takes no session; undefined if it takes one. */
async function refusalOf(connection: RestoredServer['connection']): Promise<string | undefined> {
  const client = newClient(connection, {})
  try {
    await client.connect()
    await client.end()
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}
