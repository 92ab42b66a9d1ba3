import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openUnitBanking } from '../../../test/support/banking-providers.ts'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { makeAccount, makeCustomer } from '../../../test/support/world.ts'

let bank: TestBank
let ada: string
let grace: string
let open: string
let frozen: string
let closed: string
let others: string

beforeAll(async () => {
  bank = await openTestBank()
  ada = await makeCustomer(bank)
  grace = await makeCustomer(bank)
  open = await makeAccount(bank, { customerId: ada })
  frozen = await makeAccount(bank, { customerId: ada })
  closed = await makeAccount(bank, { customerId: ada })
  others = await makeAccount(bank, { customerId: grace })
  await bank.call('POST', `/v0/banking/accounts/${frozen}/freeze`)
  await bank.call('POST', `/v0/banking/accounts/${closed}/close`, { body: { reason: 'ByCustomer' } })
})
afterAll(() => bank.close())

const list = (query: string) => bank.call('GET', `/v0/banking/accounts${query}`)
const idsOf = async (query: string) => (await list(query)).json.data.map(({ id }: { id: string }) => id)

describe('list accounts', () => {
  test('answers complete accounts, newest first', async () => {
    const { status, json } = await list('')
    expect(status).toBe(200)
    const ids = [others, closed, frozen, open]
    const single = await Promise.all(ids.map((id) => bank.call('GET', `/v0/banking/accounts/${id}`)))
    expect(json.data).toEqual(single.map((reply) => reply.json.data))
  })

  test('filters by customer, by status and by both', async () => {
    expect(await idsOf(`?customerId=${grace}`)).toEqual([others])
    expect(await idsOf('?status=Frozen')).toEqual([frozen])
    expect(await idsOf('?status=closed')).toEqual([closed])
    expect(await idsOf(`?status=Open&customerId=${ada}`)).toEqual([open])
    expect(await idsOf(`?status=Frozen&customerId=${grace}`)).toEqual([])
    expect(await idsOf(`?customerId=${open}`)).toEqual([])
  })

  test('finds the accounts that are named, and those of a time', async () => {
    expect(await idsOf(`?accountId=${open}&accountId=${others}`)).toEqual([others, open])
    expect(await idsOf(`?accountId=${open},${closed},1000,abc&status=Open`)).toEqual([open])
    const ofOther = await bank.call('GET', `/v0/banking/accounts?accountId=${open}`, { key: bank.otherKey })
    expect(ofOther.json.data).toEqual([])
    const many = Array.from({ length: 101 }, (_, at) => 1_000_000 + at).join()
    expect((await list(`?accountId=${many}`)).json.errors).toMatchObject([{ parameter: 'accountId', code: 'too_long' }])
    const { createdAt } = (await list(`?accountId=${frozen}`)).json.data[0]
    expect(await idsOf(`?since=${createdAt}`)).not.toContain(frozen)
    expect(await idsOf(`?until=${createdAt}`)).not.toContain(frozen)
    expect(await idsOf('?since=2030-01-01')).toEqual([])
    expect(await idsOf('?until=2030-01-01')).toEqual([others, closed, frozen, open])
    const counted = await list(`?search=ada&until=2030-01-01&accountId=${open}&count=true`)
    expect(counted.headers['x-total-count']).toBe('1')
  })

  test('sorts, limits and skips accounts', async () => {
    expect(await idsOf('?sort=createdAt')).toEqual([open, frozen, closed, others])
    expect(await idsOf('?sort=createdAt&limit=2&offset=1')).toEqual([frozen, closed])
    expect(await idsOf('?offset=4')).toEqual([])
  })

  test('refuses an unknown status', async () => {
    const { status, json } = await list('?status=Sleeping')
    expect(status).toBe(400)
    expect(json.errors).toEqual([
      { parameter: 'status', code: 'not_allowed', message: 'status must be one of Open, Frozen, Closed' },
    ])
  })

  test('searches by the name and e-mail address of the customer, by number and by id', async () => {
    const customerId = await makeCustomer(bank, { name: 'Lin Sample', email: 'lin@example.com' })
    const account = await makeAccount(bank, { customerId })
    const second = await makeAccount(bank, { customerId })
    await makeAccount(bank)
    await bank.call('POST', `/v0/banking/accounts/${second}/freeze`)
    const found = async (query: string) => {
      const { json } = await bank.call('GET', `/v0/banking/accounts?${query}`)
      return json.data.map(({ id }: { id: string }) => id)
    }
    const { accountNumber } = (await bank.call('GET', `/v0/banking/accounts/${account}`)).json.data
    for (const text of ['lin', 'Lin Sample', 'samp', 'LIN@', customerId]) {
      expect(await found(`search=${encodeURIComponent(text)}`), text).toEqual([second, account])
    }
    for (const text of [accountNumber, account]) expect(await found(`search=${text}`), text).toEqual([account])
    expect(await found(`search=${accountNumber.slice(-4)}`)).toContain(account)
    expect(await found(`search=${accountNumber.slice(-5)}`)).toEqual([])
    expect(await found('search=lin&status=Frozen')).toEqual([second])
    expect(await found('search=lin&sort=createdAt&limit=1&offset=1')).toEqual([second])
    expect(await found(`search=ada&customerId=${customerId}`)).toEqual([])
    const foreign = await bank.call('GET', `/v0/banking/accounts?search=${accountNumber}`, { key: bank.otherKey })
    expect(foreign.json.data).toEqual([])
  })

  test('refuses a search that a connector cannot serve', async () => {
    const unit = await openUnitBanking()
    const { status, json } = await unit.bank.call('GET', '/v0/banking/accounts?search=ada')
    expect([status, json.errors[0].parameter, json.errors[0].code]).toEqual([400, 'search', 'not_supported'])
    await unit.close()
  })
})
