import { Writable } from 'node:stream'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { clock } from '../../../src/base/clock.ts'
import type { KardOptions } from '../../../src/connectors/kard/kard.ts'
import type { LocalOffer } from '../../../src/rewards/offers/offer.ts'
import { openFakeKard } from '../../support/fakes/kard.ts'
import { addToKard } from '../../support/fakes/kard-records.ts'
import type { FakeCall } from '../../support/fakes/server.ts'
import { localOffer, merchant, milesNorth, nationalOffer, newYork } from '../../support/offers.ts'
import { type KardApiName, kardApis, type OpenedKard, openKardRewards } from '../../support/rewards-providers.ts'

const opened: OpenedKard[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
})

/** Short timeouts, and no cache unless the test is about it. */
async function open(offers = [localOffer(), nationalOffer()], own: Partial<KardOptions> = {}): Promise<OpenedKard> {
  const settings = { callMs: 600, totalMs: 3_000, rememberMs: 0, ...own }
  const one = await openKardRewards(offers, settings)
  opened.push(one)
  return one
}

/** Time limits that a busy machine does not reach: an attempt that takes too long is repeated, and would be counted twice. */
const unhurried = { callMs: 60_000, totalMs: 60_000 }

/** A log of all levels, and its lines. */
function keptLog() {
  const lines: string[] = []
  const stream = new Writable({
    write(line, _encoding, done) {
      lines.push(String(line))
      done()
    },
  })
  return { log: pino({ level: 'trace' }, stream), lines }
}

const settingsOf = (api: KardApiName): Partial<KardOptions> => (api === 'legacy' ? { organizationId: undefined } : {})

const local = ({ bank }: OpenedKard, query = '') =>
  bank.call('GET', `/v0/rewards/reward-offers/local-reward-offers?userId=7&page=0&zipCode=10001${query}`)
const national = ({ bank }: OpenedKard, query = '&userId=7&page=0') =>
  bank.call('GET', `/v0/rewards/reward-offers/national-reward-offers?${query}`)

