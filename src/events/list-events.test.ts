import { once } from 'node:events'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { openTestBank, type Reply, type TestBank } from '../../test/support/harness.ts'
import { makePayer, type Payer, pay } from '../../test/support/ledger.ts'
import { firstStatesReader } from '../bank/first-states/first-states.ts'
import { type Database, DatabaseUnavailable } from '../database/database.ts'
import { openSeals } from '../secrets/seals.ts'
import { auditLogOf } from './audit/audit-log.ts'
import { typeFilter } from './event-filter.ts'
import { openFeed } from './feed.ts'
import { openWaiters } from './waiters.ts'

interface Shown {
  id: string
  type: string
  sequence: number
  entity: { id: string }
}

const list = async (bank: TestBank, query: string, key = bank.key): Promise<Shown[]> => {
  const { status, text, json } = await bank.call('GET', `/v0/events?${query}`, { key })
  expect(status, text).toBe(200)
  return json.data
}

const lastOf = async (bank: TestBank) => (await list(bank, 'limit=1000')).at(-1)?.sequence ?? 0

describe('Listing events', () => {
  let bank: TestBank
  let payer: Payer
  beforeAll(async () => {
    bank = await openTestBank({ inventedEvents: true })
    payer = await makePayer(bank, 1_000_00)
    for (let number = 0; number < 5; number++) await pay(bank, payer, { amount: 1_00 })
  })
  afterAll(() => bank.close())

  test('answers every event once, numbered without a gap', async () => {
    const all = await list(bank, 'limit=1000')
    expect(all.length).toBeGreaterThanOrEqual(11)
    expect(all.map(({ sequence }) => sequence)).toEqual(all.map((_event, at) => at + 1))
    const seen: Shown[] = []
    for (let after = 0; ; after = seen.at(-1)?.sequence ?? 0) {
      const page = await list(bank, `after=${after}&limit=4`)
      seen.push(...page)
      if (page.length === 0) break
    }
    expect(seen).toEqual(all)
  })

  test('links to the next page by the last number, and to none where nothing follows', async () => {
    const first = await bank.call('GET', '/v0/events?limit=4&type=payment.*&type=transaction.created')
    const { sequence } = first.json.data.at(-1)
    expect(first.headers.link).toBe(
      `</v0/events?limit=4&type=payment.*&type=transaction.created&after=${sequence}>; rel="next"`,
    )
    const rest = await bank.call('GET', '/v0/events?limit=1000')
    expect(rest.headers.link).toBeUndefined()
  })

  test('filters by type, by kind of record and by several of them, in any letter case', async () => {
    const typesOf = async (query: string) => [...new Set((await list(bank, query)).map(({ type }) => type))].sort()
    const every = await typesOf('limit=1000')
    expect(every).toContain('payment.created')
    expect(await typesOf('type=payment.created')).toEqual(['payment.created'])
    expect(await typesOf('type=PAYMENT.*')).toEqual(['payment.created'])
    expect(await typesOf('type=payment.*,transaction.*')).toEqual(['payment.created', 'transaction.created'])
    expect(await typesOf('type=payment.*&type=transaction.created')).toEqual(['payment.created', 'transaction.created'])
    expect(await typesOf('type=statement.*')).toEqual([])
    expect(await typesOf('type=*&limit=1000')).toEqual(every)
  })

  test('by a kind of record includes types that only a newer process knows', async () => {
    await bank.database.query(
      `with counted as (
         insert into event_counter select id, 1 from organisation where name = 'second' returning organisation_id)
       insert into event_page (organisation_id, last, count, created_at, events)
       select organisation_id, 1, 1, now(), concat_ws(e'\\x1f', 'payment.teleported', 1, 1, '{}') from counted`,
    )
    const [event] = await list(bank, 'type=payment.*', bank.otherKey)
    expect(event?.type).toBe('payment.teleported')
  })

  test('refuses a type that does not exist', async () => {
    for (const type of ['payment', 'payment.lost', 'payments.*', '*.created', 'payment.**', '.*']) {
      const { status, json } = await bank.call('GET', `/v0/events?type=${type}`)
      expect([status, json.errors[0].parameter, json.errors[0].code], type).toEqual([400, 'type', 'not_allowed'])
    }
  })

  test('refuses a position past the latest event with 410, which says where to go on', async () => {
    const last = await lastOf(bank)
    for (const query of ['', '&wait=30', '&type=payment.*', '&entityType=payment&entityId=1', '&requestId=one']) {
      const { status, json } = await bank.call('GET', `/v0/events?after=${last + 1}${query}`)
      expect([status, json.code, json.resumeAfter], query).toEqual([410, 'events_rewound', last])
      expect(json.detail).toContain(`after=${last}, which`)
    }
    expect(await list(bank, `after=${last}`)).toEqual([])
    expect(await list(bank, `after=${last + 1}&sort=-sequence`)).toEqual([])
  })

  test('refuses a position before the oldest event that is kept with 410, except the beginning', async () => {
    const other = await openTestBank({ inventedEvents: true })
    try {
      // As after a reset: the numbers continue after those of the organisation that was reset.
      const me = await other.call('GET', '/v0/me')
      const own = [Number(me.json.data.organisation.id)]
      await other.database.query(`update organisation set events_after = 7 where id = $1::bigint`, own)
      await other.database.query(
        `insert into event_counter (organisation_id, sequence) values ($1::bigint, 7)
         on conflict (organisation_id) do update set sequence = 7`,
        own,
      )
      await makePayer(other, 1_00)
      for (const query of ['after=6', 'after=1&wait=30', 'after=1&type=payment.*']) {
        const { status, json } = await other.call('GET', `/v0/events?${query}`)
        expect([status, json.code, json.resumeAfter], query).toEqual([410, 'events_expired', 7])
      }
      expect((await list(other, 'after=0&limit=1'))[0]?.sequence).toBe(8)
      expect((await list(other, 'after=7&limit=1'))[0]?.sequence).toBe(8)
    } finally {
      await other.close()
    }
  })

  test('lists newest first, before a number, and between two', async () => {
    const all = await list(bank, 'limit=1000')
    const numbers = async (query: string) => (await list(bank, query)).map(({ sequence }) => sequence)
    const last = all.at(-1)?.sequence ?? 0
    expect(await list(bank, 'sort=-sequence&limit=1000')).toEqual(all.toReversed())
    expect(await numbers('sort=-sequence&limit=2')).toEqual([last, last - 1])
    expect(await numbers(`before=4`)).toEqual([1, 2, 3])
    expect(await numbers(`before=4&sort=-sequence`)).toEqual([3, 2, 1])
    expect(await numbers(`after=1&before=4&sort=-sequence`)).toEqual([3, 2])
    expect(await numbers(`after=3&before=4`)).toEqual([])
    expect(await numbers(`after=9&before=4&sort=-sequence`)).toEqual([])
    const seen: Shown[] = []
    for (let url: string | undefined = '/v0/events?sort=-sequence&limit=4&type=payment.*'; url; ) {
      const { json, headers } = await bank.call('GET', url)
      seen.push(...json.data)
      url = /^<(.*)>; rel="next"$/.exec(String(headers.link))?.[1]
    }
    expect(seen).toEqual(all.filter(({ type }) => type.startsWith('payment.')).toReversed())
  })

  test('lists the events of one record', async () => {
    const all = await list(bank, 'limit=1000')
    const [payment, transaction] = ['payment.created', 'transaction.created'].map((type) =>
      all.findLast((event) => event.type === type),
    ) as [Shown, Shown]
    await bank.call('POST', `/v0/sandbox/payments/${payment.entity.id}/return`, { body: { returnCode: 'R01' } })
    const found = async (query: string, key = bank.key) => (await list(bank, query, key)).map(({ type }) => type)
    const own = `entityType=payment&entityId=${payment.entity.id}`
    expect(await found(own)).toEqual(['payment.created', 'payment.returned'])
    expect(await found(`${own}&sort=-sequence`)).toEqual(['payment.returned', 'payment.created'])
    expect(await found(`${own}&type=payment.returned`)).toEqual(['payment.returned'])
    expect(await found(`${own}&after=${payment.sequence}`)).toEqual(['payment.returned'])
    expect(await list(bank, `entityType=transaction&entityId=${transaction.entity.id}`)).toEqual([transaction])
    expect(await found(`entityType=account&entityId=${payer.accountId}`)).toEqual(['account.created'])
    expect(await found(`entityType=ACCOUNT&entityId=${payer.accountId}`)).toEqual(['account.created'])
    expect(await found(`entityType=card&entityId=${payer.accountId}`)).toEqual([])
    expect(await found(own, bank.otherKey)).toEqual([])
    expect(new Set(await found('entityType=payment'))).toEqual(new Set(['payment.created', 'payment.returned']))
    expect(await found('entityType=payment&type=payment.returned')).toEqual(['payment.returned'])
  })

  test('lists the events of one request, of a recent one without reading the feed', async () => {
    const headers = { 'x-request-id': 'request-42' }
    const from = await lastOf(bank)
    await pay(bank, payer, { amount: 1_00 }, { headers })
    await pay(bank, payer, { amount: 1_00 })
    await pay(bank, payer, { amount: 1_00 }, { headers })
    const numbers = async (query: string) => (await list(bank, query)).map(({ sequence }) => sequence - from)
    expect(await numbers('requestId=request-42')).toEqual([1, 2, 5, 6])
    expect(await numbers('requestId=request-42&sort=-sequence')).toEqual([6, 5, 2, 1])
    expect(await numbers('requestId=request-42&type=payment.*')).toEqual([1, 5])
    expect(await numbers(`requestId=request-42&after=${from + 2}&limit=1`)).toEqual([5])
    expect(await numbers('requestId=unknown')).toEqual([])
    const [, payment] = await list(bank, 'requestId=request-42&type=payment.*')
    const own = `entityType=payment&entityId=${payment?.entity.id}`
    expect(await numbers(`${own}&requestId=request-42`)).toEqual([5])
    expect(await numbers(`${own}&requestId=other`)).toEqual([])
  })

  test('refuses combinations without a meaning', async () => {
    for (const [query, parameter, code] of [
      ['entityId=1000042', 'entityType', 'required'],
      ['entityType=card&entityId=1&type=payment.*', 'type', 'conflict'],
      ['wait=1&sort=-sequence', 'wait', 'conflict'],
      ['wait=1&before=9', 'wait', 'conflict'],
      ['after=latest&sort=-sequence', 'after', 'conflict'],
      ['after=latest&before=9', 'after', 'conflict'],
      ['entityType=moon&entityId=1', 'entityType', 'not_allowed'],
      ['after=newest', 'after', 'wrong_type'],
      ['before=0', 'before', 'out_of_range'],
    ]) {
      const { status, json } = await bank.call('GET', `/v0/events?${query}`)
      expect([status, json.errors?.[0]?.parameter, json.errors?.[0]?.code], query).toEqual([400, parameter, code])
    }
  })

  test('refuses an offset', async () => {
    expect((await bank.call('GET', '/v0/events?offset=1')).json.errors[0].code).toBe('unknown')
  })

  test('shows no events of another organisation', async () => {
    const own = new Set((await list(bank, 'limit=1000')).map(({ id }) => id))
    const foreign = await list(bank, 'limit=1000', bank.otherKey)
    expect(foreign.filter(({ id }) => own.has(id))).toEqual([])
  })
})

