import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../test/support/harness.ts'
import {
  accountOf,
  expectSoundLedger,
  holdAccount,
  locksAwaited,
  makeExternalAccount,
  makePayer,
  type Payer,
  pay,
} from '../../test/support/ledger.ts'
import { testAch } from '../../test/support/rails/ach.ts'
import { decide, eventsOf, makeReviewed, paymentOf, queueOf } from '../../test/support/review/payments.ts'
import { auditOf } from '../../test/support/review/reviewer.ts'

let bank: TestBank
beforeAll(async () => {
  bank = await openTestBank({ ach: testAch() })
  // A Monday, 08:00 in New York.
  await bank.database.query(`update organisation set clock_offset = '2030-02-04T13:00:00Z' - clock_timestamp()`)
})
afterEach(() => expectSoundLedger(bank))
afterAll(() => bank.close())

const post = (path: string, body: unknown = {}, options = {}) => bank.call('POST', path, { body, ...options })
const stop = (id: string, options = {}) => post(`/v0/review/payments/${id}/stop`, { reason: 'Odd payee' }, options)
const freeze = (accountId: string) => post(`/v0/banking/accounts/${accountId}/freeze`)
const unfreeze = (accountId: string) => post(`/v0/banking/accounts/${accountId}/unfreeze`)
const cancel = (id: string) => post(`/v0/banking/payments/${id}/cancel`)
const legalOrder = (accountId: string, amount: number) =>
  post(`/v0/banking/accounts/${accountId}/holds`, { amount, reason: 'LegalOrder' })
async function advance(by: string): Promise<void> {
  const { status, text } = await post('/v0/sandbox/clock/advance', { by })
  expect(status, text).toBe(200)
}
const queued = async ({ accountId }: Payer) =>
  (await queueOf(bank, `accountId=${accountId}`)).map(({ id, reviewReason }) => [id, reviewReason])

/** The payment as it is shown while it waits: without the day that it was to settle on. */
function waiting({ expectedCompletionDate: _day, secCode: _code, ...payment }: Record<string, unknown>) {
  return { ...payment, status: 'PendingReview' }
}

