import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { DECISION_SECRET } from '../../../test/support/bank/hooks.ts'
import { organisationNamed } from '../../../test/support/bank-time.ts'
import { advance, ask, makeFunded, refusalOf } from '../../../test/support/cards.ts'
import { type Consumer, type ConsumerAnswer, openConsumer, verify } from '../../../test/support/consumer.ts'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { makeOwnBankAccount, makePayer, type Payer, pay, transactionsOf } from '../../../test/support/ledger.ts'
import { testAch } from '../../../test/support/rails/ach.ts'
import { auditOf, decide, statusOf } from '../../../test/support/review/reviewer.ts'
import { applicant, makeCustomer } from '../../../test/support/world.ts'
import { verifyLedger } from '../../ledger/verify.ts'
import { screenedBy } from '../screening/screening.ts'
import { organisationsWithWorkDue } from '../time/clock.sql.ts'

let service: Consumer
let bank: TestBank
/** The same bank with a short deadline, for answers that do not come in time. */
let hurried: TestBank

beforeAll(async () => {
  service = await openConsumer()
  bank = await openTestBank({ screening: service.url })
  const on = { name: '', server: bank.server, drop: async () => undefined }
  const short = await openTestBank({ on, screening: service.url, screeningMs: 500 })
  hurried = { ...short, call: (method, path, options) => short.call(method, path, { key: bank.key, ...options }) }
  // Until its first month is over, an organisation always has work due.
  await advance(bank, { by: 'P40D' })
})
afterEach(() => {
  service.received.length = 0
  service.answer = passing
})
afterAll(async () => {
  expect(await verifyLedger(bank.database)).toEqual([])
  await hurried.close()
  await bank.close()
  await service.close()
})

const answering = (json: unknown): ConsumerAnswer => ({ status: 200, body: JSON.stringify(json) })
const passing = () => answering({ decision: 'pass' })
const reviewing = () => answering({ decision: 'review', reason: 'A name like one on a list' })
const refusing = () => answering({ decision: 'refuse', reason: 'On a list' })
const person = { ...applicant, ssn: '123456789' }
const apply = (headers: Record<string, string> = {}, on = bank) =>
  on.call('POST', '/v0/banking/applications', { body: person, headers })
const payee = {
  type: 'Person',
  name: 'Grace Sample',
  routingNumber: '021000021',
  accountNumber: '9876543210',
  accountType: 'Checking',
}
const addAccount = (customerId: string, headers: Record<string, string> = {}) =>
  bank.call('POST', `/v0/banking/customers/${customerId}/external-accounts`, { body: payee, headers })
const payTo = (accountId: string, externalAccountId: string, amount: number, on = bank) =>
  on.call('POST', `/v0/banking/accounts/${accountId}/payments`, {
    body: { amount, counterpartyAccountId: externalAccountId, description: 'Rent', originalType: 'ACH' },
  })
const paymentStatus = async (id: string) => (await ask(bank, 'GET', `/v0/banking/payments/${id}`)).status
/** Lets due work of the bank happen. */
const settle = () => advance(bank, { by: 'PT1S' })
/** Whether the background task of the service would find work of the organisation. */
const isWorkDue = async () => {
  const organisationId = await organisationNamed(bank, 'first')
  return (await organisationsWithWorkDue(bank.database)).some((due) => due.organisationId === organisationId)
}

async function payer(amount: number): Promise<{ accountId: string; customerId: string }> {
  const accountId = await makeFunded(bank, amount)
  return { accountId, customerId: (await ask(bank, 'GET', `/v0/banking/accounts/${accountId}`)).customerId }
}