describe('A filtered feed over a long history', () => {
  let bank: TestBank
  let key: string
  beforeAll(async () => {
    bank = await openTestBank({ inventedEvents: true })
    key = await bank.makeKey('long', null)
    // 25,000 events on 2,500 pages, of which number 21,500 alone is of another type.
    await bank.database.query(
      `with counted as (insert into event_counter select id, 25000 from organisation where name = 'long' returning organisation_id)
       insert into event_page (organisation_id, last, count, created_at, events)
       select organisation_id, 10 * i, 10, now(), concat_ws(e'\\x1e', repeat(created || e'\\x1e', 8) || created,
         concat_ws(e'\\x1f', case i when 2150 then 'payment.sent' else 'account.created' end, 'a', 1, '{}'))
       from counted, generate_series(1, 2500) i, concat_ws(e'\\x1f', 'account.created', 'a', 1, '{}') created`,
    )
  })
  afterAll(() => bank.close())

  const get = (path: string) => bank.call('GET', path, { key })
  const next = ({ headers }: Reply) => /^<(.*)>; rel="next"$/.exec(String(headers.link))?.[1] ?? ''
  const sequences = ({ json }: Reply) => json.data.map(({ sequence }: Shown) => sequence)

  test('answers a page that is empty or short, with a link to where the call stopped reading', async () => {
    const first = await get('/v0/events?type=payment.*&limit=5')
    expect([sequences(first), next(first)]).toEqual([[], '/v0/events?type=payment.*&limit=5&after=10000'])
    const second = await get(next(first))
    expect([sequences(second), next(second)]).toEqual([[], '/v0/events?type=payment.*&limit=5&after=20000'])
    const third = await get(next(second))
    expect([sequences(third), third.headers.link]).toEqual([[21_500], undefined])
    const short = await get('/v0/events?type=payment.*&after=11500')
    expect([sequences(short), next(short)]).toEqual([[21_500], '/v0/events?type=payment.*&after=21500'])
  })

  test('answers a long poll that stopped reading at once, with the link', async () => {
    const started = performance.now()
    const reply = await get('/v0/events?type=payment.*&wait=30')
    expect([sequences(reply), next(reply)]).toEqual([[], '/v0/events?type=payment.*&wait=30&after=10000'])
    expect(performance.now() - started).toBeLessThan(15_000)
  })

  test('newest first answers a page that is empty or short, with a link to where the call stopped reading', async () => {
    const first = await get('/v0/events?type=payment.*&sort=-sequence&before=10001')
    expect([sequences(first), first.headers.link]).toEqual([[], undefined])
    const rest = '/v0/events?type=account.closed&sort=-sequence'
    const second = await get(rest)
    expect([sequences(second), next(second)]).toEqual([[], `${rest}&before=15001`])
    const third = await get(next(second))
    expect([sequences(third), next(third)]).toEqual([[], `${rest}&before=5001`])
    const fourth = await get(next(third))
    expect([sequences(fourth), fourth.headers.link]).toEqual([[], undefined])
    expect(sequences(await get('/v0/events?type=payment.*&sort=-sequence'))).toEqual([21_500])
  })

  test('by a request that is not remembered is searched in the same way', async () => {
    const first = await get('/v0/events?requestId=forgotten')
    expect([sequences(first), next(first)]).toEqual([[], '/v0/events?requestId=forgotten&after=10000'])
  })

  test('answers nothing for the number of the last event, and refuses one past it', async () => {
    const reply = await get('/v0/events?type=payment.*&after=25000')
    expect([sequences(reply), reply.headers.link]).toEqual([[], undefined])
    for (const after of [25_001, Number.MAX_SAFE_INTEGER]) {
      const { status, json } = await get(`/v0/events?type=payment.*&after=${after}`)
      expect([status, json.code, json.resumeAfter]).toEqual([410, 'events_rewound', 25_000])
    }
  })

  test('compares a type that is named a thousand times only once', () => {
    expect(typeFilter([...Array(1_000).fill('payment.sent'), ...Array(1_000).fill('card.*')])).toEqual({
      types: ['payment.sent'],
      entities: ['card'],
    })
  })
})

