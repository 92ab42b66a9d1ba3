import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { expectSoundLedger, makePayer, type Payer } from '../../../test/support/ledger.ts'
import { testAch } from '../../../test/support/rails/ach.ts'
import { receiveEntry } from '../../../test/support/rails/incoming.ts'

let bank: TestBank
let payer: Payer
beforeAll(async () => {
  bank = await openTestBank({ ach: testAch() })
  // A Tuesday, 10:00 in New York.
  await bank.database.query(`update organisation set clock_offset = '2030-02-05T15:00:00Z' - clock_timestamp()`)
  payer = await makePayer(bank, 100_00)
})
afterAll(async () => {
  await expectSoundLedger(bank)
  await bank.close()
})

const giveBack = (id: string, returnCode: string, key = bank.key) =>
  bank.call('POST', `/v0/banking/received-payments/${id}/return`, { body: { returnCode }, key })

async function advance(body: Record<string, unknown>) {
  const { status, text } = await bank.call('POST', '/v0/sandbox/clock/advance', { body })
  expect(status, text).toBe(200)
}

describe('POST /v0/banking/received-payments/:receivedPaymentId/return', () => {
  test('is refused with a wrong code, too late, without money, and for another organisation', async () => {
    const code = async (...of: Parameters<typeof giveBack>) => {
      const { status, json } = await giveBack(...of)
      return [status, json.code]
    }
    const poor = await makePayer(bank)
    const credit = await receiveEntry(bank, poor.accountId, { settlesOn: '2030-02-05', amount: 90_00 })
    const debit = await receiveEntry(bank, payer.accountId, { settlesOn: '2030-02-05', code: 27, amount: 1_00 })
    expect(await code(credit.id, 'R01')).toEqual([422, 'return_code_not_allowed'])
    expect(await code(credit.id, 'R13')).toEqual([422, 'return_code_not_allowed'])
    expect(await code(credit.id, 'R99')).toEqual([422, 'return_code_not_allowed'])
    expect(await code(credit.id, 'R3')).toEqual([400, 'invalid_request'])
    expect(await code(credit.id, 'R23', bank.otherKey)).toEqual([404, 'received_payment_not_found'])
    await bank.call('POST', `/v0/sandbox/accounts/${poor.accountId}/receive-ach`, {
      body: { amount: 1_00, companyName: 'Sample', direction: 'Debit' },
    })
    expect(await code(credit.id, 'R23')).toEqual([422, 'insufficient_funds'])
    // The debit settled on Tuesday: a return must leave by Wednesday's last cut-off to settle on Thursday morning.
    await advance({ to: '2030-02-07T03:14:59Z' })
    expect((await giveBack(debit.id, 'R29')).status).toBe(200)
    const late = await receiveEntry(bank, payer.accountId, { settlesOn: '2030-02-05', code: 27, amount: 1_00 })
    await advance({ to: '2030-02-07T03:15:00Z' })
    expect(await code(late.id, 'R29')).toEqual([409, 'return_too_late'])
    expect((await giveBack(late.id, 'R10')).status).toBe(200)
  })
})
