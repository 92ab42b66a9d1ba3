import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestBank, type Reply, type TestBank } from '../../test/support/harness.ts'
import { makePayer, type Payer, pay } from '../../test/support/ledger.ts'
import { DatabaseUnavailable } from '../database/database.ts'
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

describe('list events', () => {
  let bank: TestBank
  let payer: Payer
  beforeAll(async () => {
    bank = await openTestBank()
    payer = await makePayer(bank, 1_000_00)
    for (let number = 0; number < 5; number++) await pay(bank, payer, { amount: 1_00 })
  })
  afterAll(() => bank.close())

  test('answers every event once, by its number, which has no gap', async () => {
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

  test('names the next page by the last number, and none where nothing follows', async () => {
    const first = await bank.call('GET', '/v0/events?limit=4&type=payment.*&type=transaction.created')
    const { sequence } = first.json.data.at(-1)
    expect(first.headers.link).toBe(
      `</v0/events?limit=4&type=payment.*&type=transaction.created&after=${sequence}>; rel="next"`,
    )
    const rest = await bank.call('GET', '/v0/events?limit=1000')
    expect(rest.headers.link).toBeUndefined()
  })

  test('filters by type, by all of a kind, by several, in any letter case', async () => {
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

  test('a kind of this process includes types that only a newer one knows', async () => {
    await bank.database.query(
      `insert into event_page (organisation_id, last, count, created_at, events)
       select organisation_id, 1, 1, now(), concat_ws(e'\\x1f', 'payment.teleported', 1, 1, '{}') from api_key
       join organisation o on o.id = organisation_id where o.name = 'second'`,
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

  test('has no offset', async () => {
    expect((await bank.call('GET', '/v0/events?offset=1')).json.errors[0].code).toBe('unknown')
  })

  test("shows nothing of another organisation's", async () => {
    const own = new Set((await list(bank, 'limit=1000')).map(({ id }) => id))
    const foreign = await list(bank, 'limit=1000', bank.otherKey)
    expect(foreign.filter(({ id }) => own.has(id))).toEqual([])
  })
})

describe('waiting for events', () => {
  let bank: TestBank
  let payer: Payer
  let from: number
  /** So long nobody but a hint can have woken a waiter. */
  const pollMs = 20_000

  beforeEach(async () => {
    bank = await openTestBank({ feed: { pollMs, maxWaiting: 6 } })
    payer = await makePayer(bank, 1_000_00)
    from = await lastOf(bank)
    await sleep(50)
  })
  afterEach(() => bank.close())

  async function timed<T>(work: Promise<T>): Promise<{ ms: number; result: T }> {
    const started = performance.now()
    const result = await work
    return { result, ms: performance.now() - started }
  }

  test('what is there is answered at once', async () => {
    const { result, ms } = await timed(list(bank, 'after=0&wait=30'))
    expect(result.length).toBeGreaterThan(0)
    expect(ms).toBeLessThan(2_000)
  })

  test('answers nothing when the time is over', async () => {
    const { result, ms } = await timed(list(bank, `after=${from}&wait=1`))
    expect(result).toEqual([])
    expect(ms).toBeGreaterThan(950)
    expect(ms).toBeLessThan(5_000)
  })

  test('a commit wakes those who wait, without the poll', async () => {
    const waiting = [1, 2, 3].map(() => timed(list(bank, `after=${from}&wait=15`)))
    await sleep(100)
    await pay(bank, payer, { amount: 1_00 })
    for (const { result, ms } of await Promise.all(waiting)) {
      expect(result.map(({ type }) => type).sort()).toEqual(['payment.created', 'transaction.created'])
      expect(ms).toBeLessThan(5_000)
    }
  })

  test('the poll finds what no hint told of', async () => {
    const polling = await openTestBank({ feed: { pollMs: 100 } })
    try {
      const own = await makePayer(polling, 1_00)
      const after = await lastOf(polling)
      await sleep(50)
      const waiting = timed(list(polling, `after=${after}&wait=15`))
      await sleep(100)
      await polling.database.query(
        `with counted as (update event_counter set sequence = sequence + 1 returning organisation_id, sequence)
         insert into event_page (organisation_id, last, count, created_at, events)
         select organisation_id, sequence, 1, now(), concat_ws(e'\\x1f', 'account.created', $1::text, 1, '{}') from counted`,
        [own.accountId],
      )
      const { result, ms } = await waiting
      expect(result.map(({ entity }) => entity.id)).toEqual([own.accountId])
      expect(ms).toBeLessThan(5_000)
    } finally {
      await polling.close()
    }
  })

  test('goes on waiting past events of other types, and of other organisations', async () => {
    const waiting = list(bank, `after=${from}&type=payment.returned&wait=15`)
    const unrelated = list(bank, `after=0&wait=1`, bank.otherKey)
    await sleep(100)
    const { id } = (await pay(bank, payer, { amount: 1_00 })).json.data
    expect(await unrelated).toEqual([])
    await bank.call('POST', `/v0/sandbox/payments/${id}/return`, { body: { returnCode: 'R01' } })
    expect((await waiting).map(({ type, entity }) => [type, entity.id])).toEqual([['payment.returned', id]])
  })

  test('holds no connection of the database', async () => {
    const waiting = Array.from({ length: 3 }, () => list(bank, `after=${from}&wait=2`))
    await sleep(200)
    const [row] = await bank.database.query<{ busy: number }>(
      `select count(*) as busy from pg_stat_activity
       where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()`,
    )
    expect(row?.busy).toBe(0)
    await Promise.all(waiting)
  })

  test('so many may wait and no more, half of them of one organisation', async () => {
    const waiting = Array.from({ length: 3 }, () => list(bank, `after=${from}&wait=2`))
    await sleep(100)
    const refused = await bank.call('GET', `/v0/events?after=${from}&wait=2`)
    expect([refused.status, refused.json.code, refused.headers['retry-after']]).toEqual([503, 'unavailable', '1'])
    const others = Array.from({ length: 3 }, () => list(bank, 'wait=2', bank.otherKey))
    await sleep(100)
    const third = await bank.makeKey('third', null)
    expect((await bank.call('GET', '/v0/events?wait=2', { key: third })).status).toBe(503)
    await Promise.all([...waiting, ...others])
    expect(await list(bank, 'wait=1', third)).toEqual([])
  })

  test('those who wait are no load that keeps others out', async () => {
    const small = await openTestBank({ maxRequests: 2 })
    const waiting: Promise<Reply>[] = []
    for (let number = 0; number < 3; number++) {
      waiting.push(small.call('GET', '/v0/events?wait=2'))
      await sleep(200)
    }
    expect((await small.call('GET', '/v0/banking/accounts')).status).toBe(200)
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200, 200])
    await small.close()
  })

  test('a caller who goes away makes room for another', async () => {
    await bank.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = bank.app.server.address() as AddressInfo
    const calls = Array.from({ length: 3 }, () => {
      const call = request({
        host: '127.0.0.1',
        port,
        path: `/v0/events?after=${from}&wait=30`,
        headers: { 'x-service-api-key': bank.key },
      })
      call.on('error', () => undefined)
      call.end()
      return call
    })
    const tryOne = () => bank.call('GET', `/v0/events?after=${from}&wait=1`)
    await sleep(500)
    expect((await tryOne()).status).toBe(503)
    for (const call of calls) call.destroy()
    await expect.poll(async () => (await tryOne()).status, { timeout: 10_000 }).toBe(200)
  })

  test('those who wait are answered at once when the service stops, and nobody waits any more', async () => {
    const waiting = timed(list(bank, `after=${from}&wait=30`))
    await sleep(100)
    bank.feed.release()
    const { result, ms } = await waiting
    expect(result).toEqual([])
    expect(ms).toBeLessThan(5_000)
    expect((await timed(list(bank, `after=${from}&wait=30`))).ms).toBeLessThan(5_000)
  })
})

describe('waiters', () => {
  const gone = () => new AbortController().signal

  test('a hint between looking and waiting is not missed', async () => {
    let sequence = 5
    const waiters = openWaiters({ countersOf: async () => [{ organisationId: 1, sequence }], most: 10, pollMs: 60_000 })
    const mark = waiters.mark()
    sequence = 6
    waiters.look()
    expect(await waiters.wait({ organisationId: 1, from: 5, mark, ms: 30_000, gone: gone() })).toBe(true)
  })

  test('all organisations are looked for in one go, one at a time', async () => {
    const asked: number[][] = []
    let running = 0
    const countersOf = async (organisationIds: number[]) => {
      expect(running++).toBe(0)
      asked.push(organisationIds)
      await sleep(20)
      running--
      return organisationIds.map((organisationId) => ({ organisationId, sequence: asked.length > 1 ? 1 : 0 }))
    }
    const waiters = openWaiters({ countersOf, most: 10, pollMs: 60_000 })
    const waiting = [1, 2, 3].map((organisationId) =>
      waiters.wait({ organisationId, from: 0, mark: 0, ms: 30_000, gone: gone() }),
    )
    for (let hint = 0; hint < 50; hint++) waiters.look()
    expect(await Promise.all(waiting)).toEqual([true, true, true])
    expect(asked).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ])
  })

  test('a database that is away is asked again at the next poll', async () => {
    let asked = 0
    const countersOf = async () => {
      if (asked++ < 2) throw new DatabaseUnavailable('away')
      return [{ organisationId: 1, sequence: 1 }]
    }
    const waiters = openWaiters({ countersOf, most: 10, pollMs: 10 })
    expect(await waiters.wait({ organisationId: 1, from: 0, mark: 0, ms: 30_000, gone: gone() })).toBe(true)
    expect(asked).toBe(3)
  })
})
