import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDatabase } from '../../test/support/harness.ts'
import { type Database, openDatabase, plainTimeouts } from '../database/database.ts'
import { readEntityEvents } from './entity-events.ts'
import type { EventDraft, Origin } from './event.ts'
import { bankOrigin, type NewEvent, recordEvents } from './record.ts'
import { pagesOf } from './stored/event-pages.ts'

let place: Awaited<ReturnType<typeof createDatabase>>
let database: Database

const organisationId = 1
/** Events in the history, two for each payment and four on a page. */
const EVENTS = process.env.SOAK ? 1_000_000 : 200_000
/** A payment in the middle of the history. */
const MIDDLE = EVENTS / 4
const middleId = String(2_000_000 + 2 * MIDDLE)
const everything = { organisationId, after: 0, upTo: Number.MAX_SAFE_INTEGER, descending: false, limit: 100 }
const byRequest: Origin = { organisationId, apiKeyId: 5, requestId: 'r', idempotencyKey: null }

beforeAll(async () => {
  place = await createDatabase()
  database = openDatabase({
    servers: [place.server],
    connections: 1,
    timeouts: { ...plainTimeouts, statementMs: 120_000 },
  })
  await database.query(`insert into organisation (id, name, created_at) values (1, 'one', now()), (2, 'two', now())`)
  // As connections that have done it often: their plans are of when there were few events.
  await database.query('set plan_cache_mode = force_generic_plan')
  for (const type of ['payment', 'transaction', 'card']) await find(type, '2000000')
  await database.query(
    `with paid as (
       insert into payment (id, organisation_id, account_id, customer_id, type, direction, status, amount, description,
         original_type, created_at, counterparty_name, counterparty_routing_number, counterparty_account_number,
         counterparty_account_type)
       select 2000000 + 2 * i, 1, 1, 1, 'achPayment', 'Credit', 'Sent', 1, 'x', 'ACH', at, 'x', 'x', 'x', 'x'
       from generate_series(1, $1::bigint / 2) i, lateral (select timestamptz '2026-02-01' + i * interval '1 second' as at) t
       where i % 100 = 0),
     moved as (
       insert into transfer (id, organisation_id, debit_account_id, debit_seq, debit_balance, credit_account_id, credit_seq,
         credit_balance, amount, source_kind, created_at)
       select 4000000 + 2 * i, 1, 1, i, 0, 2, i, 0, 1, 'payment', at
       from generate_series(1, $1::bigint / 2) i, lateral (select timestamptz '2026-02-01' + i * interval '1 second' as at) t
       where i % 100 = 0),
     counted as (insert into event_counter values (1, $1::bigint))
     insert into event_page (organisation_id, last, count, created_at, events, timed)
     select 1, 4 * i, 4, timestamptz '2026-02-01' + 2 * i * interval '1 second',
       (select string_agg(concat_ws(e'\\x1f', 'payment.created', 2000000 + 2 * n, 1, '{}', 5, 'r', '') || e'\\x1e' ||
          concat_ws(e'\\x1f', 'transaction.created', 4000000 + 2 * n, 1, '{}', 5, 'r', ''), e'\\x1e')
        from (values (2 * i - 1), (2 * i)) v (n)), true
     from generate_series(1, $1::bigint / 4) i`,
    [EVENTS],
  )
})
afterAll(async () => {
  await database.close()
  await place.drop()
})

async function find(type: string, id: string, changes: Partial<typeof everything> = {}) {
  const { rows, next } = await readEntityEvents(database, { type, id }, { ...everything, ...changes })
  return { events: rows.map((row) => [row.sequence, row.type]), next }
}

async function record(...events: [type: string, id: string, origin?: Origin][]): Promise<number> {
  const drafts = events.map(([type, id, origin = byRequest]): NewEvent => {
    return { event: { type, id, version: 1, data: {} } as EventDraft, origin }
  })
  await database.transaction((transaction) => recordEvents(transaction, drafts))
  const [row] = await database.query<{ sequence: number }>(
    `select sequence from event_counter where organisation_id = 1`,
  )
  return row?.sequence ?? 0
}

