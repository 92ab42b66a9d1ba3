import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase } from '../../../test/support/harness.ts'
import { type Database, openDatabase, plainTimeouts, type Queryable } from '../../database/database.ts'
import { migrate } from '../../database/migrate.ts'
import * as ledgerSql from '../../ledger/ledger.sql.ts'
import { rowsWriter } from '../../ledger/write-batch.sql.ts'
import * as cardsSql from './cards.sql.ts'
import * as holdsSql from './holds.sql.ts'
import { bankKinds } from './kinds.ts'
import * as paymentsSql from './payments.sql.ts'
import * as purchasesSql from './purchases.sql.ts'
import type { LedgerAuthorization, LedgerHold, LedgerPayment, LedgerPurchase, LedgerReward } from './records.ts'

let place: Awaited<ReturnType<typeof createDatabase>>
let database: Database
beforeAll(async () => {
  place = await createDatabase()
  database = openDatabase({
    servers: [place.server],
    connections: 1,
    timeouts: plainTimeouts,
    greet: ledgerSql.fixPlans,
  })
  await migrate(database, 'migrations')
  // The worst case for a plan: statistics that say every table is empty.
  await database.query('analyze')
})
afterAll(async () => {
  await database.close()
  await place.drop()
})

/** The texts of the statements that `work` would run. */
async function statementsOf(work: (queryable: Queryable) => Promise<unknown>): Promise<string[]> {
  const texts: string[] = []
  const listening = {
    query: async (text: string) => {
      texts.push(text)
      return []
    },
  }
  await work(listening as Queryable)
  return texts
}

const time = '2026-01-01T00:00:00.000Z'
const payment = {
  id: 1,
  status: 'Sent',
  returnCode: null,
  achFileId: null,
  traceNumber: null,
  version: 2,
} as unknown as LedgerPayment
const authorization = {
  ...{ id: 1, status: 'Authorized', amount: 1, settled: 0, refunded: 0, overSettlement: null, version: 1 },
} as LedgerAuthorization
const hold = { id: 1, status: 'Released', endedAt: time, version: 2 } as LedgerHold
const reward = {
  id: 1,
  userAmount: 1,
  issuerAmount: 1,
  state: 'PAID',
  paymentId: 1,
  rewardPaymentId: 1,
  paidAt: time,
  updatedAt: time,
  version: 1,
} as LedgerReward
const purchase = { id: 1, organisationId: 1, refunded: 0, version: 1, updatedAt: time, reward } as LedgerPurchase
const earning = { authorizationId: 1, partnerUserIds: [1], linkId: 1, offerIds: ['a'] }
const noRows = { transfers: [], accounts: [], answers: [], events: [] }

test.each<[string, (queryable: Queryable) => Promise<unknown>]>([
  ['to lock accounts', (queryable) => ledgerSql.lockAccounts(queryable, [1])],
  ['to lock free accounts', (queryable) => ledgerSql.lockFreeAccounts(queryable, [1])],
  ['to read payees', (queryable) => paymentsSql.readPayees(queryable, [1])],
  ['to read cards', (queryable) => cardsSql.readCards(queryable, [1])],
  ['to read authorizations', (queryable) => cardsSql.readAuthorizations(queryable, [1])],
  ['to read holds', (queryable) => holdsSql.readHolds(queryable, [1])],
  ['to read payments', (queryable) => paymentsSql.readPayments(queryable, [1])],
  ['to read times and keys', (queryable) => ledgerSql.readTimesAndKeys(queryable, [1], [Buffer.alloc(32)])],
  ['to read what is earned by', (queryable) => purchasesSql.lockEarning(queryable, [earning], 'wait')],
  ['to write a batch', (queryable) => rowsWriter(bankKinds)(queryable, noRows, new Map())],
  ['to change payments', (queryable) => paymentsSql.writeChangedPayments(queryable, [payment])],
  [
    'to change authorizations',
    (queryable) => cardsSql.writeAuthorizations(queryable, { inserted: [], updated: [authorization] }),
  ],
  ['to end holds', (queryable) => holdsSql.writeHolds(queryable, { inserted: [], updated: [hold] })],
  ['to change purchases', (queryable) => purchasesSql.writePurchases(queryable, { inserted: [], updated: [purchase] })],
])('the plan %s reads no table whole, although it is made while all are empty', async (_name, work) => {
  const statements = await statementsOf(work)
  expect(statements).not.toEqual([])
  for (const statement of statements) {
    expect(walksOf(await genericPlanOf(statement))).toEqual([])
  }
})

/** The plan that a prepared statement keeps, whatever its values. PostgreSQL 15 has no `explain (generic_plan)` yet. */
async function genericPlanOf(statement: string): Promise<Plan> {
  const numbers = [...statement.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number))
  const values = Array(Math.max(0, ...numbers)).fill('null')
  const run = <Row>(text: string) => database.query<Row>(text, [], 'once')
  await run('set plan_cache_mode = force_generic_plan')
  await run(`prepare planned as ${statement}`)
  const execute = `execute planned${values.length > 0 ? `(${values.join(', ')})` : ''}`
  const [row] = await run<{ 'QUERY PLAN': [{ Plan: Plan }] }>(`explain (format json) ${execute}`)
  await run('deallocate planned')
  if (!row) throw new Error('no plan')
  return row['QUERY PLAN'][0].Plan
}

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  Plans?: Plan[]
}

function walksOf(plan: Plan): string[] {
  const type = plan['Node Type']
  const walks = type === 'Seq Scan' || (/^(Bitmap )?Index/.test(type) && plan['Index Cond'] === undefined)
  const own = walks ? [`${type} ${plan['Index Name'] ?? plan['Relation Name']}`] : []
  return [...own, ...(plan.Plans ?? []).flatMap(walksOf)]
}
