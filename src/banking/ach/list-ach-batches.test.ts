import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { expectSoundLedger } from '../../../test/support/ledger.ts'
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

describe('GET /v0/banking/ach-batches', () => {
  test('lists batches of payments and of returns, newest first, and filters combine', async () => {
    const { payer } = await sendPayments(bank, [20_00, 30_00])
    await advanceTo(bank, '2030-02-06T14:00:00Z')
    const debit = await receiveEntry(bank, payer.accountId, { settlesOn: '2030-02-06', code: 27 })
    await bank.call('POST', `/v0/banking/received-payments/${debit.id}/return`, { body: { returnCode: 'R10' } })
    await sendPayments(bank, [1_00], '2030-02-06T19:15:00Z')
    const found = async (query = '', key = bank.key) => {
      const { status, json, text } = await bank.call('GET', `/v0/banking/ach-batches?${query}`, { key })
      expect(status, text).toBe(200)
      return json.data
    }
    const all = await found()
    expect(all).toHaveLength(3)
    const payments = all.filter(({ type }: { type: string }) => type === 'payments')
    const [later, first] = payments
    expect(first).toEqual({
      ...{ id: first.id, type: 'payments', status: 'Settled', direction: 'Credit', fileId: expect.any(String) },
      ...{ secCode: 'PPD', companyName: 'SAMPLE', companyId: '1234567890', description: 'Rent' },
      ...{ effectiveDate: '2030-02-06', settlementDate: '2030-02-06', entryCount: 2, amount: 50_00 },
      ...{ createdAt: '2030-02-05T19:15:00.000Z', settledAt: expect.any(String) },
    })
    expect(later).toMatchObject({ status: 'Clearing', amount: 1_00, settlementDate: '2030-02-07' })
    expect(later).not.toHaveProperty('settledAt')
    const [returned] = await found('type=returns')
    expect(returned).toMatchObject({ type: 'returns', direction: 'Debit', entryCount: 1, amount: 7_00 })
    const ids = async (query: string) => (await found(query)).map(({ id }: { id: string }) => id)
    expect(await ids('sort=createdAt&limit=1')).toEqual([first.id])
    expect(await ids('status=Settled')).toEqual([first.id])
    expect(await ids('status=Rejected')).toEqual([])
    expect(await ids('status=Clearing&direction=Credit')).toEqual([later.id])
    expect(await ids('direction=Debit')).toEqual([returned.id])
    expect(await ids('settlementDate=2030-02-06')).toEqual([first.id])
    expect(await ids(`fileId=${returned.fileId}`)).toEqual([returned.id])
    expect(await ids('fileId=1')).toEqual([])
    expect(await ids('until=2030-02-06')).toEqual([first.id])
    expect(await found('', bank.otherKey)).toEqual([])
    expect((await bank.call('GET', '/v0/banking/ach-batches?settlementDate=2030-02-30')).status).toBe(400)
  })

  test('pages by position', async () => {
    const seen: string[] = []
    for (let path: string | undefined = '/v0/banking/ach-batches?limit=2'; path; ) {
      const { json, headers } = await bank.call('GET', path)
      seen.push(...json.data.map(({ id }: { id: string }) => id))
      path = /<([^>]+)>; rel="next"/.exec(String(headers.link ?? ''))?.[1]
    }
    expect(new Set(seen).size).toBe(3)
    expect(seen).toHaveLength(3)
  })

  test('is empty where payments are sent at once', async () => {
    const instant = await openTestBank()
    try {
      expect((await instant.call('GET', '/v0/banking/ach-batches')).json.data).toEqual([])
      expect((await instant.call('GET', '/v0/sandbox/ach-files')).json.data).toEqual([])
    } finally {
      await instant.close()
    }
  })
})
