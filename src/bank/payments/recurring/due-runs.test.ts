import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makeDebitable } from '../../../../test/support/bank/debits.ts'
import { advanceTo, recurring } from '../../../../test/support/bank/recurring.ts'
import { openTestBank, type TestBank } from '../../../../test/support/harness.ts'
import {
  accountOf,
  expectSoundLedger,
  makePayer,
  type Payer,
  receiveAch,
  returnPayment,
} from '../../../../test/support/ledger.ts'

let bank: TestBank
let payer: Payer
async function open(options: Parameters<typeof openTestBank>[0] = {}) {
  bank = await openTestBank(options)
  // A Monday, 08:00 in New York.
  await bank.database.query(`update organisation set frozen_at = '2030-02-04T13:00:00Z', clock_offset = interval '0'`)
  payer = await makePayer(bank, 1_000_00)
}
beforeEach(() => open())
afterEach(async () => {
  await expectSoundLedger(bank)
  await bank.close()
})
const balance = async (accountId = payer.accountId) => (await accountOf(bank, accountId)).balance as number
const post = async (path: string, body?: unknown) => {
  const { status, text } = await bank.call('POST', path, { body })
  expect(status, text).toBe(200)
}

describe('the runs of a recurring payment', () => {
  test('each pays once, at nine in the morning of New York, and shows where it comes from', async () => {
    const rent = await recurring(bank, payer, { count: 3, tags: { purpose: 'rent' }, addenda: 'Unit 4' })
    expect(rent.created).toMatchObject({
      status: 'Active',
      nextDueDate: '2030-02-15',
      nextRunAt: '2030-02-15T14:00:00.000Z',
    })
    await advanceTo(bank, '2030-02-15T13:59:59.999Z')
    expect(await rent.runs()).toEqual([])
    await advanceTo(bank, '2030-05-01')
    expect(await rent.runs()).toEqual(['2030-02-15 Succeeded', '2030-03-15 Succeeded', '2030-04-15 Succeeded'])
    const payments = await rent.payments()
    expect(payments.map(({ createdAt }: { createdAt: string }) => createdAt)).toEqual([
      '2030-02-15T14:00:00.000Z',
      '2030-03-15T13:00:00.000Z',
      '2030-04-15T13:00:00.000Z',
    ])
    expect(payments[0]).toMatchObject({
      recurringPaymentId: rent.id,
      amount: 20_00,
      description: 'Rent',
      type: 'achPayment',
    })
    expect(await rent.read()).toMatchObject({ status: 'Completed', runs: 3, endedAt: '2030-04-15T13:00:00.000Z' })
    expect(await balance()).toBe(940_00)
  })

  test('a book transfer arrives in the other account', async () => {
    const savings = await makePayer(bank)
    const plan = await recurring(bank, payer, {
      toAccountId: savings.accountId,
      interval: 'Weekly',
      startDate: '2030-02-04',
      count: 4,
    })
    await advanceTo(bank, '2030-03-01')
    expect(await plan.runs()).toHaveLength(4)
    expect(await balance(savings.accountId)).toBe(80_00)
  })

  test('a debit collects money with its mandate, and ends when the mandate is revoked', async () => {
    const externalAccountId = await makeDebitable(bank, payer.customerId)
    const plan = await recurring(bank, { ...payer, externalAccountId }, { direction: 'Debit' })
    await advanceTo(bank, '2030-02-16')
    expect(await balance()).toBe(1_020_00)
    await post(`/v0/banking/external-accounts/${externalAccountId}/mandate/revoke`)
    await advanceTo(bank, '2030-05-16')
    expect(await plan.runs()).toEqual(['2030-02-15 Succeeded', '2030-03-15 Failed mandate_missing'])
    expect(await plan.read()).toMatchObject({ status: 'Stopped', reason: 'mandate_missing' })
  })
})

