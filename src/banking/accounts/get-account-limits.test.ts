import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setNoon } from '../../../test/support/bank-time.ts'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { makePayer, pay } from '../../../test/support/ledger.ts'

let bank: TestBank
beforeAll(async () => {
  bank = await openTestBank()
  await setNoon(bank)
})
afterAll(() => bank.close())

describe('get account limits', () => {
  test('shows the limits with the payments of the day and the month', async () => {
    const payer = await makePayer(bank, 100_00)
    const path = `/v0/banking/accounts/${payer.accountId}/limits`
    await bank.call('PUT', path, { body: { month: { soft: 5_00, hard: 90_00 } } })
    for (const amount of [5_00, 1_00]) await pay(bank, payer, { amount })
    const { status, json } = await bank.call('GET', path)
    expect([status, json]).toEqual([
      200,
      {
        data: {
          id: payer.accountId,
          payment: { soft: null, hard: null },
          day: { soft: null, hard: null, used: 6_00 },
          month: { soft: 5_00, hard: 90_00, used: 6_00 },
          overdraft: null,
        },
      },
    ])
    // In the order of the specification, which the storage does not keep.
    expect(Object.keys(json.data.month)).toEqual(['soft', 'hard', 'used'])
  })

  test('answers 404 for accounts that do not exist, of others, and of the bank itself', async () => {
    const { accountId } = await makePayer(bank)
    const [row] = await bank.database.query<{ id: number }>('select id from account where id < 0 limit 1')
    const ask = async (id: string, key = bank.key) => {
      const { status, json } = await bank.call('GET', `/v0/banking/accounts/${id}/limits`, { key })
      return [status, json.code]
    }
    expect(await ask('999999999')).toEqual([404, 'account_not_found'])
    expect(await ask(accountId, bank.otherKey)).toEqual([404, 'account_not_found'])
    expect((await ask(String(row?.id)))[0]).toBeGreaterThanOrEqual(400)
  })
})
