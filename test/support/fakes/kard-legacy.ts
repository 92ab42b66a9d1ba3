import { milesBetween } from '../../../src/rewards/offers/place.ts'
import type { KardRecord, KardStore } from './kard.ts'
import type { FakeCall, FakeReply } from './server.ts'

/** The two lists of the legacy API; undefined for another path. */
export function answerOfLegacy({ legacy, strangers, repeats }: KardStore, call: FakeCall): FakeReply | undefined {
  const [, kind, user = ''] = /^\/rewards\/merchant\/(offers|locations)\/user\/([^/]+)$/.exec(call.path) ?? []
  if (!kind) return undefined
  if (repeats.length > 0) return { status: 400, body: { errors: repeats } }
  if (strangers.has(decodeURIComponent(user))) return { status: 404, body: 'User not found' }
  return kind === 'offers' ? listOffers(legacy.offers, call) : listLocations(legacy.locations, call)
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
export const categories = ['Food & Beverage', 'Travel', 'Miscellaneous', 'Pets']

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

export function isLive({ startDate, expirationDate }: KardRecord): boolean {
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
