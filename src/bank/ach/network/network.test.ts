import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../../../test/support/harness.ts'
import {
  accountOf,
  expectSoundLedger,
  makeExternalAccount,
  makePayer,
  type Payer,
  pay,
} from '../../../../test/support/ledger.ts'
import { railSettings } from '../../../../test/support/rails/settings.ts'
import { noteRejected } from '../../../operator/ach/files.sql.ts'

const { settings, remove } = railSettings()
let bank: TestBank
let payer: Payer
beforeAll(async () => {
  bank = await openTestBank({ ach: settings })
  // A Monday, 08:00 in New York.
  await bank.database.query(`update organisation set clock_offset = '2030-02-04T13:00:00Z' - clock_timestamp()`)
  payer = await makePayer(bank, 1_000_00)
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
const balanceOf = async () => (await accountOf(bank, payer.accountId)).balance as number
const exceptions = () => bank.database.query('select kind, amount, payment_id as id from ach_exception order by id')
async function payTo(accountNumber: string, amount: number, body: Record<string, unknown> = {}) {
  const externalAccountId = await makeExternalAccount(bank, payer.customerId, { accountNumber })
  const { status, text, json } = await pay(bank, { ...payer, externalAccountId }, { amount, ...body })
  expect(status, text).toBe(201)
  return { ...json.data, externalAccountId }
}
const externalAccount = async (id: string) =>
  (await bank.call('GET', `/v0/banking/customers/${payer.customerId}/external-accounts`)).json.data.find(
    (each: { id: string }) => each.id === id,
  )
async function differenceOn(date: string) {
  const { json } = await bank.call('GET', `/v0/banking/ach-reconciliation?date=${date}`)
  return json.data
}

describe('the other banks', () => {
  test('get a file at its cut-off, and return a payment two banking days after its settlement', async () => {
    const before = await balanceOf()
    const returned = await payTo('9990000003', 10_00)
    const plain = await payTo('1234567890', 1_00)
    expect((await advance({ to: '2030-02-04T15:00:00Z' })).happened).toHaveLength(2)
    expect(await bank.database.query(`select state, answer_at from ach_file where direction = 'out'`)).toEqual([
      { state: 'delivered', answer_at: '2030-02-07T13:30:00.000Z' },
    ])
    const [organisation = ''] = readdirSync(settings.outgoing)
    expect(readdirSync(join(settings.outgoing, organisation))).toHaveLength(1)
    const { json } = await bank.call('GET', '/v0/sandbox/clock')
    expect(json.data.upcoming).toContainEqual({
      ...{ at: '2030-02-07T13:30:00.000Z', type: 'achFile.answered', id: expect.any(String), count: 1 },
    })
    await advance({ to: '2030-02-07T13:29:59Z' })
    expect((await paymentOf(returned.id)).status).toBe('Sent')
    const { happened } = await advance({ to: '2030-02-07T13:30:00Z' })
    expect(happened).toContainEqual({ at: '2030-02-07T13:30:00.000Z', type: 'payment.returned', id: returned.id })
    expect(await paymentOf(returned.id)).toMatchObject({ status: 'Returned', returnCode: 'R03' })
    expect((await paymentOf(plain.id)).status).toBe('Sent')
    expect(await balanceOf()).toBe(before - 1_00)
    expect(await differenceOn('2030-02-07')).toMatchObject({
      returnsReceived: { count: 1, credits: 10_00 },
      difference: 0,
    })
    expect(await bank.database.query('select from ach_file where answer_at is not null')).toEqual([])
  })

  test('return late: a code of 60 days is in time, one of two banking days is an exception', async () => {
    const [inTime, late] = [await payTo('9991000010', 11_00), await payTo('9991000002', 12_00)]
    const [sameDay] = [await payTo('9990000002', 13_00, { sameDay: true })]
    const before = await balanceOf()
    const { happened } = await advance({ by: 'P60D' })
    const types = happened.filter(({ type }: { type: string }) => type === 'payment.returned')
    expect(types).toEqual([
      // Same-day: settled on 7 February, answered on Monday the 11th. The others settled on the 8th.
      { at: '2030-02-11T13:30:00.000Z', type: 'payment.returned', id: sameDay.id },
      { at: '2030-03-25T12:30:00.000Z', type: 'payment.returned', id: inTime.id },
    ])
    expect(await paymentOf(late.id)).toMatchObject({ status: 'Sent' })
    expect(await exceptions()).toEqual([{ kind: 'return_late', amount: 12_00, id: Number(late.id) }])
    expect(await balanceOf()).toBe(before + 24_00)
    for (const day of ['2030-02-11', '2030-03-25']) expect((await differenceOn(day)).difference).toBe(0)
  })

  test('notify of changes, which correct the external account; C09 and C13 are left to the operator', async () => {
    const codes = ['01', '02', '03', '04', '05', '06', '07', '09', '13']
    const known = (await exceptions()).length
    const payments = []
    for (const code of codes) payments.push(await payTo(`99920000${code}`, 1_00))
    const { happened } = await advance({ by: 'P9D' })
    const corrected = happened.filter(({ type }: { type: string }) => type === 'externalAccount.corrected')
    expect(corrected.map(({ id }: { id: string }) => id)).toEqual(
      payments.slice(0, 7).map(({ externalAccountId }) => externalAccountId),
    )
    const shown = await Promise.all(
      payments.map(async ({ externalAccountId }) => {
        const { routingNumber, accountNumber, accountType, name } = await externalAccount(externalAccountId)
        return [routingNumber, accountNumber, accountType, name]
      }),
    )
    expect(shown).toEqual([
      ['021000021', '1992000001', 'Checking', 'Grace Sample'],
      ['011401533', '9992000002', 'Checking', 'Grace Sample'],
      ['011401533', '1992000003', 'Checking', 'Grace Sample'],
      ['021000021', '9992000004', 'Checking', 'CORRECTED RECEIVER'],
      ['021000021', '9992000005', 'Savings', 'Grace Sample'],
      ['021000021', '1992000006', 'Savings', 'Grace Sample'],
      ['011401533', '1992000007', 'Savings', 'Grace Sample'],
      ['021000021', '9992000009', 'Checking', 'Grace Sample'],
      ['021000021', '9992000013', 'Checking', 'Grace Sample'],
    ])
    expect((await exceptions()).slice(known)).toMatchObject(Array(2).fill({ kind: 'change_not_usable', amount: 0 }))
    for (const { id } of payments) expect((await paymentOf(id)).status).toBe('Sent')
  })

  test('answer once, also where a killed process has taken the answer and not noted it', async () => {
    const payment = await payTo('9990000004', 5_00)
    await advance({ by: 'P4D' })
    const before = await balanceOf()
    const [due] = await bank.database.query<{ id: number; answer_at: string }>(
      'select id, answer_at from ach_file where answer_at is not null',
    )
    await advance({ by: 'P9D' })
    expect(await balanceOf()).toBe(before + 5_00)
    await bank.database.query(`update ach_file set answer_at = $2 where id = $1`, [due?.id, due?.answer_at])
    await advance({ by: 'P1D' })
    expect(await balanceOf()).toBe(before + 5_00)
    expect((await paymentOf(payment.id)).status).toBe('Returned')
    const entries = await bank.database.query('select outcome from ach_received_entry where payment_id = $1', [
      payment.id,
    ])
    expect(entries).toEqual([{ outcome: 'applied' }])
  })

  test('do not answer a batch that was rejected, nor a file that did not reach them', async () => {
    const files = async () => (await bank.database.query(`select from ach_file where direction = 'in'`)).length
    const answerAt = () =>
      bank.database.query('select answer_at from ach_file where id = (select max(id) from ach_file)')
    const before = await files()
    const rejected = await payTo('9990000004', 6_00)
    await advance({ to: 'next' })
    const [batch] = await bank.database.query<{ id: number }>('select max(id) as id from ach_batch')
    await noteRejected(bank.database, [batch?.id ?? 0])
    await advance({ by: 'P9D' })
    expect((await paymentOf(rejected.id)).status).toBe('Rejected')
    expect([await files(), await answerAt()]).toEqual([before, [{ answer_at: null }]])

    const unknown = await payTo('9990000004', 7_00)
    // The folder cannot be made, because a file has its name. The delivery is put off, and all the rest goes on.
    const folder = join(settings.outgoing, readdirSync(settings.outgoing)[0] as string)
    renameSync(folder, `${folder}.kept`)
    writeFileSync(folder, '')
    await advance({ by: 'P9D' })
    expect((await paymentOf(unknown.id)).status).toBe('Sent')
    expect([await files(), await answerAt()]).toEqual([before, [{ answer_at: null }]])
    rmSync(folder)
    renameSync(`${folder}.kept`, folder)
    await bank.moveFiles()
    await advance({ by: 'PT1S' })
    expect(await paymentOf(unknown.id)).toMatchObject({ status: 'Returned', returnCode: 'R04' })
  })
})
