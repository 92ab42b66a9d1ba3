import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDays, clock } from '../../src/base/clock.ts'
import type { LocalOffer, NationalOffer } from '../../src/rewards/offers/offer.ts'
import type { TestBank } from '../support/harness.ts'
import { localOffer, merchant, milesNorth, nationalOffer, newYork, seenBy, walkPages } from '../support/offers.ts'
import { seedOfTest } from '../support/random.ts'
import { kardRewards, type OpenedRewards, openBuiltinRewards } from '../support/rewards-providers.ts'

/** Everything that can stand after the offers passes this, unchanged. */
const providers = [
  { provider: 'the built-in catalogue', open: openBuiltinRewards, hasMerchantIds: true },
  { provider: "Kard's current API", open: kardRewards('current'), hasMerchantIds: false },
  { provider: "Kard's legacy API", open: kardRewards('legacy'), hasMerchantIds: true },
]

const localPath = '/v0/rewards/reward-offers/local-reward-offers'
const nationalPath = '/v0/rewards/reward-offers/national-reward-offers'
const now = clock.now().toISOString()

const shops = [
  localOffer({
    merchant: merchant('Quillbrook Coffee'),
    terms: 'Once a customer.',
    redeemableOnce: true,
    commission: 4.35,
    expirationDate: '2099-03-31T12:00:00.000Z',
  }),
  localOffer({
    merchant: merchant('Zephyr Diner'),
    geoLocation: milesNorth(newYork, 2),
    commission: 10,
    totalCommission: 10,
    expirationDate: '2099-02-28T12:00:00.000Z',
  }),
  localOffer({
    merchant: merchant('aardvark Market'),
    geoLocation: milesNorth(newYork, 9.9),
    category: 'Groceries',
    commission: 0.01,
  }),
  localOffer({ merchant: merchant('Far Bakery'), geoLocation: milesNorth(newYork, 12) }),
  localOffer({ merchant: merchant('Edge Bakery'), geoLocation: milesNorth(newYork, -49.5) }),
  localOffer({ merchant: merchant('Beyond Bakery'), geoLocation: milesNorth(newYork, -50.5) }),
  localOffer({ merchant: merchant('Yesterday Cafe'), expirationDate: addDays(now, -1) }),
  localOffer({ merchant: merchant('Tomorrow Cafe'), validFrom: addDays(now, 2) }),
]
const online = [
  nationalOffer({ merchant: merchant('Two Toys'), commission: 2, expirationDate: '2098-01-01T00:00:00.000Z' }),
  nationalOffer({ merchant: merchant('Five Books'), commission: 5, terms: 'Online only.', redeemableOnce: true }),
  nationalOffer({ merchant: merchant('three Travel'), commission: 3, category: 'Travel' }),
  nationalOffer({ merchant: merchant('Yesterday Online'), expirationDate: addDays(now, -1) }),
  nationalOffer({ merchant: merchant('Tomorrow Online'), validFrom: addDays(now, 2) }),
]

