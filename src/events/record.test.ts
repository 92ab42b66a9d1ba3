import { afterEach, expect, test } from 'vitest'
import { openTestBank } from '../../test/support/harness.ts'
import { makePayer, pay } from '../../test/support/ledger.ts'
import { verifyLedger } from '../ledger/verify.ts'
import { recording } from './event.ts'

afterEach(() => {
  recording.on = true
})

test('a bank whose events are turned off pays all the same, tells of nothing and keeps the laws', async () => {
  recording.on = false
  const bank = await openTestBank()
  try {
    expect((await pay(bank, await makePayer(bank, 10_00), { amount: 1_00 })).status).toBe(201)
    expect((await bank.call('POST', '/v0/api-keys', { body: { name: 'Till' } })).status).toBe(201)
    expect((await bank.call('GET', '/v0/events')).json.data).toEqual([])
    expect(await verifyLedger(bank.database)).toEqual([])
  } finally {
    await bank.close()
  }
})
