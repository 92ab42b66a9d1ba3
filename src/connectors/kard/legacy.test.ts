import { describe, expect, test } from 'vitest'
import { localOffersOf, nationalOffersOf } from './legacy.ts'

const merchant = {
  _id: '6409f118705b8a000834f23d',
  name: 'Quillbrook Coffee',
  description: 'Coffee and pastries',
  websiteURL: 'https://quillbrook-coffee.example.com',
  imgUrl: 'https://images.example.com/merchant.png',
}
const offer = {
  _id: '6409fa6d8a2a4300083d4143',
  name: 'Quillbrook Coffee - New Customers',
  terms: 'For first-time customers.',
  redeemableOnce: false,
  offerType: 'ONLINE',
  commissionType: 'PERCENT',
  usersCommission: 4.5,
  totalCommission: 12,
  expirationDate: '2099-01-31T12:00:00Z',
  category: 'Food & Beverage',
  merchant,
}
const location = {
  _id: '5e27318c9b346f00087fba8a',
  category: 'Food & Beverage',
  address: { street: '1 Sample Street', city: 'New York', state: 'NY', zipCode: '10001' },
  geoLocation: { latitude: 40.7484, longitude: -73.9967 },
  phone: '+12125550123',
  operationHours: { MONDAY: '9:00 AM - 5:00 PM', SUNDAY: 'Closed' },
  merchant,
  offers: [
    { ...offer, offerType: 'INSTORE' },
    { ...offer, _id: '6409fa6d8a2a4300083d4144', offerType: 'INSTORE', imgUrl: 'https://images.example.com/offer.png' },
  ],
}

const titleWith = (own: object) => nationalOffersOf([{ ...offer, ...own }])?.listed[0]?.offer.title

describe('An online offer of the legacy API', () => {
  test('keeps its id and gets the names of the interface', () => {
    expect(nationalOffersOf([offer])?.listed).toEqual([
      {
        offer: {
          id: '6409fa6d8a2a4300083d4143',
          title: '4.5% cash back',
          terms: 'For first-time customers.',
          redeemableOnce: false,
          offerType: 'ONLINE',
          commission: 4.5,
          expirationDate: '2099-01-31T12:00:00.000Z',
          merchant: {
            id: '6409f118705b8a000834f23d',
            name: 'Quillbrook Coffee',
            description: 'Coffee and pastries',
            websiteURL: 'https://quillbrook-coffee.example.com',
            imgUrl: 'https://images.example.com/merchant.png',
          },
        },
        categories: ['Food & Beverage'],
        key: '6409fa6d8a2a4300083d4143',
      },
    ])
  })

  test('has every field, even if Kard omits some', () => {
    const bare = { _id: '1', usersCommission: 2, merchant: { _id: '2', name: 'Bare' } }
    expect(nationalOffersOf([bare])?.listed[0]?.offer).toEqual({
      id: '1',
      title: '2% cash back',
      terms: '',
      redeemableOnce: false,
      offerType: 'ONLINE',
      commission: 2,
      expirationDate: '9999-12-31T23:59:59.999Z',
      merchant: { id: '2', name: 'Bare', description: '', websiteURL: '', imgUrl: '' },
    })
  })

  test('has an expiry in milliseconds', () => {
    const expiring = (expirationDate: string) =>
      nationalOffersOf([{ ...offer, expirationDate }])?.listed[0]?.offer.expirationDate
    expect(expiring('2099-01-31T12:00:00.123456Z')).toBe('2099-01-31T12:00:00.123Z')
    expect(expiring('2099-01-31T12:00:00+02:00')).toBe('2099-01-31T10:00:00.000Z')
    expect(expiring('2099-01-31')).toBe('2099-01-31T00:00:00.000Z')
    expect(expiring('some day')).toBe('9999-12-31T23:59:59.999Z')
  })

  test('shows in its title what the user gets', () => {
    expect(titleWith({ maxRewardAmount: 10_00 })).toBe('4.5% cash back, up to $10')
    expect(titleWith({ minTransactionAmount: 20_50 })).toBe('4.5% cash back, on purchases of $20.50 or more')
    expect(titleWith({ maxTransactionAmount: 500_00 })).toBe('4.5% cash back, on purchases of up to $500')
    expect(titleWith({ minTransactionAmount: 1, maxTransactionAmount: 2_00, maxRewardAmount: 99 })).toBe(
      '4.5% cash back, up to $0.99, on purchases of $0.01 to $2',
    )
    expect(titleWith({ minTransactionAmount: 0, maxRewardAmount: null })).toBe('4.5% cash back')
  })

  test.each([
    [4.35, 4.35],
    [0.29, 0.29],
    [1.005, 1],
    [4.999, 4.99],
    [100, 100],
    [2.0000000001, 2],
    [0.07 * 100, 7],
  ])('promises of %d percent no more than %d', (given, shown) => {
    expect(nationalOffersOf([{ ...offer, usersCommission: given }])?.listed[0]?.offer.commission).toBe(shown)
  })

  test('is omitted if it has no percentage for the user or is of another kind', () => {
    const others = [
      { ...offer, commissionType: 'FLAT', usersCommission: 5 },
      { ...offer, usersCommission: undefined },
      { ...offer, usersCommission: null },
      { ...offer, offerType: 'INSTORE' },
    ]
    expect(nationalOffersOf(others)).toEqual({ listed: [], leftOut: [] })
  })
})

