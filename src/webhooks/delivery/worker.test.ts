import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { TestBankOptions } from '../../../test/support/bank/options.ts'
import { advance } from '../../../test/support/cards.ts'
import {
  type Consumer,
  deliveriesOf,
  type Endpoint,
  makeEndpoint,
  openConsumer,
  verify,
  watchWorker,
} from '../../../test/support/consumer.ts'
import { deferred } from '../../../test/support/deferred.ts'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { makePayer, type Payer, pay, returnPayment } from '../../../test/support/ledger.ts'
import type { Queryable } from '../../database/database.ts'
import { listDeliveryRows } from '../deliveries/deliveries.sql.ts'
import { type ClaimLimits, claimDeliveries, releaseDeliveries } from './claim.sql.ts'
import { insertDeliveries, lockCursor } from './follow.sql.ts'
import { InFlight } from './in-flight.ts'
import { writeOutcomes } from './outcomes.sql.ts'
import { recoverSome, requestRecovery } from './restart.sql.ts'

let bank: TestBank
let consumer: Consumer
let payer: Payer
const { turns, lookedAgain, workedOff } = watchWorker()

async function open(webhooks: TestBankOptions['webhooks'] = {}): Promise<void> {
  bank = await openTestBank({ inventedEvents: true, webhooks: { turns, ...webhooks } })
  payer = await makePayer(bank, 10_000_00)
}

beforeEach(async () => {
  consumer = await openConsumer()
})
afterEach(async () => {
  vi.useRealTimers()
  await bank.close()
  await consumer.close()
})

const payOnce = async (): Promise<string> => (await pay(bank, payer, { amount: 1_00 })).json.data.id
const came = (count: number) => expect.poll(() => consumer.received.length).toBe(count)
const statusesOf = async (endpoint: Endpoint) =>
  (await deliveriesOf(bank, endpoint.id)).map(({ status }: { status: string }) => status)
const settled = (endpoint: Endpoint, statuses: string[]) => expect.poll(() => statusesOf(endpoint)).toEqual(statuses)
const endpointOf = async ({ id }: Endpoint) => (await bank.call('GET', `/v0/webhook-endpoints/${id}`)).json.data
const hangs = () => new Promise<never>(() => undefined)

