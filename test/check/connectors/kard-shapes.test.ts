import { Writable } from 'node:stream'
import { pino } from 'pino'
import { Compile } from 'typebox/compile'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { listLocalOffers } from '../../../src/rewards/offers/list-local-offers.ts'
import { listNationalOffers } from '../../../src/rewards/offers/list-national-offers.ts'
import { type FakeKard, type KardRecord, openFakeKard } from '../../support/fakes/kard.ts'
import { kardNotification, legacyNotification, notificationTypes } from '../../support/fakes/kard-notifications.ts'
import {
  addToKard,
  currentLocation,
  currentOffer,
  legacyLocation,
  legacyOnlineOffer,
} from '../../support/fakes/kard-records.ts'
import { misfitOf, misfitOfNotification } from '../../support/fakes/kard-shapes.ts'
import { localOffer, nationalOffer } from '../../support/offers.ts'
import { type KardApiName, kardApis, type OpenedKard, openKardRewards } from '../../support/rewards-providers.ts'

const shop = localOffer({ redeemableOnce: true, category: 'Pets', minimumSpend: 5_00, maximumReward: 20_00 })
const online = nationalOffer({ redeemableOnce: true, category: 'Pets', minimumSpend: 5_00, maximumReward: 20_00 })

/** A record in the form of one API, with other members. Undefined takes a member away. */
interface Form {
  online(own?: KardRecord): KardRecord
  shop(own?: KardRecord, ofOffer?: KardRecord): KardRecord
  bodyOf(kind: 'online' | 'shop', records: KardRecord[], ofOffer?: KardRecord): unknown
}

const category = {
  type: 'category',
  id: currentOffer(shop).relationships.category.data[0].id,
  attributes: { name: 'Pets' },
}
const forms: Record<KardApiName, Form> = {
  current: {
    online: (own) => currentOffer(online, own),
    shop: (own) => currentLocation(shop, own),
    bodyOf: (kind, data, ofOffer) => ({
      data,
      included: kind === 'shop' ? [currentOffer(shop, ofOffer), category] : [category],
      links: { self: '/' },
    }),
  },
  legacy: {
    online: (own) => legacyOnlineOffer(online, own),
    shop: (own, ofOffer) => {
      const record = legacyLocation(shop, own)
      return { ...record, offers: record.offers.map((offer: KardRecord) => ({ ...offer, ...ofOffer })) }
    },
    bodyOf: (_kind, records) => records,
  },
}

/** Members of an offer that each description allows, and whether the offer is shown with them. */
const offerShapes: Record<KardApiName, [name: string, own: KardRecord, isShown: boolean][]> = {
  current: [
    [
      'all members',
      { minRewardAmount: { type: 'CENTS', value: 1 }, maxTransactionAmount: { type: 'CENTS', value: 100_00 } },
      true,
    ],
    [
      'the required members alone',
      {
        maxRedemptions: undefined,
        minTransactionAmount: undefined,
        maxRewardAmount: undefined,
        websiteUrl: undefined,
        description: undefined,
      },
      true,
    ],
    [
      'null in every optional member',
      { maxRedemptions: null, minTransactionAmount: null, maxRewardAmount: null, websiteUrl: null, description: null },
      true,
    ],
    ['members that are added later', { components: { tags: ['new'] }, boost: { value: 5 } }, true],
    ['both channels', { purchaseChannel: ['INSTORE', 'ONLINE'] }, true],
    ['no channel', { purchaseChannel: [] }, false],
    ['no assets', { assets: [] }, true],
    ['several redemptions', { maxRedemptions: 3 }, true],
    ['a flat amount', { userReward: { type: 'FLAT', value: 5 } }, false],
    ['a percentage of many digits', { userReward: { type: 'PERCENT', value: 5.7333333 } }, true],
    ['zero percent', { userReward: { type: 'PERCENT', value: 0 } }, true],
    ['no expiry', { expirationDate: null }, true],
    ['a targeted audience', { isTargeted: true }, true],
    ['empty texts', { terms: '', description: '', websiteUrl: '' }, true],
  ],
  legacy: [
    [
      'all members',
      {
        imgUrl: 'https://a.example',
        bannerImgUrl: 'https://b.example',
        minRewardAmount: 1,
        maxTransactionAmount: 100_00,
      },
      true,
    ],
    [
      'the required members alone',
      { issuersCommission: undefined, minTransactionAmount: undefined, maxRewardAmount: undefined },
      true,
    ],
    ['null in every optional member', { minTransactionAmount: null, maxRewardAmount: null, imgUrl: null }, true],
    ['members that are added later', { components: { tags: ['new'] }, boost: { value: 5 } }, true],
    ['no commission for the user', { usersCommission: undefined }, false],
    ['null as the commission for the user', { usersCommission: null }, false],
    ['a flat amount', { commissionType: 'FLAT', usersCommission: 5 }, false],
    ['a percentage of many digits', { usersCommission: 5.7333333 }, true],
    ['zero percent', { usersCommission: 0 }, true],
    ['no expiry', { expirationDate: null }, true],
    ['a targeted audience', { isTargeted: true }, true],
    ['empty texts', { terms: '', name: '' }, true],
  ],
}

