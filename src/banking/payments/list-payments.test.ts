import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { makeExternalAccount, makePayer, type Payer, pay, returnPayment } from '../../../test/support/ledger.ts'
import { verifyLedger } from '../../ledger/verify.ts'

let bank: TestBank
let ada: Payer
let grace: Payer
/** A second external account of Ada's. */
let landlord: string
/** Payments by a name of the test's own, in the order they were made. */
const made: Record<string, { id: string; createdAt: string }> = {}

const minute = (number: number) => `2026-01-31T12:0${number}:00.000Z`

beforeAll(async () => {
  bank = await openTestBank()
  ada = await makePayer(bank, 500_00)
  grace = await makePayer(bank, 500_00)
  landlord = await makeExternalAccount(bank, ada.customerId, { name: 'Land Lord' })
  async function send(name: string, payer: Payer, body: Record<string, unknown>) {
    const { status, text, json } = await pay(bank, payer, body)
    expect(status, text).toBe(201)
    const createdAt = minute(Object.keys(made).length)
    // Minutes apart, so that a boundary is one payment's own time.
    await bank.database.query('update payment set created_at = $2 where id = $1', [json.data.id, createdAt])
    made[name] = { id: json.data.id, createdAt }
  }
  await send('one', ada, { amount: 10_00, tags: { purpose: 'rent', month: 'January' } })
  await send('two', { ...ada, externalAccountId: landlord }, { amount: 20_00, tags: { purpose: 'rent' } })
  await send('three', ada, { amount: 30_00, tags: { purpose: 'food, drink "and" more' } })
  await send('four', grace, { amount: 20_00 })
  await send('five', grace, { amount: 40_00 })
  await returnPayment(bank, made.three?.id ?? '')
})
afterAll(async () => {
  // Without the chain of hashes, which reports the times that were changed above.
  expect(await verifyLedger(bank.database)).toEqual([])
  await bank.close()
})

const list = (query: string, key = bank.key) => bank.call('GET', `/v0/banking/payments${query}`, { key })

/** The payments that a query finds, by their names. */
async function found(query: string): Promise<string[]> {
  const { status, text, json } = await list(query)
  expect(status, `${query}: ${text}`).toBe(200)
  const names = new Map(Object.entries(made).map(([name, { id }]) => [id, name]))
  return json.data.map(({ id }: { id: string }) => names.get(id))
}

const tags = (value: unknown) => `tags=${encodeURIComponent(JSON.stringify(value))}`
const all = ['five', 'four', 'three', 'two', 'one']

