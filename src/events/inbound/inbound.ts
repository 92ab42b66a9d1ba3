import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Logger } from 'pino'
import { clock } from '../../base/clock.ts'
import { messageOf } from '../../base/message-of.ts'
import { invalidRequest, Problem } from '../../base/problem.ts'
import { retryAfter } from '../../base/retry-after.ts'
import type { Database, Queryable } from '../../database/database.ts'
import type { Seals } from '../../secrets/seals.ts'
import type { EntityType, EventDraft } from '../event.ts'
import { bankOrigin, recordEvents } from '../record.ts'
import { sealNumbers } from '../stored/sealed-data.ts'
import { findAppliedReports, storeReports } from './inbound.sql.ts'
import { failedEvent, failsForGood, faultOf, type InboundFault } from './inbound-fault.ts'

export { nextVersions } from './inbound.sql.ts'

/** A provider that reports changes by calling us. */
export interface InboundSource {
  /** The provider's name in the path. */
  provider: string
  /** The header with the signature, in lower case. */
  signatureHeader: string
  /** Whether the provider signed exactly these bytes. */
  isAuthentic(body: Buffer, signature: string): boolean
  /** The reports in a body, in order; throws a Problem for a body that is not in the provider's form. */
  read(content: unknown): Arrived[]
}

/** One report of a provider. */
export interface Arrived {
  /** The same id when the report is repeated. */
  upstreamId: string
  /** The provider's own name of the type. */
  type: string
  /** The record that the report is about, if it is of a kind that we have. */
  record?: { type: EntityType; id: string }
  /**
   * Fetches the data that the report refers to, before the transaction, so that no lock waits for an upstream. An error
   * that fails for good is stored with the report; any other makes the provider repeat it.
   */
  fetch(): Promise<TakeIn>
}

/** Applies one report and returns the events to emit. */
export type TakeIn = (transaction: Queryable, organisationId: number) => Promise<EventDraft[]>

/** Applies the reports of a body, each once. Rejects if the provider has to repeat some of them. */
export type Inbox = (source: InboundSource, content: unknown) => Promise<void>

export interface InboxOptions {
  database: Database
  seals: Pick<Seals, 'of'>
  /** The one organisation that a connector serves. */
  organisationId: number
  log: Pick<Logger, 'warn' | 'error'>
  committed?: (() => void) | undefined
  /** Counts a report that was stored with its fault. */
  observe?: ((provider: string, kind: EntityType | 'other') => void) | undefined
  /** How long a body may go on to the next reports. */
  bodyMs?: number
}

/** Reports that are fetched at a time and committed together: a body of thousands makes progress even if it is repeated. */
const AT_ONCE = 20
/** Providers give up waiting earlier and send the body again, which goes on where this one stopped. */
const BODY_MS = 60_000

/** A report that is to be stored: with its effect, or with the error for which it has none. */
type Settled = { report: Arrived } & ({ takeIn: TakeIn } | { error: unknown; fault: InboundFault })

export function openInbox(options: InboxOptions): Inbox {
  return async (source, content) => {
    const untilMs = clock.elapsedMs() + (options.bodyMs ?? BODY_MS)
    const arrived = distinct(source.read(content))
    const failures: unknown[] = []
    for (let from = 0; from < arrived.length; from += AT_ONCE) {
      if (clock.elapsedMs() > untilMs) throw new Problem('unavailable', { headers: retryAfter(1) })
      const some = arrived.slice(from, from + AT_ONCE)
      // Reports that fail do not hold up later ones of the body: the provider repeats it, and they may fail each time.
      failures.push(...(await applyNew(options, source, some).catch((error: unknown) => [error])))
    }
    if (failures.length > 0) throw failures[0]
  }
}

/** A body may hold the same report twice. */
function distinct(arrived: Arrived[]): Arrived[] {
  return [...new Map(arrived.map((report) => [report.upstreamId, report])).values()]
}

