import { attributionsOf } from '../../bank/offers/attributions.ts'
import { providerActivationsOf } from '../../bank/offers/provider-activations.ts'
import { clock } from '../../base/clock.ts'
import { WithOmissions } from '../../base/operation.ts'
import { Recent } from '../../base/recent.ts'
import type { ClaimsOptions } from '../../idempotency/upstream-claim.ts'
import type { ListLocalOffersQuery } from '../../rewards/offers/list-local-offers.ts'
import { milesBetween, type Place } from '../../rewards/offers/place.ts'
import type { AttributionReceiver, RewardsProvider } from '../../rewards/provider.ts'
import { arrangedPage } from './arrange.ts'
import { kardReceiver } from './attributions.ts'
import { type KardClient, type KardSettings, NAME, openKardClient } from './client.ts'
import { currentApi } from './current.ts'
import { legacyApi } from './legacy.ts'
import type { GatheredList, KardApi, ListRequest } from './lists.ts'

export interface KardOptions extends KardSettings {
  /** The id of the issuer at Kard, which the paths of the current API contain; absent for the legacy API. */
  organizationId: string | undefined
  /** Time limit of all calls for one answer. */
  totalMs: number
  /** How long a list is cached. */
  rememberMs?: number
  /** The centre of a ZIP code; undefined for an unknown one. */
  centreOf(zip: string): Place | undefined
}

/** The offers port on Kard. */
export interface Kard {
  offers: RewardsProvider
  close(): Promise<void>
}

const DEFAULT_RADIUS_MILES = 10
const REMEMBERED_MS = 30_000
const MAX_REMEMBERED = 20
/** Two ways of measuring distances on the earth differ by less than this. */
const CERTAIN = 0.99

export function openKard(
  { totalMs, rememberMs = REMEMBERED_MS, centreOf, ...settings }: KardOptions,
  parts: Pick<ClaimsOptions, 'database' | 'runOnce' | 'seals'>,
): Kard {
  const client = openKardClient(settings)
  const { organizationId, log } = settings
  const api = organizationId === undefined ? legacyApi : currentApi(organizationId)
  const lists: Lists = { api, client, log, cached: cacheFor(rememberMs) }
  const deadlineMs = () => clock.elapsedMs() + totalMs
  const offers: RewardsProvider = {
    ...(organizationId !== undefined && receivedBy(kardReceiver(client, organizationId, totalMs), parts, totalMs)),
    async listLocalOffers(_caller, query) {
      const until = deadlineMs()
      const centre = isUser(query.userId) ? centreOf(query.zipCode.slice(0, 5)) : undefined
      if (!centre) return { localRewardOffers: [], nextPage: null }
      const { items, nextPage, omitted, reason } = await localPage(lists, query, centre, until)
      return new WithOmissions({ localRewardOffers: items, nextPage }, omitted, reason)
    },

    async listNationalOffers(_caller, { userId, ...query }) {
      if (!isUser(userId)) return { nationalRewardOffers: [], nextPage: null }
      const search = { userId, category: categoryOfKard(query.category) }
      const found = await listOf(lists, api.nationalOffers(search), deadlineMs())
      const { items, nextPage } = arrangedPage(found.listed, { ...query, sort: query.sort ?? '-commission' })
      return new WithOmissions({ nationalRewardOffers: items, nextPage }, found.omitted, reasonIn(found))
    },
  }
  return { offers, close: () => client.close() }
}

/** Attributions are counted here, too; activations are Kard's alone. */
function receivedBy(
  receiver: AttributionReceiver,
  parts: Pick<ClaimsOptions, 'database' | 'runOnce' | 'seals'>,
  totalMs: number,
): Partial<RewardsProvider> {
  return { ...attributionsOf({ ...parts, receiver }), ...providerActivationsOf({ ...parts, receiver, totalMs }) }
}

/** One page of the offers around a place. */
async function localPage(
  lists: Lists,
  { userId, radius = DEFAULT_RADIUS_MILES, ...query }: ListLocalOffersQuery,
  centre: Place,
  deadlineMs: number,
) {
  const search = { userId, category: categoryOfKard(query.category) }
  const arrangement = { ...query, sort: query.sort ?? 'distance', centre } as const
  const within = (miles: number) => listOf(lists, lists.api.localOffers(search, centre, miles), deadlineMs)
  // In a large city the nearest offers fill the page, and the thousands around them need not be fetched.
  const near = Math.ceil(radius / 4)
  if (arrangement.sort === 'distance' && near < radius) {
    const found = await within(near)
    const nearest = found.listed.filter(({ offer }) => milesBetween(centre, offer.geoLocation) <= near * CERTAIN)
    const page = arrangedPage(nearest, arrangement)
    if (page.nextPage !== null) return { ...page, omitted: found.omitted, reason: reasonIn(found) }
  }
  const found = await within(radius)
  return { ...arrangedPage(found.listed, arrangement), omitted: found.omitted, reason: reasonIn(found) }
}

function reasonIn({ examples: [first] }: GatheredList<unknown>): string | undefined {
  return first && `${first.type} ${first.id}: ${first.reason}`
}

/** Kard's lists, cached for a while. */
interface Lists {
  api: KardApi
  client: KardClient
  log: KardSettings['log']
  cached: ReturnType<typeof cacheFor>
}

/** A whole list, from the cache or from Kard. */
function listOf<Offer>(
  { api, client, log, cached }: Lists,
  list: ListRequest<Offer>,
  deadlineMs: number,
): Promise<GatheredList<Offer>> {
  const { path, query } = list
  return cached(`${path}?${new URLSearchParams(query)}`, async () => {
    const gathered = await api.gather(client, list, deadlineMs)
    const { omitted, examples: records } = gathered
    if (omitted > 0) log.warn({ upstream: NAME, path, omitted, records }, 'upstream records are left out')
    return gathered
  })
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

function categoryOfKard(category: string | undefined): string | undefined {
  return categories.find((each) => each.toLowerCase() === category?.trim().toLowerCase())
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
