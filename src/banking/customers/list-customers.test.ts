import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openUnitBanking } from '../../../test/support/banking-providers.ts'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { makeCustomer } from '../../../test/support/world.ts'

let bank: TestBank
let made: string[]

beforeAll(async () => {
  bank = await openTestBank()
  made = [await makeCustomer(bank), await makeCustomer(bank), await makeCustomer(bank)]
})
afterAll(() => bank.close())

const idsOf = async (query: string) =>
  (await bank.call('GET', `/v0/banking/customers${query}`)).json.data.map(({ id }: { id: string }) => id)

describe('list customers', () => {
  test('answers complete customers, newest first', async () => {
    const { status, json } = await bank.call('GET', '/v0/banking/customers')
    const single = await Promise.all(made.toReversed().map((id) => bank.call('GET', `/v0/banking/customers/${id}`)))
    expect([status, json.data]).toEqual([200, single.map((reply) => reply.json.data)])
  })

  test('filters by state and time', async () => {
    expect(await idsOf('?status=Erased')).toEqual([])
    expect(await idsOf('?status=active&since=2020-01-01')).toEqual(made.toReversed())
    expect(await idsOf('?until=2020-01-01')).toEqual([])
  })

  test('sorts, limits and skips customers', async () => {
    expect(await idsOf('?sort=createdAt')).toEqual(made)
    expect(await idsOf('?sort=CREATEDAT&limit=1&offset=1')).toEqual([made[1]])
    expect(await idsOf('?offset=3')).toEqual([])
  })

  describe('search', () => {
    let grace: string
    let percent: string
    beforeAll(async () => {
      grace = await makeCustomer(bank, { name: 'Grace Élan Sample', email: 'Grace.Sample@example.com' })
      percent = await makeCustomer(bank, { name: '100% _Sure\\' })
    })

    test('finds the beginning of the name, of its last word and of the e-mail address, and the id', async () => {
      for (const text of ['grace', 'GRACE ÉLAN', 'Grace Élan Sample', 'samp', 'grace.sample@EX', ' sample ', grace]) {
        expect(await idsOf(`?search=${encodeURIComponent(text)}`), text).toEqual([grace])
      }
      for (const text of ['race', 'élan', 'example.com', 'grace  sample', 'sample@example.com', grace.slice(0, -1)]) {
        expect(await idsOf(`?search=${encodeURIComponent(text)}`), text).toEqual([])
      }
    })

    test('takes the characters of patterns as they are', async () => {
      for (const text of ['100%', '_sure\\', '100% _Sure\\']) {
        expect(await idsOf(`?search=${encodeURIComponent(text)}`), text).toEqual([percent])
      }
      for (const text of ['%', '_grace', '%grace', 'g_ace', '\\', "'"]) {
        expect(await idsOf(`?search=${encodeURIComponent(text)}`), text).toEqual([])
      }
    })

    test('is combined with order and page', async () => {
      expect(await idsOf('?search=ada')).toEqual(made.toReversed())
      expect(await idsOf('?search=ada&sort=createdAt&limit=1&offset=1')).toEqual([made[1]])
      const { headers } = await bank.call('GET', '/v0/banking/customers?search=ada%20ex&limit=1')
      expect(String(headers.link)).toContain('search=ada')
    })

    test('finds no customer of another organisation', async () => {
      const { json } = await bank.call('GET', '/v0/banking/customers?search=grace', { key: bank.otherKey })
      expect(json.data).toEqual([])
    })

    test('is passed on to a connector', async () => {
      const unit = await openUnitBanking()
      const id = await unit.arrange.customer()
      const { json } = await unit.bank.call('GET', `/v0/banking/customers/${id}`)
      const found = await unit.bank.call('GET', `/v0/banking/customers?search=${json.data.name.slice(0, 3)}`)
      expect(found.json.data).toContainEqual(json.data)
      expect((await unit.bank.call('GET', '/v0/banking/customers?search=zzz')).json.data).toEqual([])
      await unit.close()
    })
  })

  test('lists no customer of another organisation', async () => {
    const { json } = await bank.call('GET', '/v0/banking/customers', { key: bank.otherKey })
    expect(json.data).toEqual([])
  })
})
