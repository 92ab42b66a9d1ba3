import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { collect, giveMandate, makeDebtor } from '../../../test/support/bank/debits.ts'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import {
  accountOf,
  expectSoundLedger,
  makeExternalAccount,
  type Payer,
  pay,
  returnPayment,
} from '../../../test/support/ledger.ts'
import { railSettings } from '../../../test/support/rails/settings.ts'
import { noteRejected } from '../../operator/ach/files.sql.ts'
import { readAchFile } from '../../rails/ach/read-file.ts'

const { settings, remove } = railSettings()
let bank: TestBank
beforeAll(async () => {
  bank = await openTestBank({ ach: settings })
  // A Monday, 08:00 in New York.
  await bank.database.query(`update organisation set clock_offset = '2030-02-04T13:00:00Z' - clock_timestamp()`)
})
afterEach(() => expectSoundLedger(bank))
afterAll(async () => {
  await bank.close()
  remove()
})

async function advance(body: Record<string, unknown>) {
  const { status, text, json } = await bank.call('POST', '/v0/sandbox/clock/advance', { body })
  expect(status, text).toBe(200)
  return json.data
}
const paymentOf = async (id: string) => (await bank.call('GET', `/v0/banking/payments/${id}`)).json.data
const balanceOf = async ({ accountId }: Payer) => (await accountOf(bank, accountId)).balance as number
async function made(of: Payer, body: Record<string, unknown> = {}) {
  const { status, text, json } = await collect(bank, of, body)
  expect(status, text).toBe(201)
  return json.data
}
const internal = async (kind: string) => {
  const [row] = await bank.database.query<{ sum: number }>(
    `select coalesce(sum(balance), 0)::bigint as sum from account where kind = $1`,
    [kind],
  )
  return row?.sum ?? 0
}
async function reconciled(date: string) {
  const { json } = await bank.call('GET', `/v0/banking/ach-reconciliation?date=${date}`)
  expect(json.data.difference).toBe(0)
  return json.data
}

