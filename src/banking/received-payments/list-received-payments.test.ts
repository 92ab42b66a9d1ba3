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

describe('GET /v0/banking/received-payments', () => {
  test('lists the newest first, and filters combine', async () => {
    const other = await makePayer(bank)
    const completed = await receiveEntry(bank, payer.accountId, { settlesOn: '2030-02-05' })
    const debit = await receiveEntry(bank, payer.accountId, { settlesOn: '2030-02-05', code: 27 })
    const pending = await receiveEntry(bank, other.accountId, { settlesOn: '2030-02-06' })
    const found = async (query: string) => {
      const { status, json } = await bank.call('GET', `/v0/banking/received-payments?${query}`)
      expect(status).toBe(200)
      return json.data.map(({ id }: { id: string }) => id)
    }
    const [funding] = (await found('')).slice(3)
    expect(await found('')).toEqual([pending.id, debit.id, completed.id, funding])
    expect(await found('limit=1&offset=1')).toEqual([debit.id])
    expect(await found('direction=Debit')).toEqual([debit.id])
    expect(await found('status=Pending')).toEqual([pending.id])
    expect(await found(`accountId=${other.accountId}`)).toEqual([pending.id])
    expect(await found(`customerId=${payer.customerId}&direction=Credit`)).toEqual([completed.id, funding])
    expect(await found('since=2030-02-06')).toEqual([])
    const { amount } = debit
    expect(await found(`fromAmount=${amount}&toAmount=${amount}&direction=Debit`)).toEqual([debit.id])
    expect(await found('fromAmount=999999999999')).toEqual([])
    expect(await found('accountId=1')).toEqual([])
    expect((await bank.call('GET', '/v0/banking/received-payments', { key: bank.otherKey })).json.data).toEqual([])
  })
})
