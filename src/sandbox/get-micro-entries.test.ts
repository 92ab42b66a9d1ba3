import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../test/support/harness.ts'
import { makeExternalAccount, makePayer } from '../../test/support/ledger.ts'

let bank: TestBank
let customerId: string
beforeAll(async () => {
  bank = await openTestBank()
  customerId = (await makePayer(bank)).customerId
})
afterAll(() => bank.close())

const start = (id: string, method: string) =>
  bank.call('POST', `/v0/banking/external-accounts/${id}/verification`, { body: { method } })
const entriesOf = (id: string) => bank.call('GET', `/v0/sandbox/external-accounts/${id}/micro-entries`)

test('shows two credits below a dollar and a debit of their sum', async () => {
  const id = await makeExternalAccount(bank, customerId)
  expect((await entriesOf(id)).json.data).toEqual({ entries: [] })
  const { json } = await start(id, 'MicroEntries')
  const { json: seen } = await entriesOf(id)
  const [first, second, debit] = seen.data.entries
  const entry = { description: 'ACCTVERIFY', postedAt: json.data.verification.startedAt }
  expect(first).toEqual({ direction: 'Credit', amount: expect.any(Number), ...entry })
  expect(second).toEqual({ direction: 'Credit', amount: expect.any(Number), ...entry })
  expect(debit).toEqual({ direction: 'Debit', amount: first.amount + second.amount, ...entry })
  expect(Math.max(first.amount, second.amount)).toBeLessThan(100)
  expect(Math.min(first.amount, second.amount)).toBeGreaterThan(0)
})

test('shows nothing for a prenote, and no account of others', async () => {
  const id = await makeExternalAccount(bank, customerId, { accountNumber: '777' })
  await start(id, 'Prenote')
  expect((await entriesOf(id)).json.data).toEqual({ entries: [] })
  const { status, json } = await entriesOf('9999999')
  expect([status, json.code]).toEqual([404, 'external_account_not_found'])
})
