import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { makeFaultRule } from '../../../test/support/organisations.ts'

const path = '/v0/sandbox/faults'

let bank: TestBank
beforeAll(async () => {
  bank = await openTestBank()
})
afterAll(() => bank.close())

test('delete all fault rules ends those of the organisation, and succeeds where there is none', async () => {
  const rule = { match: { operation: 'getClock' }, effect: { status: 503 } }
  await makeFaultRule(bank, rule)
  await makeFaultRule(bank, rule, bank.otherKey)
  const status = async (key: string) => (await bank.call('GET', '/v0/sandbox/clock', { key })).status
  for (let call = 0; call < 2; call++) expect((await bank.call('DELETE', path)).status).toBe(204)
  expect([await status(bank.key), await status(bank.otherKey)]).toEqual([200, 503])
  expect((await bank.call('GET', path)).json.data).toEqual([])
})
