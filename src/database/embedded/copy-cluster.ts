import { constants, type Dirent } from 'node:fs'
import { chown, copyFile, mkdir, open, readdir, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { StartupError } from '../../base/startup-error.ts'

export interface CopyOptions {
  /** The owner of the copy, where this process may give files away. */
  owner: { uid: number; gid: number }
  /** The segments of the log that are needed. Earlier ones, and those that wait to be used, are left out. */
  segments?: string[]
  progress(bytes: number, of: number): void
  /** Whether to give up. */
  interrupted(): boolean
}

/** Copies at a time. Most of the time passes in waiting for the disk. */
const COPIES_AT_ONCE = 16

/** Files of a running server, which the next one writes anew. */
const TRANSIENT = /^(postmaster\.(pid|opts)|\.s\.PGSQL\..*|pgsql_tmp.*)$/

/**
 * Copies the files of a stopped cluster to a new folder, durably. Where the file system shares blocks between copies, the
 * copy takes no space. Returns the bytes that were copied.
 */
export async function copyCluster(from: string, to: string, options: CopyOptions): Promise<number> {
  const { folders, files } = await contentsOf(from, options.segments)
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0)
  await mkdir(to, { mode: 0o700 })
  for (const folder of folders) await mkdir(join(to, folder), { mode: 0o700 })
  let copied = 0
  const copyOne = async ({ path, bytes }: ClusterFile) => {
    if (options.interrupted()) throw new StartupError('interrupted')
    await copyFile(join(from, path), join(to, path), constants.COPYFILE_FICLONE)
    await settle(join(to, path), options.owner)
    copied += bytes
    options.progress(copied, total)
  }
  await inParallel(files, copyOne)
  // The deepest come first: a folder is durable after its contents.
  for (const folder of [...folders.toReversed(), '.']) await settle(join(to, folder), options.owner)
  return total
}

interface ClusterFile {
  path: string
  bytes: number
}

async function contentsOf(root: string, segments?: string[]): Promise<{ folders: string[]; files: ClusterFile[] }> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const folders: string[] = []
  const files: ClusterFile[] = []
  for (const entry of entries) {
    const path = relative(root, join(entry.parentPath, entry.name))
    if (entry.isDirectory()) folders.push(path)
    else if (entry.isFile() && isWanted(path, entry, segments))
      files.push({ path, bytes: (await stat(join(root, path))).size })
  }
  // A folder comes after the one that it is in.
  return { folders: folders.toSorted(), files }
}

function isWanted(path: string, { name }: Dirent, segments: string[] | undefined): boolean {
  if (TRANSIENT.test(name)) return false
  return segments === undefined || !/^pg_wal\/[0-9A-F]{24}$/.test(path) || segments.includes(name)
}

/** Gives a file or folder to its owner and makes it durable. */
async function settle(path: string, { uid, gid }: CopyOptions['owner']): Promise<void> {
  if (process.getuid?.() === 0) await chown(path, uid, gid)
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function inParallel<T>(items: T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values()
  const worker = async () => {
    for (const item of queue) await work(item)
  }
  const results = await Promise.allSettled(Array.from({ length: COPIES_AT_ONCE }, worker))
  for (const result of results) if (result.status === 'rejected') throw result.reason
}
