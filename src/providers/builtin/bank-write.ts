import { randomBytes } from 'node:crypto'
import type { Write } from '../../base/operation.ts'

/** A write that the bank makes by itself, such as an expiry. Its random key lets a lost COMMIT be settled. */
export function bankWrite(organisationId: number): Write<void> {
  return {
    caller: { organisationId, keyId: 0 },
    requestId: null,
    key: { text: null, hash: randomBytes(32), fingerprint: Buffer.alloc(32), fromCaller: false },
    render: () => ({ status: 200, body: '', replayed: false }),
  }
}
