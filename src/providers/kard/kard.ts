import { clock } from '../../base/clock.ts'
import { invalidRequest } from '../../base/problem.ts'
import { Recent } from '../../base/recent.ts'
import { milesBetween, type Place } from '../../rewards/offers/place.ts'
import type { RewardsProvider } from '../../rewards/provider.ts'
import { unreadable } from '../upstream.ts'
import { arrangedPage } from './arrange.ts'
import { type KardClient, type KardSettings, NAME, openKardClient } from './client.ts'
import { type Listed, localOffersOf, nationalOffersOf } from './mapping.ts'

export interface KardOptions extends KardSettings {
  /** Time limit of all calls for one answer. */
  totalMs: number
  /** How long a list is cached. */
  rememberMs?: number
  /** The centre of a ZIP code; undefined for an unknown one. */
  centreOf(zip: string): Promise<Place | undefined>
}

/** The offers port on Kard. */
export interface Kard {
  offers: RewardsProvider
  close(): Promise<void>
}

const DEFAULT_RADIUS_MILES = 10
/** The largest page of the upstream. */
const PAGE = 200
const PAGES_AT_ONCE = 4
const MAX_PAGES = 25
const REMEMBERED_MS = 30_000
const MAX_REMEMBERED = 20
/** Two ways of measuring distances on the earth differ by less than this. */
const CERTAIN = 0.99

export function openKard({ totalMs, rememberMs = REMEMBERED_MS, centreOf, ...settings }: KardOptions): Kard {
  const client = openKardClient(settings)
  const lists: Lists = { client, cached: cacheFor(rememberMs) }
  const deadlineMs = () => clock.elapsedMs() + totalMs
  const offers: RewardsProvider = {
    async listLocalOffers(_caller, { zipCode, userId, radius = DEFAULT_RADIUS_MILES, ...query }) {
      const search = { userId, category: query.category, deadlineMs: deadlineMs() }
      const centre = isUser(userId) ? await centreOf(zipCode.slice(0, 5)) : undefined
      if (!centre) return { localRewardOffers: [], nextPage: null }
      const arrangement = { ...query, sort: query.sort ?? 'distance', centre } as const
      // In a large city the nearest offers fill the page, and the thousands around them need not be fetched.
      const near = Math.ceil(radius / 4)
      if (arrangement.sort === 'distance' && near < radius) {
        const around = await localOffers(lists, search, centre, near)
        const nearest = around.filter(({ offer }) => milesBetween(centre, offer.geoLocation) <= near * CERTAIN)
        const { items, nextPage } = arrangedPage(nearest, arrangement)
        if (nextPage !== null) return { localRewardOffers: items, nextPage }
      }
      const { items, nextPage } = arrangedPage(await localOffers(lists, search, centre, radius), arrangement)
      return { localRewardOffers: items, nextPage }
    },

    async listNationalOffers(_caller, { userId, ...query }) {
      const search = { userId, category: query.category, deadlineMs: deadlineMs() }
      const listed = isUser(userId) ? await nationalOffers(lists, search) : []
      const { items, nextPage } = arrangedPage(listed, { ...query, sort: query.sort ?? '-commission' })
      return { nationalRewardOffers: items, nextPage }
    },
  }
  return { offers, close: () => client.close() }
}

/** The upstream's lists, cached for a while. */
interface Lists {
  client: KardClient
  cached: ReturnType<typeof cacheFor>
}

interface Search {
  userId: string
  category: string | undefined
  deadlineMs: number
}

function localOffers(
  { client, cached }: Lists,
  { userId, category, deadlineMs }: Search,
  { lat, long }: Place,
  radius: number,
) {
  const query = {
    latitude: String(lat),
    longitude: String(long),
    radius: String(radius),
    // Without it only shops of national merchants are listed.
    includeLocal: 'true',
    ...categoryFilter(category),
  }
  const path = `/rewards/merchant/locations/user/${encodeURIComponent(userId)}`
  const list = { path, query, listedOf: localOffersOf, narrowBy: ['radius', 'category'] as const, deadlineMs }
  return cached(`${path}?${new URLSearchParams(query)}`, () => gather(client, list))
}

