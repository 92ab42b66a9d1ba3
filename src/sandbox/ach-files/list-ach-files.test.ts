import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestBank } from '../../../test/support/harness.ts'
import { expectSoundLedger } from '../../../test/support/ledger.ts'
import { receiveEntry } from '../../../test/support/rails/incoming.ts'
import { openRailBank, sendPayments } from '../../../test/support/rails/leaving.ts'

let bank: TestBank
beforeAll(async () => {
  bank = await openRailBank()
})
afterAll(async () => {
  await expectSoundLedger(bank)
  await bank.close()
})

describe('GET /v0/sandbox/ach-files', () => {
  test('lists outgoing and incoming files, newest first, and filters combine', async () => {
    const { payer } = await sendPayments(bank, [20_00, 30_00])
    await receiveEntry(bank, payer.accountId, { settlesOn: '2030-02-06' })
    await bank.takeFile({ name: 'wrong.ach', bytes: Buffer.from('no file') })
    const found = async (query = '', key = bank.key) => {
      const { status, json, text } = await bank.call('GET', `/v0/sandbox/ach-files?${query}`, { key })
      expect(status, text).toBe(200)
      return json.data
    }
    // The money of the account came with the first one.
    const [refused, incoming, outgoing, funding, ...more] = await found()
    expect(more).toEqual([])
    expect(funding).toMatchObject({ direction: 'Incoming', status: 'Applied', entryCount: 1, credits: 500_00 })
    expect(refused).toMatchObject({ direction: 'Incoming', status: 'Refused', name: 'wrong.ach', entryCount: 0 })
    expect(incoming).toMatchObject({ direction: 'Incoming', status: 'Applied', entryCount: 1, credits: 7_00 })
    expect(outgoing).toEqual({
      ...{ id: outgoing.id, direction: 'Outgoing', status: 'Delivered', name: '20300205-1415-812345678-A.ach' },
      ...{ createdAt: '2030-02-05T19:15:00.000Z', entryCount: 2, credits: 50_00, debits: 0 },
      deliveredAt: expect.stringMatching(/^2030-02-05T19:15:00/),
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    const ids = async (query: string) => (await found(query)).map(({ id }: { id: string }) => id)
    expect(await ids('direction=Outgoing')).toEqual([outgoing.id])
    expect(await ids('direction=Incoming&status=Applied')).toEqual([incoming.id, funding.id])
    expect(await ids('status=Delivered&status=Refused')).toEqual([refused.id, outgoing.id])
    expect(await ids('since=2030-02-05T19:15:00Z&limit=1')).toEqual([refused.id])
    expect(await found('', bank.otherKey)).toEqual([])
  })
})
