import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { collect, makeDebtor } from '../../../test/support/bank/debits.ts'
import { openTestBank, type Reply, type TestBank } from '../../../test/support/harness.ts'
import {
  accountOf,
  expectSoundLedger,
  makeExternalAccount,
  makePayer,
  type Payer,
  pay,
  receiveAch,
  returnPayment,
} from '../../../test/support/ledger.ts'
import { advanceTo, openRailBank } from '../../../test/support/rails/leaving.ts'
import { bankingDaysAfter, daysAfter, easternInstant, easternOf } from '../../rails/ach/calendar.ts'
import { readAchFile } from '../../rails/ach/read-file.ts'

let bank: TestBank
let rail: TestBank
beforeAll(async () => {
  bank = await openTestBank()
  rail = await openRailBank()
})
afterEach(async () => {
  for (const each of [bank, rail]) await expectSoundLedger(each)
})
afterAll(async () => {
  for (const each of [bank, rail]) await each.close()
})

const retry = (id: string, on = bank) => on.call('POST', `/v0/banking/payments/${id}/retry`)
const reverse = (id: string, body: unknown = { reason: 'Duplicate' }, on = bank) =>
  on.call('POST', `/v0/banking/payments/${id}/reverse`, { body })
const codeOf = ({ status, json }: Reply) => [status, json.code]
const notRetryable = [409, 'payment_not_retryable']
const notReversible = [409, 'payment_not_reversible']
const balanceOf = async ({ accountId }: Payer, on = bank) => (await accountOf(on, accountId)).balance as number

async function returned(of: Payer, code = 'R01'): Promise<string> {
  const { json } = await collect(bank, of, { amount: 5_00 })
  expect((await returnPayment(bank, json.data.id, code)).status).toBe(200)
  return json.data.id
}

/** Moves the clock, and answers the batches of the last outgoing file. */
async function batchesAt(to: string) {
  await advanceTo(rail, to)
  const [file] = (await rail.call('GET', '/v0/sandbox/ach-files?direction=Outgoing&limit=1')).json.data
  const content = await rail.call('GET', `/v0/sandbox/ach-files/${file.id}/content`)
  const { file: read, faults } = readAchFile(Buffer.from(content.text), { sameDayLimit: 100_000_000 })
  expect(faults).toEqual([])
  return read?.batches.map(({ description, secCode, entries }) => [
    ...[description, secCode],
    ...entries.map(({ code, amount }) => [code, amount]),
  ])
}