describe('the screening of an application', () => {
  test('is asked with a signature, without the social security number', async () => {
    service.answer = passing
    const { json } = await apply()
    expect(json.data).toMatchObject({ status: 'Approved', customerId: expect.any(String) })
    const [received] = service.received
    if (!received) throw new Error('the screening was not asked')
    verify(DECISION_SECRET, received)
    const { organisation } = await ask(bank, 'GET', '/v0/me')
    expect(received.event).toEqual({
      id: received.headers['webhook-id'],
      type: 'application.requested',
      timestamp: expect.stringMatching(/Z$/),
      data: {
        organisationId: organisation.id,
        applicationId: json.data.id,
        name: applicant.name,
        email: applicant.email,
        phone: applicant.phone,
        address: applicant.address,
        dateOfBirth: applicant.dateOfBirth,
        ssnLastDigits: '6789',
      },
    })
    expect(received.body).not.toContain('123456789')
  })

  test('denies, or leaves the decision to a reviewer', async () => {
    service.answer = refusing
    const denied = (await apply()).json.data
    expect(denied.status).toBe('Denied')
    expect((await auditOf(bank, 'application.created', denied.id)).reason).toBe('Screening: refuse: On a list')
    service.answer = reviewing
    const { id } = (await apply()).json.data
    expect(await statusOf(bank, id)).toBe('PendingReview')
    const queue = await ask(bank, 'GET', '/v0/review/applications')
    expect(queue.find((each: { id: string }) => each.id === id)).toMatchObject({ screening: 'review' })
    expect((await decide(bank, `applications/${id}/approve`)).json.data.status).toBe('Approved')
  })

  test.each<[string, () => ConsumerAnswer]>([
    ['hangs', () => ({ ms: 5_000 })],
    ['answers late', () => ({ ...passing(), ms: 800 })],
    ['answers another status', () => ({ ...passing(), status: 500 })],
    ['answers no JSON', () => ({ status: 200, body: 'pass' })],
    ['answers another word', () => answering({ decision: 'Pass' })],
    ['answers null', () => answering(null)],
    ['answers nothing', () => ({ status: 204 })],
  ])('needs a review where it %s', async (_what, answer) => {
    service.answer = answer
    const { status, json } = await apply({}, hurried)
    expect([status, json.data.status]).toEqual([201, 'PendingReview'])
    expect((await auditOf(bank, 'application.created', json.data.id)).reason).toMatch(/^Screening: no answer \(/)
  })

  test.each<[string, () => ConsumerAnswer]>([
    ['hangs', () => ({ ms: 60_000 })],
    ['answers late', () => ({ ...passing(), ms: 800 })],
    ['answers garbage', () => ({ status: 200, body: '{"decision":', ms: 300 })],
  ])('that %s holds up no other request', async (_what, answer) => {
    const { accountId, customerId } = await payer(100_00)
    const { id: external } = (await addAccount(customerId)).json.data
    const limits = { payment: { soft: 1_00 } }
    await bank.call('PUT', `/v0/banking/accounts/${accountId}/limits`, { body: limits })
    service.received.length = 0
    service.answer = answer
    const waiting = Promise.all([
      ...Array.from({ length: 15 }, () => apply({}, hurried)),
      ...Array.from({ length: 15 }, () => payTo(accountId, external, 2_00, hurried)),
    ])
    await expect.poll(() => service.received.length, { timeout: 10_000 }).toBe(30)
    const startedMs = performance.now()
    for (let each = 0; each < 5; each++) expect((await hurried.call('GET', '/v0/me')).status).toBe(200)
    // The account of the payments that wait is not locked.
    expect((await payTo(accountId, external, 1_00, hurried)).json.data.status).toBe('Sent')
    await payer(5_00)
    // One after the other, the thirty would take 15 s.
    expect(performance.now() - startedMs).toBeLessThan(7_500)
    const statuses = (await waiting).map(({ json }) => json.data.status)
    expect(new Set(statuses)).toEqual(new Set(['PendingReview']))
  })

  test('is asked once for one idempotency key, whose outcome stays', async () => {
    let asked = 0
    service.answer = () => answering({ decision: asked++ % 2 === 0 ? 'review' : 'pass' })
    const key = { 'idempotency-key': 'screened-once' }
    const replies = await Promise.all(Array.from({ length: 6 }, () => apply(key)))
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
    expect((await apply(key)).text).toBe(replies[0]?.text)
    expect(asked).toBe(1)
  })

  test('is not asked about a request that is refused', async () => {
    const body = { ...person, dateOfBirth: '2999-01-01' }
    expect((await bank.call('POST', '/v0/banking/applications', { body })).status).toBe(400)
    expect(service.received).toEqual([])
  })
})

describe('the screening of an external account', () => {
  test('is asked with the last digits of the number, and a pass changes nothing', async () => {
    service.answer = passing
    const customerId = await makeCustomer(bank)
    const { json } = await addAccount(customerId)
    expect('review' in json.data).toBe(false)
    expect(service.received[0]?.event).toMatchObject({
      type: 'externalAccount.requested',
      data: { customerId, name: payee.name, routingNumber: payee.routingNumber, lastDigits: '3210' },
    })
    expect(service.received[0]?.body).not.toContain(payee.accountNumber)
    expect(refusalOf(await addAccount('1'))).toEqual([404, 'customer_not_found'])
    expect(service.received.length).toBe(1)
  })

  test('refuses, and nothing is recorded', async () => {
    service.answer = refusing
    const customerId = await makeCustomer(bank)
    expect(refusalOf(await addAccount(customerId))).toEqual([422, 'external_account_refused'])
    expect(await ask(bank, 'GET', `/v0/banking/customers/${customerId}/external-accounts`)).toEqual([])
  })

  test('makes payments wait until a reviewer approves the account', async () => {
    const { accountId, customerId } = await payer(100_00)
    service.answer = reviewing
    const external = (await addAccount(customerId)).json.data
    expect(external.review).toBe('PendingReview')
    const [first, second] = [
      (await payTo(accountId, external.id, 10_00)).json.data,
      (await payTo(accountId, external.id, 5_00)).json.data,
    ]
    expect([first.status, second.status]).toEqual(['PendingReview', 'PendingReview'])
    const queue = await ask(bank, 'GET', `/v0/review/payments?accountId=${accountId}`)
    expect(queue.map((each: { reviewReason: string }) => each.reviewReason)).toEqual([
      'externalAccount',
      'externalAccount',
    ])
    await decide(bank, `payments/${second.id}/reject`, { reason: 'Twice' })
    await settle()
    expect(await paymentStatus(first.id)).toBe('PendingReview')
    expect(await isWorkDue()).toBe(false)
    const reply = await decide(bank, `external-accounts/${external.id}/approve`, { reason: 'Called' })
    expect([reply.status, reply.json.data]).toEqual([200, { ...external, review: 'Approved' }])
    expect(await isWorkDue()).toBe(true)
    await settle()
    expect(await isWorkDue()).toBe(false)
    expect([await paymentStatus(first.id), await paymentStatus(second.id)]).toEqual(['Sent', 'Rejected'])
    expect((await payTo(accountId, external.id, 1_00)).json.data.status).toBe('Sent')
    expect((await auditOf(bank, 'externalAccount.approved', external.id)).reason).toBe('Called')
  })

  test('gives the money back where a reviewer rejects the account, which is deleted', async () => {
    const { accountId, customerId } = await payer(20_00)
    service.answer = reviewing
    const external = (await addAccount(customerId)).json.data
    const { id } = (await payTo(accountId, external.id, 20_00)).json.data
    expect((await decide(bank, `external-accounts/${external.id}/reject`, { reason: 'Unknown' })).status).toBe(200)
    expect(refusalOf(await payTo(accountId, external.id, 1_00))).toEqual([404, 'external_account_not_found'])
    await settle()
    expect(await paymentStatus(id)).toBe('Rejected')
    expect((await ask(bank, 'GET', `/v0/banking/accounts/${accountId}`)).balance).toBe(20_00)
    expect(await ask(bank, 'GET', `/v0/banking/customers/${customerId}/external-accounts`)).toEqual([])
  })
})

describe('a payment to an external account under review', () => {
  const queueOf = async (accountId: string): Promise<[string, string][]> => {
    const queue = await ask(bank, 'GET', `/v0/review/payments?accountId=${accountId}`)
    return queue.map(({ id, reviewReason }: Record<'id' | 'reviewReason', string>) => [id, reviewReason])
  }
  /** An account with a soft limit of 50.00, and an external account under review. */
  async function underReview() {
    const { accountId, customerId } = await payer(500_00)
    service.answer = reviewing
    const { id: external } = (await addAccount(customerId)).json.data
    await bank.call('PUT', `/v0/banking/accounts/${accountId}/limits`, { body: { payment: { soft: 50_00 } } })
    return { accountId, external }
  }

  test('that is above a soft limit waits for a decision of its own', async () => {
    const { accountId, external } = await underReview()
    const large = (await payTo(accountId, external, 60_00)).json.data
    const small = (await payTo(accountId, external, 50_00)).json.data
    service.answer = passing
    const passed = (await payTo(accountId, external, 70_00)).json.data
    expect(await queueOf(accountId)).toEqual([
      [large.id, 'screening'],
      [small.id, 'externalAccount'],
      [passed.id, 'externalAccount'],
    ])
    service.answer = refusing
    expect(refusalOf(await payTo(accountId, external, 60_00))).toEqual([422, 'payment_rejected'])
    await decide(bank, `external-accounts/${external}/approve`)
    await settle()
    expect(await queueOf(accountId)).toEqual([[large.id, 'screening']])
    expect([await paymentStatus(small.id), await paymentStatus(passed.id)]).toEqual(['Sent', 'Sent'])
    expect((await decide(bank, `payments/${large.id}/approve`, { reason: 'Known' })).json.data.status).toBe('Sent')
  })

  test('is rejected with the account, whatever it waits for', async () => {
    const { accountId, external } = await underReview()
    const large = (await payTo(accountId, external, 60_00)).json.data
    const small = (await payTo(accountId, external, 50_00)).json.data
    // A payment that is under way at this moment is found, too.
    const [late] = await Promise.all([
      payTo(accountId, external, 80_00),
      decide(bank, `external-accounts/${external}/reject`, { reason: 'Unknown' }),
    ])
    await settle()
    expect(await queueOf(accountId)).toEqual([])
    expect([await paymentStatus(large.id), await paymentStatus(small.id)]).toEqual(['Rejected', 'Rejected'])
    if (late.status === 201) expect(await paymentStatus(late.json.data.id)).toBe('Rejected')
    expect((await ask(bank, 'GET', `/v0/banking/accounts/${accountId}`)).balance).toBe(500_00)
  })

  test('is the first one where first payments wait: the approval of the account does not replace its own', async () => {
    const on = { name: '', server: bank.server, drop: async () => undefined }
    const careful = await openTestBank({ on, screening: service.url, reviewFirstPayment: true })
    const { accountId, external } = await underReview()
    const body = { amount: 1_00, counterpartyAccountId: external, description: 'Rent', originalType: 'ACH' }
    const path = `/v0/banking/accounts/${accountId}/payments`
    const { id } = (await careful.call('POST', path, { body, key: bank.key })).json.data
    await decide(bank, `external-accounts/${external}/approve`)
    await settle()
    expect(await queueOf(accountId)).toEqual([[id, 'firstPayment']])
    await careful.close()
  })

  test('stays with the account while the ledger is busy', async () => {
    const on = { name: '', server: bank.server, drop: async () => undefined }
    const lines: string[] = []
    const log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) })
    const busy = await openTestBank({ on, screening: service.url, lane: { maxWaiting: 0 }, log })
    const { accountId, external } = await underReview()
    const { id } = (await payTo(accountId, external, 50_00)).json.data
    await decide(bank, `external-accounts/${external}/approve`)
    const reply = await busy.call('POST', '/v0/sandbox/clock/advance', { body: { by: 'PT1S' }, key: bank.key })
    expect(refusalOf(reply)).toEqual([503, 'unavailable'])
    expect(lines.join()).toContain('the queue of changes is full')
    expect(await queueOf(accountId)).toEqual([[id, 'externalAccount']])
    expect((await settle()).happened).toContainEqual({ at: expect.any(String), type: 'payment.sent', id })
    await busy.close()
  })

  test('is pending after the approval where payments leave with files', async () => {
    const rail = await openTestBank({ screening: service.url, ach: testAch() })
    const ada = await makePayer(rail, 100_00)
    service.answer = reviewing
    const path = `/v0/banking/customers/${ada.customerId}/external-accounts`
    const { id: externalAccountId } = (await rail.call('POST', path, { body: payee })).json.data
    const { id } = (await pay(rail, { ...ada, externalAccountId }, { amount: 1_00 })).json.data
    await decide(rail, `external-accounts/${externalAccountId}/approve`)
    const { happened } = await advance(rail, { by: 'PT1S' })
    expect(happened).toContainEqual({ at: expect.any(String), type: 'payment.pending', id })
    await rail.close()
  })
})

