import { randomUUID } from 'node:crypto'
import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { clock } from '../base/clock.ts'
import type { Closers } from '../base/closers.ts'
import { StartupError } from '../base/startup-error.ts'
import { swapCluster } from '../database/embedded/cluster-hold.ts'
import { copyCluster } from '../database/embedded/copy-cluster.ts'
import { draftSuffix, makerOf, removeDrafts, syncFolder } from '../database/embedded/drafts.ts'
import { endServer } from '../database/embedded/embedded.ts'
import { copyRunning } from '../database/embedded/running-copy.ts'
import { withHeldCluster } from '../database/embedded/stopped-cluster.ts'
import { visitServers } from '../database/visit.ts'

/** The data folder whose bank is copied, and the copier. */
export interface Place {
  dataDir: string
  /** The version of Purser. */
  version: string
  /** A digest of the encryption key: a copy is restored beside the key that it was made with; null without a key. */
  keyPrint: string | null
  closers: Closers
}

/** A copy of the bank, as its manifest describes it. */
export interface Snapshot {
  name: string
  savedAt: string
  bytes: number
  purser: string
  postgres: string
  /** A digest of the encryption key, which is not part of the snapshot; null if the bank had none. */
  encryptionKey: string | null
}

/**
 * The manifest names the folder of its files, so that one rename replaces a snapshot. Folders that no manifest names are
 * the rest of an interrupted command.
 */
interface Manifest extends Omit<Snapshot, 'name'> {
  files: string
}

const MANIFEST = 'manifest.json'
/** How long a service may take to start again. */
const RESTART_MS = 60_000
/** The name of a folder of files. */
const FILES = /^pg18-[0-9a-f]{8}$/

type Report = (bytes: number, of: number) => void

/** Copies the bank as it is, whether the service runs or not. */
export function saveSnapshot(
  place: Place,
  name: string,
  { force, progress }: { force: boolean; progress: Report },
): Promise<Snapshot> {
  const { dataDir, closers } = place
  return withHeldCluster(dataDir, closers, async (location) => {
    if (!existsSync(join(location.cluster, 'PG_VERSION')))
      throw new StartupError(`there is no bank in ${dataDir} yet: purser start makes one`)
    const folder = folderOf(dataDir, name)
    const former = readManifest(folder)
    if (former && !force)
      throw new StartupError(`there is a snapshot ${name} of ${former.savedAt}: repeat with --force to replace it`)
    removeRests(dataDir)
    const owner = statSync(dataDir)
    makeFolder(snapshotsFolder(dataDir))
    makeFolder(folder)
    const files = `pg18-${randomUUID().slice(0, 8)}`
    const options = { owner, progress, interrupted: () => closers.closing }
    const from = location.cluster
    try {
      const bytes = await visitServers(
        { databaseUrl: undefined, dataDir },
        ([server = {}]) => copyRunning(server, { from, to: join(folder, files), ...options }),
        closers,
      )
      const postgres = readFileSync(join(location.cluster, 'PG_VERSION'), 'utf8').trim()
      const { version: purser, keyPrint: encryptionKey } = place
      const manifest = { savedAt: clock.now().toISOString(), bytes, purser, postgres, encryptionKey, files }
      writeManifest(folder, manifest, owner)
      return described(name, manifest)
    } catch (error) {
      throw copyFailure(error, dataDir)
    } finally {
      removeRests(dataDir)
    }
  })
}

/**
 * Puts a snapshot in the place of the bank; undefined if that was not confirmed. A service that runs ends in order, and
 * starts again with the snapshot.
 */
export async function restoreSnapshot(
  place: Place,
  name: string,
  { confirm, progress }: { confirm: () => Promise<boolean>; progress: Report },
): Promise<(Snapshot & { running: boolean }) | undefined> {
  const { dataDir, closers } = place
  requireRestorable(place, name, findManifest(dataDir, name))
  if (!(await confirm())) return undefined
  const started = lastStart(dataDir)
  const restored = await withHeldCluster(dataDir, closers, async (location) => {
    const manifest = findManifest(dataDir, name)
    removeDrafts(location.home)
    const draft = `${location.cluster}${draftSuffix()}`
    try {
      const from = join(folderOf(dataDir, name), manifest.files)
      await copyCluster(from, draft, { owner: location, progress, interrupted: () => closers.closing })
      const { asked } = await endServer(location, { ask: true })
      swapCluster(location.cluster, draft)
      return { ...described(name, manifest), running: asked }
    } catch (error) {
      rmSync(draft, { recursive: true, force: true, maxRetries: 5 })
      throw copyFailure(error, dataDir)
    }
  })
  if (restored.running) await startedAgain(dataDir, started)
  return restored
}

/** The time at which a service of this folder last listened: it notes its address then. */
function lastStart(dataDir: string): number | undefined {
  return statSync(join(dataDir, 'address'), { throwIfNoEntry: false })?.mtimeMs
}