/** Members of a shop that each description allows. */
const shopShapes: Record<KardApiName, [name: string, own: KardRecord][]> = {
  current: [
    [
      'hours as times alone',
      {
        operationHours: {
          periods: [{ open: { day: 1, time: '0900' }, close: { day: 1, time: '1700' } }],
          weekdayText: [],
        },
      },
    ],
    ['no hours', { operationHours: { periods: [], weekdayText: [] } }],
    ['null as hours and phone', { operationHours: null, phone: null }],
    ['an id of a partner', { partnerIds: [{ type: 'google', id: 'place' }] }],
    ['a ZIP+4', { address: { street: '1 Sample Street', city: 'New York', state: 'NY', zipCode: '10001-1234' } }],
    ['members that are added later', { rating: 5 }],
  ],
  legacy: [
    ['hours of one day', { operationHours: { MONDAY: '9 - 5' } }],
    ['no hours', { operationHours: undefined }],
    ['null as hours and phone', { operationHours: null, phone: null }],
    ['a national merchant', { source: 'NATIONAL', googleId: 'place' }],
    ['members that are added later', { rating: 5 }],
  ],
}

/** Members that no description allows: the record is left out. */
const oddShapes: Record<KardApiName, { offer: KardRecord; shop: KardRecord }> = {
  current: { offer: { purchaseChannel: 'ONLINE' }, shop: { coordinates: { latitude: '40', longitude: null } } },
  legacy: { offer: { usersCommission: '5' }, shop: { geoLocation: { latitude: '40', longitude: null } } },
}

const answers = { shop: Compile(listLocalOffers.data), online: Compile(listNationalOffers.data) }
const lists = {
  shop: ['R1', '/v0/rewards/reward-offers/local-reward-offers?userId=7&page=0&zipCode=10001', 'localRewardOffers'],
  online: ['R2', '/v0/rewards/reward-offers/national-reward-offers?userId=7&page=0', 'nationalRewardOffers'],
} as const

describe.each(kardApis)('An answer from the %s API of Kard', (api) => {
  let opened: OpenedKard
  let lines: string[] = []
  beforeAll(async () => {
    const stream = new Writable({
      write(line, _encoding, done) {
        lines.push(String(line))
        done()
      },
    })
    const settings = { rememberMs: 0, log: pino(stream), ...(api === 'legacy' && { organizationId: undefined }) }
    opened = await openKardRewards([], settings)
  })
  afterEach(() => {
    opened.fake.instead = {}
    lines = []
  })
  afterAll(() => opened.close())

  async function listed(kind: 'online' | 'shop', body: unknown) {
    opened.fake.instead = { api: () => ({ status: 200, body }) }
    const [, path, member] = lists[kind]
    const { status, json, headers } = await opened.bank.call('GET', path)
    expect(status, JSON.stringify(json)).toBe(200)
    expect(answers[kind].Errors(json.data)).toEqual([])
    return { offers: json.data[member] as KardRecord[], omitted: headers['omitted-records'] }
  }

  test.each(offerShapes[api])('with %s in an offer becomes R1 and R2 of our own form', async (_name, own, isShown) => {
    const channels = Object.hasOwn(own, 'purchaseChannel') ? {} : { purchaseChannel: ['INSTORE', 'ONLINE'] }
    const members = api === 'current' ? { ...channels, ...own } : own
    const national = await listed('online', forms[api].bodyOf('online', [forms[api].online(members)]))
    const local = await listed('shop', forms[api].bodyOf('shop', [forms[api].shop({}, members)], members))
    for (const { offers, omitted } of [national, local]) {
      expect([offers.length, omitted]).toEqual([isShown ? 1 : 0, undefined])
    }
  })

  test.each(shopShapes[api])('with %s in a shop becomes R1 of our own form', async (_name, own) => {
    const { offers, omitted } = await listed('shop', forms[api].bodyOf('shop', [forms[api].shop(own)]))
    expect([offers.length, omitted]).toEqual([1, undefined])
  })

  test.each(['online', 'shop'] as const)('with an odd record among good ones lists the good ones: %s', async (kind) => {
    const { offer, shop: place } = oddShapes[api]
    const odd = kind === 'online' ? forms[api].online(offer) : forms[api].shop(place)
    const good = kind === 'online' ? forms[api].online() : forms[api].shop()
    const { offers, omitted } = await listed(kind, forms[api].bodyOf(kind, [odd, null as never, good]))
    expect([offers.length, omitted]).toEqual([1, '2'])
    const [line] = lines.map((text) => JSON.parse(text))
    expect(line).toMatchObject({ upstream: 'Kard', omitted: 2, msg: 'upstream records are left out' })
    expect(line.path).not.toContain('?')
    expect(line.records).toHaveLength(2)
  })

  test.each(['online', 'shop'] as const)('without records is an empty list: %s', async (kind) => {
    expect(await listed(kind, forms[api].bodyOf(kind, []))).toEqual({ offers: [], omitted: undefined })
  })
})

