import { afterAll, beforeAll, expect, test } from 'vitest'
import { advance } from '../../../test/support/cards.ts'
import { deliveriesOf, makeEndpoint, openConsumer, watchWorker } from '../../../test/support/consumer.ts'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { makePayer, pay } from '../../../test/support/ledger.ts'

let bank: TestBank
const { turns, workedOff } = watchWorker()
beforeAll(async () => {
  bank = await openTestBank({ webhooks: { turns } })
})
afterAll(() => bank.close())

const remove = (id: string, key = bank.key) => bank.call('DELETE', `/v0/webhook-endpoints/${id}`, { key })

test('delete webhook endpoint answers the record once and emits an event', async () => {
  const { secret: _, ...endpoint } = await makeEndpoint(bank, 'https://example.com/hooks', ['statement.*'])
  const foreign = await remove(endpoint.id, bank.otherKey)
  expect([foreign.status, foreign.json.code]).toEqual([404, 'webhook_endpoint_not_found'])
  const { status, json } = await remove(endpoint.id)
  expect([status, json.data]).toEqual([200, endpoint])
  expect((await remove(endpoint.id)).status).toBe(404)
  const { json: events } = await bank.call('GET', '/v0/events?type=webhookEndpoint.deleted')
  expect(events.data).toMatchObject([{ entity: { id: endpoint.id, version: 2 }, data: endpoint }])
})

test('delete webhook endpoint ends the retries of its deliveries', async () => {
  const consumer = await openConsumer()
  const payer = await makePayer(bank, 100_00)
  const { id } = await makeEndpoint(bank, consumer.url)
  consumer.answer = () => ({ status: 500 })
  await pay(bank, payer, { amount: 1_00 })
  await expect.poll(async () => (await deliveriesOf(bank, id))[0]?.attempts.length).toBe(1)
  await remove(id)
  await pay(bank, payer, { amount: 1_00 })
  await advance(bank, { by: 'P1D' })
  await workedOff(bank)
  expect(consumer.received).toHaveLength(1)
  await consumer.close()
})
