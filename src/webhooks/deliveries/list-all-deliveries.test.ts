import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openUnitBanking } from '../../../test/support/banking-providers.ts'
import { ask } from '../../../test/support/cards.ts'
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
let payments: Endpoint
let all: Endpoint

beforeAll(async () => {
  bank = await openTestBank({ webhooks: { delaysMs: [3_600_000] } })
  consumer = await openConsumer()
  const payer = await makePayer(bank, 1_000_00)
  payments = await makeEndpoint(bank, `${consumer.url}?payments`)
  all = await makeEndpoint(bank, consumer.url, ['payment.*', 'transaction.*'])
  consumer.answer = ({ event }) => ({ status: event.type === 'transaction.created' ? 500 : 204 })
  await pay(bank, payer, { amount: 1_00 })
  await until('three attempts', async () => {
    const deliveries = [...(await deliveriesOf(bank, payments.id)), ...(await deliveriesOf(bank, all.id))]
    return deliveries.length === 3 && deliveries.every(({ attempts }) => attempts.length === 1)
  })
})
afterAll(async () => {
  await bank.close()
  await consumer.close()
})

// biome-ignore lint/suspicious/noExplicitAny: tests read answers as the JSON they are
async function listed(query = ''): Promise<any[]> {
  const { status, text, json } = await bank.call('GET', `/v0/deliveries?${query}`)
  expect(status, text).toBe(200)
  return json.data
}

describe('list all deliveries', () => {
  test('answers those of every endpoint as its own list shows them, newest first, and in pages', async () => {
    const own = [...(await deliveriesOf(bank, payments.id)), ...(await deliveriesOf(bank, all.id))]
    const number = ({ id }: { id: string }) => Number(id.split('_')[2])
    own.sort((a, b) => number(b) - number(a))
    expect(await listed()).toEqual(own)
    expect(await listed('sort=createdAt')).toEqual([...own].reverse())
    const seen: unknown[] = []
    for (let next: string | undefined = '/v0/deliveries?limit=1'; next; ) {
      const { headers, json } = await bank.call('GET', next)
      seen.push(...json.data)
      next = /^<(.*)>; rel="next"$/.exec(String(headers.link))?.[1]
    }
    expect(seen).toEqual(own)
  })

  test('filters by event, type, status and endpoint', async () => {
    const [payment, transaction] = await ask(
      bank,
      'GET',
      '/v0/events?type=payment.*&type=transaction.created&after=1',
    ).then((events) => events.slice(-2))
    const found = async (query: string) =>
      (await listed(query)).map(({ eventType, endpointId }) => `${eventType} ${endpointId}`).sort()
    const [one, two, three] = [
      `payment.created ${payments.id}`,
      `payment.created ${all.id}`,
      `transaction.created ${all.id}`,
    ]
    expect(await found(`eventId=${payment.id}`)).toEqual([one, two].sort())
    expect(await found(`eventId=${transaction.id}`)).toEqual([three])
    expect(await found(`eventId=${transaction.id}&endpointId=${payments.id}`)).toEqual([])
    expect(await found('eventType=payment.created')).toEqual([one, two].sort())
    expect(await found('eventType=payment.returned')).toEqual([])
    expect(await found('eventType=transaction.*')).toEqual([three])
    expect(await found('eventType=*')).toEqual([one, two, three].sort())
    expect(await found('status=pending')).toEqual([three])
    expect(await found(`endpointId=${all.id}&status=Succeeded`)).toEqual([two])
    expect(await found('since=2999-01-01')).toEqual([])
    expect(await found('until=2999-01-01')).toHaveLength(3)
    for (const unknown of ['eventId=evt_1_1', 'eventId=x', 'eventId=evt_1_test_1', 'endpointId=1', 'endpointId=x']) {
      expect(await found(unknown)).toEqual([])
    }
    const { status, json } = await bank.call('GET', '/v0/deliveries?eventType=payment.invented')
    expect([status, json.errors[0].parameter]).toEqual([400, 'eventType'])
  })

  test('finds a test by its id and by its type', async () => {
    await bank.call('POST', `/v0/webhook-endpoints/${payments.id}/test`)
    const [sent] = await listed('eventType=webhookEndpoint.test')
    expect(await listed(`eventId=${sent.eventId}`)).toEqual([expect.objectContaining({ id: sent.id })])
    expect(await listed(`eventId=${sent.eventId}&endpointId=${all.id}`)).toEqual([])
    await until('the test', async () => (await listed(`eventId=${sent.eventId}`))[0].status === 'Succeeded')
    await bank.database.query('delete from webhook_delivery where test_id is not null')
  })

  test("does not show another organisation's, nor those of a deleted endpoint", async () => {
    expect((await bank.call('GET', '/v0/deliveries', { key: bank.otherKey })).json.data).toEqual([])
    const key = await bank.makeKey('first', ['events:read'])
    expect((await bank.call('GET', '/v0/deliveries', { key })).status).toBe(403)
  })

  test('looks at a bounded number, and its pages lead through all endpoints without a gap', async () => {
    const made = await Promise.all([1, 2, 3].map(() => makeEndpoint(bank, consumer.url, ['card.*'])))
    const endpointIds = made.map(({ id }) => Number(id))
    // The first endpoint has most deliveries, in no even mixture.
    await bank.database.query(
      `insert into webhook_delivery (endpoint_id, organisation_id, sequence, entity, status, created_at, due_at)
       select e.id, e.organisation_id, 100000 + i, 'card/' || i, case when i % 7 = 0 then 'Failed' else 'Succeeded' end,
         timestamptz '2026-01-01' + make_interval(secs => i), now()
       from generate_series(1, 300) i
       join webhook_endpoint e on e.id = ($1::bigint[])[case when i % 50 = 0 then 3 when i % 11 = 0 then 2 else 1 end]
       order by i`,
      [endpointIds],
    )
    for (const ascending of [true, false]) {
      for (const status of [null, 'Failed'] as const) {
        const filter = { endpointIds, status, since: null, until: null }
        const window = { take: 25, offset: 0, ascending, after: null as number | null }
        const whole = await listDeliveryRows(bank.database, filter, { ...window, take: 1_000 })
        expect(whole).toMatchObject({ matched: status ? 42 : 300, lookedTo: null })
        const seen: number[] = []
        do {
          const { rows, lookedTo } = await listDeliveryRows(bank.database, filter, window, 60)
          seen.push(...rows.slice(0, 24).map(({ id }) => id))
          window.after = rows.length > 24 ? (seen.at(-1) ?? null) : lookedTo
        } while (window.after !== null)
        expect(seen).toEqual(whole.rows.map(({ id }) => id))
      }
    }
  })

  test('is there in live mode and with a connector', async () => {
    const live = await openTestBank({ mode: 'live' })
    const unit = await openUnitBanking()
    for (const other of [live, unit.bank]) {
      const { id } = await makeEndpoint(other, 'https://example.com/')
      await ask(other, 'POST', `/v0/webhook-endpoints/${id}/test`)
      const [delivery] = await ask(other, 'GET', '/v0/deliveries')
      expect(await ask(other, 'GET', `/v0/deliveries/${delivery.id}`)).toMatchObject({ endpointId: id, request: null })
      const sent = { headers: { 'webhook-id': delivery.eventId }, body: '{}' }
      const verdict = await ask(other, 'POST', `/v0/webhook-endpoints/${id}/verify`, sent)
      expect(verdict).toMatchObject({ result: 'header_missing' })
    }
    await live.close()
    await unit.close()
  })
})

