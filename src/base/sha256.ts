import { hash } from 'node:crypto'

export function sha256(content: string | Uint8Array): Buffer {
  return hash('sha256', content, 'buffer')
}