describe('Many calls at once', () => {
  test('occupy few connections, so that others are served', async () => {
    let running = 0
    let peak = 0
    const database = {
      query: async () => {
        peak = Math.max(peak, ++running)
        await nextTurn()
        running--
        return []
      },
    } as unknown as Database
    const feed = openFeed({ database, readFirstStates: firstStatesReader(openSeals(database, [Buffer.alloc(32, 7)])) })
    const log = auditLogOf(database)
    const patience = { whenGone: () => undefined, during: <T>(wait: () => Promise<T>) => wait() }
    const calls = (organisationId: number) =>
      Array.from({ length: 10 }, () => [
        feed.listEvents({ organisationId, keyId: 1 }, { type: ['payment.*'] }, patience),
        log.listAuditLog({ organisationId, keyId: 1 }, { offset: 1000 }),
      ]).flat()
    await Promise.all([...calls(1), ...calls(2), ...calls(3)])
    expect(peak).toBe(6)
    peak = 0
    await Promise.all(calls(1))
    expect(peak).toBe(3)
  })
})

describe('A long poll for events', () => {
  let bank: TestBank
  let payer: Payer
  let from: number
  /** Longer than any test takes, so that only a hint can have ended a long poll. */
  const pollMs = 20_000

  beforeEach(async () => {
    bank = await openTestBank({ inventedEvents: true, maxRequests: 1, feed: { pollMs, maxWaiting: 6 } })
    payer = await makePayer(bank, 1_000_00)
    from = await lastOf(bank)
  })
  afterEach(() => bank.close())

  /** Resolves when the call that came last waits: one request in progress would be the limit, and it came first. */
  const begunToWait = (at = bank) =>
    expect.poll(async () => (await at.call('GET', '/v0/banking/accounts')).status).toBe(200)

  async function timed<T>(work: Promise<T>): Promise<{ ms: number; result: T }> {
    const started = performance.now()
    const result = await work
    return { result, ms: performance.now() - started }
  }

  test('is answered at once where events exist', async () => {
    const { result, ms } = await timed(list(bank, 'after=0&wait=30'))
    expect(result.length).toBeGreaterThan(0)
    expect(ms).toBeLessThan(20_000)
  })

  test('is answered with nothing when its time is over', async () => {
    const { result, ms } = await timed(list(bank, `after=${from}&wait=1`))
    expect(result).toEqual([])
    expect(ms).toBeGreaterThan(950)
    expect(ms).toBeLessThan(20_000)
  })

  test('is answered after a commit, by the hint and before the next poll', async () => {
    const waiting: ReturnType<typeof timed<Shown[]>>[] = []
    for (let number = 0; number < 3; number++) {
      waiting.push(timed(list(bank, `after=${from}&wait=15`)))
      await begunToWait()
    }
    await pay(bank, payer, { amount: 1_00 })
    for (const { result, ms } of await Promise.all(waiting)) {
      expect(result.map(({ type }) => type).sort()).toEqual(['payment.created', 'transaction.created'])
      expect(ms).toBeLessThan(15_000)
    }
  })

  test('is answered by the next poll where the hint was lost', async () => {
    const polling = await openTestBank({ inventedEvents: true, maxRequests: 1, feed: { pollMs: 100 } })
    vi.spyOn(polling.feed, 'look').mockReturnValue(undefined)
    try {
      const own = await makePayer(polling, 1_00)
      const after = await lastOf(polling)
      const waiting = timed(list(polling, `after=${after}&wait=15`))
      await begunToWait(polling)
      await polling.database.query(
        `with counted as (update event_counter set sequence = sequence + 1 returning organisation_id, sequence)
         insert into event_page (organisation_id, last, count, created_at, events)
         select organisation_id, sequence, 1, now(), concat_ws(e'\\x1f', 'account.created', $1::text, 1, '{}') from counted`,
        [own.accountId],
      )
      const { result, ms } = await waiting
      expect(result.map(({ entity }) => entity.id)).toEqual([own.accountId])
      expect(ms).toBeLessThan(15_000)
    } finally {
      await polling.close()
    }
  })

  test('is refused if its key was revoked meanwhile', async () => {
    const key = await bank.makeKey('first', ['events:read'])
    const { id } = (await bank.call('GET', '/v0/me', { key })).json.data.key
    const waiting = bank.call('GET', '/v0/events?after=latest&wait=15', { key })
    await begunToWait()
    await bank.call('DELETE', `/v0/api-keys/${id}`)
    const { status, json } = await waiting
    expect([status, json.code]).toEqual([401, 'unauthorized'])
  })

  test('goes on past events of other types and of other organisations', async () => {
    const waiting = list(bank, `after=${from}&type=payment.returned&wait=15`)
    await begunToWait()
    const unrelated = list(bank, `after=0&wait=1`, bank.otherKey)
    await begunToWait()
    const { id } = (await pay(bank, payer, { amount: 1_00 })).json.data
    expect(await unrelated).toEqual([])
    await bank.call('POST', `/v0/sandbox/payments/${id}/return`, { body: { returnCode: 'R01' } })
    expect((await waiting).map(({ type, entity }) => [type, entity.id])).toEqual([['payment.returned', id]])
  })

  test('from the latest event is answered with those that follow, and leads on when nothing came', async () => {
    const empty = await bank.call('GET', '/v0/events?after=latest')
    expect([empty.json.data, empty.headers.link]).toEqual([[], `</v0/events?after=${from}>; rel="next"`])
    const waiting = bank.call('GET', '/v0/events?after=latest&wait=15')
    await begunToWait()
    await pay(bank, payer, { amount: 1_00 })
    const { json, headers } = await waiting
    expect(json.data.map(({ sequence }: Shown) => sequence)).toEqual([from + 1, from + 2])
    expect(headers.link).toBe(`</v0/events?after=${from + 2}&wait=15>; rel="next"`)
  })

  test('for a record or a request is answered with its next event, past those of others', async () => {
    const { id } = (await pay(bank, payer, { amount: 1_00 })).json.data
    const after = await lastOf(bank)
    const record = list(bank, `after=${after}&entityType=payment&entityId=${id}&wait=15`)
    await begunToWait()
    const request = list(bank, `after=${after}&requestId=to-come&wait=15`)
    await begunToWait()
    const looked = vi.spyOn(bank.feed, 'look')
    await pay(bank, payer, { amount: 1_00 })
    await expect.poll(() => looked.mock.calls.length).toBeGreaterThan(0)
    const sent = { body: { returnCode: 'R01' }, headers: { 'x-request-id': 'to-come' } }
    // Refused while the long poll that the payment woke reads: one request at a time is the limit.
    await expect.poll(async () => (await bank.call('POST', `/v0/sandbox/payments/${id}/return`, sent)).status).toBe(200)
    expect((await record).map(({ type, entity }) => [type, entity.id])).toEqual([['payment.returned', id]])
    expect((await request).map(({ type }) => type)).toContain('payment.returned')
  })

  test('holds no connection to the database', async () => {
    let answered = 0
    const waiting: Promise<Shown[]>[] = []
    for (let number = 0; number < 3; number++) {
      waiting.push(list(bank, `after=${from}&wait=20`).finally(() => answered++))
      await begunToWait()
    }
    const busy = async () => {
      const [row] = await bank.database.query<{ busy: number }>(
        `select count(*) as busy from pg_stat_activity
         where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()`,
      )
      return row?.busy
    }
    await expect.poll(busy).toBe(0)
    expect(answered).toBe(0)
    bank.feed.release()
    await Promise.all(waiting)
  })

  test('of one organisation takes half of the free places at most, so that another always finds one', async () => {
    const third = await bank.makeKey('third', null)
    const calls: Promise<Reply>[] = []
    for (const [key, after] of [
      [bank.key, from],
      [bank.otherKey, 0],
      [third, 0],
    ] as const) {
      for (let number = 0; number < 4; number++) {
        calls.push(bank.call('GET', `/v0/events?after=${after}&wait=30`, { key }))
        await begunToWait()
      }
    }
    const { status, json, headers } = await Promise.race(calls)
    expect([status, json.code, headers['retry-after']]).toEqual([503, 'unavailable', '1'])
    bank.feed.release()
    const statuses = (await Promise.all(calls)).map((reply) => reply.status)
    expect(statuses).toEqual([200, 200, 200, 503, 200, 200, 503, 503, 200, 503, 503, 503])
  })

  test('does not count towards the concurrency limit', async () => {
    const waiting: Promise<Reply>[] = []
    for (let number = 0; number < 3; number++) {
      waiting.push(bank.call('GET', `/v0/events?after=${from}&wait=30`))
      await begunToWait()
    }
    expect(await Promise.race([...waiting, 'all wait'])).toBe('all wait')
    bank.feed.release()
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200, 200])
  })

  test('ends when its caller disconnects, and makes room for another', async () => {
    await bank.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = bank.app.server.address() as AddressInfo
    const waiting = () => {
      const call = request({
        host: '127.0.0.1',
        port,
        path: `/v0/events?after=${from}&wait=30`,
        headers: { 'x-service-api-key': bank.key },
      })
      call.on('error', () => undefined)
      call.end()
      return call
    }
    const calls: ReturnType<typeof request>[] = []
    for (let number = 0; number < 3; number++) {
      const arrived = once(bank.app.server, 'request')
      calls.push(waiting())
      await arrived
      await begunToWait()
    }
    const tryOne = () => bank.call('GET', `/v0/events?after=${from}&wait=1`)
    expect((await tryOne()).status).toBe(503)
    for (const call of calls) call.destroy()
    await expect.poll(async () => (await tryOne()).status).toBe(200)
  })

  test('is answered at once when the service stops, and so is every later one', async () => {
    const waiting = timed(list(bank, `after=${from}&wait=30`))
    await begunToWait()
    bank.feed.release()
    const { result, ms } = await waiting
    expect(result).toEqual([])
    expect(ms).toBeLessThan(25_000)
    expect((await timed(list(bank, `after=${from}&wait=30`))).ms).toBeLessThan(25_000)
  })
})

