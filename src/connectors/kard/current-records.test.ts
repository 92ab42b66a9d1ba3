import { describe, expect, test } from 'vitest'
import { localOffersOf, nationalOffersOf } from './current-records.ts'

const food = { type: 'category', id: 'c1', attributes: { name: 'Food & Beverage' } }
const pets = { type: 'category', id: 'c2', attributes: { name: 'Pets' } }
const attributes = {
  name: 'Quillbrook Coffee',
  terms: 'For first-time customers.',
  maxRedemptions: 1,
  purchaseChannel: ['ONLINE', 'INSTORE'],
  userReward: { type: 'PERCENT', value: 4.5 },
  assets: [
    { type: 'BANNER_VIEW', url: 'https://images.example.com/banner.png', alt: '' },
    { type: 'IMG_VIEW', url: 'https://images.example.com/logo.png', alt: '' },
  ],
  startDate: '2024-11-17T05:00:00.000Z',
  expirationDate: '2099-01-31T12:00:00Z',
  isTargeted: true,
  minTransactionAmount: { type: 'CENTS', value: 5_00 },
  maxTransactionAmount: { type: 'CENTS', value: 100_00 },
  minRewardAmount: { type: 'CENTS', value: 1_00 },
  maxRewardAmount: { type: 'CENTS', value: 20_00 },
  websiteUrl: 'https://quillbrook-coffee.example.com',
  description: 'Coffee and pastries',
}
const offer = {
  type: 'standardOffer',
  id: 'o1',
  attributes,
  relationships: {
    category: {
      data: [
        { type: 'category', id: 'c1' },
        { type: 'category', id: 'c2' },
      ],
    },
  },
}
const shopAttributes = {
  name: 'Quillbrook Coffee, 5th Avenue',
  address: { street: '1 Sample Street', city: 'New York', state: 'NY', zipCode: '10001' },
  coordinates: { latitude: 40.7484, longitude: -73.9967 },
  phone: '+12125550123',
  operationHours: { periods: [], weekdayText: ['Monday: 9:00 AM – 5:00 PM', 'Sunday: Closed'] },
  partnerIds: [{ type: 'google', id: 'place-1' }],
}
const location = {
  type: 'location',
  id: 'l1',
  attributes: shopAttributes,
  relationships: {
    offers: { data: [{ type: 'standardOffer', id: 'o1' }] },
    category: { data: [{ type: 'category', id: 'c1' }] },
  },
}
const links = { self: '/x' }

const national = (...records: unknown[]) => nationalOffersOf({ data: records, included: [food, pets], links })
const nationalWith = (own: object) => national({ ...offer, attributes: { ...attributes, ...own } })?.listed[0]?.offer
const local = (records: unknown[], included: unknown[] = [offer, food, pets]) =>
  localOffersOf({ data: records, included, links })
const shopWith = (own: object) => ({ ...location, attributes: { ...shopAttributes, ...own } })
const hoursWith = (operationHours: unknown) => local([shopWith({ operationHours })])?.listed[0]?.offer.operationHours

