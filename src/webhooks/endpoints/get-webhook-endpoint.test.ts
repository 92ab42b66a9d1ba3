import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeEndpoint } from '../../../test/support/consumer.ts'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'

let bank: TestBank
beforeAll(async () => {
  bank = await openTestBank()
})
afterAll(() => bank.close())

const get = (id: string, key = bank.key) => bank.call('GET', `/v0/webhook-endpoints/${id}`, { key })

test('get webhook endpoint answers the record without its secret', async () => {
  const { secret: _, ...endpoint } = (await makeEndpoint(bank, 'https://example.com/hooks')) as {
    secret: string
    id: string
  }
  const { status, json } = await get(endpoint.id)
  const lastDay = { succeeded: 0, retried: 0, failed: 0 }
  expect([status, json.data]).toEqual([200, { ...endpoint, failingSince: null, lastDay }])
})

test("get webhook endpoint answers 404 for another organisation's and for a deleted one", async () => {
  const { id } = await makeEndpoint(bank, 'https://example.com/hooks')
  await bank.call('DELETE', `/v0/webhook-endpoints/${id}`)
  const foreign = await makeEndpoint(bank, 'https://example.com/hooks', ['*'], bank.otherKey)
  for (const unknown of [id, foreign.id, '1999999999']) {
    const { status, json } = await get(unknown)
    expect([status, json.code]).toEqual([404, 'webhook_endpoint_not_found'])
  }
})
