import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../support/harness.ts'
import { costOf } from '../../support/plans/cost.ts'
import { insertLongAccount, type LongAccount } from '../../support/plans/long-account.ts'

const ENTRIES = process.env.SOAK ? 1_000_000 : 100_000
let bank: TestBank
let long: LongAccount

beforeAll(async () => {
  bank = await openTestBank({ own: true })
  long = await insertLongAccount(bank, ENTRIES)
})
afterAll(() => bank.close())

describe(`The daily balances of an account with ${ENTRIES} transfers`, () => {
  const days = () => `since=${long.timeOf(1)}&until=${long.timeOf((ENTRIES * 90) / 100 - 1)}`

  test('are right at every end of a day', async () => {
    const { json } = await bank.call('GET', `/v0/ledger/balances?accountId=${long.accountId}&${days()}`)
    expect(json.data).toHaveLength(90)
    const perDay = ENTRIES / 100
    for (const [index, { date, balance, transfers }] of json.data.entries()) {
      // The first transfer of a day has its midnight: an entry earlier than the count of days says.
      const last = (index + 1) * perDay - 1
      expect([date, transfers], date).toEqual([long.timeOf(last).slice(0, 10), index === 0 ? perDay - 1 : perDay])
      expect(balance, date).toBe(2 * last - 3 * Math.floor(last / 3))
    }
  })

  // The benchmark asks for 50 ms; a test on a busy machine for ten times that.
  test('take less than 500 ms for 90 days, of one account and of all', async () => {
    for (const query of [`accountId=${long.accountId}&${days()}`, `accountId=${long.clearingId}&${days()}`, days()]) {
      const taken: number[] = []
      for (let call = 0; call < 5; call++) {
        const startedMs = performance.now()
        expect((await bank.call('GET', `/v0/ledger/balances?${query}`)).status).toBe(200)
        taken.push(performance.now() - startedMs)
      }
      expect(Math.min(...taken), query).toBeLessThan(500)
    }
  })

  test('read one transfer for each step of the search, whatever the statistics say', async () => {
    const [made] = await bank.database.query<{ body: string; settings: string[] }>(
      `select prosrc as body, proconfig as settings from pg_proc where proname = 'daily_balances'`,
    )
    expect(made?.settings).toEqual(['enable_seqscan=off'])
    // Not called but run as a statement, so that its plan can be seen.
    const text = (made?.body ?? '')
      .replace(/\baccounts\b/, '$1::bigint[]')
      .replace(/\bfirst_day\b/, '$2::date')
      .replace(/\blast_day\b/, '$3::date')
    const values = [[long.accountId], long.timeOf(1), long.timeOf((ENTRIES * 90) / 100 - 1)]
    const { rows, indexes } = await costOf(bank.database, (each) => each.query(text, values))
    // 90 days, each with the steps of a search by halves and the balance.
    const steps = Math.ceil(Math.log2(ENTRIES))
    expect(rows.transfer).toBeGreaterThan(90 * (steps - 5))
    expect(rows.transfer).toBeLessThanOrEqual(90 * (steps + 1))
    expect(rows.account).toBe(1)
    expect([...new Set(indexes)].sort()).toEqual(['transfer_credit', 'transfer_debit'])
  })
})
