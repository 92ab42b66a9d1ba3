import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { StartupError } from '../../base/startup-error.ts'

/** Some 700,000 records, more than a bank sends in a day. A larger file would need gigabytes of memory. */
const MAX_BYTES = 64 * 1024 * 1024

/** The content of a file or a pipe, up to the limit. */
export async function contentOf(path: string, what = 'an ACH file'): Promise<Buffer> {
  const parts: Buffer[] = []
  let size = 0
  try {
    const found = await stat(path)
    if (found.isDirectory()) throw new StartupError(`${path} is a folder: name ${what}`)
    for await (const part of createReadStream(path)) {
      parts.push(part as Buffer)
      size += (part as Buffer).length
      if (size > MAX_BYTES) throw new StartupError(`${path} has more than ${MAX_BYTES} bytes, the limit of ${what}`)
    }
  } catch (error) {
    if (error instanceof StartupError) throw error
    throw new StartupError(`cannot read ${path} (${(error as NodeJS.ErrnoException).code})`)
  }
  return Buffer.concat(parts)
}
