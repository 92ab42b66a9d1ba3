import { clock } from '../../base/clock.ts'
import { invalidRequest } from '../../base/problem.ts'
import { Recent } from '../../base/recent.ts'
import { milesBetween, type Place } from '../../rewards/offers/place.ts'
import type { RewardsProvider } from '../../rewards/provider.ts'
import { unreadable } from '../upstream.ts'
import { pageOf } from './arrange.ts'
import { type KardSettings, NAME, openKardClient } from './client.ts'
import { type Listed, localOffersOf, nationalOffersOf } from './mapping.ts'

export interface KardOptions extends KardSettings {
  /** The longest that all calls for one answer may take. */
  totalMs: number
  /** How long a list is kept. */
  rememberMs?: number
  /** The centre of a ZIP code; undefined for one that nobody knows. */
  centreOf(zip: string): Promise<Place | undefined>
}

/** The offers of Kard. */
export interface Kard {
  offers: RewardsProvider
  close(): Promise<void>
}

const DEFAULT_RADIUS_MILES = 10
/** The most that the upstream puts on a page. */
const PAGE = 200
const PAGES_AT_ONCE = 4
const MAX_PAGES = 25
const REMEMBERED_MS = 30_000
const MAX_REMEMBERED = 20
/** Two ways of measuring the earth differ by less than this. */
const SURE = 0.99

export function openKard({ totalMs, rememberMs = REMEMBERED_MS, centreOf, ...settings }: KardOptions): Kard {
  const client = openKardClient(settings)
  const remembered = remembering(rememberMs)

  /** The whole of a list: an order that the upstream does not know needs all of it. */
  async function gather<Offer>(
    path: string,
    query: Record<string, string>,
    listedOf: (body: unknown) => Listed<Offer>[] | undefined,
    narrowBy: [string, ...string[]],
    deadlineMs: number,
  ): Promise<Listed<Offer>[]> {
    const whole = new Map<string, Listed<Offer>>()
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
        // A user whom the upstream does not know has no offers.
        const listed = page === undefined ? [] : listedOf(page)
        if (!listed) throw unreadable(NAME)
        // A list that moves while it is read may tell something twice.
        for (const one of listed) whole.set(one.key, one)
        full &&= Array.isArray(page) && page.length === PAGE
      }
      if (!full) return [...whole.values()]
    }
    const most = MAX_PAGES * PAGE
    const message = `${NAME} has ${most} or more here, too many to put in order: ask for less by ${narrowBy.join(' or ')}`
    throw invalidRequest([{ parameter: narrowBy[0], code: 'too_many', message }])
  }

  interface Search {
    userId: string
    category: string | undefined
    deadlineMs: number
  }

  function localOffers({ userId, category, deadlineMs }: Search, { lat, long }: Place, radius: number) {
    const query = {
      latitude: String(lat),
      longitude: String(long),
      radius: String(radius),
      // Without it only shops of national merchants are told.
      includeLocal: 'true',
      ...narrowed(category),
    }
    const path = `/rewards/merchant/locations/user/${encodeURIComponent(userId)}`
    return remembered(`${path}?${new URLSearchParams(query)}`, () =>
      gather(path, query, localOffersOf, ['radius', 'category'], deadlineMs),
    )
  }

  function nationalOffers({ userId, category, deadlineMs }: Search) {
    const query = { offerType: 'ONLINE', ...narrowed(category) }
    const path = `/rewards/merchant/offers/user/${encodeURIComponent(userId)}`
    return remembered(`${path}?${new URLSearchParams(query)}`, () =>
      gather(path, query, nationalOffersOf, ['category'], deadlineMs),
    )
  }

  const offers: RewardsProvider = {
    async listLocalOffers(_caller, { zipCode, userId, radius = DEFAULT_RADIUS_MILES, ...query }) {
      const search = { userId, category: query.category, deadlineMs: clock.elapsedMs() + totalMs }
      const centre = isUser(userId) ? await centreOf(zipCode.slice(0, 5)) : undefined
      if (!centre) return { localRewardOffers: [], nextPage: null }
      const arrangement = { ...query, sort: query.sort ?? 'distance', centre } as const
      // In a large city the nearest fill the page, and the thousands around them need not be fetched.
      const near = Math.ceil(radius / 4)
      if (arrangement.sort === 'distance' && near < radius) {
        const around = await localOffers(search, centre, near)
        const nearest = around.filter(({ offer }) => milesBetween(centre, offer.geoLocation) <= near * SURE)
        const { items, nextPage } = pageOf(nearest, arrangement)
        if (nextPage !== null) return { localRewardOffers: items, nextPage }
      }
      const { items, nextPage } = pageOf(await localOffers(search, centre, radius), arrangement)
      return { localRewardOffers: items, nextPage }
    },

    async listNationalOffers(_caller, { userId, ...query }) {
      const search = { userId, category: query.category, deadlineMs: clock.elapsedMs() + totalMs }
      const listed = isUser(userId) ? await nationalOffers(search) : []
      const { items, nextPage } = pageOf(listed, { ...query, sort: query.sort ?? '-commission' })
      return { nationalRewardOffers: items, nextPage }
    },
  }
  return { offers, close: () => client.close() }
}

/** Dots alone would be a step up the path, and no user. */
function isUser(userId: string): boolean {
  return !/^\.{1,2}$/.test(userId)
}

/** The categories that the upstream can filter by; of any other one it tells nothing, and the list is filtered here. */
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

function narrowed(category: string | undefined): { category?: string } {
  const known = categories.find((one) => one.toLowerCase() === category?.trim().toLowerCase())
  return known ? { category: known } : {}
}

/** Keeps what was fetched for a while, because the pages of a list are asked for one after another. */
function remembering(ms: number) {
  const known = new Recent<string, { value: Promise<unknown>; untilMs: number }>(MAX_REMEMBERED)
  return <T>(key: string, fetch: () => Promise<T>): Promise<T> => {
    const nowMs = clock.elapsedMs()
    const found = known.get(key)
    if (found && found.untilMs > nowMs) return found.value as Promise<T>
    const value = fetch()
    const entry = { value, untilMs: nowMs + ms }
    known.set(key, entry)
    // A failure is for those who waited for it; the next one asks again.
    value.catch(() => known.get(key) === entry && known.delete(key))
    return value
  }
}
