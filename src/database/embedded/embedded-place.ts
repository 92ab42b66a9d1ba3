import { execFile, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import {
  chmodSync,
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
  readlinkSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { StartupError } from '../../base/startup-error.ts'
import { plainEnvironment } from './embedded-binaries.ts'

export const user = 'purser'
const major = 18

/** Where the database lives and as whom its server runs. */
export interface Place {
  /** The data folder itself, resolved: the log stands here, because the service opens it. */
  dataDir: string
  /** A folder the server's user may enter: the data folder, or one under /var/lib. */
  home: string
  cluster: string
  uid: number
  gid: number
  /** What `spawn` needs to become that user; empty when we are that user already. */
  become: { uid?: number; gid?: number }
}

/**
 * PostgreSQL refuses uid 0. For a service that runs as root its server runs as the owner of the existing cluster, else as nobody,
 * and then everything it touches has to lie where that user may go.
 */
export function findPlace(dataDir: string, say: (line: string) => void): Place {
  mkdirSync(dataDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 })
  const real = realpathSync(dataDir)
  refuseOtherVersion(real)
  const entry = join(real, `pg${major}`)
  const [uid, gid] = [process.getuid?.(), process.getgid?.()]
  if (uid === undefined || gid === undefined)
    throw new StartupError(
      'the embedded database needs Linux or macOS: set DATABASE_URL to a running PostgreSQL server',
    )
  if (uid !== 0) return { dataDir: real, home: real, cluster: follow(entry) ?? entry, uid, gid, become: {} }

  const existing = follow(entry)
  const user = existing !== undefined && existsSync(join(existing, 'PG_VERSION')) ? statSync(existing) : nobody()
  if (user.uid === 0)
    throw new StartupError(
      `${existing} belongs to root, as whom PostgreSQL refuses to run: chown -R nobody ${existing}`,
    )
  const place = { dataDir: real, uid: user.uid, gid: user.gid, become: { uid: user.uid | 0, gid: user.gid | 0 } }
  const home = mayEnterOrOpened(place, real, say) ? real : existing ? dirname(existing) : moveOut(entry, say)
  const cluster = follow(entry) ?? entry
  if (!mayEnter(place, dirname(cluster))) {
    throw new StartupError(
      `the database runs as uid ${user.uid}, which may not enter ${dirname(cluster)}: chmod o+x it and the folders above it, or set DATABASE_URL`,
    )
  }
  return { ...place, home, cluster }
}

/** The end of the link that stands where the cluster should, when it is one. Its target may still have to be created, its folder not. */
function follow(entry: string): string | undefined {
  if (!lstatSync(entry, { throwIfNoEntry: false })) return undefined
  if (existsSync(entry)) return realpathSync(entry)
  const target = resolve(dirname(entry), readlinkSync(entry))
  if (existsSync(dirname(target))) return target
  throw new StartupError(
    `${entry} points to the database in ${target}, which is gone: bring it back, or remove the link to begin with an empty database`,
  )
}

function refuseOtherVersion(dataDir: string) {
  const folders = readdirSync(dataDir).filter((name) => /^pg\d+$/.test(name))
  const versionFile = join(dataDir, `pg${major}`, 'PG_VERSION')
  const found = folders.includes(`pg${major}`)
    ? existsSync(versionFile)
      ? readFileSync(versionFile, 'utf8').trim()
      : String(major)
    : folders[0]?.slice(2)
  if (found === undefined || found === String(major)) return
  throw new StartupError(
    `${dataDir} holds a database of PostgreSQL ${found}, this version runs ${major}: carry it over with pg_dump, or set PURSER_DATA_DIR to a new folder or DATABASE_URL to a running server`,
  )
}

/** Asks the system itself instead of reading mode bits, so that groups, access lists and mounts count as they are. */
export function mayEnter({ become }: Pick<Place, 'become'>, folder: string): boolean {
  const { status, error } = spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], {
    ...become,
    cwd: '/',
    env: {},
    stdio: 'ignore',
  })
  if (error)
    throw new StartupError(
      `root may not start PostgreSQL as uid ${become.uid} here (${error.message}): start the service as an ordinary user, or set DATABASE_URL`,
    )
  return status === 0
}

