import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { expectSoundLedger, makePayer, type Payer, pay } from '../../../test/support/ledger.ts'
import { testAch } from '../../../test/support/rails/ach.ts'
import { receiveEntry } from '../../../test/support/rails/incoming.ts'

let bank: TestBank
let payer: Payer
beforeAll(async () => {
  bank = await openTestBank({ ach: testAch() })
  // A Tuesday, 10:00 in New York.
  await bank.database.query(`update organisation set clock_offset = '2030-02-05T15:00:00Z' - clock_timestamp()`)
  // The money of the account settled on this day, too.
  payer = await makePayer(bank, 100_00)
})
afterAll(async () => {
  await expectSoundLedger(bank)
  await bank.close()
})

describe('GET /v0/banking/ach-reconciliation', () => {
  const of = async (date: string, key = bank.key) =>
    (await bank.call('GET', `/v0/banking/ach-reconciliation?date=${date}`, { key })).json.data
  const advance = async (to: string) =>
    expect((await bank.call('POST', '/v0/sandbox/clock/advance', { body: { to } })).status).toBe(200)
  const none = { count: 0, credits: 0, debits: 0 }

  test('sums a settlement day by files and by the ledger', async () => {
    await receiveEntry(bank, payer.accountId, { settlesOn: '2030-02-05' })
    await receiveEntry(bank, payer.accountId, { settlesOn: '2030-02-05', code: 27, amount: 1_000_00 })
    await receiveEntry(bank, payer.accountId, { settlesOn: '2030-02-06', amount: 6_50 })
    await pay(bank, payer, { amount: 20_00 })
    const today = await of('2030-02-05')
    expect(today).toEqual({
      ...{ date: '2030-02-05', originated: none, returnsSent: none, returnsReceived: none },
      received: { count: 3, credits: 107_00, debits: 1_000_00 },
      ...{ net: -893_00, pending: 0, ledgerNet: -893_00, difference: 0 },
    })
    expect(await of('2030-02-06')).toMatchObject({ net: 6_50, pending: 6_50, ledgerNet: 0, difference: 0 })
    await advance('2030-02-06T15:00:00Z')
    expect(await of('2030-02-06')).toEqual({
      ...{ date: '2030-02-06', originated: { count: 1, credits: 20_00, debits: 0 } },
      ...{ returnsSent: { count: 1, credits: 0, debits: 1_000_00 }, returnsReceived: none },
      received: { count: 1, credits: 6_50, debits: 0 },
      ...{ net: 986_50, pending: 0, ledgerNet: 986_50, difference: 0 },
    })
    expect(await of('2030-02-05')).toEqual(today)
  })

  test('has zeros for other organisations, and refuses a day that does not exist', async () => {
    expect(await of('2030-02-05', bank.otherKey)).toMatchObject({ received: none, net: 0, difference: 0 })
    expect((await bank.call('GET', '/v0/banking/ach-reconciliation?date=2030-02-31')).status).toBe(400)
  })
})
