import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { recur, recurring } from '../../../test/support/bank/recurring.ts'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { expectSoundLedger, makePayer, type Payer } from '../../../test/support/ledger.ts'

const path = '/v0/banking/recurring-payments'
let bank: TestBank
let payer: Payer
beforeAll(async () => {
  bank = await openTestBank()
  // A Monday, 08:00 in New York.
  await bank.database.query(`update organisation set frozen_at = '2030-02-04T13:00:00Z', clock_offset = interval '0'`)
  payer = await makePayer(bank, 1_000_00)
})
afterEach(() => expectSoundLedger(bank))
afterAll(() => bank.close())

const refusal = async (body: Record<string, unknown>) => {
  const { status, json } = await recur(bank, payer, body)
  return [status, json.errors?.[0]?.pointer ?? json.code]
}

/** 'createRecurringPayment', 'getRecurringPayment' and 'listRecurringPayments'. */
describe('a new recurring payment', () => {
  test('answers with the whole record, which a read and the list show as well', async () => {
    const { created, read } = await recurring(bank, payer, {
      ...{ addenda: 'Unit 4', tags: { home: 'yes' }, days: [31], endDate: '2030-12-31', sameDay: true },
      ...{ onClosedDay: 'Before', onMissingMoney: 'Retry', retryDays: 5, onReturn: 'GoOn' },
    })
    expect(created).toEqual({
      id: expect.stringMatching(/^[1-9]\d{6,}$/),
      ...{ status: 'Active', type: 'achPayment', direction: 'Credit', accountId: payer.accountId },
      ...{ customerId: payer.customerId, counterpartyAccountId: payer.externalAccountId, amount: 20_00 },
      ...{ description: 'Rent', addenda: 'Unit 4', tags: { home: 'yes' }, sameDay: true, interval: 'Monthly' },
      ...{ startDate: '2030-02-15', endDate: '2030-12-31', days: [31], onClosedDay: 'Before' },
      ...{ onMissingMoney: 'Retry', retryDays: 5, onReturn: 'GoOn', nextDueDate: '2030-02-28' },
      ...{ nextRunAt: '2030-02-28T14:00:00.000Z', runs: 0, amountChanges: [], skippedDates: [] },
      ...{ createdAt: '2030-02-04T13:00:00.000Z', endedAt: null },
    })
    expect(await read()).toEqual(created)
    const { json, headers } = await bank.call('GET', `${path}?accountId=${payer.accountId}&status=Active&count=true`)
    expect(json.data[0]).toEqual(created)
    expect(headers['x-total-count']).toBe(String(json.data.length))
    const found = async (filter: string) =>
      (await bank.call('GET', `${path}?accountId=${payer.accountId}&${filter}`)).json.data.length
    expect(await found('fromAmount=2000&toAmount=2000&since=2030-02-04')).toBeGreaterThan(0)
    for (const filter of ['fromAmount=2001', 'toAmount=1999', 'until=2030-02-04', 'since=2030-02-05']) {
      expect(await found(filter), filter).toBe(0)
    }
  })

  test.each([
    ['a start before today', { startDate: '2030-02-03' }, 400, '/startDate'],
    ['a day that does not exist', { startDate: '2030-02-30' }, 400, '/startDate'],
    ['an end before the start', { endDate: '2030-02-14' }, 400, '/endDate'],
    ['no due date up to the end', { days: [31], endDate: '2030-02-27' }, 400, '/endDate'],
    ['an end and a count', { endDate: '2031-02-14', count: 2 }, 400, '/count'],
    ['a count of 0', { count: 0 }, 400, '/count'],
    ['a count of 10,001', { count: 10_001 }, 400, '/count'],
    ['two days of a month', { days: [1, 15] }, 400, '/days'],
    ['one day of two', { interval: 'TwiceAMonth', days: [1] }, 400, '/days'],
    ['days that may coincide', { interval: 'TwiceAMonth', days: [28, 31] }, 400, '/days'],
    ['days of a week', { interval: 'Weekly', days: [1] }, 400, '/days'],
    ['retries without the rule', { retryDays: 2 }, 400, '/retryDays'],
    ['eleven days of retries', { onMissingMoney: 'Retry', retryDays: 11 }, 400, '/retryDays'],
    ['a long description of a payment by ACH', { description: 'a'.repeat(11) }, 400, '/description'],
    ['an unknown account', { accountId: '9000000' }, 404, 'account_not_found'],
    ['an unknown external account', { counterpartyAccountId: '9000000' }, 404, 'external_account_not_found'],
    ['a debit without a mandate', { direction: 'Debit' }, 422, 'debit_not_permitted'],
  ])('refuses %s', async (_what, body, status, at) => {
    expect(await refusal(body)).toEqual([status, at])
  })

  test('takes what is just within the limits', async () => {
    for (const body of [
      { startDate: '2030-02-04' },
      { count: 10_000 },
      { interval: 'TwiceAMonth', days: [27, 31] },
      { onMissingMoney: 'Retry', retryDays: 10 },
      { description: 'a'.repeat(10) },
      { startDate: '9999-01-01', interval: 'Once' },
    ]) {
      expect((await recur(bank, payer, body)).status, JSON.stringify(body)).toBe(201)
    }
  })

  test('refuses a book transfer to the paying account, to none, and with members of ACH', async () => {
    expect(await refusal({ toAccountId: payer.accountId })).toEqual([422, 'same_account'])
    expect(await refusal({ toAccountId: '9000000' })).toEqual([404, 'account_not_found'])
    const { accountId } = await makePayer(bank)
    expect(await refusal({ toAccountId: accountId, sameDay: true })).toEqual([400, '/sameDay'])
    expect(await refusal({ toAccountId: accountId, counterpartyAccountId: '1' })).toEqual([
      400,
      '/counterpartyAccountId',
    ])
    expect((await recur(bank, payer, { toAccountId: accountId, description: 'a'.repeat(50) })).status).toBe(201)
    expect(await refusal({ toAccountId: accountId, description: 'a'.repeat(51) })).toEqual([400, '/description'])
  })

  test('makes one of a key, however often it is sent', async () => {
    const headers = { 'idempotency-key': 'rent' }
    const answers = await Promise.all([1, 2, 3].map(() => recur(bank, payer, {}, { headers })))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  })

  test('refuses more than 1,000 of an account that have not ended', async () => {
    const full = await makePayer(bank)
    const { id } = await recurring(bank, full)
    await bank.database.query(
      `with made as (
         insert into recurring_payment select (r).* from (
           select jsonb_populate_record(r, jsonb_build_object('id', nextval('record_id'))) as r
           from recurring_payment r, generate_series(1, 999) where r.id = $1) n returning id)
       delete from recurring_payment_run where recurring_payment_id = 0 returning (select count(*) from made)`,
      [Number(id)],
    )
    const { json } = await recur(bank, full)
    expect(json.code).toBe('too_many_recurring_payments')
    await bank.database.query(`delete from recurring_payment where account_id = $1 and id <> $2`, [
      Number(full.accountId),
      Number(id),
    ])
  })
})

