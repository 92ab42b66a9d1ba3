import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  advance,
  ask,
  authorize,
  getAuthorization,
  makeFunded,
  makeVirtualCard,
  moveCard,
  reverse,
  settle,
} from '../../../test/support/cards.ts'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { verifyLedger } from '../../ledger/verify.ts'

let bank: TestBank
let customer: string
let account: string
let card: string
let another: string
let one: string
let two: string
let three: string

beforeAll(async () => {
  bank = await openTestBank()
  account = await makeFunded(bank, 100_00)
  customer = (await ask(bank, 'GET', `/v0/banking/accounts/${account}`)).customerId
  card = (await makeVirtualCard(bank, account)).id
  another = (await makeVirtualCard(bank, account)).id
  await authorize(bank, card, 1_00)
  await advance(bank, { by: 'P8D' })
  one = (await authorize(bank, card, 10_00)).id
  await advance(bank, { by: 'PT1H' })
  two = (await authorize(bank, another, 20_00)).id
  await advance(bank, { by: 'PT1H' })
  three = (await authorize(bank, card, 30_00)).id

  // None of these is open.
  await settle(bank, (await authorize(bank, card, 1_00)).id)
  await reverse(bank, (await authorize(bank, card, 1_00)).id)
  await authorize(bank, card, 100_00)
  await authorize(bank, (await makeVirtualCard(bank, await makeFunded(bank, 5_00))).id, 5_00)
})
afterAll(() => bank.close())

const list = (query: string, key = bank.key) => bank.call('GET', `/v0/banking/authorizations${query}`, { key })
const listed = async (query = '') =>
  (await list(`?customerId=${customer}&status=Authorized${query}`)).json.data.map(({ id }: { id: string }) => id)

describe('B1 list authorizations', () => {
  test("answers a customer's open authorizations, newest first, and none that ended or was declined", async () => {
    const { status, json } = await list(`?customerId=${customer}&status=Authorized`)
    expect(status).toBe(200)
    expect(json).toEqual({ data: await Promise.all([three, two, one].map((id) => getAuthorization(bank, id))) })
    expect(json.data[0]).toEqual({
      id: three,
      status: 'Authorized',
      amount: 30_00,
      description: 'Sample Coffee',
      createdAt: expect.any(String),
      cardLast4Digits: expect.stringMatching(/^\d{4}$/),
      merchant: { name: 'Sample Coffee', category: '', location: '' },
    })
    expect(await verifyLedger(bank.database)).toEqual([])
  })

  test('lists an authorization that has settled in part', async () => {
    await settle(bank, one, { amount: 4_00, final: false })
    expect(await listed()).toEqual([three, two, one])
    expect((await getAuthorization(bank, one)).amount).toBe(10_00)
  })

  test('requires a customer and the status Authorized', async () => {
    expect((await list('')).json.errors).toMatchObject([
      { parameter: 'customerId', code: 'required' },
      { parameter: 'status', code: 'required' },
    ])
    for (const word of ['Completed', 'Canceled', 'Declined', 'Pending', 'Open']) {
      const { status, json } = await list(`?customerId=${customer}&status=${word}`)
      expect([status, json.code]).toEqual([400, 'invalid_request'])
      expect(json.errors).toEqual([
        { parameter: 'status', code: 'not_allowed', message: expect.stringContaining('Authorized') },
      ])
    }
    expect((await list(`?customerId=${customer}&status=authorized`)).status).toBe(200)
  })

  test('filters by account and by card', async () => {
    expect(await listed(`&accountId=${account}`)).toEqual([three, two, one])
    expect(await listed(`&cardId=${card}`)).toEqual([three, one])
    expect(await listed(`&cardId=${another}&accountId=${account}`)).toEqual([two])
    expect(await listed(`&accountId=${card}`)).toEqual([])
    expect(await listed('&cardId=1000')).toEqual([])
  })

  test('filters by time, with both ends excluded', async () => {
    const { createdAt } = await getAuthorization(bank, two)
    expect(await listed(`&since=${createdAt}`)).toEqual([three])
    expect(await listed(`&until=${createdAt}`)).toEqual([one])
    const earlier = new Date(Date.parse(createdAt) - 1).toISOString()
    const later = new Date(Date.parse(createdAt) + 1).toISOString()
    expect(await listed(`&since=${earlier}&until=${later}`)).toEqual([two])
  })

  test('filters by amount, with both ends included', async () => {
    expect(await listed('&fromAmount=2000')).toEqual([three, two])
    expect(await listed('&fromAmount=2001')).toEqual([three])
    expect(await listed('&toAmount=2000')).toEqual([two, one])
    expect(await listed('&fromAmount=2000&toAmount=2000')).toEqual([two])
    expect(await listed('&toAmount=0')).toEqual([])
    const { status, json } = await list(`?customerId=${customer}&status=Authorized&fromAmount=2&toAmount=1`)
    expect([status, json.errors[0].parameter]).toEqual([400, 'fromAmount'])
  })

  test('sorts, limits and skips, and links to the next page', async () => {
    expect(await listed('&sort=createdAt')).toEqual([one, two, three])
    expect(await listed('&limit=1&offset=1')).toEqual([two])
    expect(await listed('&offset=3')).toEqual([])
    expect((await list(`?customerId=${customer}&status=Authorized&limit=2`)).headers.link).toContain('rel="next"')
    expect((await list(`?customerId=${customer}&status=Authorized&limit=3`)).headers.link).toBeUndefined()
  })

  test('finds nothing for an unknown customer and one of another organisation', async () => {
    expect((await list('?customerId=1000&status=Authorized')).json).toEqual({ data: [] })
    expect((await list(`?customerId=${customer}&status=Authorized`, bank.otherKey)).json).toEqual({ data: [] })
  })

  test('lists the open authorizations of a card that has ended', async () => {
    await moveCard(bank, another, 'close')
    expect(await listed(`&cardId=${another}`)).toEqual([two])
  })
})
