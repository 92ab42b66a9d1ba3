import { hash } from 'node:crypto'

/** By way of text, whose bytes come from the common pool: a buffer of its own would take twice as long. */
export function sha256(text: string): Buffer {
  return Buffer.from(hash('sha256', text, 'binary'), 'binary')
}
