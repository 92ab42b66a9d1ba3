import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setNoon } from '../../test/support/bank-time.ts'
import { advance, bankNow } from '../../test/support/cards.ts'
import { openTestBank, type TestBank } from '../../test/support/harness.ts'
import {
  expectSoundLedger,
  makeOwnBankAccount,
  makePayer,
  type Payer,
  pay,
  receiveAch,
} from '../../test/support/ledger.ts'
import type { LedgerBalance } from './ledger-balance.ts'

let bank: TestBank
let ada: Payer
let grace: Payer
/** The days of the history, oldest first. */
const days: string[] = []

beforeAll(async () => {
  bank = await openTestBank()
  await setNoon(bank)
  ada = await makePayer(bank)
  grace = await makePayer(bank)
  const own = await makeOwnBankAccount(bank, ada.customerId, grace.accountId)
  days.push((await bankNow(bank)).slice(0, 10))
  await receiveAch(bank, ada.accountId, { amount: 100_00 })
  await pay(bank, ada, { amount: 20_00 })
  await nextDay()
  await nextDay()
  await pay(bank, { ...ada, externalAccountId: own }, { amount: 5_00 })
  await nextDay()
  await receiveAch(bank, grace.accountId, { amount: 1_00 })
})
afterAll(async () => {
  await expectSoundLedger(bank)
  await bank.close()
})

async function nextDay(): Promise<void> {
  await advance(bank, { by: 'P1D' })
  days.push((await bankNow(bank)).slice(0, 10))
}

const list = (query = '', key = bank.key) => bank.call('GET', `/v0/ledger/balances${query}`, { key })
async function found(query: string): Promise<LedgerBalance[]> {
  const { status, text, json } = await list(query)
  expect(status, `${query}: ${text}`).toBe(200)
  return json.data
}

describe('list ledger balances', () => {
  test('answers the balance of an account at the end of each day', async () => {
    const since = `&since=${days[0]}`
    const row = (index: number, accountId: string, balance: number, transfers: number) => {
      return { date: days[index], accountId, kind: 'deposit', balance, transfers }
    }
    expect(await found(`?accountId=${ada.accountId}${since}`)).toEqual([
      row(0, ada.accountId, 80_00, 2),
      row(1, ada.accountId, 80_00, 0),
      row(2, ada.accountId, 75_00, 1),
      row(3, ada.accountId, 75_00, 0),
    ])
    expect(await found(`?accountId=${grace.accountId}${since}&interval=day`)).toEqual([
      row(0, grace.accountId, 0, 0),
      row(1, grace.accountId, 0, 0),
      row(2, grace.accountId, 5_00, 1),
      row(3, grace.accountId, 6_00, 1),
    ])
  })

  test('answers an internal account by its id', async () => {
    const [clearing] = (await bank.call('GET', '/v0/ledger/accounts?kind=achClearing')).json.data
    const rows = await found(`?accountId=${clearing.id}&since=${days[0]}&until=${days[1]}`)
    expect(rows).toMatchObject([
      { date: days[0], kind: 'achClearing', accountId: clearing.id },
      { date: days[1], kind: 'achClearing', transfers: 0 },
    ])
  })

  test('sums all accounts by kind, and the sums of a day are zero together', async () => {
    const rows = await found(`?since=${days[0]}`)
    expect(rows.filter(({ kind }) => kind === 'deposit')).toEqual(
      [80_00, 80_00, 80_00, 81_00].map((balance, index) => {
        return { date: days[index], accountId: null, kind: 'deposit', balance, transfers: null }
      }),
    )
    expect(rows.filter(({ kind }) => kind === 'achClearing').map(({ balance }) => balance)).toEqual([
      -80_00, -80_00, -80_00, -81_00,
    ])
    expect(rows.filter(({ kind }) => kind === 'achClearing').map(({ transfers }) => transfers)).toEqual([2, 0, 0, 1])
    for (const date of days) {
      const ofDay = rows.filter((row) => row.date === date)
      expect(ofDay.map(({ kind }) => kind)).toEqual(['deposit', 'achClearing', 'cardSettlement', 'rewardsFunding'])
      expect(ofDay.reduce((sum, { balance }) => sum + balance, 0)).toBe(0)
    }
  })

  test('ends today, and has 30 days unless asked for others', async () => {
    const rows = await found(`?accountId=${ada.accountId}`)
    expect(rows).toHaveLength(30)
    expect(rows.at(-1)).toMatchObject({ date: days[3], balance: 75_00 })
    expect(rows[0]).toMatchObject({ balance: 0, transfers: 0 })
    expect(await found(`?accountId=${ada.accountId}&until=9999-12-31&since=${days[2]}`)).toHaveLength(2)
    expect(await found(`?accountId=${ada.accountId}&until=${days[1]}T23:59:59.999Z&since=${days[1]}`)).toHaveLength(1)
    expect(await found(`?accountId=${ada.accountId}&since=9999-12-31`)).toEqual([])
    expect(await found(`?since=${days[2]}&until=${days[1]}`)).toEqual([])
  })

  test('answers at most 366 days, in any century', async () => {
    expect(await found('?since=2023-01-01&until=2024-01-01')).toHaveLength(366 * 4)
    for (const query of ['since=2023-01-01&until=2024-01-02', 'since=0001-01-01']) {
      const { status, json } = await list(`?${query}`)
      expect([status, json.code]).toEqual([422, 'range_too_long'])
    }
    expect(await found(`?accountId=${ada.accountId}&since=0001-01-01&until=0001-01-02`)).toMatchObject([
      { date: '0001-01-01', balance: 0 },
      { date: '0001-01-02', balance: 0 },
    ])
    expect(await found(`?accountId=${ada.accountId}&until=0001-01-01`)).toMatchObject([{ date: '0001-01-01' }])
    expect(await found(`?accountId=${ada.accountId}&until=0001-01-30`)).toHaveLength(30)
  })

  test('has an empty list for an account that is unknown or of another organisation', async () => {
    for (const id of ['1000', 'abc', `-${ada.accountId}`]) expect(await found(`?accountId=${id}`), id).toEqual([])
    expect((await list(`?accountId=${ada.accountId}`, bank.otherKey)).json).toEqual({ data: [] })
    const foreign = (await list('', bank.otherKey)).json.data
    expect(foreign.every(({ balance }: LedgerBalance) => balance === 0)).toBe(true)
  })

  test.each([
    ['interval', 'hour'],
    ['since', 'yesterday'],
    ['limit', '10'],
  ])('refuses %s=%s', async (parameter, value) => {
    const { status, json } = await list(`?${parameter}=${value}`)
    expect([status, json.errors?.[0]?.parameter]).toEqual([400, parameter])
  })
})
