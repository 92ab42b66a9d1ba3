import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import {
  appendFileSync,
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { clock } from '../base/clock.ts'
import { StartupError } from '../base/startup-error.ts'
import { findBinaries, plainEnvironment } from './embedded-binaries.ts'
import { findPlace, mayEnter, type Place } from './embedded-place.ts'

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

const startPatienceMs = 120_000
const recoveryPatienceMs = 30_000
const takeoverPatienceMs = 2_000
const stopPatienceMs = 60_000
const port = 5432
const user = 'purser'
const database = 'postgres'
/** "purser" in ASCII; one key, because the cluster is the thing owned. */
const ownerLock = '0x707572736572'

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

/** Starts the database server of a data folder, or takes over the one a killed service left behind, and keeps it running. */
export async function startEmbedded({ dataDir, say, lost, settings = {} }: EmbeddedOptions): Promise<EmbeddedServer> {
  try {
    const place = findPlace(dataDir, say)
    removeDrafts(place.home)
    const binaries = findBinaries(place, draftSuffix(), say)
    await createCluster(place, binaries, say)
    const server: Server = { place, binaries, settings, stopping: false, heldByOther: false }
    return await superviseFrom(server, await acquire(server, { patienceMs: startPatienceMs, persistent: false }), lost)
  } catch (error) {
    throw asStartupError(error, dataDir)
  }
}

interface Server {
  place: Place
  binaries: string
  settings: Record<string, string>
  /** Stays what it was at the first start, so that a pool finds a restarted server where it was. */
  socketDir?: string
  /** The last server process we launched; a server that was taken over is only known by its pid file. */
  child?: ChildProcess
  stopping: boolean
  /** Then the server is not ours to stop. */
  heldByOther: boolean
}

/** The session that holds the owner's lock, and the moment it ends. */
interface Ownership {
  socketDir: string
  ended: Promise<unknown>
}

function superviseFrom(server: Server, first: Ownership, lost: EmbeddedOptions['lost']): EmbeddedServer {
  const supervise = async () => {
    let ownership = first
    while (true) {
      await ownership.ended
      if (server.stopping) return
      try {
        ownership = await acquire(server, { patienceMs: recoveryPatienceMs, persistent: true })
      } catch (error) {
        if (!server.stopping) lost(asStartupError(error, server.place.dataDir))
        return
      }
    }
  }
  const supervision = supervise()
  let stopped: Promise<void> | undefined
  const stop = async () => {
    server.stopping = true
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
async function acquire(
  server: Server,
  { patienceMs, persistent }: { patienceMs: number; persistent: boolean },
): Promise<Ownership> {
  const startedMs = clock.elapsedMs()
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
      if (nowMs - heldSinceMs > takeoverPatienceMs) throw inUse(server.place, answer.owner)
    } else if (answer.absent && !(launch && isRunning(launch.child))) {
      const failure = launch && failureOf(server.place, launch)
      if (failure !== undefined && !persistent && !passing.test(failure))
        throw new StartupError(`the database did not start: ${failure} (log: ${logFile(server.place)})`)
      if (!launch || nowMs - launch.atMs > 100) launch = launchServer(server)
    }
    if (nowMs - startedMs > patienceMs) {
      await shutDown(server)
      throw new StartupError(
        `the database in ${server.place.cluster} did not answer in ${patienceMs / 1000} s: see ${logFile(server.place)}`,
      )
    }
    await sleep(10)
  }
}

/** What a server says when another one of the same folder lives, or has died and its last sessions have not noticed yet. */
const passing = /pre-existing shared memory block|lock file/

function inUse(place: Place, owner: string): StartupError {
  return new StartupError(
    `${place.dataDir} is in use by another Purser (${owner}): stop it, or set PURSER_DATA_DIR to another folder`,
  )
}

async function tryToOwn(server: Server): Promise<Ownership | { owner: string } | { absent: boolean }> {
  const socketDir = findSocketDir(server)
  if (socketDir === undefined) return { absent: true }
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
    server.heldByOther = rows[0]?.mine !== true
    if (!server.heldByOther) {
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
    // Everything else means a server is there and not ready: starting, recovering, shutting down or out of connections.
    return { absent: ['ENOENT', 'ECONNREFUSED'].includes((error as NodeJS.ErrnoException).code ?? '') }
  }
}

interface Launch {
  child: ChildProcess
  atMs: number
  logFrom: number
}

function launchServer(server: Server): Launch {
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
  return { child, atMs: clock.elapsedMs(), logFrom }
}

function isRunning(child: ChildProcess): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null
}