describe('retryPayment', () => {
  test('presents a debit again twice, one after the other', async () => {
    const of = await makeDebtor(bank)
    const first = await returned(of, 'R09')
    const { status, json } = await retry(first)
    expect(status).toBe(201)
    const { data: shown } = (await bank.call('GET', `/v0/banking/payments/${first}`)).json
    const { returnCode: _code, returnReason: _reason, ...same } = shown
    expect(json.data).toEqual({
      ...{ ...same, id: expect.any(String), createdAt: expect.any(String) },
      ...{ status: 'Sent', description: 'RETRY PYMT', retryOf: first },
    })
    expect((await bank.call('GET', `/v0/banking/payments/${json.data.id}`)).json.data).toEqual(json.data)
    const { json: feed } = await bank.call('GET', `/v0/events?entityType=payment&entityId=${json.data.id}`)
    expect(feed.data[0].data).toEqual(json.data)
    expect(codeOf(await retry(first))).toEqual(notRetryable)
    await returnPayment(bank, json.data.id, 'R01')
    const both = await Promise.all([retry(first), retry(json.data.id)])
    const made = both.find((each) => each.status === 201)
    expect(both.map(codeOf)).toContainEqual(notRetryable)
    expect(made?.json.data.retryOf).toBe(first)
    await returnPayment(bank, made?.json.data.id, 'R01')
    for (const id of [first, made?.json.data.id]) expect(codeOf(await retry(id))).toEqual(notRetryable)
  })

  test('is refused for other payments and other returns, and without a mandate', async () => {
    const of = await makeDebtor(bank)
    for (const code of ['R02', 'R08', 'R10'])
      expect(codeOf(await retry(await returned(of, code)))).toEqual(notRetryable)
    expect(codeOf(await retry((await collect(bank, of)).json.data.id))).toEqual(notRetryable)
    const payer = await makePayer(bank, 50_00)
    const credit = await pay(bank, payer, { amount: 5_00 })
    await returnPayment(bank, credit.json.data.id, 'R01')
    expect(codeOf(await retry(credit.json.data.id))).toEqual(notRetryable)
    expect(codeOf(await retry('1000'))).toEqual([404, 'payment_not_found'])
    const kept = await returned(of)
    await bank.call('POST', `/v0/banking/external-accounts/${of.externalAccountId}/mandate/revoke`)
    expect(codeOf(await retry(kept))).toEqual([422, 'mandate_missing'])
  })

  test('counts a retry that left before a restore, and waits while it is an exception', async () => {
    const of = await makeDebtor(bank)
    const first = await returned(of)
    await bank.database.transaction(async (transaction) => {
      await transaction.query('set local session_replication_role = replica')
      await transaction.query(
        `insert into ach_exception (id, organisation_id, file_id, kind, detail, payment_id, created_at)
         select nextval('record_id'), organisation_id, 1, 'payment_lost', 'left before a restore', id, now()
         from payment where id = $1::bigint`,
        [first],
      )
    })
    expect(codeOf(await retry(first))).toEqual(notRetryable)
    await bank.database.query(
      `update ach_exception set resolved_at = now(), resolution = 'Noted', reason = 'known' where payment_id = $1::bigint`,
      [first],
    )
    const second = await retry(first)
    expect(second.status).toBe(201)
    await returnPayment(bank, second.json.data.id, 'R01')
    expect(codeOf(await retry(first))).toEqual(notRetryable)
    await bank.database.query('delete from ach_exception where payment_id = $1::bigint', [first])
  })
})

