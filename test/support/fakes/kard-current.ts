import { randomUUID } from 'node:crypto'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { milesBetween } from '../../../src/rewards/offers/place.ts'
import type { KardRecord, KardStore } from './kard.ts'
import { categories, isLive } from './kard-legacy.ts'
import type { FakeCall, FakeReply } from './server.ts'

/** The two lists and the events of the current API; undefined for another path. */
export function answerOfCurrent(store: KardStore, call: FakeCall): FakeReply | undefined {
  const pattern = /^\/v2\/issuers\/([^/]+)\/users\/([^/]+)\/(offers|locations|attributions|offers\/([^/]+)\/activate)$/
  const [, organization, user = '', kind, offer] = pattern.exec(call.path) ?? []
  const isEvent = kind === 'attributions' || offer !== undefined
  if (!kind || (call.method === 'POST') !== isEvent) return undefined
  if (store.repeats.length > 0) return refused(400, ...store.repeats)
  if (organization !== store.organizationId) return refused(404, 'Organization not found')
  if (store.strangers.has(decodeURIComponent(user))) return refused(404, 'User not found')
  if (offer !== undefined) return activate(store, user, decodeURIComponent(offer))
  if (isEvent) return takeEvents(store, user, call)
  const faults = faultsOf(call.query, kind === 'offers' ? offerParameters : locationParameters)
  if (faults.length > 0) return refused(400, ...faults)
  return kind === 'offers' ? listOffers(store, call) : listLocations(store, call)
}

function activate({ current, events }: KardStore, user: string, entityId: string): FakeReply {
  const isKnown = [...current.offers, ...current.shopOffers].some(({ id }) => id === entityId)
  if (!isKnown) return refused(404, 'Offer not found')
  const attributes = { entityId, eventCode: 'ACTIVATE', medium: 'CTA', eventDate: '2030-01-31T12:00:00Z' }
  events.push({ user, type: 'offerAttribution', attributes })
  return { status: 201, body: { data: { type: 'offerAttribution', id: randomUUID(), attributes } } }
}

const eventList = Compile(
  Type.Object({
    data: Type.Array(
      Type.Object({
        type: Type.Enum(['offerAttribution', 'notificationAttribution']),
        attributes: Type.Object({
          entityId: Type.String({ minLength: 1 }),
          eventCode: Type.Enum(['IMPRESSION', 'VIEW', 'ACTIVATE', 'BOOST']),
          medium: Type.Enum(['BROWSE', 'EMAIL', 'MAP', 'SEARCH', 'CTA', 'PUSH']),
          eventDate: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z$' }),
        }),
      }),
      { minItems: 1, maxItems: 100 },
    ),
  }),
)

function takeEvents({ events }: KardStore, user: string, { body }: FakeCall): FakeReply {
  const content: unknown = JSON.parse(body.toString())
  if (!eventList.Check(content)) return refused(400, JSON.stringify(eventList.Errors(content)))
  events.push(...content.data.map((event) => ({ user, ...event })))
  const attributes = { status: 'queued', message: 'Attribution events are queued for processing' }
  return { status: 201, body: { data: { type: 'job', id: randomUUID(), attributes } } }
}

/** The body of an error. */
export function refusalOf(status: number, ...details: string[]) {
  const title = titles[status] ?? 'Error'
  return { errors: details.map((detail) => ({ status: String(status), title, detail })) }
}

const titles: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  404: 'Not Found',
  500: 'Internal Server Error',
}

function refused(status: number, ...details: string[]): FakeReply {
  return { status, body: refusalOf(status, ...details) }
}

function listOffers({ current }: KardStore, call: FakeCall): FakeReply {
  const channels = call.query.getAll('filter[purchaseChannel]')
  const found = current.offers.filter(
    (offer) =>
      isLive(offer.attributes) &&
      channels.every((channel) => offer.attributes.purchaseChannel.includes(channel)) &&
      isOfCategory(current, offer, call.query),
  )
  const { data, links } = pageOf(found, call)
  const included = call.query.get('include') === 'categories' ? relatedCategories(current, data) : undefined
  const body = {
    data,
    links,
    ...(included && { included }),
    meta: { availableCategories: relatedCategories(current, found) },
  }
  return { status: 200, body }
}

