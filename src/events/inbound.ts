import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Database, Queryable } from '../database/database.ts'
import type { EventDraft } from './event.ts'
import { insertInboundEvents } from './inbound.sql.ts'
import { bankOrigin, recordEvents } from './record.ts'

/** A provider that tells us of changes by itself. */
export interface InboundSource {
  /** Its name in the path. */
  provider: string
  /** Where the signature stands, in lower case. */
  signatureHeader: string
  /** Whether the provider signed these very bytes. */
  isAuthentic(body: Buffer, signature: string): boolean
  /** What a body tells of, in its order, and whatever has to be fetched for it; a Problem where it cannot be read. */
  read(content: unknown): Arrived[] | Promise<Arrived[]>
}

/** One thing that a provider told. */
export interface Arrived {
  /** The same when it is told again. */
  upstreamId: string
  /** The provider's own word. */
  type: string
  /** Makes its effects, and answers what our apps are told of it. */
  takeIn(transaction: Queryable, organisationId: number): Promise<EventDraft[]>
}

/** Takes in what a provider told: all of a body, or none of it; each thing once, however often it is told. */
export type Inbox = (source: InboundSource, content: unknown) => Promise<void>

/** A connector serves one organisation, to which all that it hears belongs. */
export function openInbox(database: Database, organisationId: number, committed?: () => void): Inbox {
  return async (source, content) => {
    const arrived = await source.read(content)
    await database.transaction(async (transaction) => {
      const fresh = new Set(await insertInboundEvents(transaction, source.provider, organisationId, arrived))
      const drafts: EventDraft[] = []
      for (const one of arrived) {
        // A body may hold the same thing twice.
        if (fresh.delete(one.upstreamId)) drafts.push(...(await one.takeIn(transaction, organisationId)))
      }
      const origin = bankOrigin(organisationId)
      await recordEvents(
        transaction,
        drafts.map((event) => ({ event, origin })),
      )
    })
    committed?.()
  }
}

/** Tells whether a signature is the Base64 of the body's HMAC, in a time that tells nothing else. */
export function hmacCheck(algorithm: 'sha1' | 'sha256', secret: string): InboundSource['isAuthentic'] {
  return (body, signature) => {
    const expected = Buffer.from(createHmac(algorithm, secret).update(body).digest('base64'))
    const given = Buffer.from(signature)
    return given.length === expected.length && timingSafeEqual(given, expected)
  }
}
