import type { Readable } from 'node:stream'
import { pino } from 'pino'

const NEWLINE = 0x0a

/**
 * Joins the output of several processes: `write` gets whole lines only. Two processes that write to one pipe themselves
 * would break each other's lines if they write more than 4 KB at once. Nothing is decoded: at thousands of lines a
 * second that would cost more than all the rest.
 */
export function joinLines(stream: Readable, write: (lines: Uint8Array) => void): void {
  let parts: Buffer[] = []
  stream.on('data', (chunk: Buffer) => {
    const end = chunk.lastIndexOf(NEWLINE) + 1
    if (end === 0) return void parts.push(chunk)
    const lines = chunk.subarray(0, end)
    write(parts.length === 0 ? lines : Buffer.concat([...parts, lines]))
    parts = end < chunk.length ? [chunk.subarray(end)] : []
  })
  // The last line of a process that was killed.
  stream.on('end', () => {
    if (parts.length > 0) write(Buffer.concat([...parts, Buffer.of(NEWLINE)]))
  })
}

export interface Output {
  /** Writes whole lines of a process. */
  pass(lines: Uint8Array): void
  /** Writes lines of the parent process itself. */
  write(lines: string): void
  close(): Promise<void>
}

/** Standard output, in the order of the calls and without waiting for its reader. */
export function openOutput(): Output {
  const destination = pino.destination({ fd: 1, sync: false, contentMode: 'buffer' })
  // The reader may be gone, which must not end the service.
  destination.on('error', () => undefined)
  // In this mode it takes bytes; its type knows strings only.
  const { write } = destination as unknown as { write(this: unknown, lines: Uint8Array): boolean }
  return {
    pass: (lines) => void write.call(destination, lines),
    write: (lines) => void write.call(destination, Buffer.from(lines)),
    close: () => new Promise((resolve) => destination.flush(() => resolve())),
  }
}
