import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { collect, makeDebtor } from '../../../test/support/bank/debits.ts'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { expectSoundLedger, type Payer, returnPayment } from '../../../test/support/ledger.ts'
import { testAch } from '../../../test/support/rails/ach.ts'
import { openRailBank } from '../../../test/support/rails/leaving.ts'
import { highestReturnRates } from '../../bank/payments/return-rates.ts'
import { ratesOf, stoppedBy } from './return-rates.ts'

let bank: TestBank
let of: Payer
beforeAll(async () => {
  const terms = { clearingDays: 3, earlyAvailability: 0, blockOnReturn: false }
  bank = await openTestBank({ debits: { ...terms, stopAt: { unauthorized: 4_00 } } })
  of = await makeDebtor(bank)
})
afterAll(async () => {
  await expectSoundLedger(bank)
  await bank.close()
})

const rates = async (on = bank) => (await on.call('GET', '/v0/banking/return-rates')).json.data

async function collectMany(count: number): Promise<string[]> {
  const item = { accountId: of.accountId, counterpartyAccountId: of.externalAccountId, originalType: 'ACH' }
  const payment = { ...item, direction: 'Debit', amount: 1_00, description: 'Top up' }
  const { json } = await bank.call('POST', '/v0/banking/payments/batch', {
    body: { payments: Array(count).fill(payment) },
  })
  return json.data.map((each: { payment: { id: string } }) => each.payment.id)
}

describe('getReturnRates', () => {
  test('counts the debits of 60 days and their returns, and stops new ones at the rate of the operator', async () => {
    const normal = { returns: 0, rate: 0, stopAt: null, status: 'Normal' }
    expect(await rates()).toEqual({
      ...{ since: expect.any(String), until: expect.any(String), debits: 0, companies: [] },
      rates: [
        { ...normal, kind: 'unauthorized', limit: 50, stopAt: 4_00 },
        { ...normal, kind: 'administrative', limit: 3_00 },
        { ...normal, kind: 'all', limit: 15_00 },
      ],
    })
    const [first = '', second = '', third = '', fourth = ''] = await collectMany(49)
    await returnPayment(bank, first, 'R10')
    await returnPayment(bank, second, 'R29')
    await returnPayment(bank, third, 'R03')
    await returnPayment(bank, fourth, 'R01')
    const before = await rates()
    expect(before.rates.map(({ returns, status }: { returns: number; status: string }) => [returns, status])).toEqual([
      [2, 'Normal'],
      [1, 'Normal'],
      [4, 'Normal'],
    ])
    expect((await collect(bank, of)).status).toBe(201)
    const after = await rates()
    expect(after.debits).toBe(50)
    const { json: attention } = await bank.call('GET', '/v0/attention')
    expect(attention.data.find(({ kind }: { kind: string }) => kind === 'returnRates')).toMatchObject({
      level: 'urgent',
      words: '4 % of the debits were returned (unauthorized, limit 0.5 %), so that new ones are refused',
      operation: { id: 'getReturnRates', path: '/v0/banking/return-rates', input: {} },
    })
    expect(await highestReturnRates(bank.database)).toMatchObject([
      { by: 'organisation', kind: 'unauthorized', part: 8 },
      { by: 'organisation', kind: 'administrative', part: 2 / 3 },
      { by: 'organisation', kind: 'all', part: 8 / 15 },
      ...Array(3).fill({ by: 'company', part: 0 }),
    ])
    expect(after.rates).toMatchObject([
      { rate: 4_00, status: 'Stopped' },
      { rate: 2_00, status: 'Normal' },
      { rate: 8_00, status: 'Normal' },
    ])
    const refused = { status: 409, code: 'debits_stopped', detail: expect.stringContaining('4 %') }
    expect((await collect(bank, of)).json).toMatchObject(refused)
    expect((await bank.call('POST', `/v0/banking/payments/${fourth}/retry`)).json).toMatchObject(refused)
    const other = await bank.call('GET', '/v0/banking/return-rates', { key: bank.otherKey })
    expect(other.json.data.debits).toBe(0)
    await bank.call('POST', '/v0/sandbox/clock/advance', { body: { by: 'P61D' } })
    expect((await rates()).debits).toBe(0)
    expect((await collect(bank, of)).status).toBe(201)
  })

  test('counts a late return in the days in which it came, also if its debit is older', async () => {
    const late = await openTestBank()
    const advance = (by: string) => late.call('POST', '/v0/sandbox/clock/advance', { body: { by } })
    const { json } = await collect(late, await makeDebtor(late))
    await advance('P40D')
    expect((await returnPayment(late, json.data.id, 'R10')).status).toBe(200)
    const unauthorized = async () => {
      const { debits, rates: all } = await rates(late)
      return [debits, all[0].returns]
    }
    expect(await unauthorized()).toEqual([1, 1])
    await advance('P30D')
    expect(await unauthorized()).toEqual([0, 1])
    await advance('P31D')
    expect(await unauthorized()).toEqual([0, 0])
    await late.close()
  })

  test('has the companies of debits that are in files', async () => {
    const rail = await openRailBank()
    const debtor = await makeDebtor(rail, { accountNumber: '9990000003' })
    await collect(rail, debtor)
    expect(await rates(rail)).toMatchObject({ debits: 0, companies: [] })
    await rail.call('POST', '/v0/sandbox/clock/advance', { body: { by: 'P9D' } })
    const { debits, companies } = await rates(rail)
    expect(debits).toBe(1)
    expect(companies).toMatchObject([{ companyId: expect.any(String), companyName: expect.any(String), debits: 1 }])
    expect(companies[0].rates[1]).toMatchObject({ kind: 'administrative', returns: 1, rate: 100_00 })
    await rail.close()
  })
})

