import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestBank, type Reply, type TestBank } from '../../../test/support/harness.ts'
import { makePayer, type Payer, pay } from '../../../test/support/ledger.ts'

interface Entry {
  sequence: number
  id: string
  requestId: string
  operation: string
  path: string
  query: string | null
  status: number
  code: string | null
  apiKeyId: string
  idempotencyKey: string | null
  replayed: boolean
}

let bank: TestBank
let payer: Payer
beforeAll(async () => {
  bank = await openTestBank()
  payer = await makePayer(bank, 1_000_00)
})
afterAll(() => bank.close())

/** Lists as a tool does, so that the list does not show itself. */
const get = (query: string, options: { key?: string } = {}): Promise<Reply> =>
  bank.call('GET', `/v0/requests?${query}`, { headers: { 'x-purser-tool': 'test' }, ...options })

const list = async (query: string, options: { key?: string } = {}): Promise<Entry[]> => {
  const { status, text, json } = await get(query, options)
  expect(status, text).toBe(200)
  return json.data
}

const head = async () => (await list('sort=-sequence&limit=1'))[0]?.sequence ?? 0

describe('The list of requests', () => {
  test('shows a request with its answer, in the order of the answers', async () => {
    const after = await head()
    const headers = { 'idempotency-key': 'list-1', 'x-request-id': 'mine' }
    await pay(bank, payer, { amount: 1_00 }, { headers })
    await pay(bank, payer, { amount: 1_00 }, { headers })
    await pay(bank, payer, { amount: 9_999_999_00 })
    await bank.call('GET', '/v0/banking/payments?limit=2&status=Sent')
    const entries = await list(`after=${after}`)
    expect(entries).toEqual([
      {
        sequence: after + 1,
        id: expect.stringMatching(new RegExp(`^req_\\d+_${after + 1}_[0-9a-f]{8}$`)),
        requestId: 'mine',
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        operation: 'createPayment',
        method: 'POST',
        path: `/v0/banking/accounts/${payer.accountId}/payments`,
        query: null,
        status: 201,
        code: null,
        ms: expect.any(Number),
        apiKeyId: expect.stringMatching(/^\d{7,}$/),
        idempotencyKey: 'list-1',
        replayed: false,
      },
      expect.objectContaining({ status: 201, idempotencyKey: 'list-1', replayed: true }),
      expect.objectContaining({ status: 422, code: 'insufficient_funds', idempotencyKey: null }),
      expect.objectContaining({ operation: 'listPayments', query: 'limit=2&status=Sent', status: 200 }),
    ])
    expect(new Set(entries.map(({ id }) => id)).size).toBe(4)
  })

  test('shows every kind of answer: 204, 304, 400, 403, 404, a deprecated alias and HEAD', async () => {
    const after = await head()
    const account = `/v0/banking/accounts/${payer.accountId}`
    const { headers } = await bank.call('GET', account)
    await bank.call('GET', account, { headers: { 'if-none-match': String(headers.etag) } })
    await bank.call('HEAD', account)
    await bank.call('GET', '/v0/banking/accounts/9999999')
    await bank.call('GET', '/v0/banking/accounts?surprise=1')
    await bank.call('POST', '/v0/banking/accounts', { raw: '{"customerId": ' })
    await bank.call('GET', account, { key: await bank.makeKey('first', ['rewards:read']) })
    const created = await bank.call('POST', '/v0/api-keys', { body: { name: 'Short' } })
    await bank.call('DELETE', `/v0/api-keys/${created.json.data.id}`)
    await bank.call('GET', `/v0/banking/customers/${payer.customerId}/token-verification`)
    const shown = (await list(`after=${after}`)).map(({ operation, status, code }) => [operation, status, code])
    expect(shown).toEqual([
      ['getAccount', 200, null],
      ['getAccount', 304, null],
      ['getAccount', 200, null],
      ['getAccount', 404, 'account_not_found'],
      ['listAccounts', 400, 'invalid_request'],
      ['createAccount', 400, 'invalid_request'],
      ['getAccount', 403, 'forbidden'],
      ['createApiKey', 201, null],
      ['deleteApiKey', 204, null],
      ['createVerificationToken', 201, null],
    ])
  })

  test('filters by status, operation, code, key, idempotency key and request id', async () => {
    const key = await bank.makeKey('first', null)
    const after = await head()
    await pay(bank, payer, { amount: 1_00 }, { headers: { 'idempotency-key': 'filter-1' } })
    const body = { amount: 1, counterpartyAccountId: payer.externalAccountId, description: 'x', originalType: 'ACH' }
    const quoted = { 'idempotency-key': '"filter 2"'.replace(' ', '-') }
    await bank.call('POST', `/v0/banking/accounts/${payer.accountId}/payments`, { body, headers: quoted })
    await bank.call('POST', `/v0/banking/accounts/${payer.accountId}/payments`, {
      body: { ...body, idempotencyKey: 'filter-3' },
    })
    await bank.call('GET', '/v0/banking/accounts/9999999', { key, headers: { 'x-request-id': 'odd' } })
    const found = async (query: string) =>
      (await list(`after=${after}&${query}`)).map(({ sequence }) => sequence - after)
    expect(await found('status=201')).toEqual([1, 2, 3])
    expect(await found('status=2xx')).toEqual([1, 2, 3])
    expect(await found('status=4XX')).toEqual([4])
    expect(await found('status=404')).toEqual([4])
    expect(await found('status=5xx')).toEqual([])
    expect(await found('operation=getAccount')).toEqual([4])
    expect(await found('operation=none')).toEqual([])
    expect(await found('code=account_not_found')).toEqual([4])
    expect(await found('idempotencyKey=filter-1')).toEqual([1])
    expect(await found('idempotencyKey=filter-2')).toEqual([2])
    expect(await found('idempotencyKey=filter-3')).toEqual([3])
    expect(await found('requestId=odd')).toEqual([4])
    const [{ apiKeyId = '' } = {}] = await list(`after=${after}&code=account_not_found`)
    expect(await found(`apiKeyId=${apiKeyId}`)).toEqual([4])
    expect(await found('status=2xx&operation=createPayment&idempotencyKey=filter-3')).toEqual([3])
    for (const status of ['600', '4x', '4xxx', 'xx', '04']) expect((await get(`status=${status}`)).status).toBe(400)
  })

  test('is read page by page in both directions', async () => {
    const after = await head()
    for (let count = 0; count < 5; count++) await bank.call('GET', '/v0/banking/accounts?limit=1')
    const pages = async (query: string) => {
      const seen: number[][] = []
      for (let url: string | undefined = query; url !== undefined; ) {
        const { json, headers } = await get(url)
        seen.push(json.data.map(({ sequence }: Entry) => sequence - after))
        url = /<\/v0\/requests\?(.*)>; rel="next"/.exec(String(headers.link))?.[1]
      }
      return seen
    }
    expect(await pages(`after=${after}&limit=2`)).toEqual([[1, 2], [3, 4], [5]])
    expect(await pages(`after=${after}&limit=2&sort=-sequence`)).toEqual([[5, 4], [3, 2], [1]])
    expect(await pages(`after=${after}&before=${after + 4}`)).toEqual([[1, 2, 3]])
    expect(await pages(`after=${after + 1}&before=${after + 4}&sort=-sequence`)).toEqual([[3, 2]])
  })

  test('leaves out requests of tools, without a working key, to no operation, and long polls of itself', async () => {
    const after = await head()
    await bank.call('GET', '/v0/banking/accounts', { headers: { 'x-purser-tool': 'console' } })
    await bank.call('GET', '/v0/banking/accounts', { key: 'no-such-key-at-all' })
    await bank.call('GET', '/v0/nothing')
    await bank.call('PUT', '/v0/banking/accounts')
    await bank.call('GET', '/livez')
    await bank.call('GET', `/v0/requests?after=${after}&wait=1`)
    expect(await list(`after=${after}`)).toEqual([])
    await bank.call('GET', `/v0/requests?after=${after}`)
    expect((await list(`after=${after}`)).map(({ operation }) => operation)).toEqual(['listRequests'])
  })

  test('shows no requests of another organisation', async () => {
    await bank.call('GET', '/v0/banking/accounts', { key: bank.otherKey, headers: { 'x-request-id': 'theirs' } })
    expect(await list('requestId=theirs')).toEqual([])
    expect((await list('requestId=theirs', { key: bank.otherKey })).length).toBe(1)
  })

  test('hides the values of parameters with the name of a secret, and cuts long addresses', async () => {
    const after = await head()
    await bank.call('GET', '/v0/banking/accounts?apiKey=abc&limit=1&access_token=xyz')
    await bank.call('GET', `/v0/banking/accounts?tags=${'x'.repeat(30_000)}`)
    const [secret, long] = await list(`after=${after}`)
    expect(secret?.query).toBe('apiKey=[redacted]&limit=1&access_token=[redacted]')
    expect(`${long?.path}?${long?.query}`.length).toBe(2_048)
  })

  test('refuses combinations without a meaning', async () => {
    for (const [query, parameter] of [
      ['wait=1&sort=-sequence', 'wait'],
      ['wait=1&before=9', 'wait'],
      ['after=latest&sort=-sequence', 'after'],
      ['after=latest&before=9', 'after'],
    ]) {
      const { status, json } = await get(query ?? '')
      expect([status, json.errors[0].parameter, json.errors[0].code], query).toEqual([400, parameter, 'conflict'])
    }
    expect((await get('after=last')).json.errors[0]).toMatchObject({ parameter: 'after', code: 'wrong_type' })
  })

  test('is 501 in live mode, and the document of the service does not have it', async () => {
    const live = await openTestBank({ mode: 'live' })
    try {
      for (const path of ['/v0/requests', '/v0/requests/req_1_1_1']) {
        const { status, json } = await live.call('GET', path)
        expect([status, json.code]).toEqual([501, 'not_supported_by_provider'])
      }
      const { json } = await live.call('GET', '/openapi.json', { key: null })
      expect(Object.keys(json.paths)).not.toContain('/v0/requests')
    } finally {
      await live.close()
    }
  })
})

