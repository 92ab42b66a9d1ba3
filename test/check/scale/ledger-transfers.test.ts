import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  findPlace,
  listOfAccount,
  listOfOrganisation,
  listOfSource,
} from '../../../src/bank/accounting/transfers.sql.ts'
import { type Database, openDatabase, plainTimeouts } from '../../../src/database/database.ts'
import { openTestBank, type TestBank } from '../../support/harness.ts'
import { type Cost, costOf } from '../../support/plans/cost.ts'
import { insertLongAccount, type LongAccount } from '../../support/plans/long-account.ts'

const ENTRIES = 100_000
const LIMIT = 100
let bank: TestBank
let generic: Database
let long: LongAccount

beforeAll(async () => {
  bank = await openTestBank({ own: true })
  long = await insertLongAccount(bank, ENTRIES)
  // The plan that a prepared statement has after its first five runs.
  generic = openDatabase({
    servers: [{ ...bank.server, options: '-c TimeZone=UTC -c plan_cache_mode=force_generic_plan' }],
    connections: 1,
    timeouts: plainTimeouts,
  })
})
afterAll(async () => {
  await generic.close()
  await bank.close()
})

const planned = [
  ['planned for its values', () => bank.database],
  ['planned for any values', () => generic],
] as const

/** A page of transfers, and of its neighbours at most a few rows for each of them. */
function expectCheap({ rows }: Cost, maxTransfers = LIMIT + 2): void {
  expect(rows.transfer).toBeLessThanOrEqual(maxTransfers)
  expect(rows.account).toBeLessThanOrEqual(2 * (LIMIT + 2) + 2)
  expect(rows.payment).toBeLessThanOrEqual(LIMIT + 2)
}

describe.each(planned)('The list of transfers of 100,000, %s', (_how, database) => {
  const range = (ascending: boolean) => ({
    organisationId: long.organisationId,
    since: null,
    until: null,
    ascending,
    kinds: null,
    scan: LIMIT + 2,
    take: LIMIT + 2,
  })

  test.each([false, true])('reads a page from any place (ascending: %s)', async (ascending) => {
    for (const entry of [ENTRIES / 2, ascending ? 1 : ENTRIES]) {
      const place = (await findPlace(bank.database, long.organisationId, long.transferId(entry))) ?? null
      expect(place).not.toBeNull()
      const whole = await costOf(database(), (each) => listOfOrganisation(each, range(ascending), place))
      expectCheap(whole)
      expect(whole.indexes).toEqual(['transfer_newest'])
      const one = { ...range(ascending), accountId: long.accountId }
      const account = await costOf(database(), (each) => listOfAccount(each, one, place?.creditSeq ?? null))
      expectCheap(account)
      expect(account.indexes.toSorted()).toEqual(['transfer_credit', 'transfer_debit'])
    }
    const bounded = { ...range(ascending), since: long.timeOf(ENTRIES / 4), until: long.timeOf(ENTRIES / 2) }
    expectCheap(await costOf(database(), (each) => listOfOrganisation(each, bounded, null)))
    expectCheap(
      await costOf(database(), (each) => listOfAccount(each, { ...bounded, accountId: long.accountId }, null)),
    )
  })

  test('looks at no more transfers than it may, where few have the kind', async () => {
    const rare = { ...range(false), kinds: ['card_refund'], scan: 1_000 }
    expectCheap(await costOf(database(), (each) => listOfOrganisation(each, rare, null)), 1_000)
    const along = { ...rare, accountId: long.accountId }
    expectCheap(await costOf(database(), (each) => listOfAccount(each, along, null)), 1_000)
  })

  test('finds the transfers of a source by its time and by the index of sources', async () => {
    const source = { recordId: long.paymentId, rewardId: 42 }
    const cost = await costOf(database(), (each) =>
      listOfSource(each, { ...range(false), accountId: null, source }, null),
    )
    expectCheap(cost, 10)
    expect(cost.indexes).toContain('transfer_of_source')
    expect(cost.indexes).toContain('transfer_newest')
  })
})

describe('The list of transfers', () => {
  test('continues where a call stopped looking', async () => {
    const found: string[] = []
    let calls = 0
    for (let next: string | undefined = '/v0/ledger/transfers?sourceType=payment'; next; calls++) {
      const { status, text, json, headers } = await bank.call('GET', next)
      expect(status, text).toBe(200)
      found.push(...json.data.map(({ source }: { source: { id: string } }) => source.id))
      next = /<([^>]+)>; rel="next"/.exec(String(headers.link))?.[1]
    }
    expect(found).toEqual([String(long.paymentId)])
    // The last call finds nothing after the last transfer.
    expect(calls).toBe(ENTRIES / 10_000 + 1)
  })
})
