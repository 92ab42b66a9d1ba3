import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { makeFaultRule } from '../../../test/support/organisations.ts'

const path = '/v0/sandbox/faults'

let bank: TestBank
beforeAll(async () => {
  bank = await openTestBank()
})
afterAll(() => bank.close())

test('list fault rules shows those of the organisation, newest first, and how often each is left', async () => {
  const match = { operation: 'getClock' }
  const first = await makeFaultRule(bank, { match, effect: { status: 503 }, times: 2 })
  const second = await makeFaultRule(bank, { match: { eventType: '*' }, effect: { reorder: true }, seed: 1 })
  expect((await bank.call('GET', '/v0/sandbox/clock')).status).toBe(503)
  const { status, json } = await bank.call('GET', path)
  expect([status, json.data]).toEqual([200, [second, { ...first, remaining: 1 }]])
  const page = await bank.call('GET', `${path}?limit=1&sort=createdAt`)
  expect(page.json.data.map(({ id }: { id: string }) => id)).toEqual([first.id])
  expect(page.headers.link).toContain('rel="next"')
  expect((await bank.call('GET', path, { key: bank.otherKey })).json.data).toEqual([])
})
