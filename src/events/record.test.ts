import { expect, test } from 'vitest'
import { openTestBank } from '../../test/support/harness.ts'
import { makePayer, pay } from '../../test/support/ledger.ts'
import { verifyLedger } from '../ledger/verify.ts'

test('a bank whose recorder drops events still pays and keeps the laws of the ledger, and its feed is empty', async () => {
  const bank = await openTestBank({ recordEvents: async () => undefined })
  try {
    expect((await pay(bank, await makePayer(bank, 10_00), { amount: 1_00 })).status).toBe(201)
    expect((await bank.call('POST', '/v0/api-keys', { body: { name: 'Till' } })).status).toBe(201)
    expect((await bank.call('GET', '/v0/events')).json.data).toEqual([])
    expect(await verifyLedger(bank.database)).toEqual([])
  } finally {
    await bank.close()
  }
})