describe('a webhook endpoint', () => {
  const lastDay = async (id: string) => (await ask(bank, 'GET', `/v0/webhook-endpoints/${id}`)).lastDay

  test('counts the outcomes of the last day, and forgets those of earlier ones', async () => {
    // The payment and the test.
    expect(await lastDay(payments.id)).toEqual({ succeeded: 2, retried: 0, failed: 0 })
    expect(await lastDay(all.id)).toEqual({ succeeded: 1, retried: 1, failed: 0 })
    const endpoints = await ask(bank, 'GET', '/v0/webhook-endpoints')
    expect(endpoints.find(({ id }: Endpoint) => id === all.id).lastDay).toEqual(await lastDay(all.id))

    await bank.database.query(`update webhook_outcome_hour set hour = hour - 25`)
    expect(await lastDay(payments.id)).toEqual({ succeeded: 0, retried: 0, failed: 0 })
    const [{ eventId }] = await listed(`eventType=payment.created&endpointId=${payments.id}`)
    consumer.answer = () => ({ status: 204 })
    await bank.call('POST', `/v0/events/${eventId}/redeliver`)
    await expect.poll(() => lastDay(payments.id)).toEqual({ succeeded: 1, retried: 0, failed: 0 })
    consumer.answer = () => ({ status: 500 })
    await bank.call('POST', `/v0/webhook-endpoints/${payments.id}/test`)
    // A test is attempted once.
    await expect.poll(() => lastDay(payments.id)).toEqual({ succeeded: 1, retried: 0, failed: 1 })
  })
})
