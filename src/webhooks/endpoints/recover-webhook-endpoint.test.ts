import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { advance, bankNow } from '../../../test/support/cards.ts'
import {
  type Consumer,
  deliveriesOf,
  type Endpoint,
  makeEndpoint,
  openConsumer,
} from '../../../test/support/consumer.ts'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { makePayer, type Payer, pay } from '../../../test/support/ledger.ts'

let bank: TestBank
let consumer: Consumer
let endpoint: Endpoint
let payer: Payer

beforeAll(async () => {
  bank = await openTestBank({ webhooks: { delaysMs: [] } })
  payer = await makePayer(bank, 1_000_00)
})
afterAll(() => bank.close())
beforeEach(async () => {
  consumer = await openConsumer()
  endpoint = await makeEndpoint(bank, consumer.url)
})
afterEach(async () => {
  await bank.call('DELETE', `/v0/webhook-endpoints/${endpoint.id}`)
  await consumer.close()
})

const recover = (body: unknown, options = {}) =>
  bank.call('POST', `/v0/webhook-endpoints/${endpoint.id}/recover`, { body, ...options })
const statuses = async () => (await deliveriesOf(bank, endpoint.id)).map(({ status }) => status)

describe('recover webhook endpoint', () => {
  test('sends the failed deliveries again that were created after a time, and no others', async () => {
    const day = (await bankNow(bank)).slice(0, 10)
    consumer.answer = () => ({ status: 500 })
    await pay(bank, payer, { amount: 1_00 })
    await expect.poll(statuses).toEqual(['Failed'])
    await advance(bank, { by: 'PT1H' })
    const since = await bankNow(bank)
    await advance(bank, { by: 'PT1H' })
    await pay(bank, payer, { amount: 2_00 })
    await expect.poll(statuses).toEqual(['Failed', 'Failed'])
    consumer.answer = () => ({})
    await pay(bank, payer, { amount: 3_00 })
    await expect.poll(statuses).toEqual(['Succeeded', 'Failed', 'Failed'])

    consumer.received.length = 0
    const { secret: _, ...record } = endpoint
    const { status, json } = await recover({ since })
    expect([status, json.data]).toEqual([200, record])
    await expect.poll(statuses).toEqual(['Succeeded', 'Succeeded', 'Failed'])
    expect(consumer.received.map(({ event }) => event.data.amount)).toEqual([2_00])
    const [, recovered] = await deliveriesOf(bank, endpoint.id)
    expect(recovered.attempts.map((attempt: { status: string }) => attempt.status)).toEqual(['Failed', 'Succeeded'])
    await recover({ since: day })
    await expect.poll(statuses).toEqual(['Succeeded', 'Succeeded', 'Succeeded'])
  })

  test('does not include deliveries created at exactly that time', async () => {
    consumer.answer = () => ({ status: 500 })
    await pay(bank, payer, { amount: 1_00 })
    await expect.poll(statuses).toEqual(['Failed'])
    const [{ createdAt }] = await deliveriesOf(bank, endpoint.id)
    consumer.answer = () => ({})
    await recover({ since: createdAt })
    expect(await statuses()).toEqual(['Failed'])
    await recover({ since: new Date(Date.parse(createdAt) - 1).toISOString() })
    await expect.poll(statuses).toEqual(['Succeeded'])
  })

  test('recovers more deliveries than one transaction takes', async () => {
    await bank.database.query(
      `insert into webhook_delivery (endpoint_id, organisation_id, sequence, entity, status, created_at, due_at)
       select id, organisation_id, n, 'payment/' || n, 'Failed', now() + interval '1 year', now() + interval '1 year'
       from webhook_endpoint, generate_series(1000001, 1020001) n where id = $1::bigint`,
      [endpoint.id],
    )
    await bank.database.query(
      `update webhook_endpoint set status = 'Disabled', disabled_reason = 'Requested' where id = $1::bigint`,
      [endpoint.id],
    )
    expect((await recover({ since: '2026-01-01' })).status).toBe(200)
    const pending = () =>
      bank.database.query(
        `select count(*) as pending from webhook_delivery where endpoint_id = $1::bigint and status = 'Pending'`,
        [endpoint.id],
      )
    await expect.poll(pending, { timeout: 30_000 }).toEqual([{ pending: 20_001 }])
  })

  test('refuses a malformed time and an unknown endpoint', async () => {
    for (const since of ['yesterday', '2026-02-30', '', '2026-01-31T25:00:00Z']) {
      const { status, json } = await recover({ since })
      expect([status, json.errors[0].pointer], since).toEqual([400, '/since'])
    }
    expect((await recover({})).status).toBe(400)
    const foreign = await recover({ since: '2026-01-31' }, { key: bank.otherKey })
    expect([foreign.status, foreign.json.code]).toEqual([404, 'webhook_endpoint_not_found'])
  })
})
