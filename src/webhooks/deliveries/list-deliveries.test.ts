import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { advance, bankNow } from '../../../test/support/cards.ts'
import {
  type Consumer,
  deliveriesOf,
  type Endpoint,
  makeEndpoint,
  openConsumer,
} from '../../../test/support/consumer.ts'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { makePayer, pay } from '../../../test/support/ledger.ts'
import { until } from '../../../test/support/service.ts'
import { listDeliveryRows } from './deliveries.sql.ts'

let bank: TestBank
let consumer: Consumer
let endpoint: Endpoint
let between: string

beforeAll(async () => {
  bank = await openTestBank({ webhooks: {} })
  consumer = await openConsumer()
  const payer = await makePayer(bank, 1_000_00)
  endpoint = await makeEndpoint(bank, consumer.url)
  await pay(bank, payer, { amount: 1_00 })
  await until('a success', async () => (await deliveriesOf(bank, endpoint.id))[0]?.status === 'Succeeded')
  await advance(bank, { by: 'PT1H' })
  between = await bankNow(bank)
  await advance(bank, { by: 'PT1H' })
  consumer.answer = () => ({ status: 404, body: '{"error": "no such path"}' })
  await pay(bank, payer, { amount: 2_00 })
  await until('a failure', async () => {
    const [newest, ...others] = await deliveriesOf(bank, endpoint.id)
    return others.length === 1 && newest.attempts.length === 1
  })
})
afterAll(async () => {
  await bank.close()
  await consumer.close()
})

