import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadCatalogue } from '../../../test/support/bank/catalogue.ts'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import {
  localOffer,
  merchant,
  milesNorth,
  nationalOffer,
  newYork,
  seenBy,
  walkPages,
} from '../../../test/support/offers.ts'
import { seedOfTest } from '../../../test/support/random.ts'
import { addDays, clock } from '../../base/clock.ts'
import type { LocalOffer } from './offer.ts'
import { type Place, placeFrom } from './place.ts'
import type { ZipCode } from './sample-catalogue.ts'

const path = '/v0/rewards/reward-offers/local-reward-offers'

let bank: TestBank
const banks: TestBank[] = []
afterAll(() => Promise.all(banks.map((one) => one.close())))

async function open(offers: ReturnType<typeof localOffer>[]): Promise<TestBank> {
  const opened = await openTestBank({ catalogue: [...offers, nationalOffer()] })
  banks.push(opened)
  return opened
}

const list = (query: string, options = {}) => bank.call('GET', `${path}?userId=1&page=0&zipCode=10001${query}`, options)
const titles = async (query: string, options = {}) => {
  const { status, json } = await list(query, options)
  expect(status, JSON.stringify(json)).toBe(200)
  return json.data.localRewardOffers.map(({ title }: LocalOffer) => title)
}

