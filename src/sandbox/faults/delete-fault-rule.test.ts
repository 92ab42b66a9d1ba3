import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { makeFaultRule } from '../../../test/support/organisations.ts'

let bank: TestBank
beforeAll(async () => {
  bank = await openTestBank()
})
afterAll(() => bank.close())

test('delete fault rule ends the rule, and no other', async () => {
  const match = { operation: 'getClock' }
  const first = await makeFaultRule(bank, { match, effect: { status: 503 } })
  await makeFaultRule(bank, { match, effect: { status: 429 } })
  const path = `/v0/sandbox/faults/${first.id}`
  const status = async () => (await bank.call('GET', '/v0/sandbox/clock')).status
  expect(await status()).toBe(503)
  expect((await bank.call('DELETE', path, { key: bank.otherKey })).status).toBe(404)
  expect((await bank.call('DELETE', path)).status).toBe(204)
  expect(await status()).toBe(429)
  const again = await bank.call('DELETE', path)
  expect([again.status, again.json.code]).toEqual([404, 'fault_rule_not_found'])
})