describe('The token for Kard', () => {
  test('is fetched once for concurrent calls and kept', async () => {
    const one = await open(undefined, unhurried)
    const replies = await Promise.all(Array.from({ length: 8 }, () => national(one)))
    expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(200))
    await local(one)
    expect(one.fake.tokens.calls).toHaveLength(1)
    expect(one.fake.api.calls[0]?.headers.authorization).toBe('Bearer token-1')
  })

  test('is requested by a form with Basic credentials', async () => {
    const one = await open()
    expect((await national(one)).status).toBe(200)
    const [call] = one.fake.tokens.calls
    expect([call?.method, call?.path, call?.query.size, call?.body.toString()]).toEqual([
      'POST',
      '/v2/auth/token',
      0,
      'grant_type=client_credentials',
    ])
    expect(call?.headers).toMatchObject({
      'content-type': 'application/x-www-form-urlencoded',
      authorization: `Basic ${Buffer.from(`${one.fake.clientId}:${one.fake.clientSecret}`).toString('base64')}`,
    })
  })

  test('is requested by the query from the former token host', async () => {
    const fake = await openFakeKard()
    const one = await open([], { token: 'query', tokenUrl: fake.formerTokenUrl, url: fake.api.url })
    expect((await national(one)).status).toBe(200)
    const [call] = fake.tokens.calls
    expect([call?.path, call?.query.get('grant_type'), call?.body.length]).toEqual([
      '/oauth2/token',
      'client_credentials',
      0,
    ])
    await fake.close()
  })

  test.each([
    ['form', 'unsupported_grant_type'],
    ['query', 'Bad Request: grant_type is required in the form'],
  ] as const)('is not issued if the other way than %s is expected', async (token, message) => {
    const fake = await openFakeKard()
    const tokenUrl = token === 'form' ? fake.formerTokenUrl : fake.tokenUrl
    const one = await open([], { token, tokenUrl })
    const { status, json } = await national(one)
    expect([status, json.code]).toEqual([502, 'upstream_error'])
    expect(json.detail).toMatch(/^Kard's token host refused the credentials/)
    expect(json.errors).toEqual([{ code: 'kard', message }])
    await fake.close()
  })

  test('is fetched again before it expires', async () => {
    const one = await open(undefined, unhurried)
    one.fake.tokenSeconds = 100
    await national(one)
    const elapsedMs = clock.elapsedMs.bind(clock)
    const spy = vi.spyOn(clock, 'elapsedMs').mockImplementation(() => elapsedMs() + 90_000)
    await national(one).finally(() => spy.mockRestore())
    expect(one.fake.tokens.calls).toHaveLength(2)
    expect(one.fake.api.calls.map(({ headers }) => headers.authorization)).toEqual(['Bearer token-1', 'Bearer token-2'])
  })

  test('is fetched again once for all calls after an early refusal', async () => {
    const one = await open(undefined, unhurried)
    await national(one)
    one.fake.revokeTokens()
    const replies = await Promise.all(Array.from({ length: 5 }, () => national(one)))
    expect(replies.map(({ status }) => status)).toEqual(Array(5).fill(200))
    expect(one.fake.tokens.calls).toHaveLength(2)
  })

  test('causes 502 when it is refused twice', async () => {
    const one = await open()
    one.fake.api.misbehave(401, 401)
    const { status, json } = await national(one)
    expect([status, json.code, json.errors]).toEqual([
      502,
      'upstream_error',
      [{ code: 'kard', message: 'Unauthorized: status 401' }],
    ])
    expect(one.fake.api.calls).toHaveLength(2)
    expect((await national(one)).status).toBe(200)
  })

  test.each(['clientId', 'clientSecret'])('cannot be fetched with a wrong %s', async (name) => {
    const one = await open([], { [name]: 'something-wrong' })
    const { status, json, text } = await national(one)
    expect([status, json.code]).toEqual([502, 'upstream_error'])
    expect(json.detail).toMatch(/refused the credentials/)
    expect(text).not.toContain('something-wrong')
    expect(one.fake.api.calls).toEqual([])
  })

  test.each([400, 401, 403])('that is refused with %i says why, without the credentials', async (status) => {
    const one = await open()
    const basic = Buffer.from(`${one.fake.clientId}:${one.fake.clientSecret}`).toString('base64')
    const errors = ['no such client', `not ${one.fake.clientSecret}`, `not ${basic}`]
    one.fake.instead.token = { status, body: { errors } }
    const { json } = await national(one)
    expect(json.errors.map(({ message }: { message: string }) => message)).toEqual([
      'no such client',
      'not ***',
      'not ***',
    ])
  })

  test.each([
    [500, 502],
    ['drop', 502],
    ['garbage', 502],
    ['slow', 504],
    [{ status: 404, body: 'Not Found' }, 502],
    [429, 503],
  ] as const)('whose host answers with %s for good: %i, and the problem names this host', async (fault, status) => {
    const one = await open()
    one.fake.tokens.misbehave(...Array(4).fill(fault))
    const { status: answered, json } = await national(one)
    expect(answered).toBe(status)
    expect(json.detail).toMatch(/^Kard's token host /)
    expect(one.fake.api.calls).toEqual([])
  })
})

describe('Kard as an upstream that fails', () => {
  test.each([500, 503, 429, 'drop'] as const)('once with %s is called again', async (fault) => {
    const one = await open()
    one.fake.api.misbehave(fault)
    const { status, json } = await national(one)
    expect([status, json.data.nationalRewardOffers.length]).toEqual([200, 1])
    expect(one.fake.api.calls).toHaveLength(2)
  })

  test.each([
    [500, 502, 'upstream_error'],
    [503, 503, 'upstream_unavailable'],
    [429, 503, 'upstream_unavailable'],
    ['drop', 502, 'upstream_error'],
    ['garbage', 502, 'upstream_error'],
    ['slow', 504, 'upstream_timeout'],
  ] as const)('with %s for good: %i %s, within its budget', async (fault, status, code) => {
    const one = await open()
    await national(one)
    one.fake.api.misbehave(...Array(8).fill(fault))
    const startedMs = clock.elapsedMs()
    const { status: answered, json, headers } = await national(one)
    expect([answered, json.code, json.type]).toEqual([status, code, `/docs/errors#${code}`])
    expect(clock.elapsedMs() - startedMs).toBeLessThan(10_000)
    if (status === 503) expect(headers['retry-after']).toBe('1')
  })

  test('to answer in time is not waited for longer because it was asked twice', async () => {
    const one = await open(undefined, { callMs: 30_000, totalMs: 2_000 })
    await national(one)
    one.fake.api.delay(1_200)
    const { status } = await local(one)
    expect([status, one.fake.api.calls.length]).toEqual([504, 3])
  })

  test('repeatedly is not called while the circuit is open', async () => {
    const one = await open()
    one.fake.api.misbehave(...Array(20).fill(500))
    for (let time = 0; time < 3; time++) await national(one)
    const before = one.fake.api.calls.length
    const { status, json, headers } = await national(one)
    expect([status, json.code, headers['retry-after']]).toEqual([503, 'upstream_unavailable', '1'])
    expect(one.fake.api.calls).toHaveLength(before)
  })

  test.each([
    ['current', 'Bad Request: status 400'],
    ['legacy', 'status 400'],
  ] as const)('with a refusal by the %s API passes its reason on', async (api, message) => {
    const one = await open(undefined, settingsOf(api))
    one.fake.api.misbehave(400)
    const { status, json } = await national(one)
    expect([status, json.code, json.errors]).toEqual([422, 'refused_by_provider', [{ code: 'kard', message }]])
  })

  test.each([
    ['api', 400, '/v2/issuers/organization-123/users/7/offers', 'Kard'],
    ['api', 404, '/v2/issuers/organization-123/users/7/offers', 'Kard'],
    ['api', 403, '/v2/issuers/organization-123/users/7/offers', 'Kard'],
    ['tokens', 400, '', "Kard's token host"],
  ] as const)(
    'with a refusal by its host of %s (%i) is logged once, with the reason',
    async (host, status, path, upstream) => {
      const { log, lines } = keptLog()
      const one = await open(undefined, { log })
      const body = { errors: [{ status: String(status), title: 'Refused', detail: `not ${one.fake.clientSecret}` }] }
      one.fake[host].misbehave({ status, body })
      await national(one)
      const expected = { upstream, path, status, reasons: ['Refused: not ***'], msg: 'upstream call was refused' }
      expect(lines.map((line) => JSON.parse(line))).toEqual([expect.objectContaining(expected)])
    },
  )

  test('and repeats our secrets does not leak them', async () => {
    const { log, lines } = keptLog()
    const one = await open(undefined, { log })
    const basic = Buffer.from(`${one.fake.clientId}:${one.fake.clientSecret}`).toString('base64')
    one.fake.repeats = ['token-1', one.fake.clientSecret, basic]
    const { status, text } = await national(one)
    expect(status).toBe(422)
    one.fake.repeats = []
    one.fake.api.misbehave(...Array(4).fill(500))
    const broken = await national(one)
    expect(lines.length).toBeGreaterThan(0)
    for (const secret of ['token-1', one.fake.clientSecret, basic]) {
      expect([...lines, text, broken.text].join('\n')).not.toContain(secret)
    }
  })
})

describe('The request to the current API of Kard', () => {
  const base = '/v2/issuers/organization-123/users'

  test('contains the centre of the ZIP code and the radius, and includes offers and categories', async () => {
    const one = await open()
    await local(one, '&radius=20&sort=commission')
    expect(one.fake.api.calls.map(({ path, query }) => [path, Object.fromEntries(query)])).toEqual([
      [
        `${base}/7/locations`,
        {
          'filter[latitude]': '40.7484',
          'filter[longitude]': '-73.9967',
          'filter[radius]': '20',
          include: 'offers,categories',
          'page[size]': '200',
        },
      ],
    ])
  })

  test('contains the channel, and a category that Kard knows', async () => {
    const one = await open()
    await national(one, '&userId=7&page=0&category=PETS')
    expect(one.fake.api.calls.map(({ path, query }) => [path, Object.fromEntries(query)])).toEqual([
      [
        `${base}/7/offers`,
        {
          'filter[purchaseChannel]': 'ONLINE',
          'filter[category]': 'Pets',
          include: 'categories',
          'page[size]': '200',
        },
      ],
    ])
  })

  test('follows cursors page by page, once for all following pages', async () => {
    const one = await open(
      Array.from({ length: 450 }, () => nationalOffer()),
      { rememberMs: 10_000 },
    )
    expect(await pagesOf(one)).toEqual([
      [200, 1],
      [200, 2],
      [50, null],
    ])
    const cursors = one.fake.api.calls.map(({ query }) => query.get('page[after]'))
    expect(cursors).toEqual([null, expect.stringMatching(/=$/), expect.stringMatching(/=$/)])
    await national(one, 'userId=8&page=0')
    expect(one.fake.api.calls).toHaveLength(6)
  })
})

describe('The request to the legacy API of Kard', () => {
  test('contains the centre of the ZIP code and the radius, and includes local shops', async () => {
    const one = await open(undefined, settingsOf('legacy'))
    await local(one, '&radius=20&sort=commission')
    expect(one.fake.api.calls.map(({ path, query }) => [path, Object.fromEntries(query)])).toEqual([
      [
        '/rewards/merchant/locations/user/7',
        { latitude: '40.7484', longitude: '-73.9967', radius: '20', includeLocal: 'true', page: '0', limit: '200' },
      ],
    ])
  })

  test('contains the type of offer, and a category that Kard knows', async () => {
    const one = await open(undefined, settingsOf('legacy'))
    await national(one, '&userId=7&page=0&category=PETS')
    expect(one.fake.api.calls.map(({ path, query }) => [path, Object.fromEntries(query)])).toEqual([
      ['/rewards/merchant/offers/user/7', { offerType: 'ONLINE', category: 'Pets', page: '0', limit: '200' }],
    ])
  })

  test('fetches every page of a long list once for all following pages', async () => {
    const offers = Array.from({ length: 450 }, () => nationalOffer())
    const one = await open(offers, { rememberMs: 10_000, ...settingsOf('legacy') })
    expect(await pagesOf(one)).toEqual([
      [200, 1],
      [200, 2],
      [50, null],
    ])
    // The first page alone, then four at a time.
    expect(one.fake.api.calls.map(({ query }) => query.get('page')).toSorted()).toEqual(['0', '1', '2', '3', '4'])
    await national(one, 'userId=8&page=0')
    expect(one.fake.api.calls).toHaveLength(10)
  })
})

test('Requests to Kard and to its token host have the name and version of the service', async () => {
  const one = await open(undefined, { userAgent: 'Purser/1.2.3' })
  await national(one)
  const agents = [...one.fake.tokens.calls, ...one.fake.api.calls].map(({ headers }) => headers['user-agent'])
  expect(agents).toEqual(['Purser/1.2.3', 'Purser/1.2.3'])
})

/** The sizes of three pages that are requested at once, each with the number of the next one. */
async function pagesOf(one: OpenedKard): Promise<unknown[]> {
  const pages = [0, 1, 2].map((page) => national(one, `userId=7&pageSize=200&page=${page}`))
  return (await Promise.all(pages)).map(({ json }) => [json.data.nationalRewardOffers.length, json.data.nextPage])
}

describe.each(kardApis)('A list of the %s API of Kard', (api) => {
  const openApi = (offers?: Parameters<typeof open>[0], own: Partial<KardOptions> = {}) =>
    open(offers, { ...settingsOf(api), ...own })
  const categoryParameter = api === 'current' ? 'filter[category]' : 'category'
  const radiusParameter = api === 'current' ? 'filter[radius]' : 'radius'

  test('is filtered by Kard if it knows the category, and by us otherwise', async () => {
    const one = await openApi([
      nationalOffer({ merchant: merchant('Jetquill Pets'), category: 'Pets' }),
      nationalOffer({ merchant: merchant('Aurelvane'), category: 'Groceries' }),
    ])
    const shown = async (query: string) =>
      (await national(one, `&userId=7&page=0${query}`)).json.data.nationalRewardOffers
    expect(await shown('&category=PETS')).toHaveLength(1)
    expect(await shown('&category=groceries')).toHaveLength(1)
    expect(one.fake.api.calls.map(({ query }) => query.get(categoryParameter))).toEqual(['Pets', null])
  })

  test('is requested for the user id in encoded form; an unknown user has no offers', async () => {
    const one = await openApi()
    one.fake.strangers.add('nobody')
    const odd = await national(one, `page=0&userId=${encodeURIComponent('a/b?c=ü')}`)
    expect([odd.status, odd.json.data.nationalRewardOffers.length]).toEqual([200, 1])
    expect(one.fake.api.calls[0]?.path).toContain('/a%2Fb%3Fc%3D%C3%BC')
    const before = one.fake.api.calls.length
    for (const userId of ['.', '..']) {
      const { status, json } = await national(one, `page=0&userId=${userId}`)
      expect([status, json]).toEqual([200, { data: { nationalRewardOffers: [], nextPage: null } }])
    }
    expect(one.fake.api.calls).toHaveLength(before)
    expect((await national(one, 'page=0&userId=nobody')).json).toEqual({
      data: { nationalRewardOffers: [], nextPage: null },
    })
  })

  test('covers a quarter of the radius first, which may be enough for the nearest offers', async () => {
    const near = Array.from({ length: 25 }, (_, index) => localOffer({ geoLocation: milesNorth(newYork, index / 10) }))
    const far = Array.from({ length: 25 }, () => localOffer({ geoLocation: milesNorth(newYork, 9) }))
    const one = await openApi([...far, ...near])
    const first = await local(one)
    expect([first.json.data.localRewardOffers.length, first.json.data.nextPage]).toEqual([20, 1])
    const latitudes = first.json.data.localRewardOffers.map(({ geoLocation }: LocalOffer) => geoLocation.lat)
    expect(latitudes).toEqual(latitudes.toSorted())
    expect(one.fake.api.calls.map(({ query }) => query.get(radiusParameter))).toEqual(['3'])
    const second = await one.bank.call(
      'GET',
      '/v0/rewards/reward-offers/local-reward-offers?userId=7&page=1&zipCode=10001',
    )
    expect([second.json.data.localRewardOffers.length, second.json.data.nextPage]).toEqual([20, 2])
    expect(one.fake.api.calls.map(({ query }) => query.get(radiusParameter))).toEqual(['3', '3', '10'])
  })

  test('stops at 5,000 offers with a problem that says how to narrow the list', async () => {
    const one = await openApi([], { totalMs: 20_000, callMs: 10_000 })
    addToKard(
      one.fake,
      Array.from({ length: 4_999 }, () => nationalOffer()),
    )
    expect((await national(one)).status).toBe(200)
    addToKard(
      one.fake,
      Array.from({ length: 2 }, () => nationalOffer()),
    )
    const { status, json } = await national(one)
    expect([status, json.code, json.errors[0].parameter]).toEqual([400, 'invalid_request', 'category'])
    expect(json.detail).toMatch(/too many/)
  })
})

describe('An answer of Kard', () => {
  let one: OpenedKard
  beforeAll(async () => {
    one = await openKardRewards([], { rememberMs: 0 })
  })
  afterEach(() => {
    one.fake.instead = {}
  })
  afterAll(() => one.close())

  test.each([
    ['without a lifetime', { access_token: 'abc' }, 200],
    ['with other members', { access_token: 'abc', expires_in: 60, scope: 'rewards:read', token_type: 'Bearer' }, 200],
    ['without a token', { expires_in: 60 }, 502],
    ['with an empty token', { access_token: '', expires_in: 60 }, 502],
    ['with a lifetime in words', { access_token: 'abc', expires_in: 'an hour' }, 502],
    ['that is null', null, 502],
  ])('to a token request %s', async (_name, body, status) => {
    const accept = ({ headers }: FakeCall) =>
      headers.authorization === 'Bearer abc'
        ? { status: 200, body: { data: [], links: { self: '/' } } }
        : { status: 401, body: null }
    one.fake.instead = { token: { status: 200, body }, api: accept }
    expect((await national(one)).status).toBe(status)
    // The next test needs another token.
    one.fake.instead = { token: { status: 503, body: null }, api: () => ({ status: 401, body: null }) }
    expect((await national(one)).status).toBe(503)
  })

  test.each([401, 403, 405, 406, 409, 415])(
    'with status %i is not reported as a fault of the caller',
    async (status) => {
      const body = { errors: [{ status: String(status), title: 'Refused', detail: 'not this way' }] }
      one.fake.instead.api = () => ({ status, body })
      const { status: answered, json } = await national(one)
      expect([answered, json.code, json.errors]).toEqual([
        502,
        'upstream_error',
        [{ code: 'kard', message: 'Refused: not this way' }],
      ])
    },
  )

  test.each([400, 404, 422])('with status %i but without a reason is no answer about the user', async (status) => {
    for (const body of [Buffer.from('<html></html>'), Buffer.alloc(0), { message: 'Not Found' }]) {
      one.fake.instead.api = () => ({ status, body })
      const { status: answered, json } = await national(one)
      expect([answered, json.code]).toEqual([502, 'upstream_error'])
    }
  })

  test('with status 422 and a reason is a refusal', async () => {
    const errors = [{ status: '422', title: 'Unprocessable', detail: 'the user is not enrolled' }]
    one.fake.instead.api = () => ({ status: 422, body: { errors } })
    const { status, json } = await national(one)
    expect([status, json.code]).toEqual([422, 'refused_by_provider'])
  })

  /** Pages of the current API that are empty but for their links. */
  const linking = (next: () => unknown) => () => ({
    status: 200,
    body: { data: [], links: { self: '/x', next: next() } },
  })

  test.each([
    ['leads in a circle', '/x?page[after]=abc&page[size]=200', 502],
    ['has no cursor', '/x?page[size]=200', 502],
    ['has a cursor that cannot be decoded', '/x?page[after]=%E0%A4%A', 502],
    ['is null', null, 200],
    ['is empty', '', 200],
  ])('whose link to the next page %s', async (_name, next, status) => {
    one.fake.instead.api = linking(() => next)
    const before = one.fake.api.calls.length
    expect((await national(one)).status).toBe(status)
    expect(one.fake.api.calls.length - before).toBeLessThan(3)
  })

  test('may name another host: only the cursor is used, as Kard wrote it', async () => {
    const links = [
      'https://elsewhere.example/x?page%5Bafter%5D=a%2Bb%3D&sort=name',
      '/x?page[after]=a+c/=&page[size]=1?',
    ]
    one.fake.instead.api = linking(() => links.shift())
    const before = one.fake.api.calls.length
    expect((await national(one)).status).toBe(200)
    const sent = one.fake.api.calls.slice(before).map(({ query }) => query.get('page[after]'))
    expect(sent).toEqual([null, 'a+b=', 'a+c/='])
  })

  test('that always has a next page ends after 100 of them', async () => {
    let page = 0
    one.fake.instead.api = linking(() => `/x?page[after]=${page++}`)
    const { status, json } = await national(one)
    expect([status, json.errors[0].code, page]).toEqual([400, 'too_many', 100])
  })
})