test('a company stops the debits of all organisations that send with its id, and of no other', async () => {
  const debits = {
    clearingDays: 0,
    earlyAvailability: 0,
    blockOnReturn: false,
    companyStopAt: { administrative: 3_00 },
  }
  const rail = await openTestBank({ ach: testAch(), debits })
  const { companyId } = testAch()
  const call: TestBank['call'] = (method, path, options) => rail.call(method, path, { ...options, key: rail.otherKey })
  const other = { ...rail, call }
  const [good, bad] = [await makeDebtor(rail), await makeDebtor(rail, { accountNumber: '9990000003' })]
  const neighbour = await makeDebtor(other)
  for (let count = 0; count < 48; count++) expect((await collect(rail, good)).status).toBe(201)
  for (let count = 0; count < 2; count++) expect((await collect(rail, bad)).status).toBe(201)
  expect((await collect(other, neighbour)).status).toBe(201)
  await rail.call('POST', '/v0/sandbox/clock/advance', { body: { by: 'P12D' } })
  const refused = {
    ...{ status: 409, code: 'debits_stopped' },
    detail: `4 % of the debits of company ${companyId} of 60 days were returned (administrative); debits stop at 3 %.`,
  }
  expect((await collect(rail, good)).json).toMatchObject(refused)
  expect((await collect(other, neighbour)).json).toMatchObject(refused)
  const { json: attention } = await other.call('GET', '/v0/attention')
  expect(attention.data.find(({ kind }: { kind: string }) => kind === 'returnRates')).toMatchObject({
    ...{ level: 'urgent', count: 1 },
    words: expect.stringMatching(`of company ${companyId} were returned .*so that new ones are refused`),
  })
  await rail.database.query(`update organisation set ach_company_id = '1999999999' where id = $1::bigint`, [
    (await rail.database.query<{ id: number }>('select max(id) as id from organisation'))[0]?.id,
  ])
  expect((await collect(other, neighbour)).status).toBe(201)
  expect((await collect(rail, good)).status).toBe(409)
  await expectSoundLedger(rail)
  await rail.close()
})

describe('a rate', () => {
  const counts = (all: number, debits = 1000) => ({ debits, unauthorized: 0, administrative: 0, all })
  const status = (all: number, debits?: number) => ratesOf(counts(all, debits), {})[2]?.status

  test('is a warning from 80 % of its limit on, and over above it', () => {
    expect([119, 120, 150, 151].map((all) => status(all))).toEqual(['Normal', 'Warning', 'Warning', 'Over'])
    expect([status(49, 49), status(50, 50)]).toEqual(['Normal', 'Over'])
  })

  test('stops debits at its edge', () => {
    expect(stoppedBy(counts(99), { all: 10_00 })).toBeUndefined()
    expect(stoppedBy(counts(100), { all: 10_00 })).toMatchObject({ kind: 'all', rate: 10_00 })
  })
})
