import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeEndpoint } from '../../../test/support/consumer.ts'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'

let bank: TestBank
beforeAll(async () => {
  bank = await openTestBank()
})
afterAll(() => bank.close())

const rotate = (id: string, options = {}) => bank.call('POST', `/v0/webhook-endpoints/${id}/rotate-secret`, options)

test('rotate webhook secret answers a new secret with Cache-Control: no-store and emits an event without it', async () => {
  const { secret, ...endpoint } = await makeEndpoint(bank, 'https://example.com/hooks')
  const { status, headers, json } = await rotate(endpoint.id)
  expect([status, headers['cache-control']]).toEqual([200, 'no-store'])
  expect(json.data).toEqual({ ...endpoint, secret: expect.stringMatching(/^whsec_[\w+/]{43}=$/) })
  expect(json.data.secret).not.toBe(secret)
  const { json: events } = await bank.call('GET', '/v0/events?type=webhookEndpoint.secretRotated')
  expect(events.data).toMatchObject([{ entity: { id: endpoint.id, version: 2 }, data: endpoint }])
  expect(JSON.stringify(events)).not.toContain('whsec_')
})

test('rotate webhook secret keeps the previous secret for a day of real time; a second rotation ends the oldest', async () => {
  const { id } = await makeEndpoint(bank, 'https://example.com/hooks')
  const headers = { 'idempotency-key': 'rotate-once' }
  const first = await rotate(id, { headers })
  expect((await rotate(id, { headers })).text).toBe(first.text)
  await rotate(id)
  const [row] = await bank.database.query<{ version: number; day: boolean }>(
    `select version, previous_secret_until between now() + interval '23 hours' and now() + interval '25 hours' as day
     from webhook_endpoint where id = $1::bigint`,
    [id],
  )
  expect(row).toEqual({ version: 3, day: true })
})

test("rotate webhook secret answers 404 for another organisation's endpoint", async () => {
  const { id } = await makeEndpoint(bank, 'https://example.com/hooks')
  const { status, json } = await rotate(id, { key: bank.otherKey })
  expect([status, json.code]).toEqual([404, 'webhook_endpoint_not_found'])
})
