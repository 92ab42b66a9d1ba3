import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase } from '../../../test/support/harness.ts'
import { type Database, openDatabase, plainTimeouts } from '../../database/database.ts'
import { verifyLedger } from '../../ledger/verify.ts'
import { type AuditRange, listAuditRows } from '../audit/audit-log.sql.ts'
import type { EventDraft } from '../event.ts'
import { findEventRow, findEventTypes, listEventRows } from '../events.sql.ts'
import { bankOrigin, type NewEvent, recordEvents } from '../record.ts'
import { MAX_ON_A_PAGE, pagesOf } from './event-pages.ts'

let place: Awaited<ReturnType<typeof createDatabase>>
let database: Database
/** Two organisations. */
let organisations: [number, number]

beforeAll(async () => {
  place = await createDatabase()
  database = openDatabase({ servers: [place.server], connections: 1, timeouts: plainTimeouts })
  const rows = await database.query<{ id: number }>(
    `insert into organisation (id, name, created_at) values (1, 'one', now()), (2, 'two', now()) returning id`,
  )
  organisations = [rows[0]?.id ?? 0, rows[1]?.id ?? 0]
})
afterAll(async () => {
  await database.close()
  await place.drop()
})

function draft(id: string, data: unknown, organisationId: number, origin = bankOrigin(organisationId)): NewEvent {
  return { event: { type: 'payment.created', id, version: 1, data } as EventDraft, origin }
}

async function numberedLaw(): Promise<unknown[]> {
  return (await verifyLedger(database)).filter(({ law }) => law.startsWith('events are numbered'))
}

test('Events fill pages one after the other, separately for each organisation', () => {
  const events = Array.from({ length: 100 }, (_, number) =>
    draft(`${number}`, 'x'.repeat(400), number % 3 === 0 ? 1 : 2),
  )
  const { pages, totals } = pagesOf(events)
  const counts = new Map(totals.map(({ organisationId, count }) => [organisationId, count]))
  expect(counts).toEqual(
    new Map([
      [2, 66],
      [1, 34],
    ]),
  )
  for (const organisationId of [1, 2]) {
    const own = pages.filter((page) => page.organisationId === organisationId)
    expect(own.length).toBeGreaterThan(1)
    let left = counts.get(organisationId) ?? 0
    const ids: string[] = []
    for (const [index, page] of own.entries()) {
      const text = page.events
      const stored = text.split('\x1e').map((event) => event.split('\x1f'))
      expect(stored).toHaveLength(page.count)
      left -= page.count
      expect(page.behind).toBe(left)
      expect(text.length).toBeLessThanOrEqual(MAX_ON_A_PAGE + 2)
      if (index < own.length - 1) expect(text.length).toBeGreaterThan(MAX_ON_A_PAGE - 1_000)
      ids.push(...stored.map(([, id = '']) => id))
    }
    expect(ids).toEqual(
      events.filter(({ origin }) => origin.organisationId === organisationId).map(({ event }) => event.id),
    )
  }
})

test('A page holds as many events as fit, and at least one of any length', () => {
  const fits = (length: number) => pagesOf([draft('1', 'x'.repeat(length), 1), draft('2', 'x'.repeat(4_000), 1)]).pages
  let longest = 0
  while (fits(longest + 1).length === 1) longest++
  const [page] = fits(longest)
  expect(page?.count).toBe(2)
  const length = page?.events.length ?? 0
  expect(length).toBeLessThanOrEqual(MAX_ON_A_PAGE)
  // The reserve for separators and version is larger than most events need.
  expect(length).toBeGreaterThan(MAX_ON_A_PAGE - 10)
  expect(fits(longest + 1).map(({ count, behind }) => [count, behind])).toEqual([
    [1, 1],
    [1, 0],
  ])
  expect(pagesOf([draft('1', 'x'.repeat(3 * MAX_ON_A_PAGE), 1)]).pages.map(({ count }) => count)).toEqual([1])
})

test('Events are read as they were written, whatever characters they hold', async () => {
  const [organisationId] = organisations
  const [{ last } = { last: 0 }] = await database.query<{ last: number }>(
    `select sequence as last from event_counter where organisation_id = $1::bigint`,
    [organisationId],
  )
  const origin = { organisationId, apiKeyId: 5, requestId: 'a "b" \\', idempotencyKey: 'é 漢 🙂 \u0001' }
  const events = [
    draft('plain', { amount: 1 }, organisationId),
    draft('"][,\\', { text: '\0 \ud800 "]],[[ \\' }, organisationId, origin),
    draft('long', { text: '漢'.repeat(9_000) }, organisationId, origin),
    { event: { type: 'payment.sent', id: 'text', version: 2, json: '{"a" :\t[1.0, {"b":null}]}' }, origin } as NewEvent,
    draft('\x1e half \ud800', {}, organisationId, { ...origin, requestId: '\x1f', idempotencyKey: '\x1e' }),
  ]
  await database.transaction((transaction) => recordEvents(transaction, events))
  const wanted = { organisationId, after: last, upTo: Number.MAX_SAFE_INTEGER, filter: null, take: 10 }
  const rows = await listEventRows(database, wanted)
  expect(rows.map(({ entityId }) => entityId)).toEqual(['plain', '"][,\\', 'long', 'text', '\ufffd half \ufffd'])
  expect(rows.map(({ data }) => data)).toEqual(events.map(({ event }) => event.json ?? JSON.stringify(event.data)))
  expect(rows.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5].map((place) => last + place))
  expect(rows[0]).toMatchObject({ apiKeyId: null, requestId: null, idempotencyKey: null })
  expect(rows[1]).toMatchObject(origin)
  expect(rows[4]).toMatchObject({ requestId: '\ufffd', idempotencyKey: '\ufffd' })
  for (const row of rows) expect(await findEventRow(database, organisationId, row.sequence)).toEqual(row)
  expect(await findEventRow(database, organisationId, last + 6)).toBeUndefined()
  expect(await findEventRow(database, organisationId, 0)).toBeUndefined()
  // From the middle of a page.
  const rest = await listEventRows(database, { ...wanted, after: last + 1, take: 2 })
  expect(rest.map(({ entityId }) => entityId)).toEqual(['"][,\\', 'long'])
  expect(await numberedLaw()).toEqual([])
})

