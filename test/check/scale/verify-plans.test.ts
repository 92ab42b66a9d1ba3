import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Database, openDatabase, plainTimeouts, type Queryable } from '../../../src/database/database.ts'
import {
  beginCheck,
  findBreaches,
  findBreachesOf,
  hashTables,
  prepareCheck,
} from '../../../src/ledger/laws/breaches.sql.ts'
import { findBreachesSince } from '../../../src/ledger/laws/breaches-since.sql.ts'
import { type Law, lawNames } from '../../../src/ledger/laws/laws.sql.ts'
import { verifyLedger, verifyOrganisation } from '../../../src/ledger/verify.ts'
import { createDatabase, type TestDatabase } from '../../support/harness.ts'
import { insertPayments, type PaymentSet } from '../../support/sets/payments.ts'

const PAYMENTS = process.env.SOAK ? 200_000 : 20_000
const ACCOUNTS = PAYMENTS / 20
/** A check must end on a busy machine; a nested loop over these rows would take hours. */
const PATIENCE_MS = 600_000

const LARGE = 1
const SMALL = 2
let place: TestDatabase
let database: Database
let large: PaymentSet
let small: PaymentSet

beforeAll(async () => {
  place = await createDatabase()
  database = openDatabase({
    servers: [place.server],
    connections: 1,
    timeouts: { lockMs: plainTimeouts.lockMs, idleMs: plainTimeouts.idleMs, statementMs: PATIENCE_MS },
  })
  // Fresh tables, of which the planner knows nothing but their size.
  for (const { name } of await database.query<{ name: string }>(
    `select relname::text as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  )) {
    await database.query(`alter table ${name} set (autovacuum_enabled = off)`, [], 'once')
  }
  await database.query(
    `insert into organisation (id, name, created_at, ended_at)
     values (${LARGE}, 'large', now(), null), (${SMALL}, 'small', now(), null), (3, 'ended', now(), now())`,
  )
  large = await insertPayments(database, { organisationId: LARGE, accounts: ACCOUNTS, payments: PAYMENTS })
  small = await insertPayments(database, { organisationId: SMALL, accounts: 10, payments: 100 })
}, PATIENCE_MS)
afterAll(async () => {
  await database.close()
  await place.drop()
})

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Index Cond'?: string
  'Subplan Name'?: string
  'Parent Relationship'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Join Filter'?: number
  Plans?: Plan[]
}

/** The plans of the statements of a law, with the rows that they worked on. The other statements just run. */
async function plansOf(transaction: Queryable, find: (explaining: Queryable) => Promise<unknown>): Promise<Plan[]> {
  const plans: Plan[] = []
  await find({
    async query<Row>(text: string, values?: unknown[], use?: 'once'): Promise<Row[]> {
      if (!text.includes('breach limit')) return transaction.query<Row>(text, values, use)
      const [row] = await transaction.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
        `explain (analyze, timing off, format json) ${text}`,
        values,
        'once',
      )
      if (row) plans.push(row['QUERY PLAN'][0].Plan)
      return []
    },
  })
  expect(plans).not.toEqual([])
  return plans
}

const childrenOf = ({ Plans = [] }: Plan) => Plans
const nodesOf = (plan: Plan): Plan[] => [plan, ...childrenOf(plan).flatMap(nodesOf)]

/** The parts of a plan that are run once for every row of another part, and read rows otherwise than by an index. */
function repeatedScans(plan: Plan): string[] {
  const repeated = childrenOf(plan).filter(
    (child) =>
      (plan['Node Type'] === 'Nested Loop' && child['Parent Relationship'] === 'Inner') ||
      (child['Parent Relationship'] === 'SubPlan' && child['Actual Loops'] > 1),
  )
  const scans = repeated.flatMap(nodesOf).filter(({ 'Node Type': type, 'Index Cond': condition }) => {
    if (type === 'Index Scan' || type === 'Index Only Scan' || type === 'Bitmap Index Scan')
      return condition === undefined
    return /Scan$/.test(type) && type !== 'Bitmap Heap Scan' && type !== 'Subquery Scan'
  })
  const own = scans.map((node) => `${node['Node Type']} ${node['Relation Name'] ?? ''}`)
  return [...own, ...childrenOf(plan).flatMap(repeatedScans)]
}

/** The rows that the parts of a plan took in and gave out. */
function workOf(plans: Plan[]): number {
  const work = (plan: Plan) =>
    (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Join Filter'] ?? 0)) *
    plan['Actual Loops']
  return plans.flatMap(nodesOf).reduce((sum, plan) => sum + work(plan), 0)
}

/** Each law takes a few passes over both sides of every transfer. */
const PASSES = 40

describe('without statistics a law takes time in proportion to its rows', () => {
  test.each(lawNames)('in the whole database: %s', async (law) => {
    await database.transaction(async (transaction) => {
      await prepareCheck(transaction)
      const plans = await plansOf(transaction, (explaining) => findBreaches(explaining, law))
      expect(plans.flatMap(repeatedScans)).toEqual([])
      expect(workOf(plans)).toBeLessThan(PASSES * PAYMENTS)
    })
  })

  test.each(lawNames)('in an organisation beside a larger one: %s', async (law) => {
    await database.transaction(async (transaction) => {
      await beginCheck(transaction, SMALL)
      const plans = await plansOf(transaction, (explaining) => findBreachesOf(explaining, law, SMALL, 21))
      expect(plans.flatMap(repeatedScans)).toEqual([])
      expect(workOf(plans)).toBeLessThan(PASSES * small.payments)
    })
  })

  /** These read accounts, statements or answers as a whole. */
  const readWhole: Law[] = [
    'balances sum to zero in every organisation',
    'an account has its organisation and its customer, a card and a statement have their account',
    'an account holds what its open authorizations and its active holds hold',
    'one idempotency key has one effect',
    'rows have only values that the ledger writes',
  ]
  test.each(lawNames)('in the rows since a time: %s', async (law) => {
    const since = large.timeOf(PAYMENTS * 0.99)
    await database.transaction(async (transaction) => {
      await prepareCheck(transaction)
      const plans = await plansOf(transaction, (explaining) => findBreachesSince(explaining, law, since))
      expect(plans.flatMap(repeatedScans)).toEqual([])
      const rows = readWhole.includes(law) ? PAYMENTS : PAYMENTS * 0.01
      expect(workOf(plans)).toBeLessThan(PASSES * rows)
    })
  })
})

test('the checks of fresh tables end and find no breach', { timeout: PATIENCE_MS }, async () => {
  expect(await verifyLedger(database)).toEqual([])
  expect(await verifyLedger(database, { since: large.timeOf(PAYMENTS / 2) })).toEqual([])
  const { laws } = await verifyOrganisation(database, LARGE, PATIENCE_MS)
  expect(laws.filter(({ holds }) => holds !== true)).toEqual([])
})

describe('a check of the rows since a time', () => {
  beforeEach(async () => {
    await database.query('alter table transfer disable trigger user')
  })

  /** The laws that a change breaks since a payment; the change is undone. */
  async function brokenSince(payment: number, change: string): Promise<string[]> {
    const undo = new Error('undone')
    let broken: string[] = []
    await database
      .transaction(async (transaction) => {
        await hashTables(transaction)
        await transaction.query(change, [], 'once')
        for (const law of lawNames) {
          const rows = await findBreachesSince(transaction, law, small.timeOf(payment))
          if (rows.length > 0) broken = [...broken, law]
        }
        throw undo
      })
      .catch((error: unknown) => {
        if (error !== undo) throw error
      })
    return broken
  }
  const chain = 'sequences have no gap, every balance follows from the one before, and time never falls'
  const transferOf = (payment: number) => small.paymentId(payment) + 2

  test('continues from the balance before', async () => {
    const change = `update transfer set debit_balance = debit_balance + 1 where id = ${transferOf(45)}`
    expect(await brokenSince(40, change)).toEqual([chain])
    // Payment 55 is the next one of the same account.
    expect(await brokenSince(50, change)).toEqual([chain])
    expect(await brokenSince(60, change)).toEqual([])
  })

  test('continues from the sequence number before', async () => {
    const change = `delete from transfer where id = ${transferOf(45)}`
    expect(await brokenSince(50, change)).toContain(chain)
    expect(await brokenSince(60, change)).toEqual([])
  })

  test('continues from the event before', async () => {
    await database.query('alter table event_page disable trigger user')
    const numbered = 'events are numbered from the first to where their counter stands, without a gap'
    const last = `organisation_id = ${SMALL} and last = 200`
    expect(await brokenSince(50, `delete from event_page where ${last}`)).toEqual([numbered])
    expect(await brokenSince(50, `update event_counter set sequence = 201 where organisation_id = ${SMALL}`)).toEqual([
      numbered,
    ])
  })

  test('finds a return of an earlier payment', async () => {
    const oneReturn = 'every payment has one debit of its account, and a returned one has one return'
    const id = small.paymentId(10)
    const change = `update transfer set source_kind = 'payment_return', source_id = ${id} where id = ${transferOf(90)}`
    expect(await brokenSince(80, change)).toContain(oneReturn)
    expect(await brokenSince(95, change)).toEqual([])
  })
})