describe('list payments', () => {
  test('answers every payment of the organisation, newest first, with its account and without originalType', async () => {
    const { status, json, headers } = await list('')
    expect(status).toBe(200)
    const whole = await Promise.all(
      json.data.map(({ id }: { id: string }) => bank.call('GET', `/v0/banking/payments/${id}`)),
    )
    expect(json.data).toEqual(
      whole.map(({ json: { data } }) => {
        const { originalType, ...listed } = data
        expect(originalType).toBe('ACH')
        const isOfGrace = [made.four?.id, made.five?.id].includes(data.id)
        return { ...listed, accountId: isOfGrace ? grace.accountId : ada.accountId }
      }),
    )
    expect(await found('')).toEqual(all)
    expect(headers.link).toBeUndefined()
  })

  test('finds the words of descriptions and counterparties, with other filters', async () => {
    for (const [text, names] of Object.entries({
      'land lord': ['two'],
      LAND: ['two'],
      lord: ['two'],
      'and lord': [],
      'lord land': [],
      '%': [],
      '/': [],
    })) {
      expect(await found(`?search=${encodeURIComponent(text)}`), text).toEqual(names)
    }
    const [first] = (await list(`?paymentId=${made.five?.id}`)).json.data
    const own = `?search=${encodeURIComponent(` ${first.description} `)}`
    expect(await found(own)).toEqual(all)
    expect(await found(`${own}&accountId=${grace.accountId}`)).toEqual(['five', 'four'])
    expect(await found(`${own}&customerId=${ada.customerId}&fromAmount=2000`)).toEqual(['three', 'two'])
    expect(await found(`${own}&since=${minute(1)}&until=${minute(3)}`)).toEqual(['three'])
    expect((await list(`${own}&count=true&limit=1`)).headers['x-total-count']).toBe('5')
    expect((await list(own, bank.otherKey)).json).toEqual({ data: [] })
    for (const text of ['', 'x'.repeat(101), '%0a']) expect((await list(`?search=${text}`)).status, text).toBe(400)
  })

  test('shows nothing of another organisation', async () => {
    expect((await list('', bank.otherKey)).json).toEqual({ data: [] })
    for (const query of [
      `?accountId=${ada.accountId}`,
      `?customerId=${ada.customerId}`,
      `?paymentId=${made.one?.id}`,
    ]) {
      expect((await list(query, bank.otherKey)).json, query).toEqual({ data: [] })
    }
  })

  test('answers the page of limit and offset, and Link names the next', async () => {
    expect(await found('?limit=2')).toEqual(['five', 'four'])
    expect(await found('?limit=2&offset=1')).toEqual(['four', 'three'])
    expect(await found('?offset=4')).toEqual(['one'])
    expect(await found('?offset=5')).toEqual([])
    expect(await found('?offset=1000000000000&limit=1000')).toEqual([])
    const { headers } = await list('?limit=2&type=achPayment')
    expect(headers.link).toMatch(/^<\/v0\/banking\/payments\?limit=2&type=achPayment&cursor=[\w-]{32}>; rel="next"$/)
    expect((await list('?limit=5')).headers.link).toBeUndefined()
    expect(await found('?sort=createdAt&limit=2&offset=2')).toEqual(['three', 'four'])
    expect(await found('?sort=-createdAt')).toEqual(all)
  })

  test('filters by paymentId', async () => {
    expect(await found(`?paymentId=${made.two?.id}`)).toEqual(['two'])
    for (const id of ['1000', 'abc', ada.accountId]) expect(await found(`?paymentId=${id}`)).toEqual([])
  })

  test('filters by accountId', async () => {
    expect(await found(`?accountId=${ada.accountId}`)).toEqual(['three', 'two', 'one'])
    for (const id of ['1000', 'abc', ada.customerId]) expect(await found(`?accountId=${id}`)).toEqual([])
  })

  test('filters by customerId', async () => {
    expect(await found(`?customerId=${grace.customerId}`)).toEqual(['five', 'four'])
    for (const id of ['1000', 'abc', ada.accountId]) expect(await found(`?customerId=${id}`)).toEqual([])
  })

  test('filters by counterpartyAccountId, also of a deleted external account', async () => {
    expect(await found(`?counterpartyAccountId=${landlord}`)).toEqual(['two'])
    expect(await found(`?counterpartyAccountId=${ada.externalAccountId}`)).toEqual(['three', 'one'])
    for (const id of ['1000', 'abc', ada.accountId]) expect(await found(`?counterpartyAccountId=${id}`)).toEqual([])
    const gone = await makeExternalAccount(bank, grace.customerId)
    await bank.call('DELETE', `/v0/banking/external-accounts/${gone}`)
    expect(await found(`?counterpartyAccountId=${gone}`)).toEqual([])
    await bank.call('DELETE', `/v0/banking/external-accounts/${landlord}`)
    expect(await found(`?counterpartyAccountId=${landlord}`)).toEqual(['two'])
  })

  test('filters by tags, of which every pair must match', async () => {
    expect(await found(`?${tags({ purpose: 'rent' })}`)).toEqual(['two', 'one'])
    expect(await found(`?${tags({ purpose: 'rent', month: 'January' })}`)).toEqual(['one'])
    expect(await found(`?${tags({ purpose: 'food, drink "and" more' })}`)).toEqual(['three'])
    expect(await found(`?${tags({ purpose: 'Rent' })}`)).toEqual([])
    expect(await found(`?${tags({ Purpose: 'rent' })}`)).toEqual([])
    expect(await found(`?${tags({ purpose: 'ren' })}`)).toEqual([])
    expect(await found(`?${tags({})}`)).toEqual(all)
  })

  test.each([
    'rent',
    '"rent"',
    '1',
    'null',
    '[]',
    '["purpose"]',
    '{"a":1}',
    '{"a":null}',
    '{"a":{}}',
    '{"a":"b"',
    '{a:"b"}',
  ])('refuses %s as tags', async (text) => {
    const { status, json } = await list(`?tags=${encodeURIComponent(text)}`)
    expect(status).toBe(400)
    expect(json.errors).toEqual([
      { parameter: 'tags', code: 'bad_format', message: 'tags must be a JSON object with strings as values' },
    ])
  })

  test('filters by status: one, repeated, with commas and in any letter case', async () => {
    expect(await found('?status=Returned')).toEqual(['three'])
    expect(await found('?status=sent')).toEqual(['five', 'four', 'two', 'one'])
    expect(await found('?status=SENT&status=Returned')).toEqual(all)
    expect(await found('?status=Returned,Sent')).toEqual(all)
    expect(await found('?status=Pending,Clearing&status=Returned')).toEqual(['three'])
    for (const status of ['Pending', 'PendingReview', 'Clearing', 'Rejected', 'Canceled']) {
      expect(await found(`?status=${status}`)).toEqual([])
    }
  })

  test('finds what was returned at a time or later, whenever it was made', async () => {
    const [{ at }] = (await bank.database.query<{ at: string }>(
      `select created_at as at from transfer where source_kind = 'payment_return' and source_id = ${made.three?.id}`,
    )) as [{ at: string }]
    expect(await found(`?returnedSince=${at}`)).toEqual(['three'])
    expect(await found(`?returnedSince=${at.slice(0, 10)}`)).toEqual(['three'])
    const after = new Date(Date.parse(at) + 1).toISOString()
    for (const query of [
      `returnedSince=${after}`,
      `returnedSince=${at}&status=Sent`,
      `returnedSince=${at}&paymentId=${made.one?.id}`,
      `returnedSince=${at}&accountId=${grace.accountId}`,
      `returnedSince=${at}&since=${minute(2)}`,
    ]) {
      expect(await found(`?${query}`), query).toEqual([])
    }
    const { json, headers } = await list(`?returnedSince=${at}&accountId=${ada.accountId}&count=true`)
    expect([json.data.length, headers['x-total-count']]).toEqual([1, '1'])
    expect((await list(`?returnedSince=${at}`, bank.otherKey)).json.data).toEqual([])
  })

  test('answers ACH payments unless type names others', async () => {
    expect(await found('?type=achPayment')).toEqual(all)
    expect(await found('?type=AchPayment')).toEqual(all)
    expect(await found('?type=bookPayment')).toEqual([])
    expect(await found('?type=bookPayment,achPayment')).toEqual(all)
    expect(await found('?type=bookPayment&type=achPayment')).toEqual(all)
  })

  test('filters by direction as the counterparty sees it: a sent payment is a Credit', async () => {
    expect(await found('?direction=Credit')).toEqual(all)
    expect(await found('?direction=Debit')).toEqual([])
    expect(await found('?direction=debit,credit')).toEqual(all)
    expect(await found('?direction=Debit&direction=Credit')).toEqual(all)
  })

  test('excludes payments at exactly since or until', async () => {
    expect(await found(`?since=${minute(2)}`)).toEqual(['five', 'four'])
    expect(await found('?since=2026-01-31T12:01:59.999Z')).toEqual(['five', 'four', 'three'])
    expect(await found('?since=2026-01-31T12:01:59.9999Z')).toEqual(['five', 'four', 'three'])
    expect(await found(`?until=${minute(2)}`)).toEqual(['two', 'one'])
    expect(await found('?until=2026-01-31T12:02:00.0001Z')).toEqual(['three', 'two', 'one'])
    expect(await found(`?since=${minute(0)}&until=${minute(4)}`)).toEqual(['four', 'three', 'two'])
    expect(await found(`?since=${minute(2)}&until=${minute(2)}`)).toEqual([])
    expect(await found('?since=2026-01-31')).toEqual(all)
    expect(await found('?until=2026-01-31')).toEqual([])
    expect(await found('?until=2026-01-31T14:02:00%2B02:00')).toEqual(['two', 'one'])
  })

  test('includes payments of exactly fromAmount or toAmount', async () => {
    expect(await found('?fromAmount=2000')).toEqual(['five', 'four', 'three', 'two'])
    expect(await found('?fromAmount=2001')).toEqual(['five', 'three'])
    expect(await found('?toAmount=2000')).toEqual(['four', 'two', 'one'])
    expect(await found('?toAmount=1999')).toEqual(['one'])
    expect(await found('?fromAmount=2000&toAmount=2000')).toEqual(['four', 'two'])
    expect(await found('?fromAmount=0')).toEqual(all)
    expect(await found('?toAmount=0')).toEqual([])
    expect(await found('?fromAmount=9007199254740991')).toEqual([])
    const { status, json } = await list('?fromAmount=2001&toAmount=2000')
    expect([status, json.errors[0].parameter]).toEqual([400, 'fromAmount'])
  })

  test('answers nothing for recurringPaymentId and paymentFeature, which built-in payments do not have', async () => {
    for (const query of [
      'recurringPaymentId=1000000',
      'recurringPaymentId=abc',
      'paymentFeature=SameDay',
      'paymentFeature=recurringpayment',
    ]) {
      expect(await found(`?${query}`), query).toEqual([])
    }
  })

  test('answers only payments that match all filters', async () => {
    const everything = [
      `paymentId=${made.one?.id}`,
      `accountId=${ada.accountId}`,
      `customerId=${ada.customerId}`,
      `counterpartyAccountId=${ada.externalAccountId}`,
      tags({ purpose: 'rent' }),
      'status=Sent,Returned',
      'type=achPayment',
      'direction=Credit',
      'since=2026-01-31T11:59:59Z',
      `until=${minute(1)}`,
      'fromAmount=1000',
      'toAmount=1000',
      'limit=10',
      'offset=0',
    ]
    expect(await found(`?${everything.join('&')}`)).toEqual(['one'])
    const others = [
      `paymentId=${made.two?.id}`,
      `accountId=${grace.accountId}`,
      `customerId=${grace.customerId}`,
      `counterpartyAccountId=${grace.externalAccountId}`,
      tags({ purpose: 'food' }),
      'status=Returned',
      'type=bookPayment',
      'direction=Debit',
      `since=${minute(0)}`,
      `until=${minute(0)}`,
      'fromAmount=1001&toAmount=1001',
      'toAmount=999&fromAmount=1',
    ]
    for (const other of others) {
      const names = other.split('&').map((pair) => pair.split('=')[0])
      const rest = everything.filter((pair) => !names.includes(pair.split('=')[0]))
      expect(await found(`?${[...rest, other].join('&')}`), other).toEqual([])
    }
    expect(await found(`?customerId=${ada.customerId}&status=Sent&sort=createdAt&limit=1&offset=1`)).toEqual(['two'])
    expect(await found(`?accountId=${ada.accountId}&customerId=${grace.customerId}`)).toEqual([])
    expect(await found(`?counterpartyAccountId=${landlord}&customerId=${grace.customerId}`)).toEqual([])
  })

  test.each([
    ['limit', '0'],
    ['limit', '1001'],
    ['limit', '-1'],
    ['offset', '-1'],
    ['offset', '1000000000001'],
    ['sort', 'amount'],
    ['status', 'Lost'],
    ['status', 'Sent,'],
    ['type', 'cardPayment'],
    ['direction', 'Sideways'],
    ['since', 'yesterday'],
    ['returnedSince', 'today'],
    ['until', '2026-02-30'],
    ['fromAmount', '-1'],
    ['fromAmount', '1.5'],
    ['toAmount', '9007199254740992'],
    ['paymentFeature', 'Express'],
    ['accountId', ''],
    ['amount', '1'],
  ])('refuses %s=%s', async (parameter, value) => {
    const { status, json } = await list(`?${parameter}=${encodeURIComponent(value)}`)
    expect([status, json.errors?.[0]?.parameter]).toEqual([400, parameter])
  })

  test.each(['limit=1&limit=2', 'paymentId=1&paymentId=2', 'since=2026-01-01&since=2026-01-02', 'tags={}&tags={}'])(
    'refuses a parameter twice: %s',
    async (query) => {
      const { status, json } = await list(`?${query}`)
      expect([status, json.errors?.[0]?.code]).toEqual([400, 'repeated'])
    },
  )

  test('orders payments of one millisecond by id', async () => {
    const tied = await openTestBank()
    const payer = await makePayer(tied, 500_00)
    for (let index = 0; index < 5; index++) await pay(tied, payer, { amount: 1_00 })
    await tied.database.query(`update payment set created_at = '2026-01-31T12:00:00Z'`)
    const ids = async (query: string) =>
      (await tied.call('GET', `/v0/banking/payments?${query}`)).json.data.map(({ id }: { id: string }) => Number(id))
    const ascending = await ids('sort=createdAt')
    expect(ascending).toEqual(ascending.toSorted((a: number, b: number) => a - b))
    expect(await ids('')).toEqual(ascending.toReversed())
    expect([...(await ids('limit=2')), ...(await ids('limit=2&offset=2')), ...(await ids('limit=2&offset=4'))]).toEqual(
      ascending.toReversed(),
    )
    await tied.close()
  })

  test('refuses tags with characters that no text may have', async () => {
    for (const value of ['\u0000', '\ud800', 'a\u0007']) {
      const { status } = await list(`?${tags({ purpose: value })}`)
      expect(status, JSON.stringify(value)).toBe(400)
    }
  })
})
