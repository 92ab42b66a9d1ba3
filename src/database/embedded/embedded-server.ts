import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  chownSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { clock } from '../../base/clock.ts'
import { StartupError } from '../../base/startup-error.ts'
import { plainEnvironment } from './embedded-binaries.ts'
import { diskFull, isAlive, mayEnter, type Place, reasonIn } from './embedded-place.ts'

/** What we know of the server of a place while we run it. */
export interface Server {
  place: Place
  binaries: string
  settings: Record<string, string>
  /** Stays what it was at the first start, so that a pool finds a restarted server where it was. */
  socketDir?: string
  /** The last server process we launched; a server that was taken over is only known by its pid file. */
  child?: ChildProcess
  stopping: boolean
  /** Who held the owner's lock when we last looked: another's server is not ours to stop. */
  owner?: 'us' | 'other'
}

export const port = 5432
const stopPatienceMs = 60_000

/**
 * Commits are durable (fsync and synchronous_commit stay on). The rest fits one small service that shares two cores: `settings` may
 * override all of it.
 */
const serverSettings = {
  // Only a socket in a folder that the server's user alone may enter; see `createCluster` for why that is all the protection needed.
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '50',
  shared_buffers: '128MB',
  synchronous_commit: 'on',
  // Nothing replicates or archives from here, so the log carries only what recovery after a crash needs.
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_logical_replication_workers: '0',
  // After each checkpoint every page is logged whole at its first change; fewer checkpoints make a write-heavy ledger cheaper,
  // and 1 GB is still replayed in seconds.
  checkpoint_timeout: '15min',
  max_wal_size: '1GB',
  // Short statements on cached pages gain nothing from helpers, which would only take the service's cores and memory.
  io_method: 'sync',
  max_parallel_workers_per_gather: '0',
  max_parallel_maintenance_workers: '0',
  jit: 'off',
  // A statement whose service was killed gives up soon instead of holding its locks.
  client_connection_check_interval: '1s',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Failed statements are answered to the service; in the log they would put names and account numbers on the disk.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
}

export interface Launch {
  child: ChildProcess
  atMs: number
  logFrom: number
}

export function launchServer(server: Server): Launch {
  const { place, binaries } = server
  removeStalePidFile(place)
  server.socketDir = usableSocketDir(place, server.socketDir)
  const log = openSync(logFile(place), 'a', 0o600)
  const logFrom = statSync(logFile(place)).size
  const settings = Object.entries({
    ...serverSettings,
    unix_socket_directories: `"${server.socketDir.replaceAll('"', '""')}"`,
    port: String(port),
    ...server.settings,
  })
  const child = spawn(
    join(binaries, 'postgres'),
    ['-D', place.cluster, ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    {
      ...place.become,
      cwd: '/',
      env: plainEnvironment,
      stdio: ['ignore', log, log],
      // A process group of its own: Ctrl-C reaches the service, which ends the server after its last request.
      detached: true,
    },
  )
  // A program that cannot be started has no process id, which `isRunning` sees, and leaves its reason to `failureOf`.
  child.on('error', (error) => appendFileSync(logFile(place), `FATAL: ${error.message}\n`))
  child.unref()
  closeSync(log)
  server.child = child
  if (server.owner === 'other') delete server.owner
  return { child, atMs: clock.elapsedMs(), logFrom }
}

export function isRunning(child: ChildProcess): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null
}

export function failureOf(place: Place, { child, logFrom }: Launch): string {
  // On a full disk the log lacks the very line that says so.
  if (statfsSync(place.dataDir).bavail === 0) return diskFull(place.dataDir).message
  const lines = readFileSync(logFile(place)).subarray(logFrom).toString().split('\n')
  // What a faster rival's server told its sessions stands in the same log and is no reason.
  const own = lines.filter((line) => !/FATAL: +(the database system is|terminating connection)/.test(line))
  return reasonIn(own.join('\n')) ?? `it ended by ${child.signalCode ?? child.exitCode}`
}

/** Opened by the service, so it stands in the data folder even where the server's user may not go. */
export function logFile({ dataDir }: Place): string {
  return join(dataDir, 'postgres.log')
}

