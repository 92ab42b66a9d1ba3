import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadCatalogue } from '../../../test/support/bank/catalogue.ts'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { localOffer, merchant, nationalOffer, seenBy, walkPages } from '../../../test/support/offers.ts'
import { seedOfTest } from '../../../test/support/random.ts'
import { addDays, clock } from '../../base/clock.ts'
import type { NationalOffer } from './offer.ts'

const path = '/v0/rewards/reward-offers/national-reward-offers'
const now = clock.now().toISOString()

let bank: TestBank
beforeAll(async () => {
  bank = await openTestBank({
    catalogue: [
      localOffer({ title: 'local' }),
      nationalOffer({ title: 'two', commission: 2, merchant: merchant('Zephyr Toys'), expirationDate: '2098-01-01' }),
      nationalOffer({ title: 'five', commission: 5, terms: 'Online only.', redeemableOnce: true }),
      nationalOffer({ title: 'three', commission: 3, category: 'Travel', merchant: merchant('aurelvane Travel') }),
      nationalOffer({ title: 'five again', commission: 5 }),
      nationalOffer({ title: 'over', expirationDate: addDays(now, -1) }),
      nationalOffer({ title: 'not yet', validFrom: addDays(now, 2), category: 'Clock' }),
    ],
  })
})
afterAll(() => bank.close())

const list = (query: string, options = {}) => bank.call('GET', `${path}?userId=1&page=0${query}`, options)
const titles = async (query: string, options = {}) =>
  (await list(query, options)).json.data.nationalRewardOffers.map(({ title }: NationalOffer) => title)

describe('List national offers', () => {
  test('returns every field of the interface except the four of a place', async () => {
    const { status, json } = await list('&pageSize=1')
    const [{ id, merchant: shown }] = json.data.nationalRewardOffers
    expect([status, json]).toEqual([
      200,
      {
        data: {
          nationalRewardOffers: [
            {
              id,
              title: 'five',
              terms: 'Online only.',
              redeemableOnce: true,
              offerType: 'ONLINE',
              commission: 5,
              expirationDate: '2099-01-31T12:00:00.000Z',
              merchant: {
                id: shown.id,
                name: 'Quillbrook Coffee',
                description: 'Quillbrook Coffee, for tests',
                websiteURL: 'https://quillbrook-coffee.example.com',
                imgUrl: 'https://images.example.com/quillbrook-coffee.png',
              },
            },
          ],
          nextPage: 1,
        },
      },
    ])
  })

  test('returns the highest commission first by default and sorts as requested', async () => {
    expect(await titles('')).toEqual(['five', 'five again', 'three', 'two'])
    expect(await titles('&sort=commission')).toEqual(['two', 'three', 'five', 'five again'])
    expect(await titles('&sort=expirationDate')).toEqual(['two', 'five', 'three', 'five again'])
    expect(await titles('&sort=-expirationDate')).toEqual(['five', 'three', 'five again', 'two'])
    expect(await titles('&sort=merchantName')).toEqual(['three', 'five', 'five again', 'two'])
    expect(await titles('&sort=-MerchantName')).toEqual(['two', 'five', 'five again', 'three'])
  })

  test('filters by category and searches', async () => {
    expect(await titles('&category=travel')).toEqual(['three'])
    expect(await titles('&search=AGAIN')).toEqual(['five again'])
    expect(await titles('&search=zephyr')).toEqual(['two'])
    expect(await titles('&search=local')).toEqual([])
    expect(await titles('&search=z%C3%A9ph%C3%BDr')).toEqual(['two'])
  })

  test.each([
    'zipCode=10001',
    'radius=10',
    'sort=distance',
    'sort=-distance',
    'pageSize=0',
    'pageSize=201',
    'page=-1',
    'userId=',
  ])('refuses %s', async (parameter) => {
    const [name = ''] = parameter.split('=')
    const others = ['userId=1', 'page=0'].filter((text) => !text.startsWith(`${name}=`))
    const { status, json } = await bank.call('GET', `${path}?${[...others, parameter].join('&')}`)
    expect([status, json.errors?.[0]?.parameter]).toEqual([400, name])
  })

  test('requires user and page', async () => {
    const { json } = await bank.call('GET', path)
    expect(json.errors.map(({ parameter }: { parameter: string }) => parameter).sort()).toEqual(['page', 'userId'])
  })

  test("returns the offers that are live by the organisation's clock", async () => {
    expect(await titles('&category=clock')).toEqual([])
    await bank.call('POST', '/v0/sandbox/clock/advance', { body: { by: 'P3D' } })
    expect(await titles('&category=clock')).toEqual(['not yet'])
    expect(await titles('&category=clock', { key: bank.otherKey })).toEqual([])
  })
})

describe('The commission of an offer', () => {
  test('has at most two decimals for every possible value', async () => {
    const percents = Array.from({ length: 10_000 }, (_, index) => index + 1)
    const shown = percents.map((basisPoints) => JSON.stringify(basisPoints / 100))
    expect(shown.filter((text) => !/^\d+(\.\d{1,2})?$/.test(text))).toEqual([])
  })
})

describe('Pages of national offers', () => {
  test('hold every offer exactly once in every order and page size', async () => {
    const offers = Array.from({ length: 43 }, (_, index) =>
      nationalOffer({
        category: 'Paged',
        commission: 1 + (index % 3),
        expirationDate: `2099-01-0${1 + (index % 5)}`,
        merchant: merchant(['alpha', 'Beta', 'Zeta', 'beta'][index % 4] as string),
      }),
    )
    await loadCatalogue(bank.database, offers)
    const sorts = ['commission', 'expirationDate', 'merchantName'].flatMap((sort) => [sort, `-${sort}`])
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...sorts), fc.integer({ min: 1, max: 50 }), async (sort, pageSize) => {
        const base = `${path}?userId=1&category=Paged&sort=${sort}`
        const all = (await bank.call('GET', `${base}&page=0&pageSize=200`)).json.data.nationalRewardOffers
        expect(all).toHaveLength(43)
        expect(await walkPages(bank, `${base}&pageSize=${pageSize}`, 'nationalRewardOffers')).toEqual(all)
        const descends = sort.startsWith('-') ? -1 : 1
        const expected = all.toSorted((one: NationalOffer, other: NationalOffer) => {
          const [a, b] = [seenBy(sort, one), seenBy(sort, other)]
          return a < b ? -descends : a > b ? descends : Number(one.id) - Number(other.id)
        })
        expect(all).toEqual(expected)
      }),
      { seed: seedOfTest(), numRuns: 50 },
    )
  })
})