/** Waits until the service that let go of the bank listens again. */
async function startedAgain(dataDir: string, before: number | undefined): Promise<void> {
  const untilMs = clock.elapsedMs() + RESTART_MS
  while (lastStart(dataDir) === before) {
    if (clock.elapsedMs() > untilMs)
      throw new StartupError('the snapshot is restored, but the service has not started again: its output says why')
    await sleep(50)
  }
}

/** Deletes a snapshot, whether the service runs or not. */
export function deleteSnapshot({ dataDir, closers }: Place, name: string): Promise<void> {
  return withHeldCluster(dataDir, closers, async () => {
    findManifest(dataDir, name)
    rmSync(join(folderOf(dataDir, name), MANIFEST))
    removeRests(dataDir)
  })
}

/** Lists the snapshots, the oldest first. */
export function listSnapshots(dataDir: string): Snapshot[] {
  const snapshots = namesIn(dataDir).flatMap((name) => {
    const manifest = readManifest(join(snapshotsFolder(dataDir), name))
    return manifest ? [described(name, manifest)] : []
  })
  return snapshots.toSorted((one, other) => one.savedAt.localeCompare(other.savedAt))
}

function snapshotsFolder(dataDir: string): string {
  return join(dataDir, 'snapshots')
}

/** The folder of a snapshot. A link would lead the copy, and its owner, to another place. */
function folderOf(dataDir: string, name: string): string {
  const folder = join(snapshotsFolder(dataDir), name)
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink())
    throw new StartupError(`${folder} is a link and not a snapshot: delete the link, or choose another name`)
  return folder
}

function makeFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
}

function namesIn(dataDir: string): string[] {
  const folder = snapshotsFolder(dataDir)
  if (!existsSync(folder)) return []
  const entries = readdirSync(folder, { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
}

/** Deletes the folders of files that no manifest names. */
function removeRests(dataDir: string): void {
  for (const name of namesIn(dataDir)) {
    const folder = join(snapshotsFolder(dataDir), name)
    const kept = readManifest(folder)?.files
    const rests = readdirSync(folder).filter((entry) => entry !== kept && (FILES.test(entry) || makerOf(entry)))
    for (const entry of rests) rmSync(join(folder, entry), { recursive: true, force: true, maxRetries: 5 })
    if (readdirSync(folder).length === 0) rmdirSync(folder)
  }
}

function requireRestorable({ dataDir, keyPrint }: Place, name: string, manifest: Manifest): void {
  const { postgres, encryptionKey } = manifest
  if (postgres !== '18')
    throw new StartupError(`the snapshot ${name} is of PostgreSQL ${postgres}, and this version of Purser runs 18`)
  if (encryptionKey !== null && encryptionKey !== keyPrint)
    throw new StartupError(
      `the snapshot ${name} was saved with another encryption key: put the file encryption-key of that bank into ${dataDir}, or set PURSER_ENCRYPTION_KEY to its key`,
    )
}

function findManifest(dataDir: string, name: string): Manifest {
  const found = readManifest(folderOf(dataDir, name))
  if (found) return found
  const names = listSnapshots(dataDir).map((each) => each.name)
  const others = names.length > 0 ? `there are ${names.join(', ')}` : '`purser snapshot save NAME` saves the first one'
  throw new StartupError(`there is no snapshot ${name}: ${others}`)
}

function readManifest(folder: string): Manifest | undefined {
  const file = join(folder, MANIFEST)
  if (!existsSync(file)) return undefined
  let manifest: Manifest
  try {
    manifest = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new StartupError(`cannot read ${file} (${(error as Error).message}): restore it from a backup, or delete it`)
  }
  if (!FILES.test(manifest.files) || !existsSync(join(folder, manifest.files)))
    throw new StartupError(`${file} names no folder of files beside it: restore it from a backup, or delete it`)
  return manifest
}

/** Writes the manifest aside and renames it once it is on disk. */
function writeManifest(folder: string, manifest: Manifest, { uid, gid }: { uid: number; gid: number }): void {
  const draft = join(folder, `${MANIFEST}${draftSuffix()}`)
  writeFileSync(draft, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flush: true })
  if (process.getuid?.() === 0) for (const path of [dirname(folder), folder, draft]) chownSync(path, uid, gid)
  renameSync(draft, join(folder, MANIFEST))
  for (const path of [folder, dirname(folder)]) syncFolder(path)
}

function described(name: string, { files: _, ...manifest }: Manifest): Snapshot {
  return { name, ...manifest }
}

function copyFailure(error: unknown, dataDir: string): unknown {
  const { code, message } = error as NodeJS.ErrnoException
  if (error instanceof StartupError || code === undefined) return error
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new StartupError(`the disk of ${dataDir} is full, and nothing was changed: make room and repeat the command`)
  return new StartupError(`the files could not be copied, and nothing was changed: ${message}`)
}
