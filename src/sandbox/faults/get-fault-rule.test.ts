import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { makeFaultRule } from '../../../test/support/organisations.ts'

let bank: TestBank
beforeAll(async () => {
  bank = await openTestBank()
})
afterAll(() => bank.close())

test('get fault rule shows the rule to its own organisation', async () => {
  const rule = await makeFaultRule(bank, { match: { operation: 'getClock' }, effect: { delayMs: 1 }, times: 2 })
  const path = `/v0/sandbox/faults/${rule.id}`
  expect((await bank.call('GET', path)).json.data).toEqual(rule)
  const other = await bank.call('GET', path, { key: bank.otherKey })
  expect([other.status, other.json.code]).toEqual([404, 'fault_rule_not_found'])
})
