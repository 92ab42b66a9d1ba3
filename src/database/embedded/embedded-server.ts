import { type ChildProcess, spawn } from 'node:child_process'
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
import { type ClusterLocation, diskFull, mayEnter, reasonIn } from './cluster-location.ts'
import { commandOf, isAlive } from './drafts.ts'
import { plainEnvironment } from './embedded-binaries.ts'

/** The state of an embedded server that this service runs. */
export interface Server {
  location: ClusterLocation
  binaries: string
  settings: Record<string, string>
  /** The same after a restart, so that a pool finds the server again. */
  socketDir?: string
  /** The last server process that was launched; a server taken over is known only by its pid file. */
  child?: ChildProcess
  stopping: boolean
  /** The holder of the owner's lock at the last look. A server that another service owns is not stopped. */
  owner?: 'this' | 'other'
  /** Called when a command asks the owner to let go of the server. */
  asked?: (() => void) | undefined
}

export const port = 5432
/** The connections that the server allows, unless more are asked for. */
export const CONNECTIONS = 50
const stopPatienceMs = 60_000

/**
 * Settings for one small service that shares two cores; `EmbeddedOptions.settings` may override all of them. Commits are
 * durable: fsync and synchronous_commit stay on.
 */
const serverSettings = {
  // Only a socket, in a folder that the server's user alone may enter: see `createCluster`.
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: String(CONNECTIONS),
  shared_buffers: '128MB',
  synchronous_commit: 'on',
  // There is no replication or archive. A snapshot of a running server needs the log of its time: see `copyRunning`.
  wal_level: 'replica',
  max_wal_senders: '0',
  max_logical_replication_workers: '0',
  // After each checkpoint every page is logged whole at its first change. Fewer checkpoints make writes cheaper, and 1 GB is
  // still replayed in seconds.
  checkpoint_timeout: '15min',
  max_wal_size: '1GB',
  // Short statements on cached pages gain nothing from helper processes, which take cores and memory from the service.
  io_method: 'sync',
  max_parallel_workers_per_gather: '0',
  max_parallel_maintenance_workers: '0',
  jit: 'off',
  // A statement of a service that was killed ends within a second and releases its locks.
  client_connection_check_interval: '1s',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // The service gets the errors of statements; in the log they would put names and account numbers on the disk.
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
  const { location, binaries } = server
  removeStalePidFile(location)
  server.socketDir = usableSocketDir(location, server.socketDir)
  const log = openSync(logFile(location), 'a', 0o600)
  const logFrom = statSync(logFile(location)).size
  const settings = Object.entries({
    ...serverSettings,
    unix_socket_directories: `"${server.socketDir.replaceAll('"', '""')}"`,
    port: String(port),
    ...server.settings,
  })
  const child = spawn(
    join(binaries, 'postgres'),
    ['-D', location.cluster, ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    {
      ...location.become,
      cwd: '/',
      env: plainEnvironment,
      stdio: ['ignore', log, log],
      // A process group of its own: Ctrl-C reaches the service, which ends the server after its last request.
      detached: true,
    },
  )
  // A program that cannot be started has no process id, so `isRunning` is false. `failureOf` reads the reason from the log.
  child.on('error', (error) => appendFileSync(logFile(location), `FATAL: ${error.message}\n`))
  child.unref()
  closeSync(log)
  server.child = child
  if (server.owner === 'other') delete server.owner
  return { child, atMs: clock.elapsedMs(), logFrom }
}

export function isRunning(child: ChildProcess): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null
}

export function failureOf(location: ClusterLocation, { child, logFrom }: Launch): string {
  // On a full disk the log lacks the line that says so.
  if (statfsSync(location.dataDir).bavail === 0) return diskFull(location.dataDir).message
  const lines = readFileSync(logFile(location)).subarray(logFrom).toString().split('\n')
  // Another service's server may write to the same log; messages to its sessions are no reason.
  const relevant = lines.filter((line) => !/FATAL: +(the database system is|terminating connection)/.test(line))
  return reasonIn(relevant.join('\n')) ?? `it ended by ${child.signalCode ?? child.exitCode}`
}

/** The log of the server. The service opens it, so it can be in a folder that the server's user may not enter. */
export function logFile({ dataDir }: ClusterLocation): string {
  return join(dataDir, 'postgres.log')
}