function nationalOffers({ client, cached }: Lists, { userId, category, deadlineMs }: Search) {
  const query = { offerType: 'ONLINE', ...categoryFilter(category) }
  const path = `/rewards/merchant/offers/user/${encodeURIComponent(userId)}`
  const list = { path, query, listedOf: nationalOffersOf, narrowBy: ['category'] as const, deadlineMs }
  return cached(`${path}?${new URLSearchParams(query)}`, () => gather(client, list))
}

interface List<Offer> {
  path: string
  query: Record<string, string>
  listedOf(body: unknown): Listed<Offer>[] | undefined
  /** The parameters by which a caller can ask for fewer. */
  narrowBy: readonly [string, ...string[]]
  deadlineMs: number
}

/** Fetches all pages of a list: an order that the upstream does not know needs all of them. */
async function gather<Offer>(
  client: KardClient,
  { path, query, listedOf, narrowBy, deadlineMs }: List<Offer>,
): Promise<Listed<Offer>[]> {
  const offers = new Map<string, Listed<Offer>>()
  for (let first = 0; first < MAX_PAGES; first += first === 0 ? 1 : PAGES_AT_ONCE) {
    const numbers = Array.from({ length: first === 0 ? 1 : PAGES_AT_ONCE }, (_, index) => first + index)
    const pages = await Promise.all(
      numbers.map((page) => {
        const search = new URLSearchParams({ ...query, page: String(page), limit: String(PAGE) })
        return client.get(`${path}?${search}`, deadlineMs)
      }),
    )
    let full = true
    for (const page of pages) {
      const listed = page === undefined ? [] : listedOf(page)
      if (!listed) throw unreadable(NAME)
      // A list that changes while it is read may hold an offer twice.
      for (const offer of listed) offers.set(offer.key, offer)
      full &&= Array.isArray(page) && page.length === PAGE
    }
    if (!full) return [...offers.values()]
  }
  const max = MAX_PAGES * PAGE
  const message = `${NAME} has ${max} or more here, too many to put in order: ask for less by ${narrowBy.join(' or ')}`
  throw invalidRequest([{ parameter: narrowBy[0], code: 'too_many', message }])
}

/** Whether a user can have this id: one or two dots would lead to another path. */
function isUser(userId: string): boolean {
  return !/^\.{1,2}$/.test(userId)
}

/** The categories that the upstream can filter by. Lists of any other category are filtered here. */
const categories = [
  'Arts & Entertainment',
  'Baby, Kids & Toys',
  'Books & Digital Media',
  'Clothing, Shoes & Accessories',
  'Computers, Electronics & Software',
  'Convenience',
  'Gas',
  'Department Stores',
  'Food & Beverage',
  'Health & Beauty',
  'Home & Garden',
  'Miscellaneous',
  'Occasions & Gifts',
  'Pets',
  'Sports & Outdoors',
  'Supplies & Services',
  'Travel',
]

function categoryFilter(category: string | undefined): { category?: string } {
  const name = categories.find((each) => each.toLowerCase() === category?.trim().toLowerCase())
  return name ? { category: name } : {}
}

/** Caches lists for a while, because callers ask for their pages one after another. */
function cacheFor(ms: number) {
  const entries = new Recent<string, { value: Promise<unknown>; untilMs: number }>(MAX_REMEMBERED)
  return <T>(key: string, fetch: () => Promise<T>): Promise<T> => {
    const nowMs = clock.elapsedMs()
    const found = entries.get(key)
    if (found && found.untilMs > nowMs) return found.value as Promise<T>
    const value = fetch()
    const entry = { value, untilMs: nowMs + ms }
    entries.set(key, entry)
    // A failure reaches the callers that waited for it; the next caller fetches again.
    value.catch(() => entries.get(key) === entry && entries.delete(key))
    return value
  }
}
