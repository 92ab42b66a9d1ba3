import { constants } from 'node:fs'
import { chown, copyFile, mkdir, open, readdir, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { StartupError } from '../../base/startup-error.ts'

export interface CopyOptions {
  /** The owner of the copy, if this process may give files away. */
  owner: { uid: number; gid: number }
  progress(bytes: number, of: number): void
  /** Whether to give up. */
  interrupted(): boolean
  /** Whether a file is copied, by its path in the cluster; all are by default. */
  wanted?(path: string): boolean
  /** Copies one file; false if it is gone. */
  copy?(from: string, to: string): Promise<boolean>
}

/** Copies at a time. Most of the time passes in waiting for the disk. */
const COPIES_AT_ONCE = 16

/**
 * Copies the files of a cluster to a new folder, durably. If the file system shares blocks between copies, the copy takes
 * no space. Returns the bytes that were copied.
 */
export async function copyCluster(from: string, to: string, options: CopyOptions): Promise<number> {
  const { folders, files } = await contentsOf(from, options)
  await mkdir(to, { mode: 0o700 })
  for (const folder of folders) await mkdir(join(to, folder), { mode: 0o700 })
  const bytes = await copyFiles(files, { from, to, ...options })
  // The deepest come first: a folder is durable after its contents.
  for (const folder of [...folders.toReversed(), '.']) await settle(join(to, folder), options)
  return bytes
}

/** A file of a cluster. */
interface ClusterFile {
  path: string
  bytes: number
}

async function contentsOf(root: string, { wanted }: CopyOptions): Promise<{ folders: string[]; files: ClusterFile[] }> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const folders: string[] = []
  const files: ClusterFile[] = []
  for (const entry of entries) {
    const path = relative(root, join(entry.parentPath, entry.name))
    if (wanted?.(path) === false) continue
    if (entry.isDirectory()) folders.push(path)
    else if (entry.isFile()) files.push({ path, bytes: await sizeOf(join(root, path)) })
  }
  // A folder comes after the one that it is in.
  return { folders: folders.toSorted(), files }
}

/** The size of a file; 0 if a running server has just deleted it. */
async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0
    throw error
  }
}

/** Copies files between two folders, durably. Returns their bytes. */
export async function copyFiles(
  files: ClusterFile[],
  { from, to, copy = copyStill, ...options }: CopyOptions & { from: string; to: string },
): Promise<number> {
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0)
  let copied = 0
  await inParallel(files, async ({ path, bytes }) => {
    if (options.interrupted()) throw new StartupError('interrupted')
    if (await copy(join(from, path), join(to, path))) await settle(join(to, path), options)
    copied += bytes
    options.progress(copied, total)
  })
  return total
}

async function copyStill(from: string, to: string): Promise<boolean> {
  await copyFile(from, to, constants.COPYFILE_FICLONE)
  return true
}

/** Gives a file or folder to its owner and makes it durable. */
export async function settle(path: string, { owner: { uid, gid } }: CopyOptions): Promise<void> {
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