function listLocations({ current }: KardStore, call: FakeCall): FakeReply {
  const { query } = call
  const centre = { lat: Number(query.get('filter[latitude]')), long: Number(query.get('filter[longitude]')) }
  const radius = Number(query.get('filter[radius]') ?? 10)
  const live = current.shopOffers.filter(({ attributes }) => isLive(attributes))
  const liveIds = new Set(live.map(({ id }) => id))
  const found = current.locations.filter((location) => {
    const { latitude: lat, longitude: long } = location.attributes.coordinates
    const offers: KardRecord[] = location.relationships?.offers.data ?? []
    return (
      (!query.has('filter[latitude]') || milesBetween(centre, { lat, long }) <= radius) &&
      (offers.length === 0 || offers.some(({ id }) => liveIds.has(id))) &&
      isOfCategory(current, location, query)
    )
  })
  const { data, links } = pageOf(found, call)
  const wanted = query.get('include')?.split(',') ?? []
  const ids = new Set(
    data.flatMap((location) => (location.relationships?.offers.data ?? []).map(({ id }: KardRecord) => id)),
  )
  const included = [
    ...(wanted.includes('offers') ? live.filter(({ id }) => ids.has(id)) : []),
    ...(wanted.includes('categories') ? relatedCategories(current, data) : []),
  ]
  return { status: 200, body: { data, links, ...(wanted.length > 0 && { included }) } }
}

const paging = [
  'page[size]',
  'page[after]',
  'page[before]',
  'filter[category]',
  'sort',
  'include',
  'supportedComponents',
]
const offerParameters = [...paging, 'filter[search]', 'filter[purchaseChannel]', 'filter[isTargeted]']
const locationParameters = [
  ...paging,
  ...['name', 'city', 'zipCode', 'state', 'longitude', 'latitude', 'radius'].map((name) => `filter[${name}]`),
]

function faultsOf(query: URLSearchParams, known: string[]): string[] {
  const size = Number(query.get('page[size]') ?? 200)
  const category = query.get('filter[category]')
  const radius = query.get('filter[radius]')
  return [
    ...[...query.keys()].filter((name) => !known.includes(name)).map((name) => `${name} is not allowed`),
    ...(Number.isInteger(size) && size >= 1 && size <= 200 ? [] : ['page[size] must be from 1 to 200']),
    ...(category === null || categories.includes(category) ? [] : ['filter[category] must be one of the categories']),
    ...(radius === null || Number.isInteger(Number(radius)) ? [] : ['filter[radius] must be an integer']),
  ]
}

function isOfCategory(
  { categories: names }: KardStore['current'],
  record: KardRecord,
  query: URLSearchParams,
): boolean {
  const wanted = query.get('filter[category]')
  const related: KardRecord[] = record.relationships?.category.data ?? []
  return wanted === null || related.some(({ id }) => names.get(id) === wanted)
}

function relatedCategories({ categories: names }: KardStore['current'], records: KardRecord[]): KardRecord[] {
  const ids = new Set(
    records.flatMap((record) => (record.relationships?.category.data ?? []).map(({ id }: KardRecord) => id)),
  )
  return [...names].filter(([id]) => ids.has(id)).map(([id, name]) => ({ type: 'category', id, attributes: { name } }))
}

/** One page after a cursor, with links whose brackets and cursors are written without escapes. */
function pageOf(found: KardRecord[], { path, query }: FakeCall): { data: KardRecord[]; links: KardRecord } {
  const size = Number(query.get('page[size]') ?? 200)
  const start = Number(
    Buffer.from(query.get('page[after]') ?? '', 'base64')
      .toString()
      .slice('>>> '.length),
  )
  const end = start + size
  const others = [...query].filter(([name]) => name !== 'page[after]').map(([name, value]) => `${name}=${value}`)
  const linkTo = (offset: number) => {
    const after = offset === 0 ? [] : [`page[after]=${Buffer.from(`>>> ${offset}`).toString('base64')}`]
    return `${path}?${[...after, ...others].join('&')}`
  }
  const links = { self: linkTo(start), ...(end < found.length && { next: linkTo(end) }) }
  return { data: found.slice(start, end), links }
}
