import { createHmac } from 'node:crypto'
import { milesBetween } from '../../../src/rewards/offers/place.ts'
import { type FakeCall, type FakeReply, type FakeServer, openFakeServer } from './server.ts'

// biome-ignore lint/suspicious/noExplicitAny: an upstream's records are the JSON they are
export type KardRecord = Record<string, any>

/** The rewards upstream: tokens on one host, offers and locations on another. */
export interface FakeKard {
  api: FakeServer
  tokens: FakeServer
  tokenUrl: string
  clientId: string
  clientSecret: string
  offers: KardRecord[]
  locations: KardRecord[]
  /** Ids of unknown users. */
  strangers: Set<string>
  /** If set, every answer is a refusal that repeats this text. */
  repeats: string[]
  /** Ends all tokens that were issued. */
  revokeTokens(): void
  /** Lifetime of the tokens that are issued from now on. */
  tokenSeconds: number
  /** A notification with its signature. */
  notification(secret: string, content: unknown): { raw: string; headers: Record<string, string> }
  close(): Promise<void>
}

export async function openFakeKard(): Promise<FakeKard> {
  const clientId = 'sample-client'
  const clientSecret = 'sample-client-secret'
  const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
  const live = new Map<string, number>()
  let issued = 0

  const tokens = await openFakeServer(
    ({ method, query, headers }) => {
      if (method !== 'POST' || query.get('grant_type') !== 'client_credentials') {
        return { status: 400, body: { error: 'unsupported_grant_type' } }
      }
      if (headers.authorization !== basic) return { status: 400, body: { error: 'invalid_client' } }
      const token = `token-${++issued}`
      live.set(token, performance.now() + fake.tokenSeconds * 1_000)
      return { status: 200, body: { access_token: token, expires_in: fake.tokenSeconds, token_type: 'Bearer' } }
    },
    (status) => ({ error: `status ${status}` }),
  )

  const api = await openFakeServer(
    (call) => {
      const token = /^Bearer (.+)$/.exec(call.headers.authorization ?? '')?.[1] ?? ''
      if ((live.get(token) ?? 0) < performance.now()) return { status: 401, body: { message: 'Unauthorized' } }
      const [, kind, user = ''] = /^\/rewards\/merchant\/(offers|locations)\/user\/([^/]+)$/.exec(call.path) ?? []
      if (!kind) return { status: 404, body: 'Not Found' }
      if (fake.repeats.length > 0) return { status: 400, body: { errors: fake.repeats } }
      if (fake.strangers.has(decodeURIComponent(user))) return { status: 404, body: 'User not found' }
      return kind === 'offers' ? listOffers(fake.offers, call) : listLocations(fake.locations, call)
    },
    (status) => (status >= 500 ? 'Internal Server Error' : { message: `status ${status}` }),
  )

  const fake: FakeKard = {
    api,
    tokens,
    tokenUrl: `${tokens.url}/oauth2/token`,
    clientId,
    clientSecret,
    offers: [],
    locations: [],
    strangers: new Set(),
    repeats: [],
    revokeTokens: () => live.clear(),
    tokenSeconds: 3600,
    notification(secret, content) {
      const raw = JSON.stringify(content)
      return { raw, headers: { 'notify-signature': createHmac('sha256', secret).update(raw).digest('base64') } }
    },
    close: async () => {
      await Promise.all([api.close(), tokens.close()])
    },
  }
  return fake
}

function listOffers(all: KardRecord[], { query }: FakeCall): FakeReply {
  const faults = [...pageFaults(query), ...unknownParameters(query, offerParameters), ...categoryFaults(query)]
  if (faults.length > 0) return { status: 400, body: { errors: faults } }
  const found = all.filter(
    (offer) =>
      isLive(offer) &&
      equals(query, 'offerType', offer.offerType) &&
      equals(query, 'category', offer.category) &&
      equals(query, 'merchantId', offer.merchant._id),
  )
  sortBy(found, query, 'startDateSort', ({ startDate }) => startDate)
  sortBy(found, query, 'expirationDateSort', ({ expirationDate }) => expirationDate)
  sortBy(found, query, 'merchantNameSort', ({ merchant }) => merchant.name)
  return { status: 200, body: pageOf(found, query) }
}