/** The shortest of three times: other programs may delay one of them. */
async function shortestMs(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let time = 0; time < 3; time++) {
    const started = performance.now()
    await work()
    times.push(performance.now() - started)
  }
  return Math.min(...times)
}

/** Rows of the history and of the index that statements have read. */
async function rowsRead(): Promise<number> {
  await database.query('select pg_stat_force_next_flush()')
  const [row] = await database.query<{ read: number }>(
    `select sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) as read from pg_stat_user_tables
     where relname in ('event_page', 'event_entity')`,
  )
  return Number(row?.read)
}

describe('Among many events, those of one record', () => {
  test('are found for a payment and a transaction by their time, and read a few rows', async () => {
    for (const number of [100, MIDDLE, EVENTS / 2]) {
      const before = await rowsRead()
      const payment = () => find('payment', String(2_000_000 + 2 * number))
      expect(await payment()).toEqual({ events: [[2 * number - 1, 'payment.created']], next: undefined })
      const transaction = () => find('transaction', String(4_000_000 + 2 * number))
      expect(await transaction()).toEqual({ events: [[2 * number, 'transaction.created']], next: undefined })
      // Two binary searches, and the stretch of a search up to its first hit.
      expect((await rowsRead()) - before).toBeLessThan(500)
      const [paymentMs, transactionMs] = [await shortestMs(payment), await shortestMs(transaction)]
      process.stdout.write(`${paymentMs.toFixed(1)} and ${transactionMs.toFixed(1)} ms at event ${2 * number}\n`)
      // 50 ms are allowed; ten times that on a busy machine.
      expect(Math.max(paymentMs, transactionMs)).toBeLessThan(500)
    }
  })

  test('are found for other records by the index', async () => {
    const last = await record(
      ['card.created', '7000001'],
      ['card.activated', '7000001'],
      ['account.created', '7000001'],
    )
    await record(['card.statusChanged', '7000001'])
    const before = await rowsRead()
    expect((await find('card', '7000001')).events).toEqual([
      [last - 2, 'card.created'],
      [last - 1, 'card.activated'],
      [last + 1, 'card.statusChanged'],
    ])
    expect((await rowsRead()) - before).toBeLessThan(100)
    const ms = await shortestMs(() => find('card', '7000001'))
    process.stdout.write(`${ms.toFixed(1)} ms by the index\n`)
    expect(ms).toBeLessThan(500)
    expect((await find('account', '7000001')).events).toEqual([[last, 'account.created']])
  })

  test('are those of the first time and of later changes, in both directions and page by page', async () => {
    const last = await record(['payment.sent', middleId], ['card.created', '7000002'], ['payment.returned', middleId])
    const first = 2 * MIDDLE - 1
    const all = [
      [first, 'payment.created'],
      [last - 2, 'payment.sent'],
      [last, 'payment.returned'],
    ]
    expect(await find('payment', middleId)).toEqual({ events: all, next: undefined })
    expect(await find('payment', middleId, { descending: true })).toEqual({
      events: all.toReversed(),
      next: undefined,
    })
    expect(await find('payment', middleId, { limit: 2 })).toEqual({
      events: all.slice(0, 2),
      next: { after: last - 2 },
    })
    expect((await find('payment', middleId, { after: first })).events).toEqual(all.slice(1))
    expect((await find('payment', middleId, { upTo: last - 1 })).events).toEqual(all.slice(0, 2))
    expect((await find('payment', middleId, { upTo: first - 1 })).events).toEqual([])
    expect(await find('payment', middleId, { descending: true, limit: 1 })).toEqual({
      events: all.slice(2),
      next: { before: last },
    })
  })

  test('are found where the bank or another bank made the payment, which is in no table', async () => {
    const last = await record(['payment.created', '8000001', bankOrigin(organisationId)])
    expect((await find('payment', '8000001')).events).toEqual([[last, 'payment.created']])
    const uuid = await record(['payment.created', 'upstream-1', bankOrigin(organisationId)])
    expect((await find('payment', 'upstream-1')).events).toEqual([[uuid, 'payment.created']])
  })

  test('are none for an unknown record and for another organisation', async () => {
    for (const id of ['9999999', '0', '', 'x'.repeat(10_000), '9'.repeat(30), "' or 1=1"]) {
      for (const type of ['payment', 'transaction', 'card']) expect((await find(type, id)).events).toEqual([])
    }
    expect((await find('payment', '2000200', { organisationId: 2 })).events).toEqual([])
    expect((await find('card', '7000001', { organisationId: 2 })).events).toEqual([])
  })

  test('are searched for stretch by stretch where many events have one time', async () => {
    await database.query(
      `with counted as (insert into event_counter values (2, 30000)),
       paid as (
         insert into payment (id, organisation_id, account_id, customer_id, type, direction, status, amount, description,
           original_type, created_at, counterparty_name, counterparty_routing_number, counterparty_account_number,
           counterparty_account_type)
         select 9000000, 2, 1, 1, 'achPayment', 'Credit', 'Sent', 1, 'x', 'ACH', timestamptz '2026-02-01', 'x', 'x', 'x', 'x')
       insert into event_page (organisation_id, last, count, created_at, events, timed)
       select 2, i, 1, timestamptz '2026-02-01',
         concat_ws(e'\\x1f', 'payment.created', case i when 25000 then 9000000 else 1 end, 1, '{}', 5, 'r', ''), true
       from generate_series(1, 30000) i`,
    )
    const within = { organisationId: 2 }
    expect(await find('payment', '9000000', within)).toEqual({ events: [], next: { after: 10_000 } })
    expect(await find('payment', '9000000', { ...within, after: 10_000 })).toEqual({
      events: [],
      next: { after: 20_000 },
    })
    expect(await find('payment', '9000000', { ...within, after: 20_000 })).toEqual({
      events: [[25_000, 'payment.created']],
      next: undefined,
    })
    expect(await find('payment', '9000000', { ...within, descending: true })).toEqual({
      events: [],
      next: { after: 10_000 },
    })
  })
})

