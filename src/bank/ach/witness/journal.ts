import { createHash } from 'node:crypto'
import { open, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** The outgoing folder does not exist: a mount is missing, or the setting names another one. */
export class FolderMissing extends Error {}

/** The journal of a database, in the folder of outgoing files. Its name begins with a dot, so that nobody takes it for a file. */
export function journalPath(folder: string, number: number): string {
  return join(folder, number === 0 ? '.purser-journal' : `.purser-journal-${number}`)
}

function digestOf(line: string): string {
  return createHash('sha256').update(line).digest('hex')
}

/** The digests of a journal, which stay true while the file stays as it was. */
interface Known {
  size: number
  changedMs: number
  inode: number
  digests: string[]
}
const known = new Map<string, Known>()

/** The digests of the lines of a journal; undefined if there is no journal. */
export async function readDigests(path: string): Promise<string[] | undefined> {
  const found = await statOf(path)
  if (!found) return undefined
  const before = known.get(path)
  const { size, mtimeMs: changedMs, ino: inode } = found
  if (before && before.size === size && before.changedMs === changedMs && before.inode === inode) return before.digests
  const digests = (await readLines(path)).map(digestOf)
  known.set(path, { size, changedMs, inode, digests })
  return digests
}

/** The lines of a journal; none if there is no journal. The end of a line that was cut off by a crash is left out. */
export async function readLines(path: string): Promise<string[]> {
  if (!(await statOf(path))) return []
  const text = await readFile(path, 'utf8')
  return text.split('\n').slice(0, -1)
}

async function statOf(path: string) {
  try {
    return await stat(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

export async function requireFolder(folder: string): Promise<void> {
  if (!(await statOf(folder))?.isDirectory()) throw new FolderMissing(`the folder ${folder} does not exist`)
}

/** Adds lines to a journal, and returns when they are on the disk. The rest of a line that a crash cut off is removed first. */
export async function appendLines(path: string, folder: string, lines: string[]): Promise<void> {
  const handle = await open(path, 'a+', 0o600)
  try {
    // The operator may be root, and the service another user: the journal belongs to the owner of the folder.
    if (process.getuid?.() === 0) {
      const { uid, gid } = await stat(folder)
      await handle.chown(uid, gid)
    }
    const bytes = await handle.readFile()
    const whole = bytes.lastIndexOf(10) + 1
    if (whole < bytes.length) await handle.truncate(whole)
    await handle.appendFile(lines.map((line) => `${line}\n`).join(''))
    await handle.sync()
  } finally {
    await handle.close()
    known.delete(path)
  }
  const directory = await open(folder, 'r')
  await directory.sync().finally(() => directory.close())
}
