import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findPlaceFurther, sumFlows } from '../../../src/bank/accounting/flows.sql.ts'
import { ledgerFlowsOf } from '../../../src/bank/accounting/flows.ts'
import { Problem } from '../../../src/base/problem.ts'
import { openTestBank, type TestBank } from '../../support/harness.ts'
import { costOf } from '../../support/plans/cost.ts'
import { insertLongAccount, type LongAccount } from '../../support/plans/long-account.ts'

const ENTRIES = 100_000
let bank: TestBank
let long: LongAccount

beforeAll(async () => {
  bank = await openTestBank({ own: true })
  long = await insertLongAccount(bank, ENTRIES)
})
afterAll(() => bank.close())

// Patient: tests on other databases of the server have transactions, too.
const limits = { chunk: 1_000, maxLoose: 5_000, budgetMs: 5_000, patienceMs: 30_000 }
const caller = () => ({ organisationId: long.organisationId, keyId: 1 })
const range = () => ({ since: long.timeOf(1), until: long.timeOf(ENTRIES * 0.9) })
const deleteHours = () => bank.database.query('delete from ledger_flow_hour')

/** The flows of the entries from one number to another, the last one not included. */
function expected(from: number, until: number) {
  const debits = Math.floor((until - 1) / 3) - Math.floor((from - 1) / 3)
  const credits = until - from - debits
  return [
    { debitKind: 'achClearing', creditKind: 'deposit', transfers: credits, amount: 2 * credits },
    { debitKind: 'deposit', creditKind: 'achClearing', transfers: debits, amount: debits },
  ]
}

describe('The flows of 90 days with 90,000 transfers', () => {
  test('are made in several calls where one takes too long, and each continues behind the last', async () => {
    await deleteHours()
    const list = ledgerFlowsOf(bank, { ...limits, budgetMs: -1 })
    let calls = 0
    let kept = 0
    for (;;) {
      const answer = await list(caller(), range()).catch((error: unknown) => error as Problem)
      const [row] = await bank.database.query<{ count: number }>('select count(*) as count from ledger_flow_hour')
      expect(row?.count).toBeGreaterThan(kept)
      kept = row?.count ?? 0
      calls++
      if (!(answer instanceof Problem)) {
        expect(answer.items).toEqual(expected(1, ENTRIES * 0.9))
        break
      }
      expect([answer.code, answer.headers['Retry-After']]).toEqual(['unavailable', '1'])
    }
    // A call makes the hours of one chunk.
    expect(calls).toBeGreaterThan(50)
    expect(calls).toBeLessThan(100)
    expect((await list(caller(), range())).items).toEqual(expected(1, ENTRIES * 0.9))
  })

  test('take less than 500 ms once they are kept', async () => {
    const url = `/v0/ledger/flows?since=${long.timeOf(1)}&until=${long.timeOf(ENTRIES * 0.9)}`
    const taken: number[] = []
    for (let call = 0; call < 5; call++) {
      const startedMs = performance.now()
      const { status, text } = await bank.call('GET', url)
      expect(status, text).toBe(200)
      taken.push(performance.now() - startedMs)
    }
    expect(Math.min(...taken)).toBeLessThan(500)
  })

  test('are refused where too many transfers are outside of whole hours', async () => {
    await deleteHours()
    // 41 transfers an hour: 20 in each half.
    const halves = { since: long.timeOf(41.7 * 10 + 20), until: long.timeOf(41.7 * 20 + 20) }
    const list = ledgerFlowsOf(bank, { ...limits, chunk: 10, maxLoose: 30 })
    await expect(list(caller(), halves)).rejects.toMatchObject({ code: 'range_too_long' })
    const more = ledgerFlowsOf(bank, { ...limits, chunk: 10, maxLoose: 60 })
    const [first] = (await more(caller(), halves)).items
    expect(first?.transfers).toBeGreaterThan(250)
  })

  test('read no more transfers in a statement than a chunk has', async () => {
    const from = { at: long.timeOf(40_000), id: 0 }
    const { organisationId } = long
    const step = { from, until: long.timeOf(90_000), count: limits.chunk }
    const to = await findPlaceFurther(bank.database, organisationId, step)
    expect(to?.at).toBe(long.timeOf(40_000 + limits.chunk))
    const looked = await costOf(bank.database, (each) => findPlaceFurther(each, organisationId, step))
    expect(looked.rows.transfer).toBeLessThanOrEqual(limits.chunk + 1)
    const summed = await costOf(bank.database, (each) => sumFlows(each, organisationId, from, to ?? from))
    expect([summed.rows.transfer, summed.indexes]).toEqual([limits.chunk, ['transfer_newest']])
    expect(summed.rows.account).toBeLessThanOrEqual(2 * 2 * 26)
  })
})