describe('stop payment', () => {
  test('lets a pending payment wait for a reviewer, with its money reserved', async () => {
    const payer = await makePayer(bank, 100_00)
    const { json } = await pay(bank, payer, { amount: 40_00 })
    const { id } = json.data
    const stopped = await stop(id)
    expect([stopped.status, stopped.json]).toEqual([200, { data: waiting(json.data) }])
    expect(await paymentOf(bank, id)).toEqual(stopped.json.data)
    expect(await accountOf(bank, payer.accountId)).toMatchObject({ balance: 60_00, available: 60_00 })
    expect(await queued(payer)).toEqual([[id, 'stopped']])
    expect(await auditOf(bank, 'payment.pendingReview', id)).toMatchObject({
      actor: { type: 'apiKey' },
      reason: 'Odd payee',
    })
    await advance('P2D')
    expect((await paymentOf(bank, id)).status).toBe('PendingReview')
    const { upcoming } = (await bank.call('GET', '/v0/sandbox/clock')).json.data
    expect(upcoming.map(({ type }: { type: string }) => type)).toEqual(['month.ended'])
  })

  test('is undone by an approval, and the payment leaves with the next cut-off from then on', async () => {
    const payer = await makePayer(bank, 100_00)
    const { json } = await pay(bank, payer, { amount: 40_00 })
    const { id } = json.data
    const stopped = (await stop(id)).json.data
    await advance('P7D')
    const approved = (await decide(bank, id, 'approve')).json.data
    expect(approved).toMatchObject({ status: 'Pending', reason: 'Checked', secCode: 'PPD' })
    expect(approved.expectedCompletionDate > json.data.expectedCompletionDate).toBe(true)
    await advance('P5D')
    const sent = await paymentOf(bank, id)
    expect(sent).toMatchObject({ status: 'Sent', settlementDate: approved.expectedCompletionDate, reason: 'Checked' })
    expect((await accountOf(bank, payer.accountId)).balance).toBe(60_00)
    expect((await eventsOf(bank, id)).filter(([type]) => type !== 'payment.clearing')).toEqual([
      ['payment.created', json.data],
      ['payment.pendingReview', stopped],
      ['payment.pending', approved],
      ['payment.sent', sent],
    ])
  })

  test.each([
    ['rejected by a reviewer', (id: string) => decide(bank, id, 'reject'), 'Rejected'],
    ['canceled by the app', cancel, 'Canceled'],
  ])('gives the money back when the payment is %s', async (_how, end, status) => {
    const payer = await makePayer(bank, 100_00)
    const { json } = await pay(bank, payer, { amount: 40_00 })
    await stop(json.data.id)
    expect((await end(json.data.id)).json.data.status).toBe(status)
    expect((await accountOf(bank, payer.accountId)).balance).toBe(100_00)
    expect(await queued(payer)).toEqual([])
    expect((await eventsOf(bank, json.data.id))[0]).toEqual(['payment.created', json.data])
  })

  test('stops a payment again and again, and every event and every answer shows what it showed', async () => {
    const payer = await makeReviewed(bank)
    const { json } = await pay(bank, payer, { amount: 40_00 })
    const { id } = json.data
    const shown = [['payment.created', json.data]]
    const answers: [key: string, path: string, body: unknown, text: string][] = []
    const doOnce = async (key: string, path: string, reason: string, type: string) => {
      const headers = { 'idempotency-key': `${id}-${key}` }
      const { status, text, json: answer } = await post(path, { reason }, { headers })
      expect(status, text).toBe(200)
      answers.push([key, path, { reason }, text])
      shown.push([type, answer.data])
    }
    for (const round of ['one', 'two', 'three']) {
      await doOnce(`approve-${round}`, `/v0/review/payments/${id}/approve`, `Seen ${round}`, 'payment.pending')
      await doOnce(`stop-${round}`, `/v0/review/payments/${id}/stop`, `Odd ${round}`, 'payment.pendingReview')
      await advance('P3D')
    }
    await doOnce('reject', `/v0/review/payments/${id}/reject`, 'Enough', 'payment.rejected')
    expect(await eventsOf(bank, id)).toEqual(shown)
    for (const [key, path, body, text] of answers) {
      const again = await post(path, body, { headers: { 'idempotency-key': `${id}-${key}` } })
      expect([again.text, again.headers['idempotent-replayed']], key).toEqual([text, 'true'])
    }
    const { json: log } = await bank.call('GET', '/v0/audit-log?limit=100')
    const reasons = log.data
      .filter(({ record }: { record: { id: string } | null }) => record?.id === id)
      .map(({ reason }: { reason: string | null }) => reason)
    const rounds = ['one', 'two', 'three'].flatMap((round) => [`Seen ${round}`, `Odd ${round}`])
    expect(reasons.reverse()).toEqual([null, ...rounds, 'Enough'])
    const stored = await bank.database.query(`select body from answer where body like '%9876543210%'`)
    expect(stored).toEqual([])
  })

  test('counts the payment once for the limits of its account', async () => {
    const payer = await makePayer(bank, 100_00)
    const limits = { day: { hard: 50_00 } }
    await bank.call('PUT', `/v0/banking/accounts/${payer.accountId}/limits`, { body: limits })
    const { id } = (await pay(bank, payer, { amount: 30_00 })).json.data
    await stop(id)
    await decide(bank, id, 'approve')
    expect((await pay(bank, payer, { amount: 20_00 })).status).toBe(201)
    expect((await pay(bank, payer, { amount: 1 })).status).toBe(422)
  })

  test('refuses a payment that waits already, has left or has ended', async () => {
    const payer = await makePayer(bank, 100_00)
    const refusal = async (id: string) => {
      const { status, json } = await stop(id)
      return [status, json.code]
    }
    const { id } = (await pay(bank, payer, { amount: 10_00 })).json.data
    await stop(id)
    expect(await refusal(id)).toEqual([409, 'payment_not_stoppable'])
    await cancel(id)
    expect(await refusal(id)).toEqual([409, 'payment_not_stoppable'])
    const leaving = (await pay(bank, payer, { amount: 10_00 })).json.data.id
    await advance('P5D')
    expect(await refusal(leaving)).toEqual([409, 'payment_not_stoppable'])
    expect(await refusal('1000')).toEqual([404, 'payment_not_found'])
    expect((await stop(leaving, { key: bank.otherKey })).json.code).toBe('payment_not_found')
  })

  test('needs the scope review:write by name, and a reason', async () => {
    const payer = await makePayer(bank, 100_00)
    const { id } = (await pay(bank, payer, { amount: 10_00 })).json.data
    const key = await bank.makeKey('first', ['banking:write', 'risk:write'])
    expect((await stop(id, { key })).json.code).toBe('forbidden')
    expect((await post(`/v0/review/payments/${id}/stop`)).json.code).toBe('invalid_request')
    await cancel(id)
  })
})

