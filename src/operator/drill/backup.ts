import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { chown, cp, lstat, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { StartupError } from '../../base/startup-error.ts'
import type { ClusterLocation } from '../../database/embedded/cluster-location.ts'

const MAJOR = '18'

/** The newest base backup in a folder, or the folder itself if it is one. */
export async function newestBackup(folder: string): Promise<string> {
  if (await versionOf(folder)) return requireUsable(folder)
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    throw new StartupError(`${folder} cannot be read (${error.code})`)
  })
  const found: { path: string; madeMs: number }[] = []
  for (const name of names) {
    const path = join(folder, name)
    if (await versionOf(path)) found.push({ path, madeMs: (await stat(join(path, 'backup_label'))).mtimeMs })
  }
  const [newest] = found.sort((one, other) => other.madeMs - one.madeMs)
  if (newest) return requireUsable(newest.path)
  const tar = names.some((name) => name.startsWith('base.tar'))
  throw new StartupError(
    tar
      ? `${folder} is a backup in the tar format: unpack it into an empty folder first`
      : `${folder} holds no base backup: pg_basebackup makes one`,
  )
}

/** The version of a base backup; undefined if a folder is none. A running data folder has no label. */
async function versionOf(path: string): Promise<string | undefined> {
  try {
    await stat(join(path, 'backup_label'))
    return (await readFile(join(path, 'PG_VERSION'), 'utf8')).trim()
  } catch {
    return undefined
  }
}

async function requireUsable(path: string): Promise<string> {
  const version = await versionOf(path)
  if (version !== MAJOR) {
    throw new StartupError(`${path} is a backup of PostgreSQL ${version}, and the drill has the programs of ${MAJOR}`)
  }
  if ((await readdir(join(path, 'pg_tblspc'))).length > 0) {
    throw new StartupError(`${path} has tablespaces, which lie outside of it: practise on a machine of its own`)
  }
  return path
}

interface ManifestFile {
  Path?: string
  'Encoded-Path'?: string
  Size: number
  'Checksum-Algorithm'?: string
  Checksum?: string
}

/** Compares the files of a backup with its manifest. Returns the number of files; undefined if there is no manifest. */
export async function checkManifest(backup: string): Promise<number | undefined> {
  const text = await readFile(join(backup, 'backup_manifest'), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const { Files: files = [] } = JSON.parse(text) as { Files?: ManifestFile[] }
  for (const file of files) {
    const path = file.Path ?? Buffer.from(file['Encoded-Path'] ?? '', 'hex').toString()
    const size = (await stat(join(backup, path)).catch(() => undefined))?.size
    if (size === undefined) throw new StartupError(`${backup}: ${path} is missing`)
    const isSame =
      size === file.Size &&
      (file['Checksum-Algorithm'] !== 'SHA256' || (await digestOf(join(backup, path))) === file.Checksum)
    if (!isSame) throw new StartupError(`${backup}: ${path} is not as the backup wrote it`)
  }
  return files.length
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

/**
 * Copies a backup to the place of a restored cluster. The copy has none of the settings of the former server, takes sessions
 * from its own socket alone, and reads the archived log if there is one.
 */
export async function copyBackup(
  backup: string,
  { cluster, uid, gid, become }: ClusterLocation,
  isArchived: boolean,
): Promise<void> {
  // The socket of a server, and its lock, are no part of a backup.
  const filter = (source: string) => !basename(source).startsWith('.s.PGSQL')
  await cp(backup, cluster, { recursive: true, preserveTimestamps: true, filter })
  for (const name of ['postmaster.pid', 'postmaster.opts', 'standby.signal', 'recovery.signal']) {
    await rm(join(cluster, name), { force: true })
  }
  const texts: Record<string, string> = {
    'postgresql.conf': '',
    'postgresql.auto.conf': '',
    'pg_hba.conf': 'local all all trust\n',
    'pg_ident.conf': '',
    ...(isArchived && { 'recovery.signal': '' }),
  }
  for (const [name, text] of Object.entries(texts)) await writeFile(join(cluster, name), text, { mode: 0o600 })
  if (become.uid !== undefined) await giveAway(cluster, uid, gid)
}

async function giveAway(path: string, uid: number, gid: number): Promise<void> {
  await chown(path, uid, gid)
  if (!(await lstat(path)).isDirectory()) return
  for (const name of await readdir(path)) await giveAway(join(path, name), uid, gid)
}
