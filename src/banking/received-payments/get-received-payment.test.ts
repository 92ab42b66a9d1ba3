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

describe('GET /v0/banking/received-payments/:receivedPaymentId', () => {
  test('shows the entry of the other bank, to its organisation only', async () => {
    const { id } = await receiveEntry(bank, payer.accountId, { settlesOn: '2030-02-06', name: 'ADA EXAMPLE' })
    const { status, json } = await bank.call('GET', `/v0/banking/received-payments/${id}`)
    expect(status).toBe(200)
    expect(json.data).toEqual({
      ...{ id, type: 'achReceivedPayment', accountId: payer.accountId, amount: 7_00, direction: 'Credit' },
      ...{ status: 'Pending', description: 'WAGES', secCode: 'PPD', receiverName: 'ADA EXAMPLE', tags: {} },
      ...{ createdAt: expect.any(String), expectedCompletionDate: '2030-02-06' },
      traceNumber: expect.stringMatching(/^02100002\d{7}$/),
      counterparty: { name: 'NORTHWIND', routingNumber: '021000021', accountNumber: '', accountType: 'Unknown' },
    })
    const other = await bank.call('GET', `/v0/banking/received-payments/${id}`, { key: bank.otherKey })
    expect([other.status, other.json.code]).toEqual([404, 'received_payment_not_found'])
    const [nobody] = await bank.database.query<{ id: number }>(
      `update received_payment set account_id = null where id = ${id} returning id`,
    )
    expect((await bank.call('GET', `/v0/banking/received-payments/${nobody?.id}`)).status).toBe(404)
  })
})