describe('the screening of a payment', () => {
  test('is asked above the soft limit alone, and decides', async () => {
    const { accountId, customerId } = await payer(500_00)
    service.answer = passing
    const { id: external } = (await addAccount(customerId)).json.data
    const limits = { payment: { soft: 50_00 } }
    expect((await bank.call('PUT', `/v0/banking/accounts/${accountId}/limits`, { body: limits })).status).toBe(200)
    service.received.length = 0
    expect((await payTo(accountId, external, 50_00)).json.data.status).toBe('Sent')
    expect(service.received).toEqual([])
    const passed = (await payTo(accountId, external, 50_01)).json.data
    expect(passed.status).toBe('Sent')
    expect(service.received.map(({ event }) => event)).toMatchObject([
      {
        type: 'payment.requested',
        data: { paymentId: passed.id, customerId, accountId, amount: 50_01, counterparty: { name: payee.name } },
      },
    ])
    service.answer = refusing
    expect(refusalOf(await payTo(accountId, external, 60_00))).toEqual([422, 'payment_rejected'])
    service.answer = reviewing
    const waiting = (await payTo(accountId, external, 60_00)).json.data
    expect(waiting.status).toBe('PendingReview')
    service.answer = () => ({ ms: 5_000 })
    expect((await payTo(accountId, external, 60_00, hurried)).json.data.status).toBe('PendingReview')
    const queue = await ask(bank, 'GET', `/v0/review/payments?accountId=${accountId}`)
    expect(queue.map((each: { reviewReason: string }) => each.reviewReason)).toEqual(['screening', 'screening'])
    const reasons = queue.map(async ({ id }: { id: string }) => (await auditOf(bank, 'payment.created', id)).reason)
    expect(await Promise.all(reasons)).toEqual([
      'Screening: review: A name like one on a list',
      'Screening: no answer (late)',
    ])
    expect((await auditOf(bank, 'payment.created', passed.id)).reason).toBeNull()
    expect((await decide(bank, `payments/${waiting.id}/approve`, { reason: 'Known' })).json.data.status).toBe('Sent')
    expect((await ask(bank, 'GET', `/v0/banking/accounts/${accountId}`)).balance).toBe(279_99)
  })
})

