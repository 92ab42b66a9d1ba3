// The plain way: one row for each event, as the view `event` still shows them.
// What it cost: a tenth of the database's time for a payment, of which each emits two events.
// The test that compares: event-pages.test.ts reads every event as it was written, from any position.

import { openDigest } from '../chain/digest.ts'
import type { Origin } from '../event.ts'
import type { NewEvent } from '../record.ts'

/** Events of one organisation that follow one another and are stored in one row. */
export interface EventPage {
  organisationId: number
  count: number
  /** Number of the organisation's events after this page. */
  behind: number
  events: string
  /** The columns behind the events without data. */
  rows: string[]
  /** Whether all its events are found by the time of their records, and none needs an entry in the index of records. */
  timed: boolean
}

/** In characters, most of which take one byte: PostgreSQL keeps a row of up to 8,160 bytes in one piece. */
export const MAX_ON_A_PAGE = 8_000
/** Separators. JSON escapes both in its strings and has none between them. */
const EVENT = '\x1e'
const PART = '\x1f'
const DATA_PLACE = 3
/** Room for the separators and the version of an event. */
const BETWEEN = 10

/** The events of one organisation in a transaction: their number and their digest. */
export interface EventTotal {
  organisationId: number
  count: number
  digest: Buffer
}

/** Puts events that are committed together on pages, and sums them up for each organisation. */
export function pagesOf(events: NewEvent[]): { pages: EventPage[]; totals: EventTotal[] } {
  const pages: EventPage[] = []
  const filling = new Map<number, { page: EventPage; length: number }>()
  const counts = new Map<number, number>()
  let last: { origin: Origin; text: string } | undefined
  for (const { event, origin } of events) {
    const { organisationId } = origin
    // The events of one change share one origin object.
    if (last?.origin !== origin) last = { origin, text: originText(origin) }
    const data = event.fromRow ? '' : (event.json ?? JSON.stringify(event.data))
    const length = event.type.length + event.id.length + data.length + last.text.length + BETWEEN
    let current = filling.get(organisationId)
    if (current && current.length + length <= MAX_ON_A_PAGE) current.page.events += EVENT
    else {
      current = { page: { organisationId, count: 0, behind: 0, events: '', rows: [], timed: true }, length: 0 }
      filling.set(organisationId, current)
      pages.push(current.page)
    }
    current.page.events += `${event.type}${PART}${plain(event.id)}${PART}${event.version}${PART}${data}${PART}${last.text}`
    if (event.fromRow) current.page.rows.push(event.fromRow)
    if (current.page.timed && !isTimed(event.type, origin)) current.page.timed = false
    current.page.count++
    current.length += length
  }
  for (const page of pages.toReversed()) {
    page.behind = counts.get(page.organisationId) ?? 0
    counts.set(page.organisationId, page.behind + page.count)
  }
  return { pages, totals: totalsOf(pages, counts) }
}

function totalsOf(pages: EventPage[], counts: Map<number, number>): EventTotal[] {
  const digests = new Map<number, ReturnType<typeof openDigest>>()
  for (const { organisationId, count, events, rows } of pages) {
    const digest = digests.get(organisationId) ?? openDigest()
    digests.set(organisationId, digest)
    digest.add({ count, text: events, rows })
  }
  return [...digests].map(([organisationId, digest]) => ({
    organisationId,
    count: counts.get(organisationId) ?? 0,
    digest: digest.end(),
  }))
}

/** An event on a page. */
export interface PagedEvent {
  type: string
  entityId: string
  entityVersion: number
  data: string
  text: string
}

/** The events of a page. */
export function splitEvents(events: string): PagedEvent[] {
  return events.split(EVENT).map((text) => {
    const [type = '', entityId = '', version = '', data = ''] = text.split(PART)
    return { type, entityId, entityVersion: Number(version), data, text }
  })
}

/** The text of an event with other data. */
export function withData({ text }: PagedEvent, data: string): string {
  return text
    .split(PART)
    .map((part, place) => (place === DATA_PLACE ? data : part))
    .join(PART)
}

/** The text of a page with these events. */
export function joinEvents(texts: string[]): string {
  return texts.join(EVENT)
}

/** Whether an event is found by the time of its record: the bank's own payments and transactions, made by a request. */
function isTimed(type: string, { requestId }: Origin): boolean {
  return (type === 'payment.created' || type === 'transaction.created') && requestId !== null
}

function originText({ apiKeyId, requestId, idempotencyKey }: Origin): string {
  return `${apiKeyId ?? ''}${PART}${plain(requestId ?? '')}${PART}${plain(idempotencyKey ?? '')}`
}

/** Replaces separators in text that came from a caller. */
function plain(text: string): string {
  return text.includes(EVENT) || text.includes(PART)
    ? text.replaceAll(EVENT, '\ufffd').replaceAll(PART, '\ufffd')
    : text
}