describe('reversePayment', () => {
  test('collects a credit back, and gives a debit back, once each', async () => {
    const payer = await makePayer(bank, 50_00)
    const credit = (await pay(bank, payer, { amount: 20_00 })).json.data
    const { status, text, json } = await reverse(credit.id)
    expect(status, text).toBe(201)
    expect(json.data).toEqual({
      ...{ ...credit, id: expect.any(String), createdAt: expect.any(String), description: 'REVERSAL' },
      ...{ direction: 'Debit', reversalOf: credit.id, reversalReason: 'Duplicate' },
    })
    expect((await bank.call('GET', `/v0/banking/payments/${json.data.id}`)).json.data).toEqual(json.data)
    expect(await balanceOf(payer)).toBe(50_00)
    for (const id of [credit.id, json.data.id]) expect(codeOf(await reverse(id))).toEqual(notReversible)
    expect(codeOf(await retry(json.data.id))).toEqual(notRetryable)
    await returnPayment(bank, json.data.id, 'R17')
    expect(await balanceOf(payer)).toBe(30_00)
    expect((await reverse(credit.id, { reason: 'WrongAmount' })).status).toBe(201)

    const of = await makeDebtor(bank)
    const debit = (await collect(bank, of, { amount: 9_00 })).json.data
    const back = await reverse(debit.id, { reason: 'WrongDate' })
    expect(back.json.data).toMatchObject({ direction: 'Credit', reversalOf: debit.id, status: 'Sent' })
    expect(await balanceOf(of)).toBe(0)
    const spent = (await collect(bank, of, { amount: 9_00 })).json.data
    const payee = { ...of, externalAccountId: await makeExternalAccount(bank, of.customerId) }
    await pay(bank, payee, { amount: 9_00 })
    expect(codeOf(await reverse(spent.id))).toEqual([422, 'insufficient_funds'])
    await receiveAch(bank, of.accountId, { amount: 9_00 })
    const twice = await Promise.all([reverse(spent.id), reverse(spent.id)])
    expect(twice.map(codeOf)).toContainEqual(notReversible)
    expect(await balanceOf(of)).toBe(0)
  })

  test('is refused too late, and for payments that have not left or came back', async () => {
    const payer = await makePayer(bank, 50_00)
    const { id } = (await pay(bank, payer, { amount: 1_00 })).json.data
    const now = (await bank.call('GET', '/v0/sandbox/clock')).json.data.now as string
    const at = (hours: number) => new Date(Date.parse(now) + hours * 3_600_000).toISOString()
    const reason = 'Duplicate'
    expect(codeOf(await reverse(id, { reason, discoveredAt: at(-25) }))).toEqual([422, 'reversal_too_late'])
    expect(codeOf(await reverse(id, { reason, discoveredAt: at(1) }))).toEqual([400, 'invalid_request'])
    for (const body of [{}, { reason: 'Fraud' }, { reason, discoveredAt: 'today' }]) {
      expect(codeOf(await reverse(id, body))).toEqual([400, 'invalid_request'])
    }
    expect(codeOf(await reverse('1000'))).toEqual([404, 'payment_not_found'])
    const back = (await pay(bank, payer, { amount: 1_00 })).json.data.id
    await returnPayment(bank, back, 'R03')
    expect(codeOf(await reverse(back))).toEqual(notReversible)
    expect(
      (await reverse((await pay(bank, payer, { amount: 1_00 })).json.data.id, { reason, discoveredAt: at(-23) }))
        .status,
    ).toBe(201)
  })

  test('leaves within five banking days of the settlement, and a retry within 180 days', async () => {
    const [payer, of] = [await makePayer(bank, 50_00), await makeDebtor(bank)]
    const made = [await pay(bank, payer, { amount: 1_00 }), await pay(bank, payer, { amount: 2_00 })]
    const [first, second] = made.map(({ json }) => json.data)
    const debits = [await returned(of), await returned(of)]
    const day = easternOf(first.createdAt).day
    const advance = (to: string) => bank.call('POST', '/v0/sandbox/clock/advance', { body: { to } })
    await advance(easternInstant(bankingDaysAfter(day, 5), '23:30'))
    expect((await reverse(first.id)).status).toBe(201)
    await advance(easternInstant(daysAfter(bankingDaysAfter(day, 5), 1), '00:30'))
    expect(codeOf(await reverse(second.id))).toEqual([422, 'reversal_too_late'])
    await advance(easternInstant(daysAfter(day, 180), '23:30'))
    expect((await retry(debits[0] ?? '')).status).toBe(201)
    await advance(easternInstant(daysAfter(day, 181), '00:30'))
    expect(codeOf(await retry(debits[1] ?? ''))).toEqual(notRetryable)
  })

  test('leaves with a file, as the rules write it, like a retry', async () => {
    const payer = await makePayer(rail, 500_00)
    const of = await makeDebtor(rail, { accountNumber: '9990000001' })
    const credit = (await pay(rail, payer, { amount: 40_00 })).json.data.id
    expect(codeOf(await reverse(credit, undefined, rail))).toEqual(notReversible)
    const debit = (await collect(rail, of, { amount: 7_00 })).json.data.id
    await advanceTo(rail, '2030-02-06T14:00:00Z')
    const made = await reverse(credit, undefined, rail)
    expect(made.json.data).toMatchObject({ status: 'Pending', direction: 'Debit', secCode: 'PPD' })
    expect(await batchesAt('2030-02-06T15:00:00Z')).toEqual([['REVERSAL', 'PPD', [27, 40_00]]])
    expect(await balanceOf(payer, rail)).toBe(460_00)
    await advanceTo(rail, '2030-02-11T20:00:00Z')
    const { data } = (await rail.call('GET', `/v0/banking/payments/${debit}`)).json
    expect(data).toMatchObject({ status: 'Returned', returnCode: 'R01' })
    expect((await retry(debit, rail)).json.data).toMatchObject({ status: 'Pending', secCode: 'WEB', retryOf: debit })
    expect(await batchesAt('2030-02-12T15:00:00Z')).toEqual([['RETRY PYMT', 'WEB', [27, 7_00]]])
    await advanceTo(rail, '2030-02-20T15:00:00Z')
    expect(await balanceOf(payer, rail)).toBe(500_00)
    for (const date of ['2030-02-07', '2030-02-13']) {
      expect((await rail.call('GET', `/v0/banking/ach-reconciliation?date=${date}`)).json.data.difference).toBe(0)
    }
  })
})
