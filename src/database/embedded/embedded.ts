import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { clock } from '../../base/clock.ts'
import { StartupError } from '../../base/startup-error.ts'
import { findBinaries } from './embedded-binaries.ts'
import { createCluster, diskFull, draftSuffix, findPlace, removeDrafts, user } from './embedded-place.ts'
import {
  failureOf,
  findSocketDir,
  hurryForeignShutdown,
  isRunning,
  type Launch,
  launchServer,
  logFile,
  port,
  type Server,
  shutDown,
} from './embedded-server.ts'

export interface EmbeddedServer {
  /** For `pg`: the socket's folder stands for the host, the port only names the socket file. */
  connection: { host: string; port: number; user: string; database: string }
  /** The real location of the cluster, for messages. */
  dataDir: string
  /** Ends the server in an orderly way and waits for it. */
  stop(): Promise<void>
}

export interface EmbeddedOptions {
  dataDir: string
  say: (line: string) => void
  /** Called once when the server cannot be brought back, or another service owns it now. */
  lost: (error: StartupError) => void
  /** Further PostgreSQL settings. */
  settings?: Record<string, string>
}

const patienceMs = 30_000
const takeoverPatienceMs = 2_000
const database = 'postgres'
/** "purser" in ASCII; one key, because the cluster is the thing owned. */
const ownerLock = '0x707572736572'

/** Starts the database server of a data folder, or takes over the one a killed service left behind, and keeps it running. */
export async function startEmbedded({ dataDir, say, lost, settings = {} }: EmbeddedOptions): Promise<EmbeddedServer> {
  try {
    const place = findPlace(dataDir, say)
    removeDrafts(place.home)
    const binaries = findBinaries(place, draftSuffix(), say)
    await createCluster(place, binaries, say)
    const server: Server = { place, binaries, settings, stopping: false }
    return supervise(server, await acquire(server, { persistent: false }), lost)
  } catch (error) {
    throw asStartupError(error, dataDir)
  }
}

/** The server that a running service keeps in this folder, for a visitor who leaves its ownership alone. */
export async function findEmbedded(dataDir: string): Promise<EmbeddedServer['connection'] | undefined> {
  const place = findPlace(dataDir, () => undefined)
  const host = findSocketDir({ place, binaries: '', settings: {}, stopping: false })
  if (host === undefined) return undefined
  const connection = { host, port, user, database }
  const client = new pg.Client({ ...connection, ssl: false, connectionTimeoutMillis: 2_000 })
  try {
    await client.connect()
    await client.end()
    return connection
  } catch {
    // Nobody answers: the service is not running.
    return undefined
  }
}

/** The session that holds the owner's lock, and the moment it ends. */
interface Ownership {
  socketDir: string
  ended: Promise<unknown>
}

function supervise(server: Server, first: Ownership, lost: EmbeddedOptions['lost']): EmbeddedServer {
  const keepOwning = async () => {
    for (let ownership = first; !server.stopping; ) {
      await ownership.ended
      if (!server.stopping) ownership = await acquire(server, { persistent: true })
    }
  }
  const supervision = keepOwning().catch((error) => {
    if (!server.stopping) lost(asStartupError(error, server.place.dataDir))
  })
  const watch = setInterval(() => {
    try {
      hurryForeignShutdown(server)
    } catch {
      // A file that cannot be read just now, as when too many are open, is read at the next turn.
    }
  }, 500)
  let stopped: Promise<void> | undefined
  const stop = async () => {
    server.stopping = true
    clearInterval(watch)
    await shutDown(server)
    await supervision
  }
  return {
    connection: { host: first.socketDir, port, user, database },
    dataDir: server.place.cluster,
    stop: () => (stopped ??= stop()),
  }
}

/**
 * Connects and takes the owner's lock, launching the server when nothing answers. The lock belongs to a session, so it ends with its
 * service however that ends, which no pid file can promise.
 */
