import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { advance, authorize, makeVirtualCard } from '../../test/support/cards.ts'
import { openTestBank, type TestBank } from '../../test/support/harness.ts'
import { expectSoundLedger, makePayer, type Payer, pay } from '../../test/support/ledger.ts'

let bank: TestBank
let ada: Payer
let grace: Payer

beforeAll(async () => {
  bank = await openTestBank()
  ada = await makePayer(bank, 100_00)
  grace = await makePayer(bank)
  await pay(bank, ada, { amount: 20_00 })
  await authorize(bank, (await makeVirtualCard(bank, ada.accountId)).id, 5_00)
})
afterAll(async () => {
  await expectSoundLedger(bank)
  await bank.close()
})

const list = (query = '', key = bank.key) => bank.call('GET', `/v0/ledger/accounts${query}`, { key })
const found = async (query = '') => (await list(query)).json.data as { id: string; kind: string; balance: number }[]

describe('list ledger accounts', () => {
  test('answers the internal accounts and those of customers, with their balances', async () => {
    const { status, json } = await list()
    expect(status).toBe(200)
    const [clearing, ...deposits] = json.data
    const internal = await bank.database.query<{ id: number; slot: number }>(
      'select id, slot from account where id < 0',
    )
    expect(clearing).toEqual({
      id: String(internal[0]?.id),
      kind: 'achClearing',
      name: 'ACH clearing',
      owner: { type: 'bank', id: null, name: 'Purser' },
      status: 'Open',
      accountNumber: null,
      slot: internal[0]?.slot,
      balance: -80_00,
      hold: 0,
      available: -80_00,
      transfers: 2,
      lastTransferAt: expect.stringMatching(/Z$/),
      createdAt: expect.stringMatching(/Z$/),
    })
    expect(deposits).toEqual([
      {
        id: ada.accountId,
        kind: 'deposit',
        name: 'Ada Example',
        owner: { type: 'customer', id: ada.customerId, name: 'Ada Example' },
        status: 'Open',
        accountNumber: expect.stringMatching(/^\d{10,12}$/),
        slot: null,
        balance: 80_00,
        hold: 5_00,
        available: 75_00,
        transfers: 2,
        lastTransferAt: clearing.lastTransferAt,
        createdAt: expect.stringMatching(/Z$/),
      },
      expect.objectContaining({ id: grace.accountId, balance: 0, transfers: 0, lastTransferAt: null }),
    ])
    const sum = json.data.reduce((total: number, { balance }: { balance: number }) => total + balance, 0)
    expect(sum).toBe(0)
  })

  test('filters by kind, of which several may be named', async () => {
    const kinds = async (query: string) => (await found(query)).map(({ kind }) => kind)
    expect(await kinds('?kind=achClearing')).toEqual(['achClearing'])
    expect(await kinds('?kind=ACHCLEARING,deposit')).toEqual(['achClearing', 'deposit', 'deposit'])
    expect(await kinds('?kind=deposit')).toEqual(['deposit', 'deposit'])
    expect(await kinds('?kind=rewardsFunding')).toEqual([])
  })

  test('pages by the id before, and Link names the next page until there is none', async () => {
    const whole = (await found()).map(({ id }) => id)
    for (const limit of [1, 2, 3]) {
      const paged: string[] = []
      let next: string | undefined = `?limit=${limit}`
      while (next) {
        const { json, headers } = await list(next)
        expect(json.data.length).toBeGreaterThan(0)
        paged.push(...json.data.map(({ id }: { id: string }) => id))
        next = /<\/v0\/ledger\/accounts([^>]+)>; rel="next"/.exec(String(headers.link))?.[1]
      }
      expect(paged).toEqual(whole)
    }
  })

  test('opens no page twice where an account is opened meanwhile', async () => {
    const { headers } = await list('?limit=2')
    const link = /<\/v0\/ledger\/accounts([^>]+)>/.exec(String(headers.link))?.[1] ?? ''
    const before = (await found(link)).map(({ id }) => id)
    await makePayer(bank)
    await advance(bank, { by: 'PT1H' })
    expect((await found(link)).map(({ id }) => id).slice(0, before.length)).toEqual(before)
  })

  test('shows nothing of another organisation', async () => {
    expect((await list('', bank.otherKey)).json).toEqual({ data: [] })
  })

  test.each([
    ['after', 'abc'],
    ['after', '0'],
    ['after', '99999999999999999'],
    ['kind', 'cash'],
    ['limit', '1001'],
    ['offset', '1'],
  ])('refuses %s=%s', async (parameter, value) => {
    const { status, json } = await list(`?${parameter}=${value}`)
    expect([status, json.errors?.[0]?.parameter]).toEqual([400, parameter])
  })
})
