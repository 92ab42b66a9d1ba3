import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { clock } from '../../base/clock.ts'
import { StartupError } from '../../base/startup-error.ts'
import { newClient, withinDeadline } from '../connection.ts'
import { holderOf } from './cluster-hold.ts'
import { type ClusterLocation, createCluster, diskFull, findLocation, user } from './cluster-location.ts'
import { draftSuffix, removeDrafts } from './drafts.ts'
import { findBinaries } from './embedded-binaries.ts'
import {
  beginShutdown,
  CONNECTIONS,
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
  /** For `pg`: the host is the socket's folder, and the port only names the socket file. */
  connection: { host: string; port: number; user: string; database: string }
  /** The folder of the cluster, with links resolved. */
  dataDir: string
  /** Shuts the server down and waits for its end. */
  stop(): Promise<void>
  /** Asks the server to shut down, for a process that ends without waiting. */
  leave(): void
}

export interface EmbeddedOptions {
  dataDir: string
  say: (line: string) => void
  /** Called once if the server cannot be restarted, or another service owns it. */
  lost: (error: StartupError) => void
  /** Called when a command that replaces the files of the cluster asks for the end of the server. */
  asked?: () => void
  /** Further PostgreSQL settings. */
  settings?: Record<string, string>
  /** The connections that the server has to allow, if these are more than usual. */
  connections?: number | undefined
}

const patienceMs = 30_000
const takeoverPatienceMs = 2_000
/** How long a service may take to answer its requests in progress and to end: longer than its own limit. */
const releasePatienceMs = 45_000
/** The pauses between two questions: a starting server is asked often, an owner that lives on need not be. */
const startingPauseMs = 10
const ownedPauseMs = 100
/** How long a server may take to answer before the attempt is made anew. */
const answerMs = 2_000
const database = 'postgres'
/** The key of the advisory lock that the owner of a cluster holds: "purser" in ASCII. */
const ownerLock = '0x707572736572'
/** The channel on which the owner of a cluster is asked to let go of it. */
const releaseChannel = 'purser_release'

/** Starts the server of a data folder, or takes over one that a killed service left behind, and keeps it running. */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const { dataDir, say, lost, asked, connections = 0 } = options
  const settings = { ...(connections > CONNECTIONS && { max_connections: String(connections) }), ...options.settings }
  try {
    const location = await findFreeLocation(dataDir, say)
    removeDrafts(location.home)
    const binaries = findBinaries(location, draftSuffix(), say)
    await createCluster(location, binaries, say)
    const server: Server = { location, binaries, settings, asked, stopping: false }
    let first = await acquire(server, { persistent: false })
    if (first.connections < connections) {
      // A killed service with fewer processes has left it behind.
      await shutDown(server)
      first = await acquire(server, { persistent: false })
    }
    return supervise(server, first, lost)
  } catch (error) {
    throw asStartupError(error, dataDir)
  }
}

/** Finds the location once no command holds the stopped cluster. That takes seconds, so the start waits. */
async function findFreeLocation(dataDir: string, say: (line: string) => void): Promise<ClusterLocation> {
  const untilMs = clock.elapsedMs() + patienceMs
  for (let looks = 0; ; looks++) {
    const location = findLocation(dataDir, say)
    const holder = holderOf(location.cluster)
    if (holder === undefined) return location
    if (looks === 0) say(`waiting: ${heldBy(dataDir, holder)}`)
    if (clock.elapsedMs() > untilMs) throw new StartupError(`${heldBy(dataDir, holder)}: start when it has ended`)
    await sleep(50)
  }
}

/** A command that works on the files of the stopped cluster. */
export function heldBy(dataDir: string, holder: number): string {
  return `another command (process ${holder}) is copying or replacing the database of ${dataDir}`
}

/**
 * Makes sure that no server runs in the folder: ends one that a killed service left behind. A service that owns it is asked
 * to let go with `ask`, and otherwise the command is refused. Returns whether a service was asked.
 */
export async function endServer(location: ClusterLocation, { ask = false } = {}): Promise<{ asked: boolean }> {
  const server: Server = { location, binaries: '', settings: {}, stopping: false }
  const sinceMs = clock.elapsedMs()
  let asked = false
  while (true) {
    const answer = await tryToOwn(server, { ask })
    const waitedMs = clock.elapsedMs() - sinceMs
    if ('ended' in answer) {
      await shutDown(server)
      return { asked }
    }
    if ('owner' in answer) {
      if (waitedMs > (ask ? releasePatienceMs : takeoverPatienceMs)) throw inUse(location.dataDir, answer.owner)
      asked = ask
    } else {
      if (answer.absent) return { asked }
      if (waitedMs > patienceMs) throw new StartupError(`the database does not answer: ${answer.reason}`)
    }
    await sleep('owner' in answer ? ownedPauseMs : startingPauseMs)
  }
}