function listLocations(all: KardRecord[], { query }: FakeCall): FakeReply {
  const faults = [...pageFaults(query), ...unknownParameters(query, locationParameters), ...categoryFaults(query)]
  if (query.has('zipCode') && ['state', 'city', 'longitude', 'latitude', 'radius'].some((name) => query.has(name))) {
    faults.push('"zipCode" conflict with forbidden peers')
  }
  if (query.has('latitude') !== query.has('longitude')) faults.push('"latitude" and "longitude" go together')
  if (query.has('radius') && !query.has('latitude')) faults.push('"radius" requires "latitude" and "longitude"')
  const radius = Number(query.get('radius') ?? 10)
  if (!Number.isInteger(radius) || radius < 1 || radius > 50) faults.push('"radius" must be an integer from 1 to 50')
  if (faults.length > 0) return { status: 400, body: { errors: faults } }
  const centre = { lat: Number(query.get('latitude')), long: Number(query.get('longitude')) }
  const found = all
    .filter(
      ({ address, geoLocation, category, source, name }) =>
        (source === 'NATIONAL' || query.get('includeLocal') === 'true') &&
        equals(query, 'category', category) &&
        equals(query, 'zipCode', address.zipCode) &&
        equals(query, 'city', address.city) &&
        equals(query, 'locationName', name) &&
        (!query.has('latitude') ||
          milesBetween(centre, { lat: geoLocation.latitude, long: geoLocation.longitude }) <= radius),
    )
    .map((location) => ({ ...location, offers: location.offers.filter(isLive) }))
    .filter(({ offers }) => offers.length > 0)
  sortBy(found, query, 'locationNameSort', (location) => (location as KardRecord).name)
  sortBy(found, query, 'citySort', (location) => (location as KardRecord).address.city)
  return { status: 200, body: pageOf(found, query) }
}

const offerParameters = [
  'page',
  'limit',
  'offerType',
  'category',
  'merchantId',
  'startDateSort',
  'expirationDateSort',
  'merchantNameSort',
]
const locationParameters = [
  'page',
  'limit',
  'zipCode',
  'city',
  'state',
  'latitude',
  'longitude',
  'radius',
  'category',
  'locationName',
  'includeLocal',
  'locationNameSort',
  'citySort',
]
/** Some of the upstream's categories. */
const categories = ['Food & Beverage', 'Travel', 'Miscellaneous', 'Pets']

function unknownParameters(query: URLSearchParams, known: string[]): string[] {
  return [...query.keys()].filter((name) => !known.includes(name)).map((name) => `"${name}" is not allowed`)
}

function categoryFaults(query: URLSearchParams): string[] {
  const category = query.get('category')
  return category === null || categories.includes(category) ? [] : ['"category" must be one of the categories']
}

function pageFaults(query: URLSearchParams): string[] {
  const [page, limit] = [Number(query.get('page') ?? 0), Number(query.get('limit') ?? 200)]
  const faults: string[] = []
  if (!Number.isInteger(page) || page < 0) faults.push('"page" must be larger than or equal to 0')
  if (!Number.isInteger(limit) || limit < 1 || limit > 200) faults.push('"limit" must be from 1 to 200')
  return faults
}

function pageOf<T>(found: T[], query: URLSearchParams): T[] {
  const [page, limit] = [Number(query.get('page') ?? 0), Number(query.get('limit') ?? 200)]
  return found.slice(page * limit, (page + 1) * limit)
}

function isLive({ startDate, expirationDate }: KardRecord): boolean {
  const now = new Date().toISOString()
  return startDate <= now && (expirationDate === undefined || expirationDate > now)
}

function equals(query: URLSearchParams, name: string, value: string): boolean {
  return !query.has(name) || query.get(name) === value
}

function sortBy(found: KardRecord[], query: URLSearchParams, name: string, by: (record: KardRecord) => string): void {
  const direction = Number(query.get(name) ?? 0)
  if (direction !== 0) found.sort((a, b) => direction * by(a).localeCompare(by(b)))
}