function failureOf(place: Place, { child, logFrom }: Launch): string {
  const lines = readFileSync(logFile(place)).subarray(logFrom).toString().trim().split('\n')
  return (
    lines.findLast((line) => /FATAL|PANIC|error/.test(line)) ??
    (lines.at(-1) || `it ended by ${child.signalCode ?? child.exitCode}`)
  )
}

/** Opened by the service, so it stands in the data folder even where the server's user may not go. */
function logFile({ dataDir }: Place): string {
  return join(dataDir, 'postgres.log')
}

/** A fast shutdown: sessions are ended, everything is written. The owner's lock is held until the end, so nobody takes over meanwhile. */
async function shutDown(server: Server): Promise<void> {
  const { place, child } = server
  const pid = child && isRunning(child) ? child.pid : readPidFile(place)?.pid
  if (pid !== undefined && !server.heldByOther) {
    // An immediate shutdown loses no commit either, it only leaves recovery to the next start.
    for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
      const untilMs = clock.elapsedMs() + stopPatienceMs
      if (isPostgres(pid)) process.kill(pid, signal)
      while (isPostgres(pid) && clock.elapsedMs() < untilMs) await sleep(10)
    }
  }
  // A folder in which another service's server listens is not empty and stays.
  if (
    server.socketDir !== undefined &&
    server.socketDir !== place.cluster &&
    existsSync(server.socketDir) &&
    readdirSync(server.socketDir).length === 0
  ) {
    rmdirSync(server.socketDir)
  }
}