describe('a freeze', () => {
  test('stops the payments that have not left, until a reviewer decides, also after the account is unfrozen', async () => {
    const payer = await makePayer(bank, 100_00)
    const [one, two] = [await pay(bank, payer, { amount: 10_00 }), await pay(bank, payer, { amount: 20_00 })]
    const ids = [one.json.data.id, two.json.data.id]
    const frozen = await freeze(payer.accountId)
    expect(frozen.json.data).toMatchObject({ status: 'Frozen', balance: 70_00, hold: 0 })
    expect(await paymentOf(bank, ids[0])).toEqual(waiting(one.json.data))
    expect(await queued(payer)).toEqual(ids.map((id) => [id, 'accountFrozen']))
    expect((await eventsOf(bank, ids[1])).map(([type]) => type)).toEqual(['payment.created', 'payment.pendingReview'])
    await unfreeze(payer.accountId)
    await advance('P3D')
    expect((await paymentOf(bank, ids[0])).status).toBe('PendingReview')
    await decide(bank, ids[0], 'approve')
    await decide(bank, ids[1], 'reject')
    await advance('P5D')
    expect((await paymentOf(bank, ids[0])).status).toBe('Sent')
    expect((await accountOf(bank, payer.accountId)).balance).toBe(90_00)
  })

  test('leaves the payments of other accounts, and those that have left, as they are', async () => {
    const [payer, other] = [await makePayer(bank, 100_00), await makePayer(bank, 100_00)]
    const left = (await pay(bank, payer, { amount: 10_00 })).json.data.id
    await advance('PT15H')
    expect((await paymentOf(bank, left)).status).toBe('Clearing')
    const { id } = (await pay(bank, other, { amount: 10_00 })).json.data
    await freeze(payer.accountId)
    expect((await paymentOf(bank, left)).status).toBe('Clearing')
    expect((await paymentOf(bank, id)).status).toBe('Pending')
    await cancel(id)
  })

  test('lets a reviewer approve a payment while the account is frozen, and stops it with a second freeze', async () => {
    const payer = await makePayer(bank, 100_00)
    const { id } = (await pay(bank, payer, { amount: 10_00 })).json.data
    await freeze(payer.accountId)
    expect((await decide(bank, id, 'approve')).json.data.status).toBe('Pending')
    await unfreeze(payer.accountId)
    await freeze(payer.accountId)
    expect(await queued(payer)).toEqual([[id, 'accountFrozen']])
    await cancel(id)
  })

  test('keeps a payment that waits for its external account from leaving with the approval of that', async () => {
    const payer = await makePayer(bank, 100_00)
    const externalAccountId = await makeExternalAccount(bank, payer.customerId)
    await bank.database.query(`update external_account set review = 'PendingReview' where id = $1::bigint`, [
      externalAccountId,
    ])
    const { id } = (await pay(bank, { ...payer, externalAccountId }, { amount: 10_00 })).json.data
    expect(await queued(payer)).toEqual([[id, 'externalAccount']])
    await freeze(payer.accountId)
    expect((await post(`/v0/review/external-accounts/${externalAccountId}/approve`)).status).toBe(200)
    await advance('PT1M')
    expect(await queued(payer)).toEqual([[id, 'accountFrozen']])
    await decide(bank, id, 'reject')
  })

  test('and the building of a file never take the same payment', async () => {
    const payers = await Promise.all(Array.from({ length: 6 }, () => makePayer(bank, 100_00)))
    const ids = await Promise.all(payers.map(async (payer) => (await pay(bank, payer, {})).json.data.id))
    await Promise.all([advance('PT15H'), ...payers.map(({ accountId }) => freeze(accountId))])
    for (const id of ids) {
      const [row] = await bank.database.query<{ status: string; inFile: boolean }>(
        `select status, ach_file_id is not null as "inFile" from payment where id = $1::bigint`,
        [id],
      )
      expect([
        { status: 'PendingReview', inFile: false },
        { status: 'Clearing', inFile: true },
      ]).toContainEqual(row)
    }
  })

  test('waits for a payment that is being made, and stops it', async () => {
    const payer = await makePayer(bank, 100_00)
    const release = await holdAccount(bank, payer.accountId)
    const paid = pay(bank, payer, { amount: 10_00 })
    await locksAwaited(bank)
    const frozen = freeze(payer.accountId)
    await locksAwaited(bank, 2)
    await release()
    const [{ status, json }] = [await paid, await frozen]
    if (status === 201) expect((await paymentOf(bank, json.data.id)).status).toBe('PendingReview')
    else expect(json.code).toBe('account_not_open')
  })
})

