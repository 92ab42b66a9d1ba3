import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestBank } from '../../../test/support/harness.ts'
import { expectSoundLedger } from '../../../test/support/ledger.ts'
import { openRailBank, sendPayments } from '../../../test/support/rails/leaving.ts'

let bank: TestBank
beforeAll(async () => {
  bank = await openRailBank()
})
afterAll(async () => {
  await expectSoundLedger(bank)
  await bank.close()
})

describe('GET /v0/banking/ach-batches/:achBatchId', () => {
  test('shows a batch as the list does, to its organisation only', async () => {
    await sendPayments(bank, [20_00])
    const [batch] = (await bank.call('GET', '/v0/banking/ach-batches')).json.data
    const path = `/v0/banking/ach-batches/${batch.id}`
    const { status, json } = await bank.call('GET', path)
    expect([status, json.data]).toEqual([200, batch])
    for (const [other, key] of [
      [path, bank.otherKey],
      ['/v0/banking/ach-batches/9000000', bank.key],
      ['/v0/banking/ach-batches/x', bank.key],
    ] as const) {
      const refused = await bank.call('GET', other, { key })
      expect([refused.status, refused.json.code]).toEqual([404, 'ach_batch_not_found'])
    }
    await bank.database.query(`update ach_batch set rejected_at = created_at, refunded_at = created_at`)
    expect((await bank.call('GET', path)).json.data).toEqual({
      ...batch,
      status: 'Rejected',
      rejectedAt: batch.createdAt,
    })
    await bank.database.query(`update ach_batch set rejected_at = null, refunded_at = null`)
  })
})