describe('An online offer of the current API', () => {
  test('keeps its id and gets the names of the interface', () => {
    expect(national(offer)).toEqual({
      listed: [
        {
          offer: {
            id: 'o1',
            title: '4.5% cash back, up to $20, on purchases of $5 to $100',
            terms: 'For first-time customers.',
            redeemableOnce: true,
            offerType: 'ONLINE',
            commission: 4.5,
            expirationDate: '2099-01-31T12:00:00.000Z',
            merchant: {
              id: '',
              name: 'Quillbrook Coffee',
              description: 'Coffee and pastries',
              websiteURL: 'https://quillbrook-coffee.example.com',
              imgUrl: 'https://images.example.com/logo.png',
            },
          },
          categories: ['Food & Beverage', 'Pets'],
          key: 'o1',
        },
      ],
      leftOut: [],
    })
  })

  test('has every field, even if Kard omits some', () => {
    const least = { name: 'Bare', purchaseChannel: ['ONLINE'], userReward: { type: 'PERCENT', value: 2 } }
    expect(national({ type: 'standardOffer', id: 'o2', attributes: least })?.listed).toEqual([
      {
        offer: {
          id: 'o2',
          title: '2% cash back',
          terms: '',
          redeemableOnce: false,
          offerType: 'ONLINE',
          commission: 2,
          expirationDate: '9999-12-31T23:59:59.999Z',
          merchant: { id: '', name: 'Bare', description: '', websiteURL: '', imgUrl: '' },
        },
        categories: [],
        key: 'o2',
      },
    ])
  })

  test('is redeemable once only if Kard allows one redemption', () => {
    expect(
      [1, 2, 0, null, undefined].map((maxRedemptions) => nationalWith({ maxRedemptions })?.redeemableOnce),
    ).toEqual([true, false, false, false, false])
  })

  test('has an image only if Kard sends one for it', () => {
    const image = (assets: unknown) => nationalWith({ assets })?.merchant.imgUrl
    expect([image([]), image(null), image([attributes.assets[0]])]).toEqual(['', '', ''])
  })

  test('ignores amounts in other units than cents', () => {
    const other = { type: 'POINTS', value: 5_00 }
    expect(
      nationalWith({ minTransactionAmount: other, maxTransactionAmount: null, maxRewardAmount: other })?.title,
    ).toBe('4.5% cash back')
  })

  test('is omitted if it has no percentage for the user or is not sold online', () => {
    const others = [
      { userReward: { type: 'FLAT', value: 5 } },
      { userReward: { type: 'PERCENT', value: null } },
      { userReward: null },
      { purchaseChannel: ['INSTORE'] },
      { purchaseChannel: [] },
    ]
    const records = others.map((own) => ({ ...offer, attributes: { ...attributes, ...own } }))
    expect(national(...records)).toEqual({ listed: [], leftOut: [] })
  })

  test('is of the category that Kard filtered by if it names none', () => {
    const { relationships: _none, ...bare } = offer
    expect(nationalOffersOf({ data: [bare], links }, 'Pets')?.listed[0]?.categories).toEqual(['Pets'])
    expect(nationalOffersOf({ data: [offer], links }, 'Pets')?.listed[0]?.categories).toEqual(['Pets'])
    expect(nationalOffersOf({ data: [offer], links })?.listed[0]?.categories).toEqual([])
  })

  test.each([
    ['without an id', { ...offer, id: undefined }, ''],
    ['without attributes', { type: 'standardOffer', id: 'odd' }, 'odd'],
    ['without a name', { ...offer, id: 'odd', attributes: { ...attributes, name: null } }, 'odd'],
    ['without channels', { ...offer, id: 'odd', attributes: { ...attributes, purchaseChannel: undefined } }, 'odd'],
    ['with a text as reward', { ...offer, id: 'odd', attributes: { ...attributes, userReward: '5%' } }, 'odd'],
    [
      'with a percentage beyond all numbers',
      { ...offer, id: 'odd', attributes: { ...attributes, userReward: { type: 'PERCENT', value: 1e306 } } },
      'odd',
    ],
    ['that is null', null, ''],
  ])('%s is left out, and the others are read', (_name, record, id) => {
    const read = national(record, offer)
    expect(read?.listed.map(({ key }) => key)).toEqual(['o1'])
    const type = record === null ? '' : 'standardOffer'
    expect(read?.leftOut).toEqual([{ type, id, reason: expect.stringMatching(/must/) }])
  })

  test('of a type that Kard adds later is read by its members', () => {
    expect(national({ ...offer, type: 'boostedOffer' })?.listed).toHaveLength(1)
  })
})

