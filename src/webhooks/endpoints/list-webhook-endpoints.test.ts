import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeEndpoint } from '../../../test/support/consumer.ts'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'

let bank: TestBank
beforeAll(async () => {
  bank = await openTestBank()
})
afterAll(() => bank.close())

test('list webhook endpoints answers them newest first, in pages, without secrets and without deleted ones', async () => {
  const made: { id: string }[] = []
  for (const name of ['a', 'b', 'c', 'd']) {
    const { secret: _, ...endpoint } = await makeEndpoint(bank, `https://example.com/${name}`)
    const shown = { ...endpoint, failingSince: null, lastDay: { succeeded: 0, retried: 0, failed: 0 } }
    made.unshift(shown)
  }
  await makeEndpoint(bank, 'https://example.com/', ['*'], bank.otherKey)
  await bank.call('DELETE', `/v0/webhook-endpoints/${made.pop()?.id}`)
  const { status, json } = await bank.call('GET', '/v0/webhook-endpoints')
  expect([status, json.data]).toEqual([200, made])
  const first = await bank.call('GET', '/v0/webhook-endpoints?limit=2')
  expect(first.json.data).toEqual(made.slice(0, 2))
  expect(first.headers.link).toBe('</v0/webhook-endpoints?limit=2&offset=2>; rel="next"')
  const { json: oldest } = await bank.call('GET', '/v0/webhook-endpoints?limit=1&sort=createdAt')
  expect(oldest.data).toEqual(made.slice(-1))
})
