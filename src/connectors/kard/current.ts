import { unreadable } from '../upstream-problems.ts'
import { type KardClient, NAME } from './client.ts'
import { document, localOffersOf, nationalOffersOf } from './current-records.ts'
import { type GatheredList, Gathering, type KardApi, type ListRequest, MAX_RECORDS, PAGE } from './lists.ts'

/** Kard may send smaller pages than we ask for; more than this many are not fetched. */
const MAX_PAGES = 100

/** Kard's current API (2024-10-01): documents in the form of JSON:API, with cursors, below an organisation of Kard's. */
export function currentApi(organizationId: string): KardApi {
  const pathOf = (userId: string, list: string) =>
    `/v2/issuers/${encodeURIComponent(organizationId)}/users/${encodeURIComponent(userId)}/${list}`
  return {
    localOffers: ({ userId, category }, { lat, long }, radius) => ({
      path: pathOf(userId, 'locations'),
      query: {
        'filter[latitude]': String(lat),
        'filter[longitude]': String(long),
        'filter[radius]': String(radius),
        ...(category && { 'filter[category]': category }),
        include: 'offers,categories',
      },
      read: (body) => localOffersOf(body, category),
      narrowBy: ['radius', 'category'],
    }),
    nationalOffers: ({ userId, category }) => ({
      path: pathOf(userId, 'offers'),
      query: {
        'filter[purchaseChannel]': 'ONLINE',
        ...(category && { 'filter[category]': category }),
        include: 'categories',
      },
      read: (body) => nationalOffersOf(body, category),
      narrowBy: ['category'],
    }),
    gather,
  }
}

async function gather<Offer>(
  client: KardClient,
  list: ListRequest<Offer>,
  deadlineMs: number,
): Promise<GatheredList<Offer>> {
  const gathering = new Gathering(list)
  const cursors = new Set<string>()
  let query: Record<string, string> = { ...list.query, 'page[size]': String(PAGE) }
  let records = 0
  for (let pages = 0; pages < MAX_PAGES && records < MAX_RECORDS; pages++) {
    const body = await client.get(`${list.path}?${new URLSearchParams(query)}`, deadlineMs)
    if (body === undefined) return gathering.all()
    const read = list.read(body)
    if (!read || !document.Check(body)) throw unreadable(NAME, `the answer of ${list.path} is not such a list`)
    gathering.add(read)
    records += body.data.length
    const { next } = body.links ?? {}
    if (!next) return gathering.all()
    const cursor = cursorIn(next)
    // A cursor that comes back would lead through the same pages again.
    if (cursor === undefined || cursors.has(cursor)) throw unreadable(NAME, 'the link to the next page leads nowhere')
    cursors.add(cursor)
    query = { ...query, 'page[after]': cursor }
  }
  throw gathering.tooMany()
}

/**
 * The cursor in a link to the next page. The link itself is not followed: it could name another host. A plus sign stays one,
 * because a cursor is Base64 and Kard's examples write it without an escape.
 */
function cursorIn(link: string): string | undefined {
  const [, cursor] = /[?&]page(?:\[|%5B)after(?:\]|%5D)=([^&#?]+)/i.exec(link) ?? []
  try {
    return cursor && decodeURIComponent(cursor)
  } catch {
    return undefined
  }
}
