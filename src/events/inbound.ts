import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Database, Queryable } from '../database/database.ts'
import type { EventDraft } from './event.ts'
import { findInboundEvents, insertInboundEvents } from './inbound.sql.ts'
import { bankOrigin, recordEvents } from './record.ts'

/** A provider that reports changes by calling us. */
export interface InboundSource {
  /** The provider's name in the path. */
  provider: string
  /** The header with the signature, in lower case. */
  signatureHeader: string
  /** Whether the provider signed exactly these bytes. */
  isAuthentic(body: Buffer, signature: string): boolean
  /** The reports in a body, in order; throws a Problem for a body that cannot be read. */
  read(content: unknown): Arrived[]
}

/** One report of a provider. */
export interface Arrived {
  /** The same id when the report is repeated. */
  upstreamId: string
  /** The provider's own name of the type. */
  type: string
  /** Fetches the data that the report refers to, before the transaction, so that no lock waits for an upstream. */
  fetch(): Promise<TakeIn>
}

/** Applies one report and returns the events to emit. */
export type TakeIn = (transaction: Queryable, organisationId: number) => Promise<EventDraft[]>

/** Applies the reports of a body, each once. Rejects if the provider has to repeat some of them. */
export type Inbox = (source: InboundSource, content: unknown) => Promise<void>

interface InboxParts {
  database: Database
  organisationId: number
  committed: (() => void) | undefined
}

/** Reports that are fetched at a time and committed together: a body of thousands makes progress even if it is repeated. */
const AT_ONCE = 20

/** Opens the inbox of the one organisation that a connector serves. */
export function openInbox(database: Database, organisationId: number, committed?: () => void): Inbox {
  const parts = { database, organisationId, committed }
  return async (source, content) => {
    const arrived = source.read(content)
    const failures: unknown[] = []
    for (let from = 0; from < arrived.length; from += AT_ONCE) {
      const some = arrived.slice(from, from + AT_ONCE)
      // Reports that fail do not hold up later ones of the body: the provider repeats it, and they may fail each time.
      failures.push(...(await applyNew(parts, source, some).catch((error: unknown) => [error])))
    }
    if (failures.length > 0) throw failures[0]
  }
}

/** Applies the reports that are new, in one transaction. Returns why others could not be fetched. */
async function applyNew(
  { database, organisationId, committed }: InboxParts,
  { provider }: InboundSource,
  arrived: Arrived[],
): Promise<unknown[]> {
  const existing = await findInboundEvents(database, provider, arrived)
  const reports = arrived.filter(({ upstreamId }) => !existing.has(upstreamId))
  if (reports.length === 0) return []
  const outcomes = await Promise.allSettled(reports.map((report) => report.fetch()))
  const fetched = reports.flatMap((report, index) => {
    const outcome = outcomes[index]
    return outcome?.status === 'fulfilled' ? [{ ...report, takeIn: outcome.value }] : []
  })
  await database.transaction(async (transaction) => {
    const fresh = new Set(await insertInboundEvents(transaction, provider, organisationId, fetched))
    const drafts: EventDraft[] = []
    for (const { upstreamId, takeIn } of fetched) {
      // A body may hold the same report twice.
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

/** Checks that a signature is the Base64 of the body's HMAC, in constant time. */
export function hmacCheck(algorithm: 'sha1' | 'sha256', secret: string): InboundSource['isAuthentic'] {
  return (body, signature) => {
    const expected = Buffer.from(createHmac(algorithm, secret).update(body).digest('base64'))
    const given = Buffer.from(signature)
    return given.length === expected.length && timingSafeEqual(given, expected)
  }
}
