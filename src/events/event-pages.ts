import type { Origin } from './event.ts'
import type { NewEvent } from './record.ts'

/** Events of one organisation that follow one another and are stored in one row. */
export interface EventPage {
  organisationId: number
  count: number
  /** How many events of its organisation come behind it. */
  behind: number
  /** One text, in parts. */
  events: string[]
}

/** Characters, most of which are one byte: PostgreSQL keeps a row of 8,160 bytes in one piece. */
export const MAX_ON_A_PAGE = 8_000
/** No JSON has them as they are, neither in its texts nor between them. */
const EVENT = '\x1e'
const PART = '\x1f'
/** They, and an event's version. */
const BETWEEN = 10

/** The pages of events that are written together, and how many events each organisation has. */
export function pagesOf(events: NewEvent[]): { pages: EventPage[]; counts: Map<number, number> } {
  const pages: EventPage[] = []
  const filling = new Map<number, { page: EventPage; length: number }>()
  const counts = new Map<number, number>()
  let last: { origin: Origin; text: string } | undefined
  for (const { event, origin } of events) {
    const { organisationId } = origin
    // The events of one change have one origin.
    if (last?.origin !== origin) last = { origin, text: originText(origin) }
    const data = event.json ?? JSON.stringify(event.data)
    const length = event.type.length + event.id.length + data.length + last.text.length + BETWEEN
    let place = filling.get(organisationId)
    if (place && place.length + length <= MAX_ON_A_PAGE) place.page.events.push(EVENT)
    else {
      place = { page: { organisationId, count: 0, behind: 0, events: [] }, length: 0 }
      filling.set(organisationId, place)
      pages.push(place.page)
    }
    const version = String(event.version)
    place.page.events.push(event.type, PART, plain(event.id), PART, version, PART, data, PART, last.text)
    place.page.count++
    place.length += length
  }
  for (const page of pages.toReversed()) {
    page.behind = counts.get(page.organisationId) ?? 0
    counts.set(page.organisationId, page.behind + page.count)
  }
  return { pages, counts }
}

function originText({ apiKeyId, requestId, idempotencyKey }: Origin): string {
  return `${apiKeyId ?? ''}${PART}${plain(requestId ?? '')}${PART}${plain(idempotencyKey ?? '')}`
}

/** What parts the events of a page may not stand in one of them, where it came from. */
function plain(text: string): string {
  return text.includes(EVENT) || text.includes(PART)
    ? text.replaceAll(EVENT, '\ufffd').replaceAll(PART, '\ufffd')
    : text
}