describe('a legal order', () => {
  test('that needs more than is available stops the payments that have not left', async () => {
    const payer = await makePayer(bank, 100_00)
    const { id } = (await pay(bank, payer, { amount: 60_00 })).json.data
    expect((await legalOrder(payer.accountId, 40_00)).status).toBe(201)
    expect((await paymentOf(bank, id)).status).toBe('Pending')
    expect((await legalOrder(payer.accountId, 1)).status).toBe(201)
    expect(await queued(payer)).toEqual([[id, 'legalHold']])
    expect(await accountOf(bank, payer.accountId)).toMatchObject({ balance: 40_00, hold: 40_01, available: -1 })
    await decide(bank, id, 'reject')
    expect(await accountOf(bank, payer.accountId)).toMatchObject({ balance: 100_00, available: 59_99 })
  })

  test('stops a payment that is decided together with it', async () => {
    const payer = await makePayer(bank, 100_00)
    const release = await holdAccount(bank, payer.accountId)
    const payments = [pay(bank, payer, { amount: 1_00 }), pay(bank, payer, { amount: 2_00 })]
    const order = legalOrder(payer.accountId, 100_00)
    await locksAwaited(bank)
    await release()
    expect((await order).status).toBe(201)
    for (const { status, json } of await Promise.all(payments)) {
      if (status === 201) expect((await paymentOf(bank, json.data.id)).status).toBe('PendingReview')
      else expect(json.code).toBe('insufficient_funds')
    }
  })

  test('lets a hold of another kind, and one that is covered, stop nothing', async () => {
    const payer = await makePayer(bank, 100_00)
    const { id } = (await pay(bank, payer, { amount: 60_00 })).json.data
    await post(`/v0/banking/accounts/${payer.accountId}/holds`, { amount: 40_00, reason: 'Dispute' })
    expect((await paymentOf(bank, id)).status).toBe('Pending')
    await cancel(id)
  })
})
