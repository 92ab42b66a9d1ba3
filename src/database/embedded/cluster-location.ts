import { execFile, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
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
import { makeFolder } from '../../base/make-folder.ts'
import { StartupError } from '../../base/startup-error.ts'
import { finishSwap } from './cluster-hold.ts'
import { draftSuffix, syncFolder } from './drafts.ts'
import { plainEnvironment } from './embedded-binaries.ts'

export const user = 'purser'
const major = 18

/** The folders of the database and the user that its server runs as. */
export interface ClusterLocation {
  /** The data folder with links resolved. It holds the log, which the service opens. */
  dataDir: string
  /** A folder that the server's user may enter: the data folder, or one under /var/lib. */
  home: string
  cluster: string
  uid: number
  gid: number
  /** Options for `spawn` to become that user; empty if this process runs as that user. */
  become: { uid?: number; gid?: number }
}

/**
 * Finds the location of a data folder's database. PostgreSQL refuses to run as root: under a root service it runs as the
 * owner of the existing cluster, or as nobody, and every folder it uses must be open to that user.
 */
export function findLocation(dataDir: string, say: (line: string) => void): ClusterLocation {
  makeFolder(resolve(dataDir), process.getuid?.() === 0 ? 0o711 : 0o700)
  const real = realpathSync(dataDir)
  refuseOtherVersion(real)
  const entry = join(real, `pg${major}`)
  const [uid, gid] = [process.getuid?.(), process.getgid?.()]
  if (uid === undefined || gid === undefined)
    throw new StartupError(
      'the embedded database needs Linux or macOS: set DATABASE_URL to a running PostgreSQL server',
    )
  const existing = follow(entry)
  finishSwap(existing ?? entry)
  if (uid !== 0) return { dataDir: real, home: real, cluster: existing ?? entry, uid, gid, become: {} }

  const user = existing !== undefined && existsSync(join(existing, 'PG_VERSION')) ? statSync(existing) : nobody()
  if (user.uid === 0)
    throw new StartupError(
      `${existing} belongs to root, as whom PostgreSQL refuses to run: chown -R nobody ${existing}`,
    )
  const location = { dataDir: real, uid: user.uid, gid: user.gid, become: { uid: user.uid | 0, gid: user.gid | 0 } }
  const home = mayEnterOrOpened(location, real, say) ? real : existing ? dirname(existing) : moveOut(entry, say)
  const cluster = follow(entry) ?? entry
  if (!mayEnter(location, dirname(cluster))) {
    throw new StartupError(
      `the database runs as uid ${user.uid}, which may not enter ${dirname(cluster)}: chmod o+x it and the folders above it, or set DATABASE_URL`,
    )
  }
  return { ...location, home, cluster }
}

/** The target of the cluster's entry if that is a link. The target may not exist yet; its folder must. */
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

/** Tries to enter a folder as that user. Mode bits alone would miss groups, access lists and mounts. */
export function mayEnter({ become }: Pick<ClusterLocation, 'become'>, folder: string): boolean {
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
 * Opens a data folder that only root may enter for passing through, if every entry denies access to others by its own
 * mode. The database then stays on the volume that the operator chose, which matters more than the folder's own mode.
 */
function mayEnterOrOpened(
  location: Pick<ClusterLocation, 'become'>,
  dataDir: string,
  say: (line: string) => void,
): boolean {
  if (mayEnter(location, dataDir)) return true
  const exposes = readdirSync(dataDir).some((name) => (lstatSync(join(dataDir, name)).mode & 0o007) !== 0)
  if (exposes || !mayEnter(location, dirname(dataDir))) return false
  chmodSync(dataDir, (statSync(dataDir).mode & 0o777) | 0o011)
  say(`opened ${dataDir} for passing through (mode 711), because the database runs as nobody and not as root`)
  return mayEnter(location, dataDir)
}

/**
 * Moves the database to /var/lib/purser. The link is created first, so that two services agree on one folder and an old
 * folder is never found from a new data folder.
 */
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
  // macOS writes -2, which system calls report as 4294967294.
  return { uid: Number(fields?.[1] ?? 65534) >>> 0, gid: Number(fields?.[2] ?? 65534) >>> 0 }
}

/**
 * Creates the cluster under another name and renames it, so that it is whole or absent. Sessions need no password: only
 * root and the server's user can enter the socket's folder, and both can read and write the database's files anyway.
 */
export async function createCluster(
  location: ClusterLocation,
  binaries: string,
  say: (line: string) => void,
): Promise<void> {
  const { cluster } = location
  if (existsSync(join(cluster, 'PG_VERSION'))) return
  if (existsSync(cluster) && readdirSync(cluster).length > 0)
    throw new StartupError(`${cluster} is not a database: move it away, or set PURSER_DATA_DIR to another folder`)
  say(`creating the database in ${cluster}`)
  const draft = `${cluster}${draftSuffix()}`
  mkdirSync(draft, { mode: 0o700 })
  try {
    chownSync(draft, location.uid, location.gid)
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
      ...location.become,
      cwd: '/',
      env: plainEnvironment,
    })
    renameSync(draft, cluster)
    syncFolder(dirname(cluster))
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    // Another service that started at the same time was faster; the owner's lock decides which one runs the database.
    if (existsSync(join(cluster, 'PG_VERSION'))) return
    const reason = reasonIn((error as { stderr?: string }).stderr ?? '')
    if (reason === undefined) throw error
    if (/No space left|quota exceeded/.test(reason)) throw diskFull(location.dataDir)
    const cure = reason.includes('effective user ID') ? 'run as a user with a name' : 'remove the cause'
    throw new StartupError(`the database could not be created in ${cluster} (${reason}): ${cure}, or set DATABASE_URL`)
  }
}

/** The most informative line of a program's error output: an error of the system, otherwise its last error. */
export function reasonIn(text: string): string | undefined {
  const lines = text.trim().split('\n')
  const refusal = lines.find((line) => /No space left|quota exceeded|Permission denied|Read-only/.test(line))
  return refusal ?? lines.findLast((line) => /FATAL|PANIC|error|could not/.test(line)) ?? (lines.at(-1) || undefined)
}

export function diskFull(dataDir: string): StartupError {
  return new StartupError(`the disk of ${dataDir} is full: make room, or set PURSER_DATA_DIR to another disk`)
}