/**
 * A data folder that only root may enter is opened for passing through when nothing in it can then be read: every entry denies others
 * by its own mode. The database then stays on the volume the operator chose, which counts more than the folder's own mode.
 */
function mayEnterOrOpened(place: Pick<Place, 'become'>, dataDir: string, say: (line: string) => void): boolean {
  if (mayEnter(place, dataDir)) return true
  const exposes = readdirSync(dataDir).some((name) => (lstatSync(join(dataDir, name)).mode & 0o007) !== 0)
  if (exposes || !mayEnter(place, dirname(dataDir))) return false
  chmodSync(dataDir, (statSync(dataDir).mode & 0o777) | 0o011)
  say(`opened ${dataDir} for passing through (mode 711), because the database runs as nobody and not as root`)
  return mayEnter(place, dataDir)
}

/** The link comes first, so that two services agree on one place and a forgotten folder never comes back under a new data folder. */
function moveOut(entry: string, say: (line: string) => void): string {
  const store = '/var/lib/purser'
  mkdirSync(store, { recursive: true, mode: 0o755 })
  const home = mkdtempSync(join(store, `${basename(dirname(entry))}-`))
  chmodSync(home, 0o711)
  try {
    symlinkSync(join(home, basename(entry)), entry)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    rmdirSync(home)
    return dirname(readlinkSync(entry))
  }
  say(
    `the database is kept in ${home}, because it runs as nobody, who may not enter ${dirname(entry)}: back up that folder too`,
  )
  return home
}

function nobody(): { uid: number; gid: number } {
  const fields = existsSync('/etc/passwd')
    ? /^nobody:[^:]*:(-?\d+):(-?\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'))
    : null
  // macOS writes -2, which is 4294967294 wherever the system answers it.
  return { uid: Number(fields?.[1] ?? 65534) >>> 0, gid: Number(fields?.[2] ?? 65534) >>> 0 }
}

/**
 * Created under another name, so that a cluster is whole or absent. Sessions are trusted without a password: only root and the server's
 * user can enter the socket's folder, and both can read and write the database's files anyway.
 */
export async function createCluster(place: Place, binaries: string, say: (line: string) => void): Promise<void> {
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
    const reason = reasonIn((error as { stderr?: string }).stderr ?? '')
    if (reason === undefined) throw error
    if (/No space left|quota exceeded/.test(reason)) throw diskFull(place.dataDir)
    const cure = reason.includes('effective user ID') ? 'run as a user with a name' : 'see to that'
    throw new StartupError(`the database could not be created in ${cluster} (${reason}): ${cure}, or set DATABASE_URL`)
  }
}

/** The line of a program's last words that says most: the system's refusal if there is one, else the last complaint. */
export function reasonIn(text: string): string | undefined {
  const lines = text.trim().split('\n')
  const refusal = lines.find((line) => /No space left|quota exceeded|Permission denied|Read-only/.test(line))
  return refusal ?? lines.findLast((line) => /FATAL|PANIC|error|could not/.test(line)) ?? (lines.at(-1) || undefined)
}

export function diskFull(dataDir: string): StartupError {
  return new StartupError(`the disk of ${dataDir} is full: make room, or set PURSER_DATA_DIR to another disk`)
}

/** Names the process, and by its start tells it from an earlier one with the same id. */
export function draftSuffix(): string {
  return `.new-${process.pid}-${Math.trunc(performance.timeOrigin)}-${randomUUID().slice(0, 8)}`
}

export function removeDrafts(home: string) {
  for (const name of readdirSync(home)) {
    const [, pid, origin] = /\.new-(\d+)-(\d+)-\w+$/.exec(name) ?? []
    if (pid === undefined) continue
    const maker = Number(pid)
    const abandoned = maker === process.pid ? origin !== String(Math.trunc(performance.timeOrigin)) : !isAlive(maker)
    if (abandoned) rmSync(join(home, name), { recursive: true, force: true, maxRetries: 5 })
  }
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