/** A process id alone proves nothing: after a restart it may name any process, and in a container an unburied one. */
function isPostgres(pid: number): boolean {
  if (!isAlive(pid)) return false
  if (!existsSync('/proc/self/cmdline'))
    return /postgres/.test(spawnSync('/bin/ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout)
  try {
    return /postgres/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return false
    throw error
  }
}

/** PostgreSQL's own note of its running server: process, folder, start, port and socket folder, a line each. */
function readPidFile({
  cluster,
}: Place): { pid: number; cluster: string | undefined; socketDir: string | undefined } | undefined {
  try {
    const [pid, folder, , , socketDir] = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')
    return Number(pid) > 0 ? { pid: Number(pid), cluster: folder, socketDir: socketDir || undefined } : undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** PostgreSQL takes any living process of its user for its predecessor, and after a container's restart the same ids come back soon. */
function removeStalePidFile(place: Place) {
  const found = readPidFile(place)
  if (found === undefined || isPostgres(found.pid)) return
  for (const file of [join(place.cluster, 'postmaster.pid'), join(place.cluster, `${socketName}.lock`)])
    rmSync(file, { force: true })
}

const socketName = `.s.PGSQL.${port}`

/** The least that a socket's path may have on Linux and macOS. */
function fits(socketDir: string): boolean {
  return Buffer.byteLength(join(socketDir, socketName)) <= 103
}

/**
 * The socket stands in the cluster's own folder, where every service that can reach the data finds it, in another container too.
 * Only when that path is too long for a socket it is in a temporary folder, known from the pid file.
 */
function findSocketDir({ place, socketDir }: Server): string | undefined {
  if (fits(place.cluster)) return place.cluster
  const recorded = readPidFile(place)
  return recorded?.cluster === place.cluster && recorded.socketDir !== undefined ? recorded.socketDir : socketDir
}

function usableSocketDir(place: Place, known: string | undefined): string {
  if (fits(place.cluster)) return place.cluster
  if (known !== undefined && isPrivate(known, place)) return known
  const base = [tmpdir(), '/tmp'].find((folder) => fits(join(folder, 'purser-XXXXXX')) && mayEnter(place, folder))
  if (base === undefined)
    throw new StartupError(
      `the path of ${place.cluster} is too long for a socket and there is no temporary folder for it: set PURSER_DATA_DIR to a shorter path`,
    )
  const folder = mkdtempSync(join(base, 'purser-'))
  chownSync(folder, place.uid, place.gid)
  return folder
}

function isPrivate(folder: string, { uid }: Place): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false })
  return found?.isDirectory() === true && found.uid === uid && (found.mode & 0o077) === 0
}

/**
 * Created under another name, so that a cluster is whole or absent. Sessions are trusted without a password: only root and the server's
 * user can enter the socket's folder, and both can read and write the database's files anyway.
 */
async function createCluster(place: Place, binaries: string, say: (line: string) => void): Promise<void> {
  const { cluster } = place
  if (existsSync(join(cluster, 'PG_VERSION'))) return
  if (existsSync(cluster) && readdirSync(cluster).length > 0)
    throw new StartupError(`${cluster} is not a database: move it away, or set PURSER_DATA_DIR to another folder`)
  say(`creating the database in ${cluster}`)
  const draft = `${cluster}${draftSuffix()}`
  mkdirSync(draft, { mode: 0o700 })
  try {
    chownSync(draft, place.uid, place.gid)
    const options = [
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--auth-local=trust',
      '--auth-host=reject',
      '--no-instructions',
    ]
    await promisify(execFile)(join(binaries, 'initdb'), ['-D', draft, '-U', user, ...options], {
      ...place.become,
      cwd: '/',
      env: plainEnvironment,
    })
    renameSync(draft, cluster)
    const parent = openSync(dirname(cluster), 'r')
    fsyncSync(parent)
    closeSync(parent)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    // Another service that starts at this moment was faster; who owns the database is decided by the lock.
    if (existsSync(join(cluster, 'PG_VERSION'))) return
    const reason = (error as { stderr?: string }).stderr
      ?.trim()
      .split('\n')
      .findLast((line) => /error|could not|FATAL|PANIC/.test(line))
    if (reason === undefined) throw error
    throw new StartupError(
      `the database could not be created in ${cluster}: ${reason}${/user ID/.test(reason) ? ' (run as a user with a name, or set DATABASE_URL)' : ''}`,
    )
  }
}

/** Names the process, and by its start tells it from an earlier one with the same id. */
function draftSuffix(): string {
  return `.new-${process.pid}-${Math.trunc(performance.timeOrigin)}-${randomUUID().slice(0, 8)}`
}

function removeDrafts(home: string) {
  for (const name of readdirSync(home)) {
    const [, pid, origin] = /\.new-(\d+)-(\d+)-\w+$/.exec(name) ?? []
    if (pid === undefined) continue
    const maker = Number(pid)
    const abandoned = maker === process.pid ? origin !== String(Math.trunc(performance.timeOrigin)) : !isAlive(maker)
    if (abandoned) rmSync(join(home, name), { recursive: true, force: true, maxRetries: 5 })
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function asStartupError(error: unknown, dataDir: string): StartupError {
  if (error instanceof StartupError) return error
  const { code, path, message } = error as NodeJS.ErrnoException
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new StartupError(`the disk of ${dataDir} is full: make room, or set PURSER_DATA_DIR to another disk`)
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return new StartupError(
      `no permission to keep the database in ${path ?? dataDir}: give this user the folder, or set PURSER_DATA_DIR to another one`,
    )
  }
  if (code !== undefined) return new StartupError(`the database cannot be kept in ${dataDir}: ${message}`)
  throw error
}
