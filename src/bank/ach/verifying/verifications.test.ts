import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { amountsSeen, collect, giveMandate, wrongAmounts } from '../../../../test/support/bank/debits.ts'
import { openTestBank, type TestBank } from '../../../../test/support/harness.ts'
import { expectSoundLedger, makeExternalAccount, makePayer } from '../../../../test/support/ledger.ts'
import { railSettings } from '../../../../test/support/rails/settings.ts'
import { noteRejected } from '../../../operator/ach/files.sql.ts'
import type { Batch } from '../../../rails/ach/file.ts'
import { readAchFile } from '../../../rails/ach/read-file.ts'

const { settings, remove } = railSettings()
let bank: TestBank
beforeAll(async () => {
  bank = await openTestBank({ ach: settings })
})
afterEach(() => expectSoundLedger(bank))
afterAll(async () => {
  await bank.close()
  remove()
})

/** Starts each case on a Monday, 08:00 in New York, of another week. */
let weeks = 0
async function nextMonday(): Promise<(day: number, time: string) => string> {
  const monday = Date.parse('2030-03-04T00:00:00Z') + weeks++ * 7 * 86_400_000
  const at = (day: number, time: string) =>
    `${new Date(monday + (day - 1) * 86_400_000).toISOString().slice(0, 10)}T${time}:00Z`
  const start = at(1, '12:00')
  if (weeks === 1) await bank.database.query(`update organisation set clock_offset = '${start}' - clock_timestamp()`)
  else await advance(start)
  return at
}
async function advance(to: string) {
  const { status, text, json } = await bank.call('POST', '/v0/sandbox/clock/advance', { body: { to } })
  expect(status, text).toBe(200)
  return json.data.happened.map(({ type }: { type: string }) => type) as string[]
}
const path = '/v0/banking/external-accounts'
async function startFor(accountNumber: string, method = 'MicroEntries', body: Record<string, unknown> = {}) {
  const payer = await makePayer(bank)
  const id = await makeExternalAccount(bank, payer.customerId, { accountNumber, ...body })
  const { status, text, json } = await bank.call('POST', `${path}/${id}/verification`, { body: { method } })
  expect(status, text).toBe(201)
  expect(json.data.verification).toEqual({ method, status: 'Pending', startedAt: expect.any(String) })
  const shown = async () => {
    const { json: listed } = await bank.call(
      'GET',
      `/v0/banking/customers/${payer.customerId}/external-accounts?limit=99`,
    )
    return listed.data.find((each: { id: string }) => each.id === id)
  }
  return { ...payer, externalAccountId: id, shown }
}
const confirm = (id: string, amounts: number[]) =>
  bank.call('POST', `${path}/${id}/verification/confirm`, { body: { amounts } })
async function lastFile() {
  const [file] = (await bank.call('GET', '/v0/sandbox/ach-files?direction=Outgoing&limit=1')).json.data
  const content = await bank.call('GET', `/v0/sandbox/ach-files/${file.id}/content`)
  const { file: read, faults, warnings } = readAchFile(Buffer.from(content.text), { sameDayLimit: 100_000_000 })
  expect([faults, warnings]).toEqual([[], []])
  const batches: Batch[] = read?.batches ?? []
  return { ...file, batches } as { batches: Batch[]; id: string; entryCount: number; credits: number; debits: number }
}
async function reconciled(date: string) {
  const { json } = await bank.call('GET', `/v0/banking/ach-reconciliation?date=${date.slice(0, 10)}`)
  expect(json.data.difference).toBe(0)
  return json.data
}
const writtenOff = async () => {
  const [row] = await bank.database.query<{ sum: number }>(
    `select coalesce(sum(balance), 0)::bigint as sum from account where kind = 'ach_write_off'`,
  )
  return row?.sum
}

