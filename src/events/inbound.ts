import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Database, Queryable } from '../database/database.ts'
import type { EventDraft } from './event.ts'
import { findInboundEvents, insertInboundEvents } from './inbound.sql.ts'
import { bankOrigin, recordEvents } from './record.ts'

/** A provider that tells us of changes by itself. */
export interface InboundSource {
  /** Its name in the path. */
  provider: string
  /** Where the signature stands, in lower case. */
  signatureHeader: string
  /** Whether the provider signed these very bytes. */
  isAuthentic(body: Buffer, signature: string): boolean
  /** What a body tells of, in its order; a Problem where it cannot be read. */
  read(content: unknown): Arrived[]
}

/** One thing that a provider told. */
export interface Arrived {
  /** The same when it is told again. */
  upstreamId: string
  /** The provider's own word. */
  type: string
  /** Fetches what has to be known of it, before the transaction, so that no lock waits for an upstream. */
  fetch(): Promise<TakeIn>
}

/** Makes the effects of one thing, and answers what our apps are told of it. */
export type TakeIn = (transaction: Queryable, organisationId: number) => Promise<EventDraft[]>

/** Takes in what a provider told, each thing once; rejects where some of it has to be told again. */
export type Inbox = (source: InboundSource, content: unknown) => Promise<void>

/** So many are fetched at a time and committed together: a body of thousands gets on, and is not begun anew. */
const AT_ONCE = 20

/** A connector serves one organisation, to which all that it hears belongs. */
export function openInbox(database: Database, organisationId: number, committed?: () => void): Inbox {
  /** What of it is new, with the failures of what could not be fetched now. */
  async function takeIn({ provider }: InboundSource, arrived: Arrived[]): Promise<unknown[]> {
    const known = await findInboundEvents(database, provider, arrived)
    const told = arrived.filter(({ upstreamId }) => !known.has(upstreamId))
    if (told.length === 0) return []
    const outcomes = await Promise.allSettled(told.map((one) => one.fetch()))
    const fetched = told.flatMap((one, at) => {
      const outcome = outcomes[at]
      return outcome?.status === 'fulfilled' ? [{ ...one, takeIn: outcome.value }] : []
    })
    await database.transaction(async (transaction) => {
      const fresh = new Set(await insertInboundEvents(transaction, provider, organisationId, fetched))
      const drafts: EventDraft[] = []
      for (const { upstreamId, takeIn } of fetched) {
        // A body may hold the same thing twice.
        if (fresh.delete(upstreamId)) drafts.push(...(await takeIn(transaction, organisationId)))
      }
      const origin = bankOrigin(organisationId)
      await recordEvents(
        transaction,
        drafts.map((event) => ({ event, origin })),
      )
    })
    committed?.()
    return outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  }

  return async (source, content) => {
    const told = source.read(content)
    const failures: unknown[] = []
    for (let from = 0; from < told.length; from += AT_ONCE) {
      failures.push(...(await takeIn(source, told.slice(from, from + AT_ONCE))))
    }
    if (failures.length > 0) throw failures[0]
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
