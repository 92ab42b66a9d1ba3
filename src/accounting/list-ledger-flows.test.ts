import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setNoon } from '../../test/support/bank-time.ts'
import { advance, ask, bankNow, makeVirtualCard, settle } from '../../test/support/cards.ts'
import { openTestBank, type TestBank } from '../../test/support/harness.ts'
import {
  expectSoundLedger,
  holdAccount,
  makeOwnBankAccount,
  makePayer,
  type Payer,
  pay,
  receiveAch,
  returnPayment,
} from '../../test/support/ledger.ts'
import { makeSandboxOrganisation } from '../../test/support/organisations.ts'
import type { LedgerTransfer } from './ledger-transfer.ts'
import type { LedgerFlow } from './list-ledger-flows.ts'

let bank: TestBank
let ada: Payer
/** Bank times between the transfers. */
const times: string[] = []
let transfers: LedgerTransfer[]

beforeAll(async () => {
  bank = await openTestBank()
  // No hour ends while the tests run.
  await setNoon(bank)
  ada = await makePayer(bank, 100_00)
  const grace = await makePayer(bank)
  const own = await makeOwnBankAccount(bank, ada.customerId, grace.accountId)
  await pause()
  const { json } = await pay(bank, ada, { amount: 20_00 })
  await pay(bank, { ...ada, externalAccountId: own }, { amount: 5_00 })
  await pause()
  await returnPayment(bank, json.data.id)
  await pause()
  const card = await makeVirtualCard(bank, ada.accountId)
  const body = { amount: 7_00, merchant: { name: 'Sample Coffee' } }
  await settle(bank, (await ask(bank, 'POST', `/v0/sandbox/cards/${card.id}/authorizations`, body)).id)
  await pause()
  await receiveAch(bank, grace.accountId, { amount: 1_00, direction: 'Debit' })
  transfers = (await bank.call('GET', '/v0/ledger/transfers?sort=createdAt')).json.data
})
afterAll(async () => {
  await expectSoundLedger(bank)
  await bank.close()
})

/** Lets an hour and a half of bank time pass. */
async function pause(): Promise<void> {
  times.push(await bankNow(bank))
  await advance(bank, { by: 'PT90M' })
}

const list = (query = '', key = bank.key) => bank.call('GET', `/v0/ledger/flows${query}`, { key })
async function found(query = ''): Promise<LedgerFlow[]> {
  const { status, text, json } = await list(query)
  expect(status, `${query}: ${text}`).toBe(200)
  return json.data
}
const keptHours = () => bank.database.query<{ flows: unknown[] }>('select flows from ledger_flow_hour')

/** The flows of a time, from the list of transfers. */
function summed(since: string, until: string): LedgerFlow[] {
  const sums = new Map<string, LedgerFlow>()
  for (const { debit, credit, amount, createdAt } of transfers) {
    if (createdAt < since || createdAt >= until) continue
    const name = `${debit.kind} ${credit.kind}`
    const sum = sums.get(name) ?? { debitKind: debit.kind, creditKind: credit.kind, transfers: 0, amount: 0 }
    sums.set(name, { ...sum, transfers: sum.transfers + 1, amount: sum.amount + amount })
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum)
}

const everything = [
  { debitKind: 'achClearing', creditKind: 'deposit', transfers: 2, amount: 120_00 },
  { debitKind: 'deposit', creditKind: 'achClearing', transfers: 2, amount: 21_00 },
  { debitKind: 'deposit', creditKind: 'cardSettlement', transfers: 1, amount: 7_00 },
  { debitKind: 'deposit', creditKind: 'deposit', transfers: 1, amount: 5_00 },
]