describe('Waiters', () => {
  const gone = () => new AbortController().signal
  const options = { typesOf: async (): Promise<string[]> => [], maxGap: 100, most: 10, pollMs: 60_000 }

  test('do not miss a hint between reading and waiting', async () => {
    let sequence = 5
    const waiters = openWaiters({ countersOf: async () => [{ organisationId: 1, sequence }], ...options })
    const mark = waiters.mark()
    sequence = 6
    waiters.look()
    expect(await waiters.wait({ organisationId: 1, from: 5, filter: null, mark, ms: 30_000, gone: gone() })).toBe(5)
  })

  test('look for all organisations in one statement, one statement at a time', async () => {
    const asked: number[][] = []
    let running = 0
    const countersOf = async (organisationIds: number[]) => {
      expect(running++).toBe(0)
      asked.push(organisationIds)
      await nextTurn()
      running--
      return organisationIds.map((organisationId) => ({ organisationId, sequence: asked.length > 1 ? 1 : 0 }))
    }
    const waiters = openWaiters({ countersOf, ...options })
    const waiting = [1, 2, 3].map((organisationId) =>
      waiters.wait({ organisationId, from: 0, filter: null, mark: 0, ms: 30_000, gone: gone() }),
    )
    for (let hint = 0; hint < 50; hint++) waiters.look()
    expect(await Promise.all(waiting)).toEqual([0, 0, 0])
    expect(asked).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ])
  })

  test('with filters share one look at the new events of their organisation, and move on together', async () => {
    let sequence = 10
    const looks: unknown[] = []
    const waiters = openWaiters({
      ...options,
      countersOf: async () => [{ organisationId: 1, sequence }],
      typesOf: async ({ after, upTo }) => {
        looks.push([after, upTo])
        return upTo === 12 ? ['card.created'] : ['payment.sent', 'account.created']
      },
    })
    const wait = (...types: string[]) =>
      waiters.wait({ organisationId: 1, from: 10, filter: typeFilter(types), mark: 0, ms: 30_000, gone: gone() })
    const [sent, card, none] = [wait('payment.*'), wait('card.created'), wait('statement.*')]
    sequence = 11
    waiters.look()
    expect(await sent).toBe(10)
    sequence = 12
    waiters.look()
    expect(await card).toBe(11)
    expect(looks).toEqual([
      [10, 11],
      [11, 12],
    ])
    // Past the gap that a look may read, the wait ends and the call reads for itself.
    sequence = 113
    waiters.look()
    expect(await none).toBe(12)
    expect(looks).toHaveLength(2)
  })

  test('of an organisation whose events cannot be read do not hold up others', async () => {
    const waiters = openWaiters({
      ...options,
      countersOf: async (ids) => ids.map((organisationId) => ({ organisationId, sequence: 1 })),
      typesOf: async ({ organisationId }) => {
        if (organisationId === 1) throw new DatabaseUnavailable('away')
        return ['payment.sent']
      },
    })
    const wait = (organisationId: number, ms: number) =>
      waiters.wait({ organisationId, from: 0, filter: typeFilter(['payment.*']), mark: -1, ms, gone: gone() })
    const failing = wait(1, 200)
    expect(await wait(2, 30_000)).toBe(0)
    expect(await failing).toBeUndefined()
  })

  test('look again at the next poll while the database is away', async () => {
    let asked = 0
    const countersOf = async () => {
      if (asked++ < 2) throw new DatabaseUnavailable('away')
      return [{ organisationId: 1, sequence: 1 }]
    }
    const waiters = openWaiters({ countersOf, ...options, pollMs: 10 })
    expect(await waiters.wait({ organisationId: 1, from: 0, filter: null, mark: 0, ms: 30_000, gone: gone() })).toBe(0)
    expect(asked).toBe(3)
  })
})