/** Applies the reports that were not applied before. Returns the errors of those that the provider has to repeat. */
async function applyNew(options: InboxOptions, { provider }: InboundSource, arrived: Arrived[]): Promise<unknown[]> {
  const applied = await findAppliedReports(options.database, provider, arrived)
  const reports = arrived.filter(({ upstreamId }) => !applied.has(upstreamId))
  if (reports.length === 0) return []
  const outcomes = await Promise.allSettled(reports.map((report) => report.fetch()))
  const settled: Settled[] = []
  const failures: unknown[] = []
  for (const [index, outcome] of outcomes.entries()) {
    const report = reports[index] as Arrived
    if (outcome.status === 'fulfilled') settled.push({ report, takeIn: outcome.value })
    else if (failsForGood(outcome.reason)) settled.push(failed(report, outcome.reason))
    else failures.push(outcome.reason)
  }
  await store(options, provider, settled)
  return failures
}

function failed(report: Arrived, error: unknown): Settled {
  return { report, error, fault: faultOf(error) }
}

/** Stores reports with their effects in one transaction; one by one if a report spoils the transaction for the others. */
async function store(options: InboxOptions, provider: string, settled: Settled[]): Promise<void> {
  if (settled.length === 0) return
  try {
    const fresh = await storeTogether(options, provider, settled)
    for (const one of settled) if ('fault' in one) reportFault(options, provider, one, fresh.has(one.report.upstreamId))
  } catch (error) {
    if (!failsForGood(error)) throw error
    const [only] = settled
    if (settled.length > 1) for (const one of settled) await store(options, provider, [one])
    else if (only && 'takeIn' in only) await store(options, provider, [failed(only.report, error)])
    else throw error
  }
}

/** Returns the ids of the reports that took effect, or failed for the first time. */
async function storeTogether(
  { database, seals, organisationId, committed }: InboxOptions,
  provider: string,
  settled: Settled[],
): Promise<Set<string>> {
  // A transaction that waited for the keys would wait for a second connection while it holds one.
  await seals.of(organisationId)
  const fresh = await database.transaction(async (transaction) => {
    const rows = settled.map(({ report, ...one }) => ({ ...report, ...('fault' in one && { fault: one.fault }) }))
    const stored = await storeReports(transaction, provider, organisationId, rows)
    const drafts: EventDraft[] = []
    for (const one of settled.filter(({ report }) => stored.has(report.upstreamId))) {
      if ('fault' in one) drafts.push(failedEvent({ ...one.report, provider }, one.fault))
      else drafts.push(...(await one.takeIn(transaction, organisationId)))
    }
    const origin = bankOrigin(organisationId)
    const sealed = await sealNumbers(seals, organisationId, drafts)
    await recordEvents(
      transaction,
      sealed.map((event) => ({ event, origin })),
    )
    return stored
  })
  committed?.()
  return fresh
}

/** Reports a fault to the operator. It is counted once, however often the provider repeats the report. */
function reportFault(
  { log, observe }: InboxOptions,
  provider: string,
  { report, error, fault }: Extract<Settled, { fault: InboundFault }>,
  isFirst: boolean,
): void {
  const { upstreamId, type, record } = report
  const about = { provider, upstreamId, type, record, code: fault.code, reason: messageOf(error) }
  const message = isFirst ? 'upstream event failed' : 'upstream event failed again'
  // An error that is no problem is a bug of ours.
  if (error instanceof Problem) log.warn(about, message)
  else log.error({ ...about, err: error }, message)
  if (isFirst) observe?.(provider, record?.type ?? 'other')
}

/** A report whose content cannot be read. It is stored with a fault. */
export function unreadableReport(report: Omit<Arrived, 'fetch'>, message: string): Arrived {
  const problem = invalidRequest([{ pointer: '', code: 'unreadable', message }])
  return { ...report, fetch: () => Promise.reject(problem) }
}

/** Checks that a signature is the Base64 of the body's HMAC, in constant time. */
export function hmacCheck(algorithm: 'sha1' | 'sha256', secret: string): InboundSource['isAuthentic'] {
  return (body, signature) => {
    const expected = Buffer.from(createHmac(algorithm, secret).update(body).digest('base64'))
    const given = Buffer.from(signature)
    return given.length === expected.length && timingSafeEqual(given, expected)
  }
}
