import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allZipCodes } from '../../../scripts/zip-code-lines.ts'
import { loadSamples } from '../../../src/bank/offers/catalogue.ts'
import {
  type LocalOrder,
  listLocalOfferRows,
  listNationalOfferRows,
  type NationalOrder,
} from '../../../src/bank/offers/offers.sql.ts'
import { addDays, clock } from '../../../src/base/clock.ts'
import { type Database, openDatabase, plainTimeouts } from '../../../src/database/database.ts'
import { searchBox } from '../../../src/rewards/offers/place.ts'
import { sampleCatalogue } from '../../../src/rewards/offers/sample-catalogue.ts'
import { loadCatalogue } from '../../support/bank/catalogue.ts'
import { openTestBank, root, type TestBank } from '../../support/harness.ts'
import { localOffer, milesNorth, nationalOffer, newYork } from '../../support/offers.ts'

const assets = join(root, 'assets')

describe('the first start of a sandbox', () => {
  test('fills the catalogue once, whichever of two processes is first, with the offers that are invented', async () => {
    const bank = await openTestBank({ own: true })
    const other = openDatabase({ servers: [bank.server], connections: 2, timeouts: plainTimeouts })
    try {
      const made = await Promise.all([loadSamples(bank.database, assets), loadSamples(other, assets)])
      expect(made.filter((result) => result !== undefined)).toEqual([{ offers: 15_885, ms: expect.any(Number) }])
      expect(await loadSamples(bank.database, assets)).toBeUndefined()
      for (const zip of ['10001', '59001', '99546', '96598', '00601']) {
        const { json } = await bank.call(
          'GET',
          `/v0/rewards/reward-offers/local-reward-offers?userId=1&page=0&zipCode=${zip}`,
        )
        expect(json.data.localRewardOffers.length, zip).toBeGreaterThan(0)
      }
      const [row] = await bank.database.query<{ first: string }>(`select min(expires_at) as first from offer`)
      const day = addDays(row?.first ?? '', -2 * 366)
      // It may be past midnight now.
      expect([0, 1]).toContain(Math.floor((clock.nowMs() - Date.parse(day)) / 86_400_000))
      const [loaded, invented] = [await rowsOf(bank.database), await inventedRows(day)]
      expect(loaded).toHaveLength(15_885)
      expect(loaded.filter((row, index) => row !== invented[index])).toEqual([])
    } finally {
      await other.close()
      await bank.close()
    }
  })

  /** The rows of the same offers when they are written as an import writes them. */
  async function inventedRows(day: string) {
    const plain = await openTestBank({ own: true })
    try {
      await loadCatalogue(plain.database, sampleCatalogue(allZipCodes(), day))
      return await rowsOf(plain.database)
    } finally {
      await plain.close()
    }
  }

  /** All offers in the order of their ids, each with a digest of it and its merchant without ids, which differ. */
  async function rowsOf(database: Database): Promise<string[]> {
    const rows = await database.query<{ row: string }>(
      `select o.external_key || ' ' || md5(regexp_replace(o::text, '^\\(\\d+,([^,]*),\\d+,', '\\1,') ||
         regexp_replace(m::text, '^\\(\\d+,', '')) as row
       from offer o join merchant m on m.id = o.merchant_id order by o.id`,
    )
    return rows.map(({ row }) => row)
  }
})

describe('a catalogue of 100,000 offers', () => {
  let bank: TestBank
  let few: Reads
  let many: Reads

  interface Reads {
    local: number
    widest: number
    national: number
  }

  beforeAll(async () => {
    const shops = Array.from({ length: 200 }, (_, index) =>
      localOffer({ geoLocation: milesNorth(newYork, (index % 100) / 10) }),
    )
    const sites = Array.from({ length: 200 }, () => nationalOffer())
    bank = await openTestBank({ catalogue: [...shops, ...sites] })
    few = await reads()
    await growTo100000()
    many = await reads()
  })
  afterAll(() => bank.close())

  test('is read no further than one of 400: nearby for local offers, a page for national ones', () => {
    expect(many.local).toBeLessThanOrEqual(few.local)
    expect(many.widest).toBeLessThanOrEqual(few.widest)
    expect(many.national).toBeLessThanOrEqual(Math.max(few.national, 50))
  })

  async function reads(): Promise<Reads> {
    return {
      local: await localReads(2.5, 'distance'),
      widest: await localReads(50, '-commission'),
      national: await nationalReads('-commission'),
    }
  }

  const localReads = (radius: number, order: LocalOrder) =>
    offersRead((database, organisationId) =>
      listLocalOfferRows(
        database,
        organisationId,
        { ...newYork, radius, ...searchBox(newYork, radius) },
        { category: null, search: null },
        order,
        { take: 21, offset: 0 },
      ),
    )

  const nationalReads = (order: NationalOrder) =>
    offersRead((database, organisationId) =>
      listNationalOfferRows(database, organisationId, { category: null, search: null }, order, { take: 21, offset: 0 }),
    )

  /** How many rows of `offer` a statement reads, by the plan that was run. */
  async function offersRead(
    run: (database: Pick<TestBank['database'], 'query'>, organisationId: number) => Promise<unknown>,
  ): Promise<number> {
    const [organisation] = await bank.database.query<{ id: number }>(`select min(id) as id from organisation`)
    let rows = 0
    const explaining = {
      query: async <Row>(text: string, values?: unknown[]): Promise<Row[]> => {
        const [plan] = await bank.database.query<{ 'QUERY PLAN': [{ Plan: Node }] }>(
          `explain (analyze, format json) ${text}`,
          values,
        )
        if (plan) rows += rowsRead(plan['QUERY PLAN'][0].Plan)
        return []
      },
    }
    await run(explaining, organisation?.id ?? 0)
    return rows
  }

  interface Node {
    'Relation Name'?: string
    'Actual Rows': number
    'Actual Loops': number
    'Rows Removed by Filter'?: number
    'Rows Removed by Index Recheck'?: number
    Plans?: Node[]
  }

  function rowsRead(node: Node): number {
    const own =
      node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
    const below = (node.Plans ?? []).reduce((sum, plan) => sum + rowsRead(plan), 0)
    return (node['Relation Name'] === 'offer' ? own * node['Actual Loops'] : 0) + below
  }

  /** Far from New York, and of small commissions. */
  async function growTo100000(): Promise<void> {
    await bank.database.query(
      `insert into offer (id, external_key, merchant_id, offer_type, title, terms, category, redeemable_once,
         commission_bp, total_bp, valid_from, expires_at, minimum_spend, operation_hours, street, city, state, zip, lat,
         long, phone)
       select 9000000 + n, 'far-' || n, m.id, case when shop then 'INSTORE' else 'ONLINE' end, 'Far', '', 'Far', false,
         100, 100, '2020-01-01', '2099-01-01', 0, case when shop then '{}'::json end, case when shop then 'x' end,
         case when shop then 'x' end, case when shop then 'TX' end, case when shop then '75001' end,
         case when shop then 26 + n % 1000 / 71.0 end, case when shop then -120 + n % 977 / 25.0 end,
         case when shop then 'x' end
       from generate_series(1, 99600) n, lateral (select n % 2 = 0 as shop) kind, (select min(id) as id from merchant) m`,
    )
    await bank.database.query(`analyze offer`)
  }
})
