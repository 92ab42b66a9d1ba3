import type { Readable } from 'node:stream'
import { pino } from 'pino'

const NEWLINE = 0x0a

/**
 * Joins the output of several processes: `write` gets whole lines only. Two processes that write to one pipe themselves
 * would break each other's lines where they write more than 4 KB at once.
 */
export function joinLines(stream: Readable, write: (lines: string) => void): void {
  let parts: Buffer[] = []
  stream.on('data', (chunk: Buffer) => {
    const end = chunk.lastIndexOf(NEWLINE) + 1
    if (end === 0) return void parts.push(chunk)
    write(Buffer.concat([...parts, chunk.subarray(0, end)]).toString())
    parts = end < chunk.length ? [chunk.subarray(end)] : []
  })
  // The last line of a process that was killed.
  stream.on('end', () => {
    if (parts.length > 0) write(`${Buffer.concat(parts).toString()}\n`)
  })
}

/** Standard output, in the order of the calls and without waiting for its reader. */
export function openOutput(): { write(lines: string): void; close(): Promise<void> } {
  const destination = pino.destination({ fd: 1, sync: false })
  // The reader may be gone, which must not end the service.
  destination.on('error', () => undefined)
  return {
    write: (lines) => void destination.write(lines),
    close: () => new Promise((resolve) => destination.flush(() => resolve())),
  }
}