describe.each(providers)('the offers of $provider', ({ open, hasMerchantIds }) => {
  let opened: OpenedRewards
  let bank: TestBank
  beforeAll(async () => {
    opened = await open([...shops, ...online])
    bank = opened.bank
  })
  afterAll(() => opened.close())

  const local = (query = '') => bank.call('GET', `${localPath}?userId=1&page=0&zipCode=10001${query}`)
  const national = (query = '') => bank.call('GET', `${nationalPath}?userId=1&page=0${query}`)
  async function names(reply: Promise<{ status: number; json: { data: Record<string, unknown> } }>): Promise<string[]> {
    const { status, json } = await reply
    expect(status, JSON.stringify(json)).toBe(200)
    const [list] = Object.values(json.data).filter((value) => Array.isArray(value))
    return (list as NationalOffer[]).map(({ merchant: { name } }) => name)
  }

  test('R1 answers every field of the interface and nothing else', async () => {
    const { status, headers, json } = await local('&pageSize=1')
    const [{ id, title, merchant: shown }] = json.data.localRewardOffers
    expect([status, headers['content-type'], json]).toEqual([
      200,
      'application/json; charset=utf-8',
      {
        data: {
          localRewardOffers: [
            {
              id,
              title,
              terms: 'Once a customer.',
              redeemableOnce: true,
              offerType: 'INSTORE',
              commission: 4.35,
              expirationDate: '2099-03-31T12:00:00.000Z',
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
    expect(headers.etag).toBeDefined()
    for (const text of [id, title]) expect(text).toMatch(/\S/)
    expect(shown.id).toMatch(hasMerchantIds ? /\S/ : /^$/)
    expect(id).not.toBe(shown.id)
  })

  test('R2 answers every field of the interface but the four of a place', async () => {
    const { status, json } = await national('&pageSize=1')
    const [{ id, title, merchant: shown }] = json.data.nationalRewardOffers
    expect([status, json]).toEqual([
      200,
      {
        data: {
          nationalRewardOffers: [
            {
              id,
              title,
              terms: 'Online only.',
              redeemableOnce: true,
              offerType: 'ONLINE',
              commission: 5,
              expirationDate: '2099-01-31T12:00:00.000Z',
              merchant: {
                id: shown.id,
                name: 'Five Books',
                description: 'Five Books, for tests',
                websiteURL: 'https://five-books.example.com',
                imgUrl: 'https://images.example.com/five-books.png',
              },
            },
          ],
          nextPage: 1,
        },
      },
    ])
    for (const text of [id, title]) expect(text).toMatch(/\S/)
    expect(shown.id).toMatch(hasMerchantIds ? /\S/ : /^$/)
  })

  test('R1 answers what is live within ten miles, or within the radius, nearest first', async () => {
    const near = ['Quillbrook Coffee', 'Zephyr Diner', 'aardvark Market']
    expect(await names(local())).toEqual(near)
    expect(await names(local('&radius=1'))).toEqual(near.slice(0, 1))
    expect(await names(local('&radius=9'))).toEqual(near.slice(0, 2))
    expect(await names(local('&radius=50'))).toEqual([...near, 'Far Bakery', 'Edge Bakery'])
    expect(await names(bank.call('GET', `${localPath}?userId=1&page=0&zipCode=10001-1234`))).toEqual(near)
    expect((await bank.call('GET', `${localPath}?userId=1&page=0&zipCode=00000`)).json).toEqual({
      data: { localRewardOffers: [], nextPage: null },
    })
  })

  test('R1 sorts by distance, commission, expiration date and merchant name, both ways', async () => {
    const [quillbrook, zephyr, aardvark] = ['Quillbrook Coffee', 'Zephyr Diner', 'aardvark Market']
    expect(await names(local('&sort=-distance'))).toEqual([aardvark, zephyr, quillbrook])
    expect(await names(local('&sort=commission'))).toEqual([aardvark, quillbrook, zephyr])
    expect(await names(local('&sort=-commission'))).toEqual([zephyr, quillbrook, aardvark])
    expect(await names(local('&sort=expirationDate'))).toEqual([aardvark, zephyr, quillbrook])
    expect(await names(local('&sort=-expirationDate'))).toEqual([quillbrook, zephyr, aardvark])
    expect(await names(local('&sort=merchantName'))).toEqual([aardvark, quillbrook, zephyr])
    expect(await names(local('&sort=-MERCHANTNAME'))).toEqual([zephyr, quillbrook, aardvark])
  })

  test('R2 puts the highest commission first, and sorts as requested', async () => {
    const [two, five, three] = ['Two Toys', 'Five Books', 'three Travel']
    expect(await names(national())).toEqual([five, three, two])
    expect(await names(national('&sort=commission'))).toEqual([two, three, five])
    expect((await names(national('&sort=expirationDate')))[0]).toBe(two)
    expect((await names(national('&sort=-expirationDate')))[2]).toBe(two)
    expect(await names(national('&sort=merchantName'))).toEqual([five, three, two])
    expect(await names(national('&sort=-merchantName'))).toEqual([two, three, five])
  })

  test('both filter by category in any letter case, and search the name', async () => {
    expect(await names(local('&category=GROCERIES'))).toEqual(['aardvark Market'])
    expect(await names(local('&category=Grocerie'))).toEqual([])
    expect(await names(local('&search=%20AARD'))).toEqual(['aardvark Market'])
    expect(await names(local('&search=quillbrook&category=restaurants'))).toEqual(['Quillbrook Coffee'])
    expect(await names(national('&category=tRAVEL'))).toEqual(['three Travel'])
    expect(await names(national('&search=toys'))).toEqual(['Two Toys'])
    for (const sign of ['%25', '_', '%5C', "'"]) expect(await names(local(`&search=${sign}z`))).toEqual([])
  })

  test.each([
    [localPath, 'zipCode', '1000'],
    [localPath, 'page', '-1'],
    [localPath, 'pageSize', '0'],
    [localPath, 'pageSize', '201'],
    [localPath, 'radius', '0'],
    [localPath, 'radius', '51'],
    [localPath, 'sort', 'id'],
    [localPath, 'userId', ''],
    [nationalPath, 'zipCode', '10001'],
    [nationalPath, 'radius', '10'],
    [nationalPath, 'sort', 'distance'],
    [nationalPath, 'pageSize', '201'],
    [nationalPath, 'page', 'one'],
  ])('%s refuses %s=%s', async (path, parameter, text) => {
    const required = path === localPath ? { zipCode: '10001', userId: '1', page: '0' } : { userId: '1', page: '0' }
    const { status, json } = await bank.call(
      'GET',
      `${path}?${new URLSearchParams({ ...required, [parameter]: text })}`,
    )
    expect([status, json.code, json.errors?.[0]?.parameter]).toEqual([400, 'invalid_request', parameter])
  })

  test('both need a key with the scope', async () => {
    const readsBanking = await bank.makeKey('first', ['banking:read'])
    for (const path of [`${localPath}?userId=1&page=0&zipCode=10001`, `${nationalPath}?userId=1&page=0`]) {
      expect((await bank.call('GET', path, { key: null })).status).toBe(401)
      expect((await bank.call('GET', path, { key: readsBanking })).status).toBe(403)
    }
  })

  test('a page past the last one is empty', async () => {
    const far = await bank.call(
      'GET',
      `${localPath}?userId=${'x'.repeat(255)}&page=1000000000&zipCode=10001&pageSize=200`,
    )
    expect([far.status, far.json]).toEqual([200, { data: { localRewardOffers: [], nextPage: null } }])
  })
})

describe.each(providers)('the pages of $provider', ({ open }) => {
  const many = Array.from({ length: 43 }, (_, index) => {
    // Few values each, so that most offers are equal in any order.
    const own = {
      commission: 1 + (index % 3),
      expirationDate: `2099-01-0${1 + (index % 5)}`,
      merchant: merchant(['alpha', 'Beta', 'Zeta', 'beta'][index % 4] as string),
    }
    return [localOffer({ ...own, geoLocation: milesNorth(newYork, index % 4) }), nationalOffer(own)]
  }).flat()
  let opened: OpenedRewards
  beforeAll(async () => {
    opened = await open(many)
  })
  afterAll(() => opened.close())

  test.each([
    [localPath, 'localRewardOffers', '&zipCode=10001', ['distance', 'commission', 'expirationDate', 'merchantName']],
    [nationalPath, 'nationalRewardOffers', '', ['commission', 'expirationDate', 'merchantName']],
  ])('%s hold every offer once in every order, whatever their size', async (path, name, place, orders) => {
    const sorts = orders.flatMap((sort) => [sort, `-${sort}`])
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...sorts), fc.integer({ min: 1, max: 50 }), async (sort, pageSize) => {
        const base = `${path}?userId=1${place}&sort=${sort}`
        const all: LocalOffer[] = (await opened.bank.call('GET', `${base}&page=0&pageSize=200`)).json.data[name]
        expect(all).toHaveLength(43)
        expect(await walkPages(opened.bank, `${base}&pageSize=${pageSize}`, name)).toEqual(all)
        const descends = sort.startsWith('-') ? -1 : 1
        const expected = all.toSorted((one, other) => {
          const [a, b] = [seenBy(sort, one), seenBy(sort, other)]
          // Ids of one provider are of one length.
          return a < b ? -descends : a > b ? descends : one.id < other.id ? -1 : 1
        })
        expect(all.map(({ id }) => id)).toEqual(expected.map(({ id }) => id))
      }),
      { seed: seedOfTest(), numRuns: 25 },
    )
  })
})