describe('A shop of the current API', () => {
  test('shows its offers with its own name, place and hours', () => {
    expect(local([location])).toEqual({
      listed: [
        {
          offer: {
            ...nationalWith({}),
            offerType: 'INSTORE',
            merchant: { ...nationalWith({})?.merchant, name: 'Quillbrook Coffee, 5th Avenue' },
            operationHours: {
              monday: '9:00 AM – 5:00 PM',
              tuesday: '',
              wednesday: '',
              thursday: '',
              friday: '',
              saturday: '',
              sunday: 'Closed',
            },
            address: { street: '1 Sample Street', city: 'New York', state: 'NY', zip: '10001' },
            geoLocation: { lat: 40.7484, long: -73.9967 },
            phone: '+12125550123',
          },
          categories: ['Food & Beverage'],
          key: 'o1 l1',
        },
      ],
      leftOut: [],
    })
  })

  test('has the hours of its periods if there are no texts', () => {
    const periods = [
      { open: { day: 0, time: '1000' }, close: { day: 0, time: '1600' } },
      { open: { day: 1, time: '0900' }, close: { day: 1, time: '1200' } },
      { open: { day: 1, time: '1300' }, close: { day: 1, time: '1700' } },
      { open: { day: 6, time: '0000' }, close: null },
    ]
    expect(hoursWith({ periods, weekdayText: [] })).toMatchObject({
      sunday: '10:00-16:00',
      monday: '09:00-12:00, 13:00-17:00',
      tuesday: '',
      saturday: '00:00-',
    })
  })

  test.each([
    ['null', null],
    ['empty', { periods: [], weekdayText: [] }],
    ['absent', undefined],
    ['null in its parts', { periods: null, weekdayText: null }],
    ['a text without a day', { periods: [], weekdayText: ['always open'] }],
  ])('has empty hours if they are %s', (_name, hours) => {
    expect(new Set(Object.values(hoursWith(hours) ?? {}))).toEqual(new Set(['']))
  })

  test('is listed once for each of its offers, and without offers not at all', () => {
    const offers = { data: [{ id: 'o1' }, { id: 'o2' }] }
    const both = local([{ ...location, relationships: { offers } }], [offer, { ...offer, id: 'o2' }])
    expect(both?.listed.map(({ key }) => key)).toEqual(['o1 l1', 'o2 l1'])
    const { relationships: _none, ...bare } = location
    expect(local([bare])).toEqual({ listed: [], leftOut: [] })
    expect(local([{ ...bare, relationships: { offers: { data: [] } } }])).toEqual({ listed: [], leftOut: [] })
  })

  test('does not show offers that are online only or pay a flat amount', () => {
    const others = [{ purchaseChannel: ['ONLINE'] }, { userReward: { type: 'FLAT', value: 5 } }]
    for (const own of others) {
      const included = [{ ...offer, attributes: { ...attributes, ...own } }]
      expect(local([location], included)).toEqual({ listed: [], leftOut: [] })
    }
  })

  test.each([
    ['without coordinates', shopWith({ coordinates: null })],
    ['without an address', shopWith({ address: undefined })],
    ['beyond the poles', shopWith({ coordinates: { latitude: -91, longitude: 0 } })],
    ['in a state that is spelled out', shopWith({ address: { ...shopAttributes.address, state: 'New York' } })],
    ['without a street', shopWith({ address: { ...shopAttributes.address, street: '' } })],
  ])('%s is left out, and the others are read', (_name, record) => {
    const read = local([record, { ...location, id: 'l2' }])
    expect(read?.listed.map(({ key }) => key)).toEqual(['o1 l2'])
    expect(read?.leftOut).toEqual([{ type: 'location', id: 'l1', reason: expect.stringMatching(/must/) }])
  })

  test('whose offer cannot be read is left out, and the offer is counted once for all shops', () => {
    const read = local([location, { ...location, id: 'l2' }], [{ ...offer, attributes: {} }, food])
    expect(read?.listed).toEqual([])
    expect(read?.leftOut).toEqual([{ type: 'standardOffer', id: 'o1', reason: expect.stringMatching(/must/) }])
  })

  test('whose offer is not included is left out', () => {
    expect(local([location], [food])?.leftOut).toEqual([
      { type: 'offer', id: 'o1', reason: 'the offer is not included' },
    ])
  })
})

test.each([
  ['a list', []],
  ['a text', 'Internal Server Error'],
  ['null', null],
  ['without data', { links }],
  ['with one record as data', { data: offer, links }],
])('%s is no page of the current API', (_name, body) => {
  expect([nationalOffersOf(body), localOffersOf(body)]).toEqual([undefined, undefined])
})