/** The server that a running service keeps in this folder, for a command that does not take ownership. */
export async function findEmbedded(dataDir: string): Promise<EmbeddedServer['connection'] | undefined> {
  // The folder is made by a start alone.
  if (!existsSync(dataDir)) return undefined
  const location = findLocation(dataDir, () => undefined)
  const host = findSocketDir({ location, binaries: '', settings: {}, stopping: false })
  if (host === undefined) return undefined
  const connection = { host, port, user, database }
  const client = newClient({ ...connection, ssl: false }, {})
  try {
    await withinDeadline(client, answerMs, async () => {
      await client.connect()
      await client.end()
    })
    return connection
  } catch {
    // No server answers: the service is not running.
    return undefined
  }
}

/** The session that holds the owner's lock, with the promise of its end. */
interface Ownership {
  socketDir: string
  /** The connections that the server allows. */
  connections: number
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
    if (!server.stopping) lost(asStartupError(error, server.location.dataDir))
  })
  const watch = setInterval(() => {
    try {
      hurryForeignShutdown(server)
    } catch {
      // A file that cannot be read now, for example because too many are open, is read at the next turn.
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
    dataDir: server.location.cluster,
    stop: () => (stopped ??= stop()),
    leave: () => beginShutdown(server),
  }
}

/**
 * Connects and takes the owner's lock; launches the server if none answers. The lock belongs to a session and so ends
 * with its service however that ends, which a pid file cannot promise.
 */
async function acquire(server: Server, { persistent }: { persistent: boolean }): Promise<Ownership> {
  const { location } = server
  const giveUp = async (error: StartupError) => {
    await shutDown(server)
    throw error
  }
  const fail = (reason: string) =>
    giveUp(new StartupError(`the database did not start: ${reason} (its log: ${logFile(location)})`))
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
      // The session of a service that was just killed takes a moment to end.
      if (nowMs - heldSinceMs > takeoverPatienceMs) await giveUp(inUse(location.dataDir, answer.owner))
    } else {
      const failure = launch && !isRunning(launch.child) ? failureOf(location, launch) : undefined
      if (failure !== undefined && !persistent && !passing.test(failure)) await fail(failure)
      // A server that replays its log after a crash is starting, however long that takes.
      if (answer.recovering) waitingSinceMs = nowMs
      const holder = answer.absent ? holderOf(location.cluster) : undefined
      if (nowMs - waitingSinceMs > patienceMs)
        await fail(holder === undefined ? (failure ?? answer.reason) : heldBy(location.dataDir, holder))
      const mayLaunch = !launch || (!isRunning(launch.child) && nowMs - launch.atMs > 100)
      if (answer.absent && holder === undefined && mayLaunch) launch = launchServer(server)
    }
    await sleep('owner' in answer ? ownedPauseMs : startingPauseMs)
  }
}

/** Errors of a server while an earlier one of the same folder runs or its last sessions end: they pass. */
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

/** Takes the owner's lock, or asks the owner to let go with `ask`. */
async function tryToOwn(server: Server, { ask = false } = {}): Promise<Ownership | { owner: string } | NoAnswer> {
  const socketDir = findSocketDir(server)
  if (socketDir === undefined) return { absent: true, recovering: false, reason: 'no socket' }
  const connection = { host: socketDir, port, user, database, ssl: false }
  const client = newClient(connection, { application_name: `purser owner, process ${process.pid}` })
  const ended = new Promise((resolve) => client.once('end', resolve))
  try {
    return await withinDeadline(client, answerMs, async () => {
      await client.connect()
      const { rows } = await client.query<{ acquired: boolean; connections: number }>(
        `select pg_try_advisory_lock(${ownerLock}) as acquired, current_setting('max_connections')::int as connections`,
      )
      server.owner = rows[0]?.acquired === true ? 'this' : 'other'
      if (server.owner === 'this') {
        server.socketDir = socketDir
        if (server.asked) {
          client.on('notification', server.asked)
          await client.query(`listen ${releaseChannel}`)
        }
        return { socketDir, ended, connections: rows[0]?.connections ?? 0 }
      }
      const owners = await client.query<{ owner: string }>(
        `select replace(application_name, 'purser owner, ', '') as owner from pg_locks join pg_stat_activity using (pid)
         where locktype = 'advisory' and granted and (classid::bigint << 32 | objid::bigint) = ${ownerLock}`,
      )
      if (ask) await client.query(`notify ${releaseChannel}`)
      await client.end()
      return { owner: owners.rows[0]?.owner || 'process unknown' }
    })
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
  // An error that the system did not raise is a bug and shows its stack.
  if (code === undefined || syscall === undefined) throw error
  if (code === 'ENOSPC' || code === 'EDQUOT') return diskFull(dataDir)
  if (!['EACCES', 'EPERM', 'EROFS'].includes(code))
    return new StartupError(`the database cannot be kept in ${dataDir}: ${message}`)
  return new StartupError(
    `no permission to keep the database in ${path ?? dataDir}: give this user the folder, or set PURSER_DATA_DIR to another one`,
  )
}