/** 'pauseRecurringPayment', 'resumeRecurringPayment', 'skipRecurringPayment', 'changeRecurringPayment', 'cancelRecurringPayment'. */
describe('changes of a recurring payment', () => {
  const code = async (id: string, word: string, body?: unknown) => {
    const { status, json } = await bank.call('POST', `${path}/${id}/${word}`, body === undefined ? {} : { body })
    return status === 200 ? 'done' : (json.errors?.[0]?.pointer ?? json.code)
  }

  test('are possible in some states', async () => {
    const { id } = await recurring(bank, payer)
    const amount = { amount: 1_00 }
    expect(await code(id, 'resume')).toBe('recurring_payment_not_paused')
    expect(await code(id, 'pause')).toBe('done')
    expect(await code(id, 'pause')).toBe('recurring_payment_not_active')
    expect([await code(id, 'skip', {}), await code(id, 'amount', amount)]).toEqual(['done', 'done'])
    expect([await code(id, 'resume'), await code(id, 'cancel')]).toEqual(['done', 'done'])
    for (const [word, body] of [['cancel'], ['skip', {}], ['amount', amount]] as const) {
      expect(await code(id, word, body)).toBe('recurring_payment_ended')
    }
    expect(await code(id, 'pause')).toBe('recurring_payment_not_active')
  })

  test('of a date need a due date, and stay within their limits', async () => {
    const { id } = await recurring(bank, payer)
    expect(await code(id, 'skip', { date: '2030-02-16' })).toBe('/date')
    expect(await code(id, 'skip', { date: '2030-02-31' })).toBe('/date')
    // The sixtieth due date, and the one after it.
    expect(await code(id, 'skip', { date: '2035-02-15' })).toBe('/date')
    expect(await code(id, 'skip', { date: '2035-01-15' })).toBe('done')
    expect(await code(id, 'skip', { date: '2035-01-15' })).toBe('/date')
    for (let year = 2031; year < 2055; year++) {
      expect(await code(id, 'amount', { amount: year, from: `${year}-01-01` })).toBe('done')
    }
    expect(await code(id, 'amount', { amount: 1, from: '2055-01-01' })).toBe('/from')
    expect(await code(id, 'amount', { amount: 1, from: '2031-02-30' })).toBe('/from')
    expect(await code(id, 'amount', { amount: 0 })).toBe('/amount')
    expect(await code(id, 'amount', { amount: 7_00 })).toBe('done')
    const { json } = await bank.call('GET', `${path}/${id}`)
    expect(json.data).toMatchObject({ amount: 7_00, amountChanges: [] })
  })

  test('of another organisation find nothing', async () => {
    const { id } = await recurring(bank, payer)
    for (const [method, url, body] of [
      ['GET', `${path}/${id}`],
      ['GET', `${path}/${id}/runs`],
      ['POST', `${path}/${id}/pause`],
      ['POST', `${path}/${id}/skip`, {}],
      ['POST', `${path}/${id}/amount`, { amount: 1 }],
      ['POST', `${path}/${id}/cancel`],
    ] as const) {
      const { json } = await bank.call(method, url, { key: bank.otherKey, ...(body && { body }) })
      expect(json.code, url).toBe('recurring_payment_not_found')
    }
    expect((await bank.call('GET', path, { key: bank.otherKey })).json.data).toEqual([])
  })
})

/** 'listRecurringPaymentRuns' and 'listPlannedPayments'; their contents are in the tests of the runs. */
describe('the calendar of an account', () => {
  test('shows a year at most, in pages, and nothing of an unknown account', async () => {
    const own = await makePayer(bank)
    await recurring(bank, own, { interval: 'Weekly', startDate: '2030-02-04' })
    const calendar = `/v0/banking/accounts/${own.accountId}/planned-payments`
    const all = (await bank.call('GET', `${calendar}?until=2099-01-01`)).json.data
    expect(all).toHaveLength(53)
    const { json, headers } = await bank.call('GET', `${calendar}?limit=50`)
    expect(json.data).toEqual(all.slice(0, 50))
    expect(headers.link).toContain('offset=50')
    expect((await bank.call('GET', `${calendar}?until=2030-02-11`)).json.data).toHaveLength(2)
    expect((await bank.call('GET', `${calendar}?until=2030-02-31`)).status).toBe(400)
    const { json: unknown } = await bank.call('GET', '/v0/banking/accounts/9000000/planned-payments')
    expect(unknown.code).toBe('account_not_found')
  })
})
