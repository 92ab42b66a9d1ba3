import type { Operation } from '../base/operation.ts'
import { sha256 } from '../base/sha256.ts'

/**
 * The idempotency key of an intent: the same for each call of the same operation with the same intent in one organisation,
 * whichever agent makes it. Letter case and spaces do not count, because a model that repeats itself varies them.
 */
export function keyOfIntent({ id }: Operation, intent: string, organisationId: number): string {
  const name = intent.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase()
  return `mcp-${sha256(JSON.stringify([organisationId, id, name])).toString('hex')}`
}