describe('micro-entries', () => {
  test('leave with a file, can be confirmed after their settlement, and money can be collected then', async () => {
    const at = await nextMonday()
    const of = await startFor('1000000001')
    await giveMandate(bank, of.externalAccountId)
    expect(await amountsSeen(bank, of.externalAccountId)).toEqual([])
    expect((await confirm(of.externalAccountId, [1, 2])).json.code).toBe('verification_not_confirmable')
    await advance(at(2, '05:00'))
    const { batches, entryCount, credits, debits } = await lastFile()
    const [first = 0, second = 0, sum = 0] = batches.flatMap(({ entries }) => entries.map(({ amount }) => amount))
    expect(
      batches.map(({ serviceClass, secCode, description, entries }) => [
        ...[serviceClass, secCode, description.trim()],
        ...entries.map(({ code }) => code),
      ]),
    ).toEqual([[200, 'PPD', 'ACCTVERIFY', 22, 22, 27]])
    expect([entryCount, credits, debits]).toEqual([3, first + second, first + second])
    expect(sum).toBe(first + second)
    expect(await amountsSeen(bank, of.externalAccountId)).toEqual([])

    expect(await advance(at(2, '14:00'))).toEqual(['externalAccount.verificationSent'])
    expect((await reconciled(at(2, '00:00'))).originated).toMatchObject({ count: 3, credits: sum, debits: sum })
    const { verification } = await of.shown()
    expect(verification).toMatchObject({
      status: 'Sent',
      attemptsLeft: 3,
      endsAt: at(12, '12:30').replace('Z', '.000Z'),
    })
    const seen = await amountsSeen(bank, of.externalAccountId)
    expect(seen).toEqual([first, second])
    const [wrong = []] = wrongAmounts(seen)
    expect((await confirm(of.externalAccountId, wrong)).json.data.verification.attemptsLeft).toBe(2)
    expect((await confirm(of.externalAccountId, [second, first])).json.data.permissions).toBe('CreditAndDebit')
    expect((await collect(bank, of)).status).toBe(201)
    const listed = (await bank.call('GET', '/v0/banking/ach-batches?type=verifications')).json.data
    expect(listed).toMatchObject([{ type: 'verifications', status: 'Settled', entryCount: 3, amount: 2 * sum }])
    expect((await bank.call('GET', `/v0/banking/ach-batches/${listed[0].id}/entries`)).json.data).toEqual([])
  })

  test('fail when the other bank returns them, and their money is written off', async () => {
    const at = await nextMonday()
    const before = await writtenOff()
    const of = await startFor('9990000003', 'MicroEntries', { type: 'Business', accountType: 'Savings' })
    await advance(at(5, '22:00'))
    expect(await of.shown()).toMatchObject({
      permissions: 'CreditOnly',
      verification: { status: 'Failed', reason: 'Returned', returnCode: 'R03' },
    })
    expect(await writtenOff()).toBe(before)
    expect((await reconciled(at(4, '00:00'))).returnsReceived).toMatchObject({ count: 3 })
    expect(
      (await bank.call('POST', `${path}/${of.externalAccountId}/verification`, { body: { method: 'Prenote' } })).status,
    ).toBe(201)
  })

  test('that are returned after their confirmation take the permission back', async () => {
    const at = await nextMonday()
    const of = await startFor('9990000002')
    await advance(at(2, '14:00'))
    await confirm(of.externalAccountId, await amountsSeen(bank, of.externalAccountId))
    expect((await of.shown()).permissions).toBe('CreditAndDebit')
    await advance(at(5, '22:00'))
    expect(await of.shown()).toMatchObject({ permissions: 'CreditOnly', verification: { returnCode: 'R02' } })
  })

  test('do not verify an account whose number another bank corrects', async () => {
    const at = await nextMonday()
    const [number, name] = [await startFor('9992000001'), await startFor('9992000004')]
    await advance(at(2, '14:00'))
    await confirm(number.externalAccountId, await amountsSeen(bank, number.externalAccountId))
    await advance(at(5, '22:00'))
    expect(await number.shown()).toMatchObject({
      permissions: 'CreditOnly',
      verification: { method: 'MicroEntries', status: 'Failed', reason: 'NumberChanged' },
    })
    expect((await name.shown()).verification.status).toBe('Sent')
    expect((await confirm(name.externalAccountId, await amountsSeen(bank, name.externalAccountId))).status).toBe(200)
  })

  test('fail when the receiving bank rejects their batch', async () => {
    const at = await nextMonday()
    const of = await startFor('1000000002')
    await advance(at(2, '05:00'))
    const [batch] = (await bank.call('GET', '/v0/banking/ach-batches?type=verifications&limit=1')).json.data
    await noteRejected(bank.database, [Number(batch.id)])
    await advance(at(2, '14:00'))
    expect((await of.shown()).verification).toMatchObject({ status: 'Failed', reason: 'Rejected' })
  })

  test('of a deleted account do not leave', async () => {
    const at = await nextMonday()
    const before = (await lastFile()).id
    const of = await startFor('1000000003')
    await bank.call('DELETE', `${path}/${of.externalAccountId}`)
    await advance(at(2, '05:00'))
    expect((await lastFile()).id).toBe(before)
  })
})

describe('a prenote', () => {
  test('leaves without money, and verifies the account on the third banking day', async () => {
    const at = await nextMonday()
    const of = await startFor('1000000004', 'Prenote')
    await advance(at(2, '14:00'))
    const { batches } = await lastFile()
    expect(
      batches.flatMap(({ serviceClass, entries }) => entries.map(({ code, amount }) => [serviceClass, code, amount])),
    ).toEqual([[225, 28, 0]])
    expect((await of.shown()).permissions).toBe('CreditOnly')
    await advance(at(5, '12:00'))
    expect((await of.shown()).permissions).toBe('CreditOnly')
    expect(await advance(at(5, '14:00'))).toEqual(['externalAccount.verified'])
    expect((await of.shown()).permissions).toBe('CreditAndDebit')
  })

  test('that is returned fails, and a correction of the name does not matter', async () => {
    const at = await nextMonday()
    const returned = await startFor('9990000004', 'Prenote', { accountType: 'Savings' })
    const corrected = await startFor('9992000004', 'Prenote')
    await advance(at(5, '22:00'))
    expect((await returned.shown()).verification).toMatchObject({ status: 'Failed', returnCode: 'R04' })
    expect((await corrected.shown()).permissions).toBe('CreditAndDebit')
  })
})