describe('A shop of the legacy API', () => {
  test('becomes one entry for each of its offers', () => {
    const [first, second] = localOffersOf([location])?.listed ?? []
    expect(first?.offer).toEqual({
      ...nationalOffersOf([offer])?.listed[0]?.offer,
      offerType: 'INSTORE',
      operationHours: {
        monday: '9:00 AM - 5:00 PM',
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
    })
    expect(second?.offer.merchant.imgUrl).toBe('https://images.example.com/offer.png')
    expect([first?.key, second?.key]).toEqual([
      '6409fa6d8a2a4300083d4143 5e27318c9b346f00087fba8a',
      '6409fa6d8a2a4300083d4144 5e27318c9b346f00087fba8a',
    ])
  })

  test('has empty hours and phone if they are absent, and is omitted without in-store offers', () => {
    const [silent] = localOffersOf([{ ...location, operationHours: null, phone: undefined }])?.listed ?? []
    expect([silent?.offer.phone, silent?.offer.operationHours.monday]).toEqual(['', ''])
    expect(localOffersOf([{ ...location, offers: [offer] }])).toEqual({ listed: [], leftOut: [] })
  })

  test('is of the category that Kard filtered by if it has none of its own', () => {
    const [shop] = localOffersOf([{ ...location, category: null }], 'Pets')?.listed ?? []
    expect(shop?.categories).toEqual(['Pets'])
    expect(localOffersOf([{ ...location, category: null }])?.listed[0]?.categories).toEqual([])
  })
})

test.each([
  ['an object', {}],
  ['a text', 'Internal Server Error'],
  ['null', null],
])('%s is no list of the legacy API', (_name, body) => {
  expect([nationalOffersOf(body), localOffersOf(body)]).toEqual([undefined, undefined])
})

test.each([
  ['without an id', { ...offer, _id: undefined }, ''],
  ['without a merchant', { ...offer, merchant: null }, offer._id],
  ['with a text as its percentage', { ...offer, usersCommission: '4.5' }, offer._id],
  ['with a percentage beyond all numbers', { ...offer, usersCommission: 1e306 }, offer._id],
  ['that is null', null, ''],
  ['that is a text', 'offer', ''],
])('An online offer of the legacy API %s is left out, and the others are read', (_name, record, id) => {
  const read = nationalOffersOf([offer, record, { ...offer, _id: 'another' }])
  expect(read?.listed.map(({ key }) => key)).toEqual([offer._id, 'another'])
  expect(read?.leftOut).toEqual([{ type: 'offer', id, reason: expect.stringMatching(/must/) }])
})

test.each([
  ['without a place', { geoLocation: undefined }, 'location'],
  ['in no place', { geoLocation: { latitude: '40', longitude: null } }, 'location'],
  ['beyond the poles', { geoLocation: { latitude: 91, longitude: 0 }, offers: [location.offers[0]] }, 'location'],
  [
    'with a postal code that is too long',
    { address: { ...location.address, zipCode: 'SW1A '.repeat(4) }, offers: [location.offers[0]] },
    'location',
  ],
  ['without offers', { offers: undefined }, 'location'],
  ['with an offer without an id', { offers: [{ ...offer, _id: null }] }, 'offer'],
])('A shop of the legacy API %s is left out, and the others are read', (_name, own, type) => {
  const read = localOffersOf([{ ...location, ...own }, location])
  expect(read?.listed).toHaveLength(2)
  expect(read?.leftOut).toEqual([expect.objectContaining({ type, reason: expect.stringMatching(/must/) })])
})

test('A shop of the legacy API with a postal code of another country is read', () => {
  const read = localOffersOf([{ ...location, address: { ...location.address, zipCode: 'SW1A 1AA' } }])
  expect(read?.listed[0]?.offer).toMatchObject({ address: { zip: 'SW1A 1AA' } })
  expect(read?.leftOut).toEqual([])
})