describe('if money is missing', () => {
  const large = { amount: 2_000_00 }
  test('the due date fails, and the next one is tried', async () => {
    const plan = await recurring(bank, payer, large)
    await advanceTo(bank, '2030-02-20')
    await receiveAch(bank, payer.accountId, { amount: 5_000_00 })
    await advanceTo(bank, '2030-03-20')
    expect(await plan.runs()).toEqual(['2030-02-15 Failed insufficient_funds', '2030-03-15 Succeeded'])
  })

  test('it is tried again on the next days, until money is there', async () => {
    const plan = await recurring(bank, payer, { ...large, onMissingMoney: 'Retry', retryDays: 3 })
    await advanceTo(bank, '2030-02-16T15:00:00Z')
    expect(await plan.read()).toMatchObject({ nextRunAt: '2030-02-17T14:00:00.000Z', lastRun: { status: 'Waiting' } })
    await receiveAch(bank, payer.accountId, { amount: 5_000_00 })
    await advanceTo(bank, '2030-02-20')
    expect(await plan.runs()).toEqual(['2030-02-15 Succeeded'])
    expect((await plan.payments())[0].createdAt).toBe('2030-02-17T14:00:00.000Z')
    const { json } = await bank.call('GET', `/v0/banking/recurring-payments/${plan.id}/runs`)
    expect(json.data[0].id).toBe((await plan.read()).lastRun.id)
  })

  test('it fails when the days of retries are over, and is canceled with its run', async () => {
    const plan = await recurring(bank, payer, { ...large, onMissingMoney: 'Retry', retryDays: 2 })
    await advanceTo(bank, '2030-03-16T12:00:00Z')
    expect(await plan.runs()).toEqual(['2030-02-15 Failed insufficient_funds', '2030-03-15 Waiting insufficient_funds'])
    await plan.send('cancel')
    expect(await plan.runs()).toEqual(['2030-02-15 Failed insufficient_funds', '2030-03-15 Failed insufficient_funds'])
  })

  test('it stops for good', async () => {
    const plan = await recurring(bank, payer, { ...large, onMissingMoney: 'Stop' })
    await advanceTo(bank, '2030-04-16')
    expect(await plan.runs()).toEqual(['2030-02-15 Failed insufficient_funds'])
    expect(await plan.read()).toMatchObject({ status: 'Stopped', reason: 'insufficient_funds' })
  })
})

describe('after a return', () => {
  test.each([
    ['Stop', 'Stopped', 1],
    ['GoOn', 'Active', 2],
  ])('with %s it is %s', async (onReturn, status, runs) => {
    const plan = await recurring(bank, payer, { onReturn })
    await advanceTo(bank, '2030-02-16')
    const [payment] = await plan.payments()
    await returnPayment(bank, payment.id, 'R03')
    expect((await plan.read()).status).toBe(status)
    await advanceTo(bank, '2030-03-16')
    expect(await plan.runs()).toHaveLength(runs)
    if (status === 'Stopped') expect((await plan.read()).reason).toBe('Returned R03')
  })
})

describe('after an outage', () => {
  const made = ['Succeeded', 'Succeeded', 'Succeeded']
  const skipped = ['Skipped overdue', 'Skipped overdue', 'Skipped overdue']
  test.each([
    ['all', '2030-02-20T15:00:00Z', made],
    ['once', '2030-02-20T15:00:00Z', [...skipped.slice(1), 'Succeeded']],
    ['skip', '2030-02-20T15:00:00Z', skipped],
    ['skip', '2030-02-20T13:59:00Z', [...skipped.slice(1), 'Succeeded']],
  ] as const)('runs follow the rule %s at %s', async (recurringOverdue, now, outcomes) => {
    await bank.close()
    await open({ recurringOverdue })
    const plan = await recurring(bank, payer, { startDate: '2030-02-05', interval: 'Weekly' })
    await bank.database.query('update organisation set frozen_at = $1::timestamptz', [now])
    await bank.catchUp()
    const dates = ['2030-02-05', '2030-02-12', '2030-02-19']
    expect(await plan.runs()).toEqual(dates.map((date, at) => `${date} ${outcomes[at]}`))
    expect(await balance()).toBe(1_000_00 - 20_00 * outcomes.filter((each) => each === 'Succeeded').length)
    await advanceTo(bank, '2030-02-27')
    expect((await plan.runs()).at(-1)).toBe('2030-02-26 Succeeded')
  })
})

