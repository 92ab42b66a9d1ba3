import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { moveCopies } from '../../../src/bank/first-states/move-copies.ts'
import { type Database, openDatabase, plainTimeouts } from '../../../src/database/database.ts'
import { verifyLedger } from '../../../src/ledger/verify.ts'
import { openSeals } from '../../../src/secrets/seals.ts'
import { storeCopies, storedWithout } from '../../support/baseline/copies.ts'
import { openTestBank, type TestBank } from '../../support/harness.ts'
import { makeExternalAccount, makePayer, pay, returnPayment } from '../../support/ledger.ts'

const PAYMENTS = 6
const number = '31415926535897932'

let bank: TestBank
let first: { events: string[]; answers: Map<number, string>; returned: Map<number, string> }
let without: { events: number; answers: number }

beforeEach(async () => {
  bank = await openTestBank()
  const payer = await makePayer(bank, 100_00)
  payer.externalAccountId = await makeExternalAccount(bank, payer.customerId, { accountNumber: number })
  const answers = new Map<number, string>()
  const returned = new Map<number, string>()
  for (let made = 0; made < PAYMENTS; made++) {
    const { text, json } = await pay(bank, payer, { amount: 1_00 }, keyed(made))
    answers.set(Number(json.data.id), text)
    if (made % 2 === 0) returned.set(Number(json.data.id), (await returnPayment(bank, json.data.id)).text)
  }
  without = await storedWithout(bank.database)
  expect(without).toEqual({ events: PAYMENTS * 3, answers: PAYMENTS * 1.5 })
  first = { events: await everyEvent(), answers, returned }
  const dataOf = (_organisationId: number, sequence: number) => {
    const text = first.events[sequence - 1] ?? ''
    return JSON.stringify(JSON.parse(text).data.data)
  }
  await storeCopies(bank.database, {
    dataOf,
    bodyOf: (id, status) => (status ? returned : answers).get(id) ?? '',
    number,
  })
  expect(await storedWithout(bank.database)).toEqual({ events: 0, answers: 0 })
})
afterEach(() => bank.close())

const keyed = (made: number) => ({ headers: { 'idempotency-key': `moved-${made}` } })

async function everyEvent(): Promise<string[]> {
  const { json } = await bank.call('GET', '/v0/events?limit=1000')
  const ids: string[] = json.data.map(({ id }: { id: string }) => id)
  return Promise.all(ids.map(async (id) => (await bank.call('GET', `/v0/events/${id}`)).text))
}

const move = (database: Database = bank.database, limits = {}) =>
  moveCopies(database, openSeals(bank.database, [Buffer.alloc(32, 7)]), { pages: 3, answers: 2, ...limits })

/** The tables that hold a text. */
async function holdersOf(text: string): Promise<string[]> {
  const holders: string[] = []
  for (const table of ['external_account', 'payment', 'event_page', 'answer']) {
    const found = await bank.database.query(
      `select 1 from ${table} t where position($1::text in t::text) > 0 limit 1`,
      [text],
    )
    if (found.length > 0) holders.push(table)
  }
  return holders
}

async function expectMoved(): Promise<void> {
  expect(await move()).toBe(true)
  expect(await storedWithout(bank.database)).toEqual(without)
  expect(await everyEvent()).toEqual(first.events)
  expect(await verifyLedger(bank.database)).toEqual([])
  expect(await holdersOf(number)).toEqual([])
}

describe('copies of payments', () => {
  test('are removed in steps, until nothing is left to do', async () => {
    let calls = 0
    while (!(await move(bank.database, { callMs: 0 }))) calls++
    expect(calls).toBeGreaterThan(5)
    await expectMoved()
  })

  test('are removed by several processes at once', async () => {
    const others = [1, 2].map(() => openDatabase({ servers: [bank.server], connections: 2, timeouts: plainTimeouts }))
    await Promise.all([bank.database, ...others].map((database) => move(database, { pages: 1, answers: 1 })))
    await Promise.all(others.map((database) => database.close()))
    while (!(await move()));
    await expectMoved()
  })

  test('are as they were when a step breaks off at any statement', async () => {
    let broken = 0
    for (let left = 1; ; left++) {
      const done = await move(breaking(bank.database, left)).catch((error: Error) => error)
      expect(await everyEvent()).toEqual(first.events)
      if (done === true) break
      if (done instanceof Error) broken++
    }
    expect(broken).toBeGreaterThan(5)
    await expectMoved()
  })

  test('stay where the record renders another text', async () => {
    const [id = 0] = first.answers.keys()
    await bank.database.query(
      `update answer set body = replace(body, 'Rent', 'Rend') where body like '%' || $1::text || '%'`,
      [`"id":"${id}","type":"achPayment"`],
    )
    await bank.database.query(`update payment set counterparty_name = 'Other' where id = $1::bigint`, [id])
    while (!(await move()));
    expect(await everyEvent()).toEqual(first.events)
    const kept = await storedWithout(bank.database)
    // The first payment was returned: two events of its own, two transactions, two answers.
    expect(kept).toEqual({ events: without.events - 4, answers: without.answers - 2 })
  })

  test.each([
    ['the number of a page', 'last = last + 1000'],
    ['the time of a page', `created_at = created_at + interval '1 second'`],
    ['an event of another type', `events = replace(events, 'Ada', 'Eve')`],
    ['the id of an event', `events = replace(events, 'payment.created\x1f1', 'payment.created\x1f2')`],
    ['the data of a payment', `events = replace(events, 'Rent', 'Rend')`],
    ['the number of events', `events = events || e'\\x1e' || events`],
    ['the origin of an event', `events = events || 'x'`],
  ])('are all that an update can take while they are removed: not %s', async (_what, change) => {
    const before = await bank.database.query('select * from event_page order by 1, 2')
    await expect(bank.database.query(`update event_page set ${change}`)).rejects.toThrow('event_page is append-only')
    expect(await bank.database.query('select * from event_page order by 1, 2')).toEqual(before)
  })

  test('cannot be removed by hand once all is done', async () => {
    while (!(await move()));
    const change = `update event_page set events = events`
    await expect(bank.database.query(change)).rejects.toThrow('event_page is append-only')
  })
})

/** A database whose transactions break off before the statement of this number. */
function breaking(database: Database, left: number): Database {
  let statements = 0
  return {
    ...database,
    transaction: (work, options) =>
      database.transaction(
        (transaction) =>
          work({
            ...transaction,
            query: (text, values, use) => {
              if (++statements === left) throw new Error('broken off')
              return transaction.query(text, values, use)
            },
          }),
        options,
      ),
  }
}