describe('a debit that leaves with a file', () => {
  test('settles, and credits its account when the clearing days are over', async () => {
    const of = await makeDebtor(bank)
    const [clearing, settlement] = [await internal('ach_clearing'), await internal('ach_settlement')]
    const payment = await made(of, { amount: 50_00 })
    const credited = await bank.call('POST', `/v0/sandbox/accounts/${of.accountId}/receive-ach`, {
      body: { amount: 9_00, companyName: 'Sample Payroll' },
    })
    expect(credited.status).toBe(201)
    expect(payment).toMatchObject({ status: 'Pending', secCode: 'WEB', expectedCompletionDate: '2030-02-05' })
    expect(await balanceOf(of)).toBe(9_00)
    const out = await pay(bank, of, { amount: 2_00 })
    expect(out.status).toBe(201)

    await advance({ to: '2030-02-04T15:00:00Z' })
    const [file] = (await bank.call('GET', '/v0/sandbox/ach-files?direction=Outgoing&limit=1')).json.data
    const content = await bank.call('GET', `/v0/sandbox/ach-files/${file.id}/content`)
    const { file: read, faults } = readAchFile(Buffer.from(content.text), { sameDayLimit: 100_000_000 })
    expect(faults).toEqual([])
    const sides = read?.batches.map(({ serviceClass, secCode, entries }) => [
      serviceClass,
      secCode,
      ...entries.map(({ code, amount, discretionary }) => [code, amount, discretionary.trim()]),
    ])
    expect(sides).toEqual([
      [225, 'WEB', [27, 50_00, 'S']],
      [220, 'PPD', [22, 2_00, '']],
    ])
    expect(await paymentOf(payment.id)).toMatchObject({ status: 'Clearing', traceNumber: expect.any(String) })

    await advance({ to: '2030-02-05T13:30:00Z' })
    expect((await paymentOf(payment.id)).status).toBe('Clearing')
    expect(await balanceOf(of)).toBe(7_00)
    expect(await internal('ach_clearing')).toBe(clearing + 50_00)
    const { json } = await bank.call('GET', '/v0/sandbox/clock')
    const at = '2030-02-08T13:30:00.000Z'
    expect(json.data.upcoming).toContainEqual({ at, type: 'payment.sent', id: payment.id, count: 1 })
    expect(await reconciled('2030-02-05')).toMatchObject({ originated: { count: 2, credits: 2_00, debits: 50_00 } })

    const { happened } = await advance({ to: at })
    expect(happened).toContainEqual({ at, type: 'payment.sent', id: payment.id })
    expect(await paymentOf(payment.id)).toMatchObject({ status: 'Sent', settlementDate: '2030-02-05' })
    expect(await balanceOf(of)).toBe(57_00)
    expect([await internal('ach_clearing'), await internal('ach_settlement')]).toEqual([
      clearing,
      settlement - 50_00 - 9_00 + 2_00,
    ])
    const { json: feed } = await bank.call('GET', `/v0/events?entityType=payment&entityId=${payment.id}`)
    expect(feed.data.map(({ type }: { type: string }) => type)).toEqual([
      'payment.created',
      'payment.clearing',
      'payment.sent',
    ])
  })

  test('is returned in time, and moves no money of the account', async () => {
    const of = await makeDebtor(bank, { accountNumber: '9990000001' })
    const clearing = await internal('ach_clearing')
    const payment = await made(of, { amount: 11_00 })
    const { happened } = await advance({ by: 'P7D' })
    expect(
      happened.filter(({ id }: { id: string }) => id === payment.id).map(({ type }: { type: string }) => type),
    ).toEqual(['payment.clearing', 'payment.returned'])
    expect(await paymentOf(payment.id)).toMatchObject({ status: 'Returned', returnCode: 'R01' })
    expect([await balanceOf(of), await internal('ach_clearing')]).toEqual([0, clearing])
  })

  test('is returned late, and takes back what the account was credited with, below zero', async () => {
    const of = await makeDebtor(bank, { accountNumber: '9991000010' })
    const payment = await made(of, { amount: 12_00 })
    await advance({ by: 'P9D' })
    expect(await balanceOf(of)).toBe(12_00)
    const out = await makeExternalAccount(bank, of.customerId)
    expect((await pay(bank, { ...of, externalAccountId: out }, { amount: 12_00 })).status).toBe(201)
    const before = (await bank.call('GET', '/v0/sandbox/clock')).json.data.now
    await advance({ by: 'P50D' })
    expect(await paymentOf(payment.id)).toMatchObject({ status: 'Returned', returnCode: 'R10' })
    expect(await balanceOf(of)).toBe(-12_00)
    expect(before).toBeDefined()
  })

  test('can be returned by a request with a file, before and after it was credited', async () => {
    const of = await makeDebtor(bank)
    const [clearing, sent] = [await made(of, { amount: 3_00 }), await made(of, { amount: 4_00 })]
    await advance({ by: 'P1D' })
    expect((await returnPayment(bank, clearing.id, 'R09')).json.data.status).toBe('Returned')
    await advance({ by: 'P9D' })
    expect(await balanceOf(of)).toBe(4_00)
    expect((await returnPayment(bank, sent.id, 'R07')).json.data.status).toBe('Returned')
    expect(await balanceOf(of)).toBe(0)
  })

  test('is credited at its settlement up to the amount that may be early', async () => {
    const of = await makeDebtor(bank)
    const body = { debits: { clearingDays: 2, earlyAvailability: 10_00 } }
    expect((await bank.call('PUT', `/v0/banking/accounts/${of.accountId}/limits`, { body })).status).toBe(200)
    const [early, regular, more] = [
      await made(of, { amount: 7_00 }),
      await made(of, { amount: 4_00 }),
      await made(of, { amount: 3_00 }),
    ]
    const now = (await bank.call('GET', '/v0/sandbox/clock')).json.data.now as string
    await advance({ to: 'next' })
    const { settlementDate } = await settled(early.id)
    expect(settlementDate > now.slice(0, 10)).toBe(true)
    expect((await paymentOf(more.id)).status).toBe('Sent')
    expect((await paymentOf(regular.id)).status).toBe('Clearing')
    expect(await balanceOf(of)).toBe(10_00)
    await advance({ by: 'P6D' })
    expect((await paymentOf(regular.id)).status).toBe('Sent')
    // The clearing days are over: the amount is free again.
    const again = await made(of, { amount: 10_00 })
    await settled(again.id)
    expect(await balanceOf(of)).toBe(24_00)
  })

  test('is canceled with its mandate before it leaves, and moves no money', async () => {
    const of = await makeDebtor(bank)
    const clearing = await internal('ach_clearing')
    const leaving = await made(of, { amount: 5_00 })
    await advance({ to: 'next' })
    const waiting = await made(of, { amount: 6_00 })
    const revoked = await bank.call('POST', `/v0/banking/external-accounts/${of.externalAccountId}/mandate/revoke`)
    expect(revoked.json.data.mandate.revokedAt).toEqual(expect.any(String))
    expect((await paymentOf(waiting.id)).status).toBe('Canceled')
    expect((await paymentOf(leaving.id)).status).toBe('Clearing')
    await giveMandate(bank, of.externalAccountId, { authorization: 'Phone' })
    const other = await made(of, { amount: 7_00 })
    expect(other.secCode).toBe('TEL')
    const canceled = await bank.call('POST', `/v0/banking/payments/${other.id}/cancel`)
    expect(canceled.json.data.status).toBe('Canceled')
    expect([await balanceOf(of), await internal('ach_clearing')]).toEqual([0, clearing])
    await advance({ by: 'P9D' })
    expect(await balanceOf(of)).toBe(5_00)
  })

  test('is rejected with its batch, and moves no money', async () => {
    const of = await makeDebtor(bank)
    const payment = await made(of, { amount: 8_00, description: 'Refused' })
    await advance({ to: 'next' })
    const [batch] = await bank.database.query<{ id: number }>('select max(id) as id from ach_batch')
    await noteRejected(bank.database, [batch?.id ?? 0])
    await advance({ by: 'P9D' })
    expect((await paymentOf(payment.id)).status).toBe('Rejected')
    expect(await balanceOf(of)).toBe(0)
  })

  test('may ask for the same day, and for a purchase in an online shop', async () => {
    const of = await makeDebtor(bank, { type: 'Business' })
    expect((await made(of, { sameDay: true })).secCode).toBe('CCD')
    expect((await collect(bank, of, { description: 'PURCHASE' })).json.code).toBe('reserved_description')
    expect((await collect(bank, of, { description: 'RETRY PYMT' })).json.code).toBe('reserved_description')
    const person = await makeDebtor(bank)
    expect((await made(person, { description: 'PURCHASE' })).secCode).toBe('WEB')
  })
})

/** Moves the clock until a payment is sent. */
async function settled(id: string) {
  for (let days = 0; days < 9; days++) {
    const payment = await paymentOf(id)
    if (payment.status === 'Sent') return payment
    await advance({ by: 'PT12H' })
  }
  throw new Error('the payment is not sent')
}
