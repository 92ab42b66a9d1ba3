import { closeSync, openSync, readSync, statSync } from 'node:fs'

/** Larger than any secret. A file of another kind, named by mistake, is not read to its end. */
const MAX_BYTES = 65_536

/**
 * Reads a secret that an operator keeps in a file, without one newline at its end. A fault is the end of a sentence about
 * the file. It names neither path nor contents: a path may be a secret that was put into the wrong variable.
 */
export function readSecret(path: string): { text: string } | { fault: string } {
  try {
    // Opening a pipe would wait for its writer.
    const file = statSync(path)
    if (file.isDirectory()) return { fault: 'names a folder, not a file' }
    if (!file.isFile()) return { fault: 'names no regular file' }
    return secretIn(contentsOf(path))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return { fault: code === 'ENOENT' ? 'names a file that does not exist' : `cannot be read (${code})` }
  }
}

/** The contents of a file up to one byte more than a secret may have. */
function contentsOf(path: string): Buffer {
  const buffer = Buffer.alloc(MAX_BYTES + 1)
  const file = openSync(path, 'r')
  try {
    return buffer.subarray(0, readSync(file, buffer))
  } finally {
    closeSync(file)
  }
}

function secretIn(contents: Buffer): { text: string } | { fault: string } {
  if (contents.length > MAX_BYTES) return { fault: 'names a file of more than 64 KiB' }
  const text = contents.toString('utf8').replace(/\r?\n$/, '')
  if (text === '') return { fault: 'names an empty file' }
  if (!Buffer.from(contents.toString('utf8')).equals(contents)) return { fault: 'names a file that is not UTF-8 text' }
  return { text }
}
