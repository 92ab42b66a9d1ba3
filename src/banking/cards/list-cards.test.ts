import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  advanceTo,
  ask,
  bankNow,
  getCard,
  makeCard,
  makeFunded,
  makeVirtualCard,
  moveCard,
} from '../../../test/support/cards.ts'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { makeAccount, makeCustomer } from '../../../test/support/world.ts'

let bank: TestBank
let ada: string
let first: string
let second: string
let inactive: string
let active: string
let virtual: string
let others: string

beforeAll(async () => {
  bank = await openTestBank()
  ada = await makeCustomer(bank)
  first = await makeAccount(bank, { customerId: ada })
  second = await makeAccount(bank, { customerId: ada })
  inactive = (await makeCard(bank, first)).id
  active = (await makeCard(bank, first)).id
  virtual = (await makeVirtualCard(bank, second)).id
  others = (await makeVirtualCard(bank, await makeAccount(bank))).id
  await moveCard(bank, active, 'activate')
})
afterAll(() => bank.close())

const list = (query: string) => bank.call('GET', `/v0/banking/cards${query}`)
const idsOf = async (query: string) => (await list(query)).json.data.map(({ id }: { id: string }) => id)

describe('B7 list cards', () => {
  test('answers complete cards, newest first, with the last millisecond in which they work', async () => {
    const { status, json } = await list('')
    expect(status).toBe(200)
    const single = await Promise.all([others, virtual, active, inactive].map((id) => getCard(bank, id)))
    expect(json.data).toEqual(
      single.map((card) => {
        const [year, month] = card.expirationDate.split('-').map(Number)
        return { ...card, expirationDate: new Date(Date.UTC(year, month, 1) - 1).toISOString() }
      }),
    )
    expect(json.data[1]).not.toHaveProperty('design')
    expect(json.data[1]).not.toHaveProperty('shippingAddress')
    expect(json.data[2]).toMatchObject({ design: 'default', shippingAddress: { country: 'US' } })
  })

  test('filters by account, customer, status and type, and by all of them', async () => {
    expect(await idsOf(`?accountId=${first}`)).toEqual([active, inactive])
    expect(await idsOf(`?accountId=${second}`)).toEqual([virtual])
    expect(await idsOf(`?customerId=${ada}`)).toEqual([virtual, active, inactive])
    expect(await idsOf('?status=Inactive')).toEqual([inactive])
    expect(await idsOf('?status=active')).toEqual([others, virtual, active])
    expect(await idsOf('?type=INDIVIDUALDEBITCARD')).toEqual([active, inactive])
    const all = `accountId=${first}&customerId=${ada}&status=Active&type=individualDebitCard`
    expect(await idsOf(`?${all}`)).toEqual([active])
    expect(await idsOf(`?accountId=${first}&type=individualVirtualDebitCard`)).toEqual([])
  })

  test('filters by the last digits and by time', async () => {
    const { last4Digits } = await getCard(bank, inactive)
    expect(await idsOf(`?last4Digits=${last4Digits}`)).toContain(inactive)
    expect(await idsOf(`?last4Digits=${last4Digits}&accountId=${second}`)).not.toContain(inactive)
    expect(await idsOf(`?since=2020-01-01&accountId=${second}`)).toEqual([virtual])
    expect(await idsOf('?until=2020-01-01')).toEqual([])
    expect((await list('?last4Digits=42')).json.errors[0].parameter).toBe('last4Digits')
  })

  test('answers an empty list for unknown ids and those of another organisation', async () => {
    for (const query of ['?accountId=1000', '?customerId=abc', `?accountId=${ada}`, `?customerId=${first}`]) {
      expect(await idsOf(query), query).toEqual([])
    }
    expect(await ask(bank, 'GET', `/v0/banking/cards?accountId=${first}`, undefined, bank.otherKey)).toEqual([])
  })

  test('sorts, limits and skips, and links to the next page', async () => {
    expect(await idsOf('?sort=createdAt')).toEqual([inactive, active, virtual, others])
    expect(await idsOf('?sort=createdAt&limit=2&offset=1')).toEqual([active, virtual])
    expect(await idsOf('?offset=4')).toEqual([])
    expect((await list('?limit=3')).headers.link).toContain('rel="next"')
    expect((await list('?limit=4')).headers.link).toBeUndefined()
  })

  test('refuses an unknown status and an unknown type', async () => {
    expect((await list('?status=Open')).json.errors).toEqual([
      {
        parameter: 'status',
        code: 'not_allowed',
        message: expect.stringContaining('Inactive, Active, Frozen, Lost, Stolen, ClosedByCustomer, SuspectedFraud'),
      },
    ])
    expect((await list('?type=creditCard')).json.errors).toMatchObject([{ parameter: 'type', code: 'not_allowed' }])
  })

  test('shows February 29 as the expiry in a leap year', async () => {
    const key = await bank.makeKey('leap', null)
    const leap = (year: number) => new Date(Date.UTC(year, 1, 29)).getUTCMonth() === 1
    let year = Number((await bankNow(bank, key)).slice(0, 4)) + 1
    for (const [isLeap, day] of [
      [false, 28],
      [true, 29],
    ] as const) {
      while (leap(year) !== isLeap) year++
      await advanceTo(bank, `${year}-02-${day}T12:00:00.000Z`, key)
      const account = await makeFunded(bank, 1_00, key)
      for (const card of [await makeCard(bank, account, key), await makeVirtualCard(bank, account, key)]) {
        expect([card.createdAt.slice(0, 10), card.expirationDate]).toEqual([`${year}-02-${day}`, `${year + 4}-02`])
      }
      const listed = await ask(bank, 'GET', `/v0/banking/cards?accountId=${account}`, undefined, key)
      const end = `${year + 4}-02-${day}T23:59:59.999Z`
      expect(listed.map(({ expirationDate }: { expirationDate: string }) => expirationDate)).toEqual([end, end])
    }
  })
})