describe('changes', () => {
  test('due dates are skipped by a request and while it is paused', async () => {
    const plan = await recurring(bank, payer)
    expect((await plan.send('skip', {})).skippedDates).toEqual(['2030-02-15'])
    expect((await plan.send('skip', { date: '2030-04-15' })).skippedDates).toEqual(['2030-02-15', '2030-04-15'])
    await advanceTo(bank, '2030-04-20')
    await plan.send('pause')
    await advanceTo(bank, '2030-05-20')
    await plan.send('resume')
    await advanceTo(bank, '2030-06-20')
    expect(await plan.runs()).toEqual([
      '2030-02-15 Skipped requested',
      '2030-03-15 Succeeded',
      '2030-04-15 Skipped requested',
      '2030-05-15 Skipped paused',
      '2030-06-15 Succeeded',
    ])
  })

  test('an amount applies from its date on', async () => {
    const plan = await recurring(bank, payer)
    expect(await plan.send('amount', { amount: 30_00, from: '2030-04-01' })).toMatchObject({
      amount: 20_00,
      amountChanges: [{ from: '2030-04-01', amount: 30_00 }],
    })
    await plan.send('amount', { amount: 40_00, from: '2030-05-15' })
    await advanceTo(bank, '2030-05-20')
    const amounts = (await plan.payments()).map(({ amount }: { amount: number }) => amount)
    expect(amounts).toEqual([20_00, 20_00, 30_00, 40_00])
  })
})

describe('the account', () => {
  test('a frozen one fails its runs, a closed one ends it', async () => {
    const plan = await recurring(bank, payer, { startDate: '2030-02-05', interval: 'Weekly' })
    await post(`/v0/banking/accounts/${payer.accountId}/freeze`)
    await advanceTo(bank, '2030-02-06')
    await post(`/v0/banking/accounts/${payer.accountId}/unfreeze`)
    await advanceTo(bank, '2030-02-13')
    await post(`/v0/banking/accounts/${payer.accountId}/close`, { reason: 'ByCustomer' })
    await advanceTo(bank, '2030-03-13')
    expect(await plan.runs()).toEqual([
      '2030-02-05 Failed account_not_open',
      '2030-02-12 Succeeded',
      '2030-02-19 Failed account_closed',
    ])
    expect(await plan.read()).toMatchObject({ status: 'Stopped', reason: 'account_closed' })
  })

  test('shows the payments of the next year, moved by weekends and holidays', async () => {
    const plan = await recurring(bank, payer, { days: [31], onClosedDay: 'Before', endDate: '2030-12-31' })
    await plan.send('skip', { date: '2030-04-30' })
    await plan.send('amount', { amount: 25_00, from: '2030-06-01' })
    const { json } = await bank.call('GET', `/v0/banking/accounts/${payer.accountId}/planned-payments`)
    const shown = json.data.map(({ date, dueDate, amount, isSkipped }: Record<string, unknown>) => [
      date,
      dueDate,
      amount,
      isSkipped,
    ])
    expect(shown).toEqual([
      ['2030-02-28', '2030-02-28', 20_00, false],
      ['2030-03-29', '2030-03-31', 20_00, false],
      ['2030-04-30', '2030-04-30', 20_00, true],
      ['2030-05-31', '2030-05-31', 20_00, false],
      ['2030-06-28', '2030-06-30', 25_00, false],
      ['2030-07-31', '2030-07-31', 25_00, false],
      ['2030-08-30', '2030-08-31', 25_00, false],
      ['2030-09-30', '2030-09-30', 25_00, false],
      ['2030-10-31', '2030-10-31', 25_00, false],
      ['2030-11-29', '2030-11-30', 25_00, false],
      ['2030-12-31', '2030-12-31', 25_00, false],
    ])
  })
})
