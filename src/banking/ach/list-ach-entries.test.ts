import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestBank } from '../../../test/support/harness.ts'
import { expectSoundLedger, makePayer } from '../../../test/support/ledger.ts'
import { receiveEntry } from '../../../test/support/rails/incoming.ts'
import { advanceTo, openRailBank, sendPayments } from '../../../test/support/rails/leaving.ts'

let bank: TestBank
beforeAll(async () => {
  bank = await openRailBank()
})
afterAll(async () => {
  await expectSoundLedger(bank)
  await bank.close()
})

const batches = async (query = '') => (await bank.call('GET', `/v0/banking/ach-batches?${query}`)).json.data
const entries = (id: string, query = '', key = bank.key) =>
  bank.call('GET', `/v0/banking/ach-batches/${id}/entries?${query}`, { key })

describe('GET /v0/banking/ach-batches/:achBatchId/entries', () => {
  test('lists payments with their trace numbers in pages, to their organisation only', async () => {
    const { paymentIds } = await sendPayments(bank, [1_00, 2_00, 3_00])
    const [{ id }] = await batches()
    const first = await entries(id, 'limit=2')
    expect(first.status).toBe(200)
    expect(first.json.data).toEqual(
      [1_00, 2_00].map((amount, index) => ({
        ...{ paymentId: paymentIds[index], amount, status: 'Clearing' },
        traceNumber: expect.stringMatching(/^81234567\d{7}$/),
      })),
    )
    expect(first.headers.link).toContain(`after=${paymentIds[1]}`)
    const rest = await entries(id, `limit=2&after=${paymentIds[1]}`)
    expect(rest.json.data).toMatchObject([{ paymentId: paymentIds[2], amount: 3_00 }])
    expect(rest.headers.link ?? '').not.toContain('next')
    expect((await entries(id, 'after=x')).json.data).toEqual([])
    expect((await entries(id, 'limit=0')).status).toBe(400)
    expect((await entries(id, 'limit=1001')).status).toBe(400)
    for (const [batch, key] of [[id, bank.otherKey] as const, ['9000000', bank.key] as const]) {
      const { status, json } = await entries(batch, '', key)
      expect([status, json.code]).toEqual([404, 'ach_batch_not_found'])
    }
  })

  test('lists returns with the received payments that go back', async () => {
    const payer = await makePayer(bank, 100_00)
    const debit = await receiveEntry(bank, payer.accountId, { settlesOn: '2030-02-05', code: 27 })
    await bank.call('POST', `/v0/banking/received-payments/${debit.id}/return`, { body: { returnCode: 'R10' } })
    await receiveEntry(bank, payer.accountId, { settlesOn: '2030-02-05', code: 27, accountNumber: '55555' })
    await advanceTo(bank, '2030-02-06T19:15:00Z')
    const [{ id }] = await batches('type=returns')
    const { json } = await entries(id)
    const trace = { traceNumber: expect.stringMatching(/^81234567\d{7}$/) }
    expect(json.data).toEqual([
      { receivedPaymentId: debit.id, amount: 7_00, status: 'Returned', returnCode: 'R10', ...trace },
      { amount: 7_00, status: 'Returned', returnCode: 'R03', ...trace },
    ])
  })
})