test.each([
  ['while nothing is known of the table', 10, 'select'],
  ['when few events were all that is known', 11, 'analyze event_page'],
  ['when those of others are', 12, 'analyze event_page'],
])('however many events there are, those that are wanted are read, %s', async (_when, organisationId, prepare) => {
  await database.query(`insert into organisation (id, name, created_at) values ($1::bigint, $1::text, now())`, [
    organisationId,
  ])
  const wanted = { organisationId, after: 10_002, upTo: Number.MAX_SAFE_INTEGER, filter: null, take: 10 }
  const since = new Date(Date.UTC(2026, 1, 1) + 1_000_000).toISOString()
  const until = new Date(Date.UTC(2026, 1, 1) + 2_000_000).toISOString()
  const sent = { types: ['payment.sent'], entities: [] }
  const first = { sequence: null, denialId: null }
  const audit = (times: { since: string | null; until: string | null }, cursor: AuditRange['cursor'] = first) =>
    listAuditRows(database, { organisationId, ...times, cursor }, { take: 3, offset: 0 })
  const reads: [what: string, sequences: number[], read: () => Promise<{ sequence: number | null }[]>][] = [
    ['a page of the feed', [10_003, 10_004, 10_005], () => listEventRows(database, { ...wanted, take: 3 })],
    ['its end', [19_999, 20_000], () => listEventRows(database, { ...wanted, after: 19_998 })],
    ['a filtered one', [10_003, 10_007], () => listEventRows(database, { ...wanted, filter: sent, take: 2 })],
    [
      'a filtered one up to a number',
      [10_003, 10_007, 10_011],
      () => listEventRows(database, { ...wanted, filter: sent, upTo: 10_014 }),
    ],
    [
      'a filtered one that finds nothing',
      [],
      () => listEventRows(database, { ...wanted, filter: { types: [], entities: ['card'] }, upTo: 10_200 }),
    ],
    [
      'the types of some events',
      [1, 2],
      async () =>
        (await findEventTypes(database, { organisationId, after: 10_002, upTo: 10_200 }))
          .sort()
          .map((type) => ({ sequence: ['payment.created', 'payment.sent'].indexOf(type) + 1 })),
    ],
    ['one event', [15_002], async () => [(await findEventRow(database, organisationId, 15_002)) ?? { sequence: null }]],
    ['the audit log', [20_000, 19_999, 19_998], () => audit({ since: null, until: null })],
    [
      'the audit log after an event',
      [9_999, 9_998, 9_997],
      () => audit({ since: null, until: null }, { sequence: 10_000, denialId: null }),
    ],
    ['the audit log of a time', [7_996, 7_995, 7_994], () => audit({ since, until })],
    ['the audit log up to a time', [7_996, 7_995, 7_994], () => audit({ since: null, until })],
  ]
  // As connections that have done it often: their plans are of when there were few events.
  await database.query(prepare)
  await database.query('set plan_cache_mode = force_generic_plan')
  for (const [, , read] of reads) await read()
  await database.query(
    `with counted as (insert into event_counter values ($1::bigint, 20000))
     insert into event_page (organisation_id, last, count, created_at, events)
     select $1::bigint, 4 * i, 4, timestamptz '2026-02-01' + make_interval(secs => i),
       concat_ws(e'\\x1e', created, created, sent, created)
     from generate_series(1, 5000) i, concat_ws(e'\\x1f', 'payment.created', 'a', 1, '{}') created,
       concat_ws(e'\\x1f', 'payment.sent', 'b', 1, '{}') sent`,
    [organisationId],
  )
  for (const [what, sequences, read] of reads) {
    const earlier = await rowsRead()
    const found = await read()
    const numbers = found.map(({ sequence }) => sequence)
    expect(numbers, what).toEqual(sequences)
    expect((await rowsRead()) - earlier, what).toBeLessThan(100)
  }
})

async function rowsRead(): Promise<number> {
  await database.query('select pg_stat_force_next_flush()')
  const [row] = await database.query<{ read: number }>(
    `select seq_tup_read + coalesce(idx_tup_fetch, 0) as read from pg_stat_user_tables where relname = 'event_page'`,
  )
  return row?.read ?? 0
}