describe('a delivery', () => {
  beforeEach(() => open())

  test('contains the event as the feed shows it, with a signature that both libraries verify', async () => {
    const endpoint = await makeEndpoint(bank, consumer.url)
    await payOnce()
    await came(1)
    const [received] = consumer.received
    const { json } = await bank.call('GET', '/v0/events?type=payment.created')
    expect(received?.event).toEqual(json.data.at(-1))
    expect(received?.headers).toMatchObject({
      'webhook-id': received?.event.id,
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Purser/0.0.0-test',
    })
    expect(Math.abs(Number(received?.headers['webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(30)
    verify(endpoint.secret, received as never)
    const other = await makeEndpoint(bank, consumer.url)
    expect(() => verify(other.secret, received as never)).toThrow()
    await settled(endpoint, ['Succeeded'])
  })

  test('is signed with real time, however far bank time is ahead', async () => {
    const endpoint = await makeEndpoint(bank, consumer.url)
    await advance(bank, { by: 'P300D' })
    await payOnce()
    await came(1)
    verify(endpoint.secret, consumer.received[0] as never)
  })

  test('goes to every endpoint that subscribes to its type, for events after the creation of the endpoint', async () => {
    await payOnce()
    const payments = await makeEndpoint(bank, consumer.url)
    const everything = await makeEndpoint(bank, consumer.url, ['*'])
    const cards = await makeEndpoint(bank, consumer.url, ['card.*', 'payment.returned'])
    const foreign = await makeEndpoint(bank, consumer.url, ['*'], bank.otherKey)
    const id = await payOnce()
    await expect.poll(() => statusesOf(payments)).toEqual(['Succeeded'])
    await returnPayment(bank, id)
    await settled(cards, ['Succeeded'])
    await settled(payments, ['Succeeded', 'Succeeded'])
    const moved = async () =>
      (await deliveriesOf(bank, everything.id)).filter(({ eventType }) => /^(payment|transaction)\./.test(eventType))
    await expect.poll(moved).toHaveLength(4)
    const { json } = await bank.call('GET', `/v0/webhook-endpoints/${foreign.id}/deliveries`, { key: bank.otherKey })
    expect(json.data.filter(({ eventType }: { eventType: string }) => !eventType.startsWith('webhook'))).toEqual([])
  })

  test('is signed with both secrets for a day after a rotation, then with the new one', async () => {
    const endpoint = await makeEndpoint(bank, consumer.url)
    const { json } = await bank.call('POST', `/v0/webhook-endpoints/${endpoint.id}/rotate-secret`)
    await payOnce()
    await came(1)
    expect(String(consumer.received[0]?.headers['webhook-signature']).split(' ')).toHaveLength(2)
    for (const secret of [endpoint.secret, json.data.secret]) verify(secret, consumer.received[0] as never)

    await bank.database.query(
      `update webhook_endpoint set previous_secret_until = previous_secret_until - interval '1 day'`,
    )
    await payOnce()
    await came(2)
    verify(json.data.secret, consumer.received[1] as never)
    expect(() => verify(endpoint.secret, consumer.received[1] as never)).toThrow()
    expect(String(consumer.received[1]?.headers['webhook-signature'])).toMatch(/^v1,[\w+/]{43}=$/)
  })
})

describe('an attempt that fails', () => {
  /** Seconds of bank time between attempts. */
  const waits = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]

  test('is repeated when it is due in bank time, ten times in all, with the same id and a new signature', async () => {
    await open()
    const endpoint = await makeEndpoint(bank, consumer.url)
    consumer.answer = () => ({ status: 500, body: 'out of order' })
    await payOnce()
    for (const [index, seconds] of waits.entries()) {
      await came(index + 1)
      // The outcome is written a moment after the consumer has received the request.
      await expect.poll(async () => (await deliveriesOf(bank, endpoint.id))[0]?.attempts.length).toBe(index + 1)
      await settled(endpoint, ['Pending'])
      const [{ nextAttemptAt }] = await deliveriesOf(bank, endpoint.id)
      const now = Date.parse((await bank.call('GET', '/v0/sandbox/clock')).json.data.now)
      const leftSeconds = (Date.parse(nextAttemptAt) - now) / 1_000
      expect(leftSeconds).toBeLessThanOrEqual(seconds * 1.1)
      expect(leftSeconds).toBeGreaterThanOrEqual(seconds * 0.9 - 10)
      if (seconds > 60) {
        await advance(bank, { by: `PT${Math.floor(seconds * 0.85)}S` })
        await workedOff(bank)
        expect(consumer.received).toHaveLength(index + 1)
      }
      await advance(bank, { by: `PT${Math.ceil(seconds * 0.26)}S` })
    }
    await came(10)
    await settled(endpoint, ['Failed'])
    const [delivery] = await deliveriesOf(bank, endpoint.id)
    expect(delivery.nextAttemptAt).toBeNull()
    expect(delivery.attempts).toHaveLength(10)
    expect(delivery.attempts[0]).toEqual({
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      status: 'Failed',
      responseStatus: 500,
      durationMs: expect.any(Number),
      error: 'answered 500',
      response: 'out of order',
    })
    expect(new Set(consumer.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    for (const received of consumer.received) verify(endpoint.secret, received)
    await advance(bank, { by: 'P30D' })
    await workedOff(bank)
    expect(consumer.received).toHaveLength(10)
  })

  test.each([
    ['a redirect', { status: 302, headers: { location: '/elsewhere' } }, 'answered 302'],
    ['a refusal', { status: 400 }, 'answered 400'],
    ['not modified', { status: 304 }, 'answered 304'],
  ])('is %s', async (_what, answer, error) => {
    await open()
    const endpoint = await makeEndpoint(bank, consumer.url)
    consumer.answer = () => answer
    await payOnce()
    await expect.poll(async () => (await deliveriesOf(bank, endpoint.id))[0]?.attempts[0]?.error).toBe(error)
    await settled(endpoint, ['Pending'])
    expect(consumer.received).toHaveLength(1)
  })

  test('is one without an answer in time, or without a connection', async () => {
    await open({ timeoutMs: 300 })
    const slow = await makeEndpoint(bank, consumer.url)
    const closed = await makeEndpoint(bank, 'http://127.0.0.1:1/hooks')
    consumer.answer = hangs
    await payOnce()
    const lastOf = async ({ id }: Endpoint) => (await deliveriesOf(bank, id))[0]?.attempts.at(-1)
    await expect.poll(() => lastOf(slow)).toMatchObject({ error: 'no answer within 0.3 s', responseStatus: null })
    await expect.poll(() => lastOf(closed)).toMatchObject({ error: expect.stringContaining('ECONNREFUSED') })
  })

  test.each([
    ['seconds', () => '7200', 7_200],
    ['a date', () => new Date(Date.now() + 7_200_000).toUTCString(), 7_200],
    ['more than a day, which counts as one', () => '9999999', 86_400],
    ['less than the plan, which the plan goes before', () => '1', 5],
  ])('waits as long as Retry-After asks in %s', async (_what, header, seconds) => {
    await open()
    const endpoint = await makeEndpoint(bank, consumer.url)
    consumer.answer = () => ({ status: 503, headers: { 'retry-after': header() } })
    await payOnce()
    await expect.poll(async () => (await deliveriesOf(bank, endpoint.id))[0]?.attempts.length).toBe(1)
    const [{ nextAttemptAt, attempts }] = await deliveriesOf(bank, endpoint.id)
    const waited = (Date.parse(nextAttemptAt) - Date.parse(attempts[0].at)) / 1_000
    expect(waited).toBeGreaterThanOrEqual(seconds * 0.9 - 2)
    expect(waited).toBeLessThanOrEqual(seconds * 1.1 + 2)
  })

  test('keeps 200 characters of the answer, without secrets', async () => {
    await open()
    const endpoint = await makeEndpoint(bank, consumer.url)
    const leak = `${endpoint.secret} ${endpoint.secret.slice(6)} prs_sk_test_0123456789 \u0000\n`
    consumer.answer = () => ({ status: 500, body: leak + 'x'.repeat(1_000_000) })
    await payOnce()
    await expect.poll(async () => (await deliveriesOf(bank, endpoint.id))[0]?.attempts.length).toBe(1)
    const [{ attempts }] = await deliveriesOf(bank, endpoint.id)
    expect(attempts[0].response).toMatch(/^\*\*\* \*\*\* \*\*\* {2}x+$/)
    expect(attempts[0].response).toHaveLength(200)
  })
})

describe('the order of deliveries', () => {
  test('lets an event wait for the earlier one of its record, and sends those of other records', async () => {
    await open({ delaysMs: [0, 0, 0, 0, 0], timeoutMs: 20_000 })
    const endpoint = await makeEndpoint(bank, consumer.url)
    let refusals = 3
    const first = await payOnce()
    await settled(endpoint, ['Succeeded'])
    consumer.received.length = 0
    // Attempts for the first payment are answered when the second one has been sent.
    consumer.answer = async ({ event }) => {
      if (event.entity.id !== first || refusals-- <= 0) return {}
      await expect.poll(() => consumer.received.some((each) => each.event.entity.id !== first)).toBe(true)
      return { status: 500 }
    }
    // A second event about the first payment, inserted here because a payment is returned once.
    await returnPayment(bank, first)
    await retold(first)
    const second = await payOnce()
    await settled(endpoint, ['Succeeded', 'Succeeded', 'Succeeded', 'Succeeded'])
    const about = consumer.received.filter(({ event }) => event.entity.id === first).map(({ event }) => event.sequence)
    expect(about).toEqual([...about].sort((a, b) => a - b))
    expect(new Set(about).size).toBe(2)
    expect(about).toHaveLength(5)
    const place = consumer.received.findIndex(({ event }) => event.entity.id === second)
    expect([0, 1]).toContain(place)
  })

  test('sends the next event of a record after one has failed for good', async () => {
    await open({ delaysMs: [] })
    const endpoint = await makeEndpoint(bank, consumer.url)
    consumer.answer = ({ event }) => (event.type === 'payment.created' ? { status: 500 } : {})
    await returnPayment(bank, await payOnce())
    await settled(endpoint, ['Succeeded', 'Failed'])
  })

  test('sends no more to an endpoint at a time than the limit', async () => {
    await open({ maxPerEndpoint: 4, maxAtOnce: 10, timeoutMs: 20_000 })
    const endpoint = await makeEndpoint(bank, consumer.url)
    const looked = deferred()
    consumer.answer = () => looked.promise.then(() => ({}))
    await Promise.all(Array.from({ length: 12 }, payOnce))
    await came(4)
    await lookedAgain(bank)
    expect(await bank.database.query(`select from webhook_delivery where lease is not null`)).toHaveLength(4)
    looked.resolve()
    await settled(endpoint, Array(12).fill('Succeeded'))
    expect(consumer.maxOpen).toBe(4)
  })

  async function retold(id: string): Promise<void> {
    await bank.database.query(
      `with counted as (update event_counter set sequence = sequence + 1
         where organisation_id = (select organisation_id from payment where id = $1::bigint) returning *)
       insert into event_page (organisation_id, last, count, created_at, events)
       select organisation_id, sequence, 1, now(), concat_ws(e'\\x1f', 'payment.returned', $1::text, 3, '{}') from counted`,
      [id],
    )
  }
})

test('failing endpoints take half of the deliveries in flight, however many wait for them', async () => {
  await open({ maxAtOnce: 4, timeoutMs: 20_000 })
  const hanging = await openConsumer()
  hanging.answer = () => ({ status: 500 })
  try {
    const [first, second] = [await makeEndpoint(bank, hanging.url), await makeEndpoint(bank, hanging.url)]
    await payOnce()
    await settled(first, ['Pending'])
    const failing = () => bank.database.query(`select from webhook_endpoint where failing_since is not null`)
    await expect.poll(failing).toHaveLength(2)
    expect(await statusesOf(second)).toEqual(['Pending'])

    hanging.maxOpen = 0
    hanging.answer = hangs
    await makeEndpoint(bank, consumer.url)
    for (let payment = 0; payment < 8; payment++) await payOnce()
    await expect.poll(() => hanging.open).toBe(2)
    await came(8)
    await lookedAgain(bank)
    const [taken] = await bank.database.query(
      `select count(*) from webhook_delivery d join webhook_endpoint e on e.id = d.endpoint_id
       where e.failing_since is not null and d.lease is not null`,
    )
    expect(taken).toEqual({ count: 2 })
    expect(hanging.maxOpen).toBe(2)
  } finally {
    await hanging.close()
  }
})

describe('a worker whose process was killed', () => {
  test('loses its deliveries to another worker when the lease has run out', async () => {
    await open({ timeoutMs: 300 })
    const endpoint = await makeEndpoint(bank, consumer.url)
    await bank.database.query(`update webhook_endpoint set status = 'Disabled', disabled_reason = 'Requested'`)
    await payOnce()
    await bank.database.query(`update webhook_endpoint set status = 'Enabled', disabled_reason = null`)
    await settled(endpoint, ['Succeeded'])
    let sentAgainMs = 0
    consumer.answer = () => {
      sentAgainMs = Date.now()
      return {}
    }
    // The state that a worker leaves when it is killed during a request.
    const [left] = await bank.database.query<{ until: string }>(
      `update webhook_delivery set status = 'Pending', lease = gen_random_uuid(),
         leased_until = clock_timestamp() + interval '700 milliseconds' returning leased_until as until`,
    )
    await came(2)
    expect(sentAgainMs).toBeGreaterThanOrEqual(Date.parse(left?.until ?? ''))
    await settled(endpoint, ['Succeeded'])
  })
})

describe('a worker that finds an endpoint locked', () => {
  test('leaves it to the other worker and looks again after a tenth of a second', async () => {
    let asked = 0
    bank = await openTestBank({
      inventedEvents: true,
      webhooks: { pollMs: 60_000, turns },
      around: (database) => ({
        ...database,
        query: (text, ...rest) => {
          if (text.includes('webhook_cursor')) asked++
          return database.query(text, ...rest)
        },
      }),
    })
    payer = await makePayer(bank, 10_000_00)
    const endpoint = await makeEndpoint(bank, consumer.url)
    // From here on the worker looks when the test says so, and time passes when the test says so.
    vi.spyOn(bank.worker, 'heard').mockReturnValue(undefined)
    await lookedAgain(bank)
    await bank.database.transaction(async (transaction) => {
      await transaction.query(`select from webhook_cursor for update`)
      await payOnce()
      vi.useFakeTimers({ toFake: ['setTimeout'] })
      for (let time = 0; time < 3; time++) {
        await lookedAgain(bank)
        asked = 0
        vi.advanceTimersByTime(99)
        expect(asked).toBe(0)
        vi.advanceTimersByTime(1)
        expect(asked).toBe(1)
      }
      await lookedAgain(bank)
    })
    vi.advanceTimersByTime(100)
    await settled(endpoint, ['Succeeded'])
  })
})

describe('an endpoint', () => {
  test('is disabled by the answer 410, emits an event, and continues where it stopped when it is enabled', async () => {
    await open()
    const endpoint = await makeEndpoint(bank, consumer.url)
    consumer.answer = () => ({ status: 410 })
    await payOnce()
    await expect.poll(() => endpointOf(endpoint)).toMatchObject({ status: 'Disabled', disabledReason: 'Gone' })
    const { json } = await bank.call('GET', '/v0/events?type=webhookEndpoint.disabled')
    expect(json.data).toMatchObject([
      {
        entity: { id: endpoint.id, version: 2 },
        data: { status: 'Disabled', disabledReason: 'Gone' },
        request: { id: null },
      },
    ])
    expect(JSON.stringify(json)).not.toContain('whsec_')

    await payOnce()
    await advance(bank, { by: 'P1D' })
    await workedOff(bank)
    expect(consumer.received).toHaveLength(1)
    consumer.answer = () => ({})
    await bank.call('PATCH', `/v0/webhook-endpoints/${endpoint.id}`, { body: { status: 'Enabled' } })
    await settled(endpoint, ['Succeeded', 'Succeeded'])
  })

  test('is not disabled by an answer 410 from a URL that it no longer has', async () => {
    await open({ delaysMs: [0], timeoutMs: 20_000 })
    const endpoint = await makeEndpoint(bank, consumer.url)
    let refusals = 1
    const moved = deferred()
    consumer.answer = async () => {
      if (refusals-- <= 0) return {}
      await moved.promise
      return { status: 410 }
    }
    await payOnce()
    await came(1)
    await bank.call('PATCH', `/v0/webhook-endpoints/${endpoint.id}`, { body: { url: `${consumer.url}/moved` } })
    moved.resolve()
    await settled(endpoint, ['Succeeded'])
    expect((await endpointOf(endpoint)).status).toBe('Enabled')
  })

  test('is disabled after five days of real time without a success', async () => {
    await open()
    const endpoint = await makeEndpoint(bank, consumer.url)
    const failingSince = async () =>
      (await bank.database.query<{ at: string | null }>(`select failing_since as at from webhook_endpoint`))[0]?.at
    const shift = (interval: string) =>
      bank.database.query(`update webhook_endpoint set failing_since = failing_since - $1::interval`, [interval])
    consumer.answer = () => ({ status: 500 })
    await payOnce()
    await expect.poll(failingSince).not.toBeNull()
    // Five days of bank time do not count.
    await advance(bank, { by: 'P6D' })
    await came(2)
    await workedOff(bank)
    expect((await endpointOf(endpoint)).status).toBe('Enabled')

    await shift('4 days 23 hours')
    await advance(bank, { by: 'P1D' })
    await came(3)
    await workedOff(bank)
    expect((await endpointOf(endpoint)).status).toBe('Enabled')

    await shift('1 hour')
    await advance(bank, { by: 'P1D' })
    await expect.poll(() => endpointOf(endpoint)).toMatchObject({ status: 'Disabled', disabledReason: 'Failing' })

    await bank.call('PATCH', `/v0/webhook-endpoints/${endpoint.id}`, { body: { status: 'Enabled' } })
    expect(await failingSince()).toBeNull()
  })

  test('counts as failing no longer after a success', async () => {
    await open({ delaysMs: [0, 0] })
    const endpoint = await makeEndpoint(bank, consumer.url)
    let refusals = 1
    consumer.answer = () => (refusals-- > 0 ? { status: 500 } : {})
    await payOnce()
    await settled(endpoint, ['Succeeded'])
    await expect
      .poll(() => bank.database.query(`select from webhook_endpoint where failing_since is not null`))
      .toEqual([])
  })
})

describe('the metrics', () => {
  test('count every attempt by its outcome and show how far deliveries are behind the events', async () => {
    const outcomes: string[] = []
    const lags: number[] = []
    const observe = { delivery: (outcome: string) => outcomes.push(outcome), eventLag: (lag: number) => lags.push(lag) }
    await open({ delaysMs: [0], observe })
    const endpoint = await makeEndpoint(bank, consumer.url)
    await payOnce()
    await settled(endpoint, ['Succeeded'])
    consumer.answer = () => ({ status: 500 })
    await payOnce()
    await settled(endpoint, ['Failed', 'Succeeded'])
    expect(outcomes).toEqual(['succeeded', 'failed', 'abandoned'])
    expect(Math.max(...lags)).toBeGreaterThan(0)
    expect(Math.max(...lags)).toBeLessThan(10)
    await expect.poll(() => lags.at(-1)).toBe(0)
  })
})

describe('a stop', () => {
  test('waits for answers to requests in flight and writes their outcomes', async () => {
    await open({ timeoutMs: 20_000, partingMs: 20_000 })
    const endpoint = await makeEndpoint(bank, consumer.url)
    consumer.answer = () => ({ ms: 500 })
    await payOnce()
    await came(1)
    await bank.worker.close()
    expect(await statusesOf(endpoint)).toEqual(['Succeeded'])
  })

  test('releases deliveries that are not answered in time', async () => {
    await open({ timeoutMs: 20_000, partingMs: 200 })
    const endpoint = await makeEndpoint(bank, consumer.url)
    consumer.answer = hangs
    await payOnce()
    await came(1)
    await bank.worker.close()
    expect(await deliveriesOf(bank, endpoint.id)).toMatchObject([{ status: 'Pending', attempts: [] }])
    expect(await bank.database.query(`select from webhook_delivery where lease is not null`)).toEqual([])
  })
})

describe('a worker without endpoints', () => {
  test('runs no statement for events', async () => {
    const asked: string[] = []
    bank = await openTestBank({
      inventedEvents: true,
      webhooks: { pollMs: 60_000, turns },
      around: (database) => ({
        ...database,
        query: (text, ...rest) => {
          asked.push(text)
          return database.query(text, ...rest)
        },
      }),
    })
    payer = await makePayer(bank, 10_000_00)
    await lookedAgain(bank)
    asked.length = 0
    const heard = vi.spyOn(bank.worker, 'heard')
    for (let number = 0; number < 5; number++) await payOnce()
    await expect.poll(() => heard.mock.calls.length).toBeGreaterThan(0)
    expect(asked.filter((text) => text.includes('webhook_'))).toEqual([])
  })
})

test('claiming a delivery reads no more when thousands wait at the endpoint', async () => {
  await open({ maxPerEndpoint: 0 })
  const { id } = await makeEndpoint(bank, consumer.url)
  await makeThreeThousand(bank.database, id)
  let blocks = 0
  const explaining: Queryable = {
    async query(text, values) {
      const [row] = await bank.database.query<{ 'QUERY PLAN': { Plan: Record<string, number> }[] }>(
        `explain (analyze, buffers, format json) ${text}`,
        values,
        'once',
      )
      blocks = row?.['QUERY PLAN'][0]?.Plan['Shared Hit Blocks'] ?? 0
      return []
    },
  }
  const limits = claimLimits()
  await claimDeliveries(explaining, { ...limits, lease: randomUUID() })
  expect(blocks).toBeGreaterThan(20)
  expect(blocks).toBeLessThan(1_000)
  const next = await claimDeliveries(bank.database, { ...limits, lease: randomUUID() })
  expect(next.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 20 }, (_, index) => 1021 + index))
})

test('failing endpoints are served first, each with the same probability', async () => {
  await open({ maxPerEndpoint: 0 })
  await bank.database.query(
    `insert into webhook_endpoint select (jsonb_populate_record(e, jsonb_build_object('id', 5000 + i,
       'failing_since', case when i <= 5 then now() end))).*
     from webhook_endpoint e cross join generate_series(1, 50) i where e.id = $1::bigint`,
    [(await makeEndpoint(bank, consumer.url)).id],
  )
  await bank.database.query(
    `insert into webhook_delivery (endpoint_id, organisation_id, sequence, entity, status, created_at, due_at)
     select id, organisation_id, 1000, 'payment 1', 'Pending', created_at, created_at from webhook_endpoint`,
  )
  await bank.database.query('analyze')
  const inFlight = new InFlight()
  for (let index = 0; index < 40; index++) inFlight.endpoints.set(5001 + index, 1)
  const drawn: Awaited<ReturnType<typeof claimDeliveries>> = []
  for (let draw = 0; draw < 40; draw++) {
    drawn.push(...(await claimDeliveries(bank.database, claimLimits({ leaseMs: 0, max: 1, maxFailing: 1, inFlight }))))
  }
  expect(drawn.map(({ failing }) => failing)).toEqual(Array.from({ length: 40 }, () => true))
  expect(new Set(drawn.map(({ endpointId }) => endpointId)).size).toBeGreaterThan(1)
})

test('statements that were run with few deliveries read no more with thousands', async () => {
  await open({ maxPerEndpoint: 0 })
  const { id } = await makeEndpoint(bank, consumer.url)
  const limits = claimLimits()
  // The worst statistics for a plan: those of an empty table.
  await bank.database.query('analyze webhook_delivery')
  // One transaction uses one connection, which could keep its plans.
  await bank.database.transaction(async (transaction) => {
    const makeTurn = async () => {
      const claimed = await claimDeliveries(transaction, { ...limits, lease: randomUUID() })
      const attempt = { at: '2026-01-31T12:00:00.000Z', status: 'Failed', responseStatus: 500 } as never
      const outcomes = claimed.map((delivery) => ({
        ...delivery,
        status: 'Failed' as const,
        delayMs: 0,
        attempt,
      }))
      await writeOutcomes(transaction, outcomes.slice(0, 10))
      await releaseDeliveries(transaction, outcomes.slice(10))
      await requestRecovery(transaction, Number(id), '2026-01-01T00:00:00.000Z')
      await recoverSome(transaction, Number(id), 20)
      return claimed.length
    }
    for (let time = 0; time < 10; time++) expect(await makeTurn()).toBe(0)
    await makeThreeThousand(transaction, id)
    expect(await makeTurn()).toBe(20)
    await transaction.query('select pg_stat_force_next_flush()')
  })
  const read = await rowsRead('webhook_delivery')
  expect(read).toBeGreaterThan(40)
  expect(read).toBeLessThan(1_000)
  expect(await bank.database.query(`select from webhook_delivery where status <> 'Pending'`)).toEqual([])
})

test('an endpoint that is far behind follows in steps, each of which reads its own events only', async () => {
  bank = await openTestBank({ inventedEvents: true })
  const endpointId = Number((await makeEndpoint(bank, consumer.url)).id)
  const before = await rowsRead('event_page')
  await bank.database.transaction(async (transaction) => {
    const followed = await lockCursor(transaction, endpointId)
    if (!followed) throw new Error('somebody else follows')
    // A connection that has run the statement often keeps the plan of when there were few events.
    await transaction.query('set local plan_cache_mode = force_generic_plan')
    await insertDeliveries(transaction, endpointId, { ...followed, filter: null, max: 0 })
    await transaction.query(
      `with counted as (
         update event_counter set sequence = sequence + 5000 where organisation_id = $1::bigint returning sequence)
       insert into event_page (organisation_id, last, count, created_at, events)
       select $1::bigint, sequence - 5000 + i, 1, now(), concat_ws(e'\\x1f', 'payment.created', i, 1, '{}')
       from counted, generate_series(1, 5000) i`,
      [followed.organisationId],
    )
    await insertDeliveries(transaction, endpointId, { ...followed, filter: null, max: 10 })
    await transaction.query('select pg_stat_force_next_flush()')
  })
  expect((await rowsRead('event_page')) - before).toBeLessThan(100)
  const [made] = await bank.database.query(`select count(*) from webhook_delivery`)
  expect(made).toEqual({ count: 10 })
})

test('a page far down the list of deliveries reads its own events only', async () => {
  bank = await openTestBank({ inventedEvents: true })
  const { id } = await makeEndpoint(bank, consumer.url)
  const lookedFor = async () => {
    const [row] = await bank.database.query<{ scans: number }>(
      `select idx_scan as scans from pg_stat_user_tables where relname = 'event_page'`,
    )
    return row?.scans ?? 0
  }
  await makeThreeThousand(bank.database, id)
  const before = await lookedFor()
  await bank.database.transaction(async (transaction) => {
    const wanted = { endpointIds: [Number(id)], status: null, since: null, until: null }
    const [first] = await transaction.query<{ id: number }>(`select min(id) as id from webhook_delivery`)
    const window = { take: 10, offset: 900, ascending: true, after: (first?.id ?? 0) + 1_999 }
    const { rows } = await listDeliveryRows(transaction, wanted, window)
    expect(rows.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 10 }, (_, place) => 3_901 + place))
    await transaction.query('select pg_stat_force_next_flush()')
  })
  expect((await lookedFor()) - before).toBeLessThan(100)
})

function claimLimits(changes: Partial<ClaimLimits> = {}): ClaimLimits {
  return {
    lease: randomUUID(),
    leaseMs: 60_000,
    max: 20,
    maxFailing: 20,
    maxPerEndpoint: 20,
    maxPerOrganisation: 100,
    maxFailingPerOrganisation: 100,
    inFlight: new InFlight(),
    ...changes,
  }
}

/** Inserts 3,000 pending deliveries, each of another record. */
async function makeThreeThousand(queryable: Queryable, endpointId: string): Promise<void> {
  await queryable.query(
    `insert into webhook_delivery (endpoint_id, organisation_id, sequence, entity, status, created_at, due_at)
     select $1::bigint, e.organisation_id, 1000 + i, 'payment ' || i, 'Pending', e.created_at, e.created_at
     from webhook_endpoint e cross join generate_series(1, 3000) i where e.id = $1`,
    [Number(endpointId)],
  )
}

/** Rows and index entries of a table that PostgreSQL has read so far. */
async function rowsRead(table: string): Promise<number> {
  const [row] = await bank.database.query<{ rows: number }>(
    `select (select sum(idx_tup_read) from pg_stat_user_indexes where relname = $1)::bigint
       + (select sum(seq_tup_read) from pg_stat_user_tables where relname = $1)::bigint as rows`,
    [table],
  )
  return row?.rows ?? 0
}