describe('List local offers', () => {
  const now = clock.now().toISOString()

  beforeAll(async () => {
    bank = await open([
      localOffer({
        title: 'at the centre',
        terms: 'Once a customer.',
        redeemableOnce: true,
        commission: 4.35,
        minimumSpend: 20_00,
        maximumReward: 10_00,
      }),
      localOffer({
        title: 'at 9 miles',
        geoLocation: milesNorth(newYork, 8.99),
        commission: 10,
        totalCommission: 10,
      }),
      localOffer({
        title: 'at 9.99 miles',
        geoLocation: milesNorth(newYork, 9.99),
        merchant: merchant('aardvark Market'),
        category: 'Groceries',
        commission: 0.01,
      }),
      localOffer({ title: 'at 10.01 miles', geoLocation: milesNorth(newYork, 10.01) }),
      localOffer({ title: 'at 49.99 miles', geoLocation: milesNorth(newYork, -49.99) }),
      localOffer({ title: 'at 50.01 miles', geoLocation: milesNorth(newYork, -50.01) }),
      localOffer({ title: 'over', expirationDate: addDays(now, -1), category: 'Clock' }),
      localOffer({ title: 'ends soon', expirationDate: addDays(now, 2), category: 'Clock' }),
      localOffer({ title: 'starts soon', validFrom: addDays(now, 2), category: 'Clock' }),
    ])
  })

  test('returns every field of the interface and no internal field', async () => {
    const { status, json } = await list('&pageSize=1')
    const [{ id, merchant: shown }] = json.data.localRewardOffers
    expect([status, json]).toEqual([
      200,
      {
        data: {
          localRewardOffers: [
            {
              id,
              title: 'at the centre',
              terms: 'Once a customer.',
              redeemableOnce: true,
              offerType: 'INSTORE',
              commission: 4.35,
              expirationDate: '2099-01-31T12:00:00.000Z',
              merchant: {
                id: shown.id,
                name: 'Quillbrook Coffee',
                description: 'Quillbrook Coffee, for tests',
                websiteURL: 'https://quillbrook-coffee.example.com',
                imgUrl: 'https://images.example.com/quillbrook-coffee.png',
              },
              operationHours: localOffer().operationHours,
              address: { street: '1 Sample Street', city: 'New York', state: 'NY', zip: '10001' },
              geoLocation: { lat: 40.7484, long: -73.9967 },
              phone: '+12125550123',
            },
          ],
          nextPage: 1,
        },
      },
    ])
    expect([typeof id, typeof shown.id, id === shown.id]).toEqual(['string', 'string', false])
  })

  test('returns the offers within ten miles, or within the radius, nearest first', async () => {
    const near = ['at the centre', 'at 9 miles', 'at 9.99 miles']
    expect(await titles('&category=restaurants')).toEqual(['at the centre', 'at 9 miles'])
    expect((await titles('')).filter((title: string) => title.startsWith('at'))).toEqual(near)
    expect((await titles('&radius=9')).filter((title: string) => title.startsWith('at '))).toEqual(near.slice(0, 2))
    expect((await titles('&radius=50')).filter((title: string) => title.startsWith('at '))).toEqual([
      ...near,
      'at 10.01 miles',
      'at 49.99 miles',
    ])
  })

  test('treats a ZIP+4 as its ZIP and returns an empty list for an unknown ZIP', async () => {
    const whole = await list('')
    const plus4 = await bank.call('GET', `${path}?userId=1&page=0&zipCode=10001-1234`)
    expect(plus4.json).toEqual(whole.json)
    for (const zip of ['00000', '99999', '90210']) {
      const reply = await bank.call('GET', `${path}?userId=1&page=0&zipCode=${zip}`)
      expect([reply.status, reply.json]).toEqual([200, { data: { localRewardOffers: [], nextPage: null } }])
    }
  })

  test.each([
    ['zipCode', ['1000', '100011', '10001-', '10001-123', '10001-12345', '100011234', '1000a', '10001 ', '%20', '']],
    ['userId', ['', '%20', 'x'.repeat(256)]],
    ['page', ['', '-1', '1.5', 'one', '1000000001']],
    ['pageSize', ['0', '201', '-1', 'ten', '']],
    ['radius', ['0', '51', '10.5', '-10', '']],
    ['category', ['', '%20', 'x'.repeat(101)]],
    ['search', ['', '%20', 'x'.repeat(101)]],
    ['sort', ['', 'id', '--distance', 'distance,commission']],
  ])('refuses %s where it is past its edge', async (parameter, texts) => {
    for (const text of texts) {
      const query = { zipCode: '10001', userId: '1', page: '0', [parameter]: text }
      const search = Object.entries(query).map(([name, value]) => `${name}=${value}`)
      const { status, json } = await bank.call('GET', `${path}?${search.join('&')}`)
      expect([status, json.errors?.[0]?.parameter], text).toEqual([400, parameter])
    }
  })

  test('reports a missing ZIP code, user and page at once', async () => {
    const { status, json } = await bank.call('GET', path)
    expect(status).toBe(400)
    expect(json.errors.map(({ parameter }: { parameter: string }) => parameter).sort()).toEqual([
      'page',
      'userId',
      'zipCode',
    ])
  })

  test('accepts every parameter at its limits', async () => {
    for (const query of ['&radius=1', '&radius=50', '&pageSize=1', '&pageSize=200', '&sort=-MERCHANTNAME']) {
      expect((await list(query)).status, query).toBe(200)
    }
    const far = await bank.call('GET', `${path}?userId=${'x'.repeat(255)}&page=1000000000&zipCode=10001&pageSize=200`)
    expect(far.json).toEqual({ data: { localRewardOffers: [], nextPage: null } })
  })

  test('filters by category in any letter case, and searches name and title', async () => {
    expect(await titles('&category=GROCERIES')).toEqual(['at 9.99 miles'])
    expect(await titles('&category=Grocerie')).toEqual([])
    expect(await titles('&search=AARD')).toEqual(['at 9.99 miles'])
    expect(await titles('&search=at%209%20miles')).toEqual(['at 9 miles'])
    expect(await titles('&search=quillbrook&category=restaurants')).toEqual(['at the centre', 'at 9 miles'])
    expect(await titles('&search=%C3%84%C3%A1rd')).toEqual(['at 9.99 miles'])
    for (const sign of ['%25', '_', '%5C', "'"]) expect(await titles(`&search=${sign}`)).toEqual([])
  })

  test('sorts by distance, commission, expiration date and merchant name, both ways', async () => {
    const among = (wanted: string[]) => async (sort: string) =>
      (await titles(`&sort=${sort}`)).filter((title: string) => wanted.includes(title))
    const three = among(['at the centre', 'at 9 miles', 'at 9.99 miles'])
    expect(await three('-distance')).toEqual(['at 9.99 miles', 'at 9 miles', 'at the centre'])
    expect(await three('commission')).toEqual(['at 9.99 miles', 'at the centre', 'at 9 miles'])
    expect(await three('-commission')).toEqual(['at 9 miles', 'at the centre', 'at 9.99 miles'])
    expect(await three('merchantName')).toEqual(['at 9.99 miles', 'at the centre', 'at 9 miles'])
    expect(await three('-merchantName')).toEqual(['at the centre', 'at 9 miles', 'at 9.99 miles'])
    const two = among(['ends soon', 'at the centre'])
    expect(await two('expirationDate')).toEqual(['ends soon', 'at the centre'])
    expect(await two('-expirationDate')).toEqual(['at the centre', 'ends soon'])
  })

  test("returns the offers that are live by the organisation's clock", async () => {
    expect(await titles('&category=clock')).toEqual(['ends soon'])
    await bank.call('POST', '/v0/sandbox/clock/advance', { body: { by: 'P3D' } })
    expect(await titles('&category=clock')).toEqual(['starts soon'])
    expect(await titles('&category=clock', { key: bank.otherKey })).toEqual(['ends soon'])
  })
})