/** A fast shutdown: sessions are ended, everything is written. The lock is held until the end, so nobody takes over meanwhile. */
export async function shutDown(server: Server): Promise<void> {
  const { place, child, socketDir } = server
  const taken = server.owner === 'us' ? readPidFile(place)?.pid : undefined
  const pid = child && isRunning(child) ? child.pid : taken
  if (pid !== undefined && server.owner !== 'other') {
    // An immediate shutdown loses no commit either, it only leaves recovery to the next start.
    for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
      const untilMs = clock.elapsedMs() + stopPatienceMs
      signalServer(place, pid, signal)
      while (isServer(place, pid) && clock.elapsedMs() < untilMs) await sleep(10)
    }
  }
  const isTemporary = socketDir !== undefined && socketDir !== place.cluster && existsSync(socketDir)
  // A folder in which another service's server listens is not empty and stays.
  if (isTemporary && readdirSync(socketDir).length === 0) rmdirSync(socketDir)
}

/**
 * Somebody's SIGTERM lets the server wait for its sessions to leave, while it admits no new ones. The owner's session would never leave:
 * hurried on, the server ends, and supervision starts it again.
 */
export function hurryForeignShutdown({ place }: Server) {
  const found = readPidFile(place)
  if (found?.status === 'stopping') signalServer(place, found.pid, 'SIGINT')
}

function signalServer(place: Place, pid: number, signal: NodeJS.Signals) {
  if (!isServer(place, pid)) return
  try {
    process.kill(pid, signal)
  } catch (error) {
    // It has just ended by itself.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** A process id alone proves nothing: after a restart it may name any process, and in a container an unburied one. */
function isServer({ cluster }: Place, pid: number): boolean {
  if (!isAlive(pid)) return false
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(cluster)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH' || existsSync('/proc/self')) return false
    // macOS has no /proc.
    return spawnSync('/bin/ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout.includes(
      cluster,
    )
  }
}

/** PostgreSQL's own note of its running server, a line each. */
function readPidFile({ cluster }: Place) {
  try {
    const [pid, folder, , , socketDir, , , status] = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')
    return Number(pid) > 0 ? { pid: Number(pid), folder, socketDir, status: status?.trim() } : undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/**
 * PostgreSQL takes any living process of its user for its predecessor, and after a container's restart the same ids come back soon.
 * A true predecessor is still found without the file, by its shared memory.
 */
function removeStalePidFile(place: Place) {
  const found = readPidFile(place)
  if (found === undefined || !isAlive(found.pid) || isServer(place, found.pid)) return
  for (const name of ['postmaster.pid', `${socketName}.lock`]) rmSync(join(place.cluster, name), { force: true })
}

const socketName = `.s.PGSQL.${port}`

/** What a socket's path may have on macOS; Linux allows four bytes more. */
function fits(socketDir: string): boolean {
  return Buffer.byteLength(join(socketDir, socketName)) <= 103
}

/**
 * The socket stands in the cluster's own folder, where every service that can reach the data finds it, in another container too.
 * Only when that path is too long for a socket it is in a temporary folder, known from the pid file.
 */
export function findSocketDir({ place, socketDir }: Server): string | undefined {
  if (fits(place.cluster)) return place.cluster
  const recorded = readPidFile(place)
  const found = recorded?.folder === place.cluster ? recorded.socketDir : undefined
  // After a restart of the machine the name is free, and somebody else could answer there.
  return found && isPrivate(found, place) ? found : socketDir
}

function usableSocketDir(place: Place, known: string | undefined): string {
  if (fits(place.cluster)) return place.cluster
  const folder = known ?? mkdtempSync(join(temporaryFolder(place), 'purser-'))
  // Temporary folders may be swept; a pool will look for the server under the same name.
  if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 })
  if (lstatSync(folder).uid === process.getuid?.()) chownSync(folder, place.uid, place.gid)
  if (isPrivate(folder, place)) return folder
  throw new StartupError(
    `${folder} belongs to somebody else: set PURSER_DATA_DIR to a shorter path, which needs no temporary folder`,
  )
}

function temporaryFolder(place: Place): string {
  const found = [tmpdir(), '/tmp'].find((folder) => fits(join(folder, 'purser-XXXXXX')) && mayEnter(place, folder))
  if (found !== undefined) return found
  throw new StartupError(`the path of ${place.cluster} is too long for a socket: set PURSER_DATA_DIR to a shorter one`)
}

function isPrivate(folder: string, { uid }: Place): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false })
  return found?.isDirectory() === true && found.uid === uid && (found.mode & 0o077) === 0
}