describe('list ledger flows', () => {
  test('keeps nothing while a transaction may still write into past hours, and sums nevertheless', async () => {
    const release = await holdAccount(bank, ada.accountId)
    expect(await found()).toEqual(everything)
    expect(await keptHours()).toEqual([])
    await release()
  })

  test('sums by the kinds of the debited and the credited account', async () => {
    // Tests on other databases of the server have transactions, too, for which a call waits a second.
    await expect
      .poll(
        async () => {
          expect(await found()).toEqual(everything)
          return (await keptHours()).length
        },
        { timeout: 30_000 },
      )
      .toBeGreaterThanOrEqual(5)
    const kept = await keptHours()
    expect(kept.some(({ flows }) => flows.length === 0)).toBe(true)
    // Now from the sums that are kept.
    expect(await found()).toEqual(everything)
    expect(await keptHours()).toEqual(kept)
  })

  test('sums days apart, which add up to the whole', async () => {
    const days = (await found('?interval=day')) as (LedgerFlow & { date: string })[]
    expect(days.map(({ date }) => date)).toEqual(days.map(({ date }) => date).sort())
    for (const { debitKind, creditKind, ...sum } of everything) {
      const own = days.filter((day) => day.debitKind === debitKind && day.creditKind === creditKind)
      const total = (name: 'amount' | 'transfers') => own.reduce((all, each) => all + each[name], 0)
      expect({ transfers: total('transfers'), amount: total('amount') }).toEqual(sum)
    }
    const today = days[0]?.date ?? ''
    const next = new Date(Date.parse(`${today}T00:00:00Z`) + 86_400_000).toISOString()
    const apart = days.filter(({ date }) => date === today).map(({ date: _date, ...flow }) => flow)
    expect(await found(`?since=${today}T00:00:00Z&until=${next}`)).toEqual(apart)
    expect((await list('?interval=hour')).json.code).toBe('invalid_request')
  })

  test('reads kept sums, and makes those that were deleted again', async () => {
    await bank.database.query(`update ledger_flow_hour set flows = '[]'`)
    expect(await found()).not.toEqual(everything)
    await bank.database.query('delete from ledger_flow_hour')
    expect(await found()).toEqual(everything)
  })

  test('includes since and not until, to the millisecond, whether hours are kept or not', async () => {
    const moments = [...times, ...transfers.map(({ createdAt }) => createdAt)].sort()
    const hours = moments.map((moment) => `${moment.slice(0, 13)}:00:00.000Z`)
    const bounds = new Set([...moments, ...hours])
    for (const isEmpty of [true, false]) {
      for (const since of bounds) {
        for (const until of bounds) {
          if (isEmpty) await bank.database.query('delete from ledger_flow_hour')
          expect(await found(`?since=${since}&until=${until}`), `${since} ${until}`).toEqual(summed(since, until))
        }
      }
    }
    const [first] = transfers
    const between = `${first?.createdAt.slice(0, -1)}0005Z`
    expect(await found(`?since=${between}`)).toEqual(summed(`${first?.createdAt}+`, '9'))
    expect(await found(`?until=${between}`)).toEqual(summed('0', `${first?.createdAt}+`))
  })

  test('includes the transfers of now, such as those under a clock that stands still', async () => {
    const { key } = await makeSandboxOrganisation(bank, { frozen: true })
    expect((await bank.call('POST', '/v0/sandbox/scenarios', { key, body: { seed: 1 } })).status).toBe(201)
    const made = (await bank.call('GET', '/v0/ledger/transfers', { key })).json.data
    const flows: LedgerFlow[] = (await list('', key)).json.data
    expect(made.length).toBeGreaterThan(0)
    expect(flows.reduce((sum, flow) => sum + flow.transfers, 0)).toBe(made.length)
  })

  test('has nothing outside of the history, and nothing of another organisation', async () => {
    expect(await found('?until=2001-01-01')).toEqual([])
    expect(await found('?since=0001-01-01&until=0001-02-01')).toEqual([])
    expect(await found('?since=9999-12-01')).toEqual([])
    expect(await found('?since=9999-12-01&until=9999-12-31')).toEqual([])
    expect((await list('', bank.otherKey)).json).toEqual({ data: [] })
  })

  test('takes a range of at most 366 days', async () => {
    expect(await found('?since=2023-01-01&until=2024-01-02')).toEqual([])
    for (const query of ['since=2023-01-01&until=2024-01-02T00:00:00.001Z', 'since=0001-01-01']) {
      const { status, json } = await list(`?${query}`)
      expect([status, json.code]).toEqual([422, 'range_too_long'])
    }
  })

  test.each([
    ['since', 'yesterday'],
    ['until', '2026-13-01'],
    ['limit', '10'],
  ])('refuses %s=%s', async (parameter, value) => {
    const { status, json } = await list(`?${parameter}=${value}`)
    expect([status, json.errors?.[0]?.parameter]).toEqual([400, parameter])
  })
})