/** Shuts the server down: ends sessions and writes everything. The owner's lock is held until the end. */
export async function shutDown(server: Server): Promise<void> {
  const { location, socketDir } = server
  const pid = ownPid(server)
  if (pid !== undefined) {
    // An immediate shutdown loses no commit either; the next start recovers.
    for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
      const untilMs = clock.elapsedMs() + stopPatienceMs
      signalServer(location, pid, signal)
      while (isServer(location, pid) && clock.elapsedMs() < untilMs) await sleep(10)
    }
  }
  const isTemporary = socketDir !== undefined && socketDir !== location.cluster && existsSync(socketDir)
  // A folder in which another service's server listens is not empty, and stays.
  if (isTemporary && readdirSync(socketDir).length === 0) rmdirSync(socketDir)
}

/** Asks the server to shut down, without waiting for its end. */
export function beginShutdown(server: Server): void {
  const pid = ownPid(server)
  if (pid !== undefined) signalServer(server.location, pid, 'SIGINT')
}

/** The process of the server, unless another service owns it. */
function ownPid({ location, child, owner }: Server): number | undefined {
  if (owner === 'other') return undefined
  if (child && isRunning(child)) return child.pid
  return owner === 'this' ? readPidFile(location)?.pid : undefined
}

/**
 * Speeds up a shutdown that a SIGTERM from elsewhere began: the server would wait for the owner's session, which never
 * ends, and admit no new ones. After a fast shutdown, supervision starts it again.
 */
export function hurryForeignShutdown({ location }: Server) {
  const found = readPidFile(location)
  if (found?.status === 'stopping') signalServer(location, found.pid, 'SIGINT')
}

function signalServer(location: ClusterLocation, pid: number, signal: NodeJS.Signals) {
  if (!isServer(location, pid)) return
  try {
    process.kill(pid, signal)
  } catch (error) {
    // The process has just ended by itself.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Whether a process is this cluster's server. After a restart its id may be any other process's, or a zombie's. */
function isServer({ cluster }: ClusterLocation, pid: number): boolean {
  return commandOf(pid).includes(cluster)
}

/** Reads PostgreSQL's pid file, which describes the running server line by line. */
function readPidFile({ cluster }: ClusterLocation) {
  try {
    const [pid, folder, , , socketDir, , , status] = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')
    return Number(pid) > 0 ? { pid: Number(pid), folder, socketDir, status: status?.trim() } : undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Removes a pid file that names another program. PostgreSQL takes any living process of its user for an earlier server, and
 * ids come back soon after a container restarts. A real earlier server is still found by its shared memory.
 */
function removeStalePidFile(location: ClusterLocation) {
  const found = readPidFile(location)
  if (found === undefined || !isAlive(found.pid) || isServer(location, found.pid)) return
  for (const name of ['postmaster.pid', `${socketName}.lock`]) rmSync(join(location.cluster, name), { force: true })
}

const socketName = `.s.PGSQL.${port}`

/** Whether a socket's path is short enough for macOS; Linux allows four bytes more. */
function fits(socketDir: string): boolean {
  return Buffer.byteLength(join(socketDir, socketName)) <= 103
}

/**
 * The folder of the server's socket: the cluster itself, where every service that can reach the data finds it, also from
 * another container. If that path is too long for a socket, it is a temporary folder that the pid file names.
 */
export function findSocketDir({ location, socketDir }: Server): string | undefined {
  if (fits(location.cluster)) return location.cluster
  const recorded = readPidFile(location)
  const found = recorded?.folder === location.cluster ? recorded.socketDir : undefined
  // After a restart of the machine the name is free, and another user's program could answer there.
  return found && isPrivate(found, location) ? found : socketDir
}

function usableSocketDir(location: ClusterLocation, earlier: string | undefined): string {
  if (fits(location.cluster)) return location.cluster
  const folder = earlier ?? mkdtempSync(join(temporaryFolder(location), 'purser-'))
  // Temporary folders may be removed by the system; a pool looks for the server under the same name.
  if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 })
  if (lstatSync(folder).uid === process.getuid?.()) chownSync(folder, location.uid, location.gid)
  if (isPrivate(folder, location)) return folder
  throw new StartupError(
    `${folder} belongs to another user: set PURSER_DATA_DIR to a shorter path, which needs no temporary folder`,
  )
}

function temporaryFolder(location: ClusterLocation): string {
  const found = [tmpdir(), '/tmp'].find((folder) => fits(join(folder, 'purser-XXXXXX')) && mayEnter(location, folder))
  if (found !== undefined) return found
  throw new StartupError(
    `the path of ${location.cluster} is too long for a socket: set PURSER_DATA_DIR to a shorter one`,
  )
}

function isPrivate(folder: string, { uid }: ClusterLocation): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false })
  return found?.isDirectory() === true && found.uid === uid && (found.mode & 0o077) === 0
}