async function acquire(server: Server, { persistent }: { persistent: boolean }): Promise<Ownership> {
  const { place } = server
  const giveUp = async (error: StartupError) => {
    await shutDown(server)
    throw error
  }
  const fail = (reason: string) =>
    giveUp(new StartupError(`the database did not start: ${reason} (its log: ${logFile(place)})`))
  let waitingSinceMs = clock.elapsedMs()
  let heldSinceMs: number | undefined
  let launch: Launch | undefined
  while (true) {
    const answer = await tryToOwn(server)
    if ('ended' in answer) return answer
    if (server.stopping) throw new StartupError('the database is being stopped')
    const nowMs = clock.elapsedMs()
    if ('owner' in answer) {
      heldSinceMs ??= nowMs
      // The session of a service killed just now takes a moment to vanish.
      if (nowMs - heldSinceMs > takeoverPatienceMs) await giveUp(inUse(place.dataDir, answer.owner))
    } else {
      const failure = launch && !isRunning(launch.child) ? failureOf(place, launch) : undefined
      if (failure !== undefined && !persistent && !passing.test(failure)) await fail(failure)
      // A server that replays its log after a crash is on its way, however long that takes.
      if (answer.recovering) waitingSinceMs = nowMs
      if (nowMs - waitingSinceMs > patienceMs) await fail(failure ?? answer.reason)
      const mayLaunch = !launch || (!isRunning(launch.child) && nowMs - launch.atMs > 100)
      if (answer.absent && mayLaunch) launch = launchServer(server)
    }
    await sleep(10)
  }
}

/** What a server says when another one of the same folder lives, or has died and its last sessions have not noticed yet. */
const passing = /pre-existing shared memory block|lock file "[^"]*" (already exists|is empty)/

function inUse(dataDir: string, owner: string): StartupError {
  return new StartupError(
    `${dataDir} is in use by another Purser (${owner}): stop it, or set PURSER_DATA_DIR to another folder`,
  )
}

interface NoAnswer {
  absent: boolean
  recovering: boolean
  reason: string
}

async function tryToOwn(server: Server): Promise<Ownership | { owner: string } | NoAnswer> {
  const socketDir = findSocketDir(server)
  if (socketDir === undefined) return { absent: true, recovering: false, reason: 'no socket' }
  const client = new pg.Client({
    host: socketDir,
    port,
    user,
    database,
    ssl: false,
    application_name: `purser owner, process ${process.pid}`,
    connectionTimeoutMillis: 2_000,
  })
  const ended = new Promise((resolve) => client.once('end', resolve))
  // A lost session is noticed by its end; without a listener the error would end the service.
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ mine: boolean }>(`select pg_try_advisory_lock(${ownerLock}) as mine`)
    server.owner = rows[0]?.mine === true ? 'us' : 'other'
    if (server.owner === 'us') {
      server.socketDir = socketDir
      return { socketDir, ended }
    }
    const owners = await client.query<{ owner: string }>(
      `select replace(application_name, 'purser owner, ', '') as owner from pg_locks join pg_stat_activity using (pid)
       where locktype = 'advisory' and granted and (classid::bigint << 32 | objid::bigint) = ${ownerLock}`,
    )
    await client.end()
    return { owner: owners.rows[0]?.owner || 'process unknown' }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return {
      absent: code === 'ENOENT' || code === 'ECONNREFUSED',
      recovering: code === '57P03' && !message.includes('shutting down'),
      reason: message,
    }
  }
}

function asStartupError(error: unknown, dataDir: string): StartupError {
  if (error instanceof StartupError) return error
  const { code, syscall, path, message } = error as NodeJS.ErrnoException
  // What the system did not refuse is a bug and shows its stack.
  if (code === undefined || syscall === undefined) throw error
  if (code === 'ENOSPC' || code === 'EDQUOT') return diskFull(dataDir)
  if (!['EACCES', 'EPERM', 'EROFS'].includes(code))
    return new StartupError(`the database cannot be kept in ${dataDir}: ${message}`)
  return new StartupError(
    `no permission to keep the database in ${path ?? dataDir}: give this user the folder, or set PURSER_DATA_DIR to another one`,
  )
}