describe('list deliveries', () => {
  test('shows a key with only webhooks:write which events were sent, and nothing of the records', async () => {
    const [event] = (await bank.call('GET', '/v0/events?type=payment.*')).json.data
    const key = await bank.makeKey('first', ['webhooks:write'])
    const path = `/v0/webhook-endpoints/${endpoint.id}`
    const lists = await bank.call('GET', `${path}/deliveries`, { key })
    expect(lists.json.data.at(-1)).toMatchObject({ eventId: event.id, eventType: event.type })
    const recovered = await bank.call('POST', `${path}/recover`, { key, body: { since: '2026-01-01' } })
    const tested = await bank.call('POST', `${path}/test`, { key })
    for (const { status, text } of [lists, recovered, tested]) {
      expect(status, text).toBe(200)
      expect(text).not.toContain(event.entity.id)
      expect(text).not.toContain('"data":{"data"')
    }
    await until('the test', async () => (await deliveriesOf(bank, endpoint.id))[0]?.status === 'Failed')
    await bank.database.query('delete from webhook_delivery where test_id is not null')
  })

  test('answers deliveries newest first, with every attempt', async () => {
    const events = (await bank.call('GET', '/v0/events?type=payment.*')).json.data
    expect(await deliveriesOf(bank, endpoint.id)).toEqual([
      {
        id: expect.stringMatching(new RegExp(`^dlv_${endpoint.id}_\\d+$`)),
        endpointId: endpoint.id,
        eventId: events[1].id,
        eventType: 'payment.created',
        status: 'Pending',
        createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
        nextAttemptAt: expect.stringMatching(/^\d{4}-.*Z$/),
        attempts: [
          {
            at: expect.stringMatching(/^\d{4}-.*Z$/),
            status: 'Failed',
            responseStatus: 404,
            durationMs: expect.any(Number),
            error: 'answered 404',
            response: '{"error": "no such path"}',
          },
        ],
      },
      {
        id: expect.stringMatching(new RegExp(`^dlv_${endpoint.id}_\\d+$`)),
        endpointId: endpoint.id,
        eventId: events[0].id,
        eventType: 'payment.created',
        status: 'Succeeded',
        createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
        nextAttemptAt: null,
        attempts: [
          {
            at: expect.stringMatching(/^\d{4}-.*Z$/),
            status: 'Succeeded',
            responseStatus: 204,
            durationMs: expect.any(Number),
            error: null,
            response: null,
          },
        ],
      },
    ])
  })

  test('filters by status and time, sorts, and answers in pages', async () => {
    const listed = async (query: string) => (await deliveriesOf(bank, endpoint.id, query)).map(({ status }) => status)
    expect(await listed('status=pending')).toEqual(['Pending'])
    expect(await listed('status=Failed')).toEqual([])
    expect(await listed(`since=${between}`)).toEqual(['Pending'])
    expect(await listed(`until=${between}`)).toEqual(['Succeeded'])
    expect(await listed('sort=createdAt')).toEqual(['Succeeded', 'Pending'])
    expect(await listed('limit=1&offset=1')).toEqual(['Succeeded'])
    const path = `/v0/webhook-endpoints/${endpoint.id}/deliveries`
    expect((await bank.call('GET', `${path}?offset=1001`)).json.errors[0]).toMatchObject({ parameter: 'offset' })
    for (const [query, statuses] of [
      ['limit=1', ['Pending', 'Succeeded']],
      ['limit=1&sort=createdAt', ['Succeeded', 'Pending']],
      ['limit=1&offset=1', ['Succeeded']],
    ] as const) {
      const seen: string[] = []
      for (let next: string | undefined = `${path}?${query}`; next; ) {
        const { headers, json } = await bank.call('GET', next)
        seen.push(...json.data.map(({ status }: { status: string }) => status))
        next = /^<(.*)>; rel="next"$/.exec(String(headers.link))?.[1]
      }
      expect(seen, query).toEqual(statuses)
    }
  })

  test('looks at a bounded number of deliveries, finds a time without reading those before it, and says how far it came', async () => {
    const { id } = await makeEndpoint(bank, consumer.url, ['card.*'])
    await bank.database.query(
      `insert into webhook_delivery (endpoint_id, organisation_id, sequence, entity, status, created_at, due_at)
       select e.id, e.organisation_id, 100000 + i, 'card/' || i, case when i % 100 = 0 then 'Failed' else 'Succeeded' end,
         timestamptz '2026-01-01' + make_interval(secs => i), now()
       from webhook_endpoint e cross join generate_series(1, 1000) i where e.id = $1::bigint`,
      [id],
    )
    const filter = { endpointIds: [Number(id)], status: null, since: null, until: null }
    const window = { take: 1_000, offset: 0, ascending: true, after: null }
    const list = (changes: object, more: object = {}) =>
      listDeliveryRows(bank.database, { ...filter, ...changes }, { ...window, ...more }, 250)
    const sequencesOf = ({ rows }: Awaited<ReturnType<typeof list>>) =>
      rows.map(({ sequence }) => Number(sequence) - 100_000)

    const seen: number[] = []
    let after: number | null = null
    do {
      const page: Awaited<ReturnType<typeof list>> = await list({ status: 'Failed' }, { after })
      expect(page.rows.length).toBeLessThanOrEqual(3)
      seen.push(...sequencesOf(page))
      after = page.lookedTo
    } while (after !== null)
    expect(seen).toEqual([100, 200, 300, 400, 500, 600, 700, 800, 900, 1000])

    const at = (second: number) => new Date(Date.parse('2026-01-01T00:00:00Z') + second * 1_000).toISOString()
    const range = { since: at(900), until: at(905) }
    expect(sequencesOf(await list(range))).toEqual([901, 902, 903, 904])
    expect(sequencesOf(await list(range, { ascending: false }))).toEqual([904, 903, 902, 901])
    expect(sequencesOf(await list({ until: at(3) }, { ascending: false }))).toEqual([2, 1])
    expect(sequencesOf(await list({ since: at(5_000) }))).toEqual([])
    expect((await list({ status: 'Failed' }, { offset: 5 })).matched).toBe(2)
  })

  test('keeps the latest twenty attempts', async () => {
    const [{ eventId }] = await deliveriesOf(bank, endpoint.id)
    for (let time = 0; time < 21; time++) {
      const before = consumer.received.length
      await bank.call('POST', `/v0/events/${eventId}/redeliver`)
      await expect.poll(() => consumer.received.length).toBe(before + 1)
      await expect.poll(() => bank.database.query(`select from webhook_delivery where lease is not null`)).toEqual([])
    }
    const [{ attempts }] = await deliveriesOf(bank, endpoint.id)
    expect(attempts).toHaveLength(20)
  })

  test("answers 404 for another organisation's endpoint", async () => {
    const path = `/v0/webhook-endpoints/${endpoint.id}/deliveries`
    const { status, json } = await bank.call('GET', path, { key: bank.otherKey })
    expect([status, json.code]).toEqual([404, 'webhook_endpoint_not_found'])
  })
})