describe('A page of events', () => {
  const page = (...events: [type: string, origin: Origin][]) =>
    pagesOf(
      events.map(([type, origin]) => ({ event: { type, id: '1', version: 1, data: {} } as EventDraft, origin })),
    ).pages.map(({ timed: isTimed }) => isTimed)

  test('needs no index where it holds the first events of payments and transactions that requests made', () => {
    expect(page(['payment.created', byRequest], ['transaction.created', byRequest])).toEqual([true])
    expect(page(['payment.created', byRequest], ['payment.sent', byRequest])).toEqual([false])
    expect(page(['payment.created', bankOrigin(1)])).toEqual([false])
    expect(page(['card.created', byRequest])).toEqual([false])
  })

  test('of an earlier version of the service is indexed whole', async () => {
    const [{ last } = { last: 0 }] = await database.query<{ last: number }>(
      `with counted as (update event_counter set sequence = sequence + 2 where organisation_id = 1 returning sequence)
       insert into event_page (organisation_id, last, count, created_at, events)
       select 1, sequence, 2, now(), concat_ws(e'\\x1f', 'payment.created', '8100001', 1, '{}', 5, 'r', '') || e'\\x1e' ||
         concat_ws(e'\\x1f', 'card.created', '8100002', 1, '{}', 5, 'r', '')
       from counted returning last`,
    )
    expect((await find('payment', '8100001')).events).toEqual([[last - 1, 'payment.created']])
    expect((await find('card', '8100002')).events).toEqual([[last, 'card.created']])
  })
})