describe('A long poll for requests', () => {
  let polled: TestBank
  let closed: Promise<void> | undefined
  const close = () => (closed ??= polled.close())
  beforeEach(async () => {
    polled = await openTestBank({ maxRequests: 1, requestLog: { maxWaiting: 4 } })
    closed = undefined
  })
  afterEach(close)

  const call = (query: string, path = '/v0/requests') =>
    polled.call('GET', `${path}?${query}`, { headers: { 'x-purser-tool': 'test' } })
  /** Resolves when the call that came last waits: one request in progress would be the limit, and it came first. */
  const begunToWait = () => expect.poll(async () => (await call('', '/v0/me')).status).toBe(200)
  const sequencesOf = ({ json }: Reply): number[] => json.data.map(({ sequence }: Entry) => sequence)
  /** The number of a request, which is the latest. */
  const headOf = async () => {
    await polled.call('GET', '/v0/banking/accounts')
    return sequencesOf(await call('sort=-sequence&limit=1'))[0] ?? 0
  }

  test('is answered at the next request that fits', async () => {
    const after = await headOf()
    const waiting = call(`after=${after}&status=404&wait=20`)
    await begunToWait()
    await polled.call('GET', '/v0/banking/accounts')
    await polled.call('GET', '/v0/banking/accounts/9999999')
    expect(sequencesOf(await waiting)).toEqual([after + 2])
  })

  test('from the latest request leads on from there, also when nothing came', async () => {
    const after = await headOf()
    const empty = await call('after=latest&wait=1')
    expect([empty.json.data, empty.headers.link]).toEqual([[], `</v0/requests?after=${after}&wait=1>; rel="next"`])
    const waiting = call('after=latest&wait=30&limit=5')
    await begunToWait()
    await polled.call('GET', '/v0/banking/accounts')
    expect(sequencesOf(await waiting)).toEqual([after + 1])
    expect((await waiting).headers.link).toBe(`</v0/requests?after=${after + 1}&wait=30&limit=5>; rel="next"`)
  })

  test('of many is bounded, and ends when the service stops', async () => {
    const waiting: Promise<Reply>[] = []
    for (let number = 0; number < 2; number++) {
      waiting.push(call('after=latest&wait=20'))
      await begunToWait()
    }
    const refused = await call('after=latest&wait=20')
    expect([refused.status, refused.json.code]).toEqual([503, 'unavailable'])
    const closing = close()
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200])
    await closing
  })
})