describe("The fake of Kard follows Kard's descriptions", () => {
  let fake: FakeKard
  let authorization: string
  beforeAll(async () => {
    fake = await openFakeKard()
    addToKard(fake, [shop, online, localOffer(), nationalOffer()])
    authorization = `Bearer ${(await tokenOf(fake.tokenUrl, 'grant_type=client_credentials')).body.access_token}`
  })
  afterAll(() => fake.close())

  async function tokenOf(url: string, body: string, credentials = `${fake.clientId}:${fake.clientSecret}`) {
    const basic = `Basic ${Buffer.from(credentials).toString('base64')}`
    const headers = { authorization: basic, 'content-type': 'application/x-www-form-urlencoded' }
    const reply = await fetch(url, { method: 'POST', headers, body })
    return { status: reply.status, body: (await reply.json()) as KardRecord }
  }

  test('in its tokens', async () => {
    const grant = 'grant_type=client_credentials'
    const replies = [
      await tokenOf(fake.tokenUrl, grant),
      await tokenOf(fake.tokenUrl, ''),
      await tokenOf(`${fake.tokenUrl}?${grant}`, ''),
      await tokenOf(fake.tokenUrl, grant, 'somebody:else'),
      await tokenOf(`${fake.formerTokenUrl}?${grant}`, ''),
      await tokenOf(fake.formerTokenUrl, grant),
    ]
    expect(replies.map(({ status }) => status)).toEqual([200, 400, 400, 401, 200, 400])
    expect(fake.misfits).toEqual([])
  })

  const userPath = '/v2/issuers/organization-123/users/7'
  const near = '&filter[latitude]=40.7484&filter[longitude]=-73.9967&filter[radius]=10'
  test.each([
    [200, `${userPath}/offers`],
    [200, `${userPath}/offers?include=categories&page[size]=1&filter[purchaseChannel]=ONLINE`],
    [200, `${userPath}/offers?filter[category]=Pets`],
    [400, `${userPath}/offers?page[size]=0`],
    [400, `${userPath}/offers?page=0`],
    [400, `${userPath}/offers?filter[category]=Groceries`],
    [200, `${userPath}/locations`],
    [200, `${userPath}/locations?include=offers,categories${near}`],
    [200, `${userPath}/locations?include=offers&page[size]=1${near}`],
    [400, `${userPath}/locations?filter[radius]=x`],
    [404, `${userPath.replace('123', '456')}/offers`],
    [404, `${userPath}/rewards`],
    [200, '/rewards/merchant/offers/user/7?offerType=ONLINE&page=0&limit=1'],
    [200, '/rewards/merchant/locations/user/7?latitude=40.7484&longitude=-73.9967&radius=10&includeLocal=true'],
    [400, '/rewards/merchant/offers/user/7?limit=201'],
    [400, '/rewards/merchant/locations/user/7?radius=51'],
    [404, '/rewards/merchant'],
  ])('in its answer %i to %s', async (status, path) => {
    const reply = await fetch(`${fake.api.url}${path}`, { headers: { authorization } })
    expect([reply.status, fake.misfits]).toEqual([status, []])
    expect(reply.headers.get('content-type')).toBe('application/json')
    const body: unknown = await reply.json()
    expect(misfitOf(path.split('?')[0] ?? '', { status, body })).toBeUndefined()
    if (status === 200) expect(JSON.stringify(body)).toContain('id"')
  })

  test.each(['/v2/issuers/organization-123/users/7/offers', '/rewards/merchant/offers/user/7'])(
    'in its refusals on %s',
    async (path) => {
      expect((await fetch(`${fake.api.url}${path}`)).status).toBe(401)
      expect(fake.misfits).toEqual([])
      for (const fault of [400, 401, 500] as const) {
        fake.api.misbehave(fault)
        const reply = await fetch(`${fake.api.url}${path}`, { headers: { authorization } })
        expect(misfitOf(path, { status: reply.status, body: await reply.json() })).toBeUndefined()
      }
      fake.strangers.add('7')
      expect((await fetch(`${fake.api.url}${path}`, { headers: { authorization } })).status).toBe(404)
      expect(fake.misfits).toEqual([])
      fake.strangers.clear()
    },
  )

  test.each(notificationTypes)('in its notification %s', (type) => {
    for (const full of [false, true]) expect(misfitOfNotification(kardNotification(type, { full }))).toBeUndefined()
  })

  test('in its notifications of the legacy form', () => {
    for (const status of ['APPROVED', 'SETTLED']) {
      expect(misfitOfNotification(legacyNotification(status, '1'))).toBeUndefined()
    }
  })
})
