import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import { makeFolder } from '../../base/make-folder.ts'
import { messageOf } from '../../base/message-of.ts'
import { StartupError } from '../../base/startup-error.ts'

/** A file of an archive: lines of JSON, compressed. */
export interface ArchiveFile {
  name: string
  kind: 'events' | 'transfers'
  organisationId: string
  /** Numbers of events, or ids of transfers. */
  first: number
  last: number
  /** Time of the last transfer. */
  lastAt?: string
  count: number
  bytes: number
  sha256: string
}

export interface Manifest {
  format: 'purser-archive-1'
  /** The bank that the archive is of. */
  bank: string
  before: string
  /** Whether everything before that time was written. */
  complete: boolean
  files: ArchiveFile[]
}

const NAME = 'manifest.json'
const PART = '.part'

/** Reads the manifest of a folder. A folder with other contents is refused. */
export function openManifest(folder: string, expected: Pick<Manifest, 'bank' | 'before'>): Manifest {
  makeFolder(folder, 0o700)
  if (!existsSync(join(folder, NAME))) {
    const others = readdirSync(folder).filter((name) => !name.endsWith(PART))
    if (others.length > 0) throw new StartupError(`${folder} holds other files (${others[0]}): name an empty folder`)
    return { format: 'purser-archive-1', ...expected, complete: false, files: [] }
  }
  const manifest = readManifest(folder)
  if (manifest.bank !== expected.bank) throw new StartupError(`${folder} is the archive of another bank`)
  if (manifest.before !== expected.before) {
    throw new StartupError(`${folder} is an archive up to ${manifest.before}: name that time, or another folder`)
  }
  const unknown = unknownFiles(folder, manifest)
  if (unknown.length > 0) throw new StartupError(`${folder} holds a file that is not of the archive: ${unknown[0]}`)
  return manifest
}

function readManifest(folder: string): Manifest {
  let manifest: Manifest
  try {
    manifest = JSON.parse(readFileSync(join(folder, NAME), 'utf8')) as Manifest
  } catch (error) {
    throw new StartupError(`${join(folder, NAME)} cannot be read: ${messageOf(error)}`)
  }
  if (manifest.format !== 'purser-archive-1') throw new StartupError(`${folder} is no archive of Purser`)
  return manifest
}

/** Replaces the manifest at once: a run that is killed leaves the former one or the new one. */
export function writeManifest(folder: string, manifest: Manifest): void {
  const draft = join(folder, `${NAME}${PART}`)
  writeFileSync(draft, `${JSON.stringify(manifest, null, 2)}\n`, { flush: true })
  renameSync(draft, join(folder, NAME))
}

function unknownFiles(folder: string, { files }: Manifest): string[] {
  const known = new Set([NAME, ...files.map(({ name }) => name)])
  return readdirSync(folder).filter((name) => !known.has(name) && !name.endsWith(PART))
}

/** The faults of an archive: files that are missing, were added or changed, or hold another number of lines. */
export async function checkArchive(folder: string): Promise<{ manifest: Manifest; faults: string[] }> {
  const manifest = readManifest(folder)
  const faults = unknownFiles(folder, manifest).map((name) => `${name} is not of the archive`)
  if (!manifest.complete) faults.push('the archive is not complete: run the command that writes it again')
  for (const file of manifest.files) {
    const fault = await faultOf(join(folder, file.name), file).catch((error: unknown) => messageOf(error))
    if (fault) faults.push(`${file.name}: ${fault}`)
  }
  return { manifest, faults }
}

async function faultOf(path: string, { sha256, count }: ArchiveFile): Promise<string | undefined> {
  if (!existsSync(path)) return 'the file is missing'
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  if (hash.digest('hex') !== sha256) return 'the content has changed'
  let lines = 0
  for await (const _ of createInterface({ input: createReadStream(path).pipe(createGunzip()) })) lines++
  return lines === count ? undefined : `${lines} lines in place of ${count}`
}
