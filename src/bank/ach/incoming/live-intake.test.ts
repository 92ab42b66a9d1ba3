import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../../../test/support/harness.ts'
import { accountOf, makePayer, type Payer } from '../../../../test/support/ledger.ts'
import { testAch } from '../../../../test/support/rails/ach.ts'
import { incomingFile, lastBankingDay } from '../../../../test/support/rails/incoming.ts'
import { verifyLedger } from '../../../ledger/verify.ts'
import { bankingDaysAfter } from '../../../rails/ach/calendar.ts'

/** A sandbox makes the records; the bank in live mode shares its database. */
let sandbox: TestBank
let live: TestBank
let payers: [Payer, Payer]

beforeAll(async () => {
  sandbox = await openTestBank({ ach: testAch() })
  const on = { name: '', server: sandbox.server, drop: async () => undefined }
  live = await openTestBank({ on, mode: 'live', ach: testAch() })
  const call: TestBank['call'] = (method, path, options) =>
    sandbox.call(method, path, { ...options, key: sandbox.otherKey })
  payers = [await makePayer(sandbox, 500_00), await makePayer({ ...sandbox, call }, 500_00)]
})
afterAll(async () => {
  expect(await verifyLedger(sandbox.database)).toEqual([])
  await live.close()
  await sandbox.close()
})

const keyOf = (place: number) => (place === 0 ? sandbox.key : sandbox.otherKey)
const received = async (place: number, query = '') =>
  (await sandbox.call('GET', `/v0/banking/received-payments?${query}`, { key: keyOf(place) })).json.data
const numberOf = async (place: 0 | 1) => {
  const path = `/v0/banking/accounts/${payers[place].accountId}`
  return (await sandbox.call('GET', path, { key: keyOf(place) })).json.data.accountNumber
}
const today = () => new Date().toISOString().slice(0, 10)

describe('a live bank', () => {
  test('takes a file with entries of two organisations, and each sees its own', async () => {
    const settlesOn = lastBankingDay()
    const numbers = [await numberOf(0), await numberOf(1)]
    const entries = [
      { sequence: 1, code: 22, amount: 11_00, accountNumber: numbers[0] },
      { sequence: 2, code: 22, amount: 12_00, accountNumber: numbers[1] },
      { sequence: 3, code: 27, amount: 2_00, accountNumber: numbers[1] },
      { sequence: 4, code: 22, amount: 13_00, accountNumber: '5550000' },
    ]
    const file = { name: 'in.ach', bytes: incomingFile({ entries, settlesOn }) }
    expect(await live.takeFile(file)).toMatchObject({ state: 'applied', entries: 4, exceptions: 0 })
    expect(await live.takeFile(file)).toMatchObject({ state: 'already applied' })
    const amounts = async (place: number) =>
      // Without the money that the account began with.
      (await received(place))
        .map(({ amount }: { amount: number }) => amount)
        .filter((amount: number) => amount < 500_00)
        .sort()
    expect(await amounts(0)).toEqual([11_00])
    expect(await amounts(1)).toEqual([12_00, 2_00])
    expect((await accountOf(sandbox, payers[0].accountId)).balance).toBe(511_00)
    const [row] = await sandbox.database.query<{ organisationId: number | null }>(
      `select organisation_id as "organisationId" from ach_file where name = 'in.ach'`,
    )
    expect(row?.organisationId).toBeNull()
    // Files of the bank are shown to no organisation.
    const shown = (await sandbox.call('GET', '/v0/sandbox/ach-files')).json.data
    expect(shown.map(({ name }: { name: string }) => name)).not.toContain('in.ach')
    expect((await live.call('GET', '/v0/sandbox/ach-files')).status).toBe(404)
  })

  test('sends the returns of both organisations with one file, in batches of their own', async () => {
    const [debit] = await received(1, 'direction=Debit')
    const [credit] = await received(0)
    for (const [place, id, returnCode] of [[1, debit.id, 'R10'] as const, [0, credit.id, 'R23'] as const]) {
      const path = `/v0/banking/received-payments/${id}/return`
      const { status, text } = await live.call('POST', path, { key: keyOf(place), body: { returnCode } })
      expect(status, text).toBe(200)
    }
    await sandbox.database.query(
      `update received_payment set return_cutoff_at = now() - interval '1 minute',
         return_settles_at = ($1::date + interval '14 hours') at time zone 'UTC' where return_code is not null`,
      [bankingDaysAfter(today(), 3)],
    )
    await live.takeFiles()
    const files = await sandbox.database.query<{ id: number }>(`select id from ach_file where direction = 'out'`)
    expect(files).toHaveLength(1)
    const batches = async (place: number) =>
      (await live.call('GET', '/v0/banking/ach-batches?type=returns', { key: keyOf(place) })).json.data
    const [first, second] = [await batches(0), await batches(1)]
    // The entry for no account is returned by the first organisation.
    expect(first.map(({ amount }: { amount: number }) => amount)).toEqual([24_00])
    expect(second.map(({ amount }: { amount: number }) => amount)).toEqual([2_00])
    const entriesOf = (id: string, key: string) => live.call('GET', `/v0/banking/ach-batches/${id}/entries`, { key })
    expect((await entriesOf(second[0].id, sandbox.otherKey)).json.data).toMatchObject([{ receivedPaymentId: debit.id }])
    expect((await entriesOf(second[0].id, sandbox.key)).status).toBe(404)
    expect((await entriesOf(first[0].id, sandbox.key)).json.data).toMatchObject([
      { receivedPaymentId: credit.id, amount: 11_00 },
      { amount: 13_00 },
    ])
  })
})
