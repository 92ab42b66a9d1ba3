import { Page } from '../base/page.ts'
import { labelOf, requestLabel } from './labels.ts'
import { absentWhereNotServed, type LookUp, mayRead, readRecord } from './readers.ts'
import { recordTypeNames, recordTypes } from './record-types.ts'
import { MAX_RESULTS, type SearchResult } from './search.ts'
import { type Asker, type Match, rankOf } from './tools.ts'

/** Finds the records that match a text, the best match first. */
export async function searchRecords(lookUp: LookUp, asker: Asker, text: string): Promise<Page<SearchResult>> {
  const { organisationId } = asker.holder
  const stored = recordTypeNames.filter(
    (type) => mayRead(asker, type) && !(lookUp.connected && recordTypes[type].scope === 'banking:read'),
  )
  const madeId = await lookUp.directory.madeUnder(organisationId, text)
  const formers = await lookUp.directory.former(organisationId, text)
  const formerly = await Promise.all(formers.map((id) => withId(lookUp, asker, id, rankOf.exact)))
  const matches = [
    ...(await withId(lookUp, asker, text, rankOf.id)),
    ...(await requestsOf(lookUp, asker, text)),
    ...formerly.flat(),
    ...(madeId === undefined ? [] : await withId(lookUp, asker, madeId, rankOf.exact)),
    ...(await lookUp.directory.search(organisationId, text, stored)),
  ]
  return new Page(bestOf(matches), false)
}

/** The records of every type that have an id. Ids of deliveries, events and requests are words, the others numbers. */
async function withId(lookUp: LookUp, asker: Asker, id: string, rank: number): Promise<Match[]> {
  const isNumber = /^[1-9][0-9]{0,18}$/.test(id)
  const found: Match[] = []
  for (const type of recordTypeNames) {
    const isWord = type === 'delivery' || type === 'event' || type === 'request'
    if (isWord === isNumber || !lookUp.readers[type] || !mayRead(asker, type)) continue
    const record = await readRecord(lookUp, asker, type, id).catch(absentWhereNotServed)
    if (record) found.push({ type, id: String(record.id), label: labelOf(type, record), rank })
  }
  return found
}

/** The remembered requests with this request id, idempotency key or code of a refusal, the latest first. */
async function requestsOf({ events }: LookUp, asker: Asker, text: string): Promise<Match[]> {
  // None has a space or a letter beyond ASCII: most names need no look at the log.
  if (!events.requestsNamed || !mayRead(asker, 'request') || !/^[\x21-\x7e]+$/.test(text)) return []
  const requests = await events.requestsNamed(asker.holder, text, MAX_RESULTS)
  return requests.map((request) => ({
    type: 'request',
    id: request.id,
    label: requestLabel(request),
    rank: rankOf.exact,
  }))
}

/** The best matches, each record once. Within a rank the types take turns, so that one does not hide the others. */
function bestOf(matches: Match[]): SearchResult[] {
  const seen = new Set<string>()
  const places = new Map<string, number>()
  const placed = matches
    .toSorted((a, b) => a.rank - b.rank)
    .filter(({ type, id }) => !seen.has(`${type} ${id}`) && seen.add(`${type} ${id}`))
    .map((match) => {
      const turn = `${match.rank} ${match.type}`
      const place = places.get(turn) ?? 0
      places.set(turn, place + 1)
      return { match, place }
    })
  return placed
    .toSorted((a, b) => a.match.rank - b.match.rank || a.place - b.place)
    .slice(0, MAX_RESULTS)
    .map(({ match: { type, id, label } }) => ({ type, id, label }))
}
