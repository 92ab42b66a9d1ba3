import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { collect, makeDebtor } from '../../../test/support/bank/debits.ts'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { accountOf, expectSoundLedger, type Payer, returnPayment } from '../../../test/support/ledger.ts'
import { testAch } from '../../../test/support/rails/ach.ts'
import { advanceTo } from '../../../test/support/rails/leaving.ts'

let bank: TestBank
let of: Payer
async function open(options: Parameters<typeof openTestBank>[0] = {}, account: Record<string, unknown> = {}) {
  const terms = { clearingDays: 3, earlyAvailability: 0, blockOnReturn: false }
  bank = await openTestBank({ debits: { ...terms, retryAfter: [2, 5] }, ...options })
  // A Monday, 08:00 in New York.
  await bank.database.query(`update organisation set frozen_at = '2030-02-04T13:00:00Z', clock_offset = interval '0'`)
  of = await makeDebtor(bank, account)
}
beforeEach(() => open())
afterEach(async () => {
  await expectSoundLedger(bank)
  await bank.close()
})

async function returned(code: string): Promise<string> {
  const { id } = (await collect(bank, of, { amount: 5_00 })).json.data
  expect((await returnPayment(bank, id, code)).status).toBe(200)
  return id
}
const retries = async (): Promise<{ id: string; createdAt: string; status: string; retryOf: string }[]> => {
  const { json } = await bank.call('GET', `/v0/banking/payments?accountId=${of.accountId}`)
  return json.data.filter(({ retryOf }: { retryOf?: string }) => retryOf)
}

describe('a debit that was returned', () => {
  test('for missing money is presented again by itself, after the banking days of the setting', async () => {
    const first = await returned('R01')
    const { upcoming } = (await bank.call('GET', '/v0/sandbox/clock')).json.data
    expect(upcoming).toContainEqual({ at: '2030-02-06T14:00:00.000Z', type: 'payment.retried', id: first, count: 1 })
    await advanceTo(bank, '2030-02-06T13:59:59Z')
    expect(await retries()).toEqual([])
    await advanceTo(bank, '2030-02-07')
    const [once] = await retries()
    expect(once).toMatchObject({ retryOf: first, createdAt: '2030-02-06T14:00:00.000Z', status: 'Sent' })
    await returnPayment(bank, once?.id ?? '', 'R09')
    await advanceTo(bank, '2030-02-14')
    const all = await retries()
    expect(all.map(({ createdAt }) => createdAt).sort()).toEqual([
      '2030-02-06T14:00:00.000Z',
      '2030-02-13T14:00:00.000Z',
    ])
    for (const { id, status } of all) if (status === 'Sent') await returnPayment(bank, id, 'R01')
    await advanceTo(bank, '2030-03-14')
    expect(await retries()).toHaveLength(2)
    expect((await accountOf(bank, of.accountId)).balance).toBe(0)
  })

  test('for another reason is not', async () => {
    await returned('R02')
    await advanceTo(bank, '2030-02-14')
    expect(await retries()).toEqual([])
  })

  test('is presented once if a request came first', async () => {
    const id = await returned('R01')
    expect((await bank.call('POST', `/v0/banking/payments/${id}/retry`)).status).toBe(201)
    await advanceTo(bank, '2030-02-14')
    expect(await retries()).toHaveLength(1)
  })

  test('is not presented again after the mandate was revoked, also if another one is given later', async () => {
    await returned('R01')
    const path = `/v0/banking/external-accounts/${of.externalAccountId}/mandate`
    expect((await bank.call('POST', `${path}/revoke`)).status).toBe(200)
    await advanceTo(bank, '2030-02-07')
    const body = { authorization: 'Online', textVersion: '1', authorizedAt: '2030-02-07', address: '203.0.113.7' }
    expect((await bank.call('PUT', path, { body })).status).toBe(200)
    await advanceTo(bank, '2030-02-14')
    expect(await retries()).toEqual([])
  })

  test('leaves again with files, twice', async () => {
    await expectSoundLedger(bank)
    await bank.close()
    await open({ ach: testAch() }, { accountNumber: '9990000001' })
    await collect(bank, of, { amount: 5_00 })
    await advanceTo(bank, '2030-03-08')
    expect((await retries()).map(({ status }) => status)).toEqual(['Returned', 'Returned'])
  })
})

test('a debit is not presented again by itself without the setting', async () => {
  await expectSoundLedger(bank)
  await bank.close()
  await open({ debits: { clearingDays: 3, earlyAvailability: 0, blockOnReturn: false } })
  await returned('R01')
  await advanceTo(bank, '2030-03-08')
  expect(await retries()).toEqual([])
})