describe('the screening of payments of a batch', () => {
  const item = ({ accountId, externalAccountId }: Payer, amount: number) => ({
    ...{ accountId, counterpartyAccountId: externalAccountId, amount },
    ...{ description: 'Rent', originalType: 'ACH' },
  })
  const sendBatch = async (payments: object[], on = bank): Promise<[number, string][]> => {
    const { json } = await on.call('POST', '/v0/banking/payments/batch', { body: { payments } })
    return json.data.map(({ status, payment, problem }: Record<string, { status: string; code: string }>) => [
      status,
      payment?.status ?? problem?.code,
    ])
  }
  const limit = async (accountId: string, body: object, on = bank) =>
    expect((await on.call('PUT', `/v0/banking/accounts/${accountId}/limits`, { body })).status).toBe(200)
  const debitsOf = async (accountId: string) => {
    const all = await transactionsOf(bank, accountId)
    return all.filter(({ direction }) => direction === 'Debit').map(({ amount }) => amount)
  }

  test('keeps the order of an account, and holds up no other payment', async () => {
    const [ada, grace] = [await makePayer(bank, 1_000_00), await makePayer(bank, 1_000_00)]
    const own = { ...ada, externalAccountId: await makeOwnBankAccount(bank, ada.customerId, grace.accountId) }
    const linus = await makePayer(bank, 1_000_00)
    await limit(ada.accountId, { payment: { soft: 50_00 } })
    let answer = () => {}
    const asked = new Promise<void>((resolve) => {
      answer = resolve
    })
    service.answer = async ({ event }) => {
      await asked
      return event.data.amount === 70_00 ? refusing() : passing()
    }
    service.received.length = 0
    const amounts = [1_00, 60_00, 2_00, 70_00, 3_00, 80_00]
    const items = amounts.map((amount) => item(amount === 3_00 ? own : ada, amount))
    // Grace is paid by the fifth payment, so that hers comes after it. Linus has to do with none of them.
    const sending = sendBatch([...items, item(grace, 5_00), item(linus, 6_00), item(linus, 7_00)])
    await expect.poll(() => debitsOf(linus.accountId)).toEqual([6_00, 7_00])
    // The questions are asked together.
    await expect.poll(() => service.received.map(({ event }) => event.data.amount)).toHaveLength(3)
    // Another request does not wait for the batch.
    expect((await payTo(ada.accountId, ada.externalAccountId, 4_00)).json.data.status).toBe('Sent')
    expect(await debitsOf(ada.accountId)).toEqual([1_00, 4_00])
    expect(await debitsOf(grace.accountId)).toEqual([])
    answer()
    const sent = [201, 'Sent']
    expect(await sending).toEqual([sent, sent, sent, [422, 'payment_rejected'], sent, sent, sent, sent, sent])
    expect(await debitsOf(ada.accountId)).toEqual([1_00, 4_00, 60_00, 2_00, 3_00, 80_00])
    const lines = await transactionsOf(bank, grace.accountId)
    expect(lines.slice(-2).map(({ amount }) => amount)).toEqual([3_00, 5_00])
  })

  test('that hangs takes its time once, not once for each payment', async () => {
    const ada = await makePayer(bank, 1_000_00)
    await limit(ada.accountId, { day: { soft: 10_00 } })
    service.answer = () => ({ ms: 60_000 })
    const items = Array.from({ length: 80 }, (_, at) => item(ada, 1_00 + at))
    const startedMs = performance.now()
    const outcomes = await sendBatch(items, hurried)
    // One after the other they would take 36 s.
    expect(performance.now() - startedMs).toBeLessThan(10_000)
    expect(outcomes.filter(([, status]) => status === 'Sent')).toHaveLength(9)
    expect(outcomes.filter(([, status]) => status === 'PendingReview')).toHaveLength(71)
    expect(await debitsOf(ada.accountId)).toEqual(items.map(({ amount }) => amount))
  })

  test('is answered about every payment of a large batch', async () => {
    const ada = await makePayer(bank, 1_000_00)
    await limit(ada.accountId, { payment: { soft: 1 } })
    service.maxOpen = 0
    const items = Array.from({ length: 300 }, () => item(ada, 2))
    const outcomes = await sendBatch(items)
    expect(new Set(outcomes.map(([, status]) => status))).toEqual(new Set(['Sent']))
    // Single payments find room beside them.
    expect(service.maxOpen).toBeLessThanOrEqual(50)
  })

  test('refuses a payment by itself that would be asked about after its deadline', async () => {
    const hasty = await openTestBank({ screening: service.url, lane: { queueMs: 250 } })
    const ada = await makePayer(hasty, 1_000_00)
    await limit(ada.accountId, { day: { soft: 100_00 } }, hasty)
    service.answer = () => ({ ...passing(), ms: 350 })
    // The second one is above the limit only because of the first.
    expect(await sendBatch([item(ada, 100_01), item(ada, 1)], hasty)).toEqual([
      [201, 'Sent'],
      [503, 'unavailable'],
    ])
    service.answer = passing
    await hasty.close()
  })
})

describe('an answer of the screening', () => {
  test('keeps a reason of up to 200 characters without control characters', () => {
    expect(screenedBy({ decision: 'refuse', reason: 'a\u0000b'.padEnd(300, 'x') }).reason).toBe(
      `Screening: refuse: ${'a b'.padEnd(200, 'x')}`,
    )
    expect(screenedBy({ decision: 'review', reason: 7 })).toEqual({ outcome: 'review', reason: 'Screening: review' })
    for (const odd of [undefined, null, 'pass', [], { decision: 'PASS' }, { decision: ['pass'] }]) {
      expect(screenedBy(odd).outcome).toBe('review')
    }
  })
})