describe('The distance to an offer', () => {
  /** Near a pole or the date line a simple box of degrees would be wrong. */
  const centres: ZipCode[] = [
    newYork,
    { zip: '99546', lat: 51.874, long: -176.634, city: 'Adak', state: 'AK' },
    { zip: '96507', lat: 51.5672, long: 178.8775, city: 'Dpo', state: 'AP' },
    { zip: '96598', lat: -89.9976, long: 139.2729, city: 'Fpo', state: 'AP' },
    { zip: '96799', lat: -14.2781, long: -170.7025, city: 'Pago Pago', state: 'AS' },
  ]

  test('agrees with another formula for random places', async () => {
    const somewhere = fc.record({
      centre: fc.constantFrom(...centres),
      miles: fc.double({ min: 0, max: 60, noNaN: true }),
      bearing: fc.double({ min: 0, max: 360, noNaN: true }),
    })
    const places = fc.sample(somewhere, { numRuns: 150, seed: 31 }).map(({ centre, miles, bearing }) => {
      const { lat, long } = placeFrom(centre, miles, bearing)
      return { lat: Math.max(-90, Math.min(90, lat)), long: Math.max(-180, Math.min(180, long)) }
    })
    const distant = await open(places.map((geoLocation, index) => localOffer({ title: String(index), geoLocation })))
    const query = fc.record({ centre: fc.constantFrom(...centres), radius: fc.integer({ min: 1, max: 50 }) })
    await fc.assert(
      fc.asyncProperty(query, async ({ centre, radius }) => {
        const { json } = await distant.call(
          'GET',
          `${path}?userId=1&page=0&pageSize=200&zipCode=${centre.zip}&radius=${radius}`,
        )
        const seen: number[] = json.data.localRewardOffers.map(({ title }: LocalOffer) => Number(title))
        const miles = places.map((place) => chordMiles(centre, place))
        expect(new Set(seen)).toEqual(new Set(miles.flatMap((distance, index) => (distance <= radius ? index : []))))
        const inOrder = seen.map((index) => miles[index] as number)
        for (const [index, distance] of inOrder.entries()) {
          expect(distance).toBeGreaterThanOrEqual((inOrder[index - 1] ?? 0) - 1e-6)
        }
      }),
      { seed: seedOfTest(), numRuns: 60 },
    )
  })
})

/** The distance from the chord between the two points as vectors. */
function chordMiles(one: Place, other: Place): number {
  const vector = ({ lat, long }: Place) => {
    const [phi, lambda] = [(lat * Math.PI) / 180, (long * Math.PI) / 180]
    return [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)]
  }
  const [a, b] = [vector(one), vector(other)]
  const chord = Math.hypot(...a.map((part, axis) => part - (b[axis] as number)))
  return 2 * 3958.7613 * Math.asin(chord / 2)
}

describe('Pages of local offers', () => {
  test('hold every offer exactly once in every order and page size', async () => {
    const paged = await open([])
    const sorts = ['distance', 'commission', 'expirationDate', 'merchantName'].flatMap((sort) => [sort, `-${sort}`])
    const offers = Array.from({ length: 57 }, (_, index) =>
      localOffer({
        // Few distinct values, so that most offers tie in every order.
        geoLocation: milesNorth(newYork, index % 4),
        commission: 1 + (index % 3),
        expirationDate: `2099-01-0${1 + (index % 5)}`,
        merchant: merchant(['alpha', 'Beta', 'Zeta', 'beta'][index % 4] as string),
      }),
    )
    await loadCatalogue(paged.database, offers)
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...sorts), fc.integer({ min: 1, max: 60 }), async (sort, pageSize) => {
        const base = `${path}?userId=1&zipCode=10001&sort=${sort}`
        const whole = await paged.call('GET', `${base}&page=0&pageSize=200`)
        const all = whole.json.data.localRewardOffers
        expect([all.length, whole.json.data.nextPage]).toEqual([57, null])
        expect(await walkPages(paged, `${base}&pageSize=${pageSize}`, 'localRewardOffers')).toEqual(all)
        const keyed = (offer: LocalOffer) => [seenBy(sort, offer, newYork), Number(offer.id)] as const
        const descends = sort.startsWith('-') ? -1 : 1
        const expected = all.toSorted((one: LocalOffer, other: LocalOffer) => {
          const [[a, idOfA], [b, idOfB]] = [keyed(one), keyed(other)]
          return a < b ? -descends : a > b ? descends : idOfA - idOfB
        })
        expect(all.map(({ id }: LocalOffer) => id)).toEqual(expected.map(({ id }: LocalOffer) => id))
      }),
      { seed: seedOfTest(), numRuns: 60 },
    )
  })
})
