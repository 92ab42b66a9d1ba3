import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  advance,
  ask,
  authorize,
  getAuthorization,
  makeFunded,
  makeVirtualCard,
  reverse,
  settle,
} from '../../../test/support/cards.ts'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'

let bank: TestBank
let account: string
let card: string
let customer: string
/** One authorization of each state, and one of another customer. */
let open: string
let settled: string
let canceled: string
let declined: string
let other: string

beforeAll(async () => {
  bank = await openTestBank({ own: true })
  account = await makeFunded(bank, 100_00)
  customer = (await ask(bank, 'GET', `/v0/banking/accounts/${account}`)).customerId
  card = (await makeVirtualCard(bank, account)).id
  const make = async (amount: number, of = card) => {
    const { id } = await authorize(bank, of, amount)
    await advance(bank, { by: 'PT1H' })
    return id as string
  }
  open = await make(10_00)
  settled = await make(20_00)
  await settle(bank, settled)
  canceled = await make(5_00)
  await reverse(bank, canceled)
  declined = await make(500_00)
  other = await make(1_00, (await makeVirtualCard(bank, await makeFunded(bank, 5_00))).id)
})
afterAll(() => bank.close())

const list = (query = '', key = bank.key) => bank.call('GET', `/v0/authorizations${query}`, { key })
async function listed(query = ''): Promise<string[]> {
  const { status, json, text } = await list(query)
  expect(status, text).toBe(200)
  return json.data.map(({ id }: { id: string }) => id)
}

describe('list all authorizations', () => {
  test('shows those of all customers in all states, newest first, each with its holder and amounts', async () => {
    const { json } = await list()
    expect(json.data.map(({ id, status }: { id: string; status: string }) => [id, status])).toEqual([
      [other, 'Authorized'],
      [declined, 'Declined'],
      [canceled, 'Canceled'],
      [settled, 'Completed'],
      [open, 'Authorized'],
    ])
    const { name } = await ask(bank, 'GET', `/v0/banking/customers/${customer}`)
    expect(json.data[3]).toEqual({
      ...(await getAuthorization(bank, settled)),
      settled: 20_00,
      refunded: 0,
      cardId: card,
      accountId: account,
      customerId: customer,
      customerName: name,
    })
    expect(json.data[1]).toMatchObject({ reason: 'InsufficientFunds', settled: 0 })
    expect(await listed('?sort=createdAt')).toEqual([open, settled, canceled, declined, other])
  })

  test('filters by state, reason, customer, account, card, date and amount', async () => {
    expect(await listed('?status=Declined')).toEqual([declined])
    expect(await listed('?status=Declined&status=Canceled')).toEqual([declined, canceled])
    expect(await listed('?reason=InsufficientFunds')).toEqual([declined])
    expect(await listed('?reason=CardNotActive')).toEqual([])
    for (const filter of [`customerId=${customer}`, `accountId=${account}`, `cardId=${card}`])
      expect(await listed(`?${filter}`), filter).toEqual([declined, canceled, settled, open])
    expect(await listed(`?accountId=${account}&status=Authorized`)).toEqual([open])
    expect(await listed('?fromAmount=500&toAmount=1000')).toEqual([canceled, open])
    for (const text of ['coffee', 'SAMPLE%20COF'])
      expect(await listed(`?search=${text}&cardId=${card}`)).toHaveLength(4)
    for (const text of ['offee', 'tea']) expect(await listed(`?search=${text}`), text).toEqual([])
    const { createdAt } = await getAuthorization(bank, canceled)
    expect(await listed(`?since=${createdAt}`)).toEqual([other, declined])
    expect(await listed(`?until=${createdAt}`)).toEqual([settled, open])
    for (const filter of ['customerId=1', 'accountId=1', 'cardId=1']) expect(await listed(`?${filter}`)).toEqual([])
  })

  test('pages by position', async () => {
    const ids: string[] = []
    for (let path: string | undefined = '/v0/authorizations?limit=2'; path; ) {
      const { json, headers } = await bank.call('GET', path)
      ids.push(...json.data.map(({ id }: { id: string }) => id))
      path = /<([^>]+)>/.exec(String(headers.link ?? ''))?.[1]
    }
    expect(ids).toEqual(await listed())
  })

  test('shows another organisation nothing, and refuses amounts and states that cannot be', async () => {
    expect((await list('', bank.otherKey)).json).toEqual({ data: [] })
    expect((await list(`?cardId=${card}`, bank.otherKey)).json).toEqual({ data: [] })
    expect((await list('?status=Moon')).status).toBe(400)
    expect((await list('?fromAmount=2&toAmount=1')).status).toBe(400)
  })
})
