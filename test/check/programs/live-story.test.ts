import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readAchFile } from '../../../src/rails/ach/read-file.ts'
import { createDatabase, type TestDatabase } from '../../support/harness.ts'
import { type LiveProgram, ROUTING_NUMBER, startLive } from '../../support/live/program.ts'
import { pdfPages } from '../../support/pdf-text.ts'
import { incomingFile, returnOf } from '../../support/rails/incoming.ts'
import { PNG } from '../../support/review/reviewer.ts'
import { endServices, until } from '../../support/service.ts'
import { applicant } from '../../support/world.ts'

/**
 * The life of a program in live mode, from an empty database to a customer's statement, through the doors that its operator,
 * its app, its reviewer and its card processor have. Only the passing of days is played, by the clock of the organisation.
 */

/** 11:00 of a Monday in Eastern time. */
const START = '2031-03-03T16:00:00Z'

let database: TestDatabase
let live: LiveProgram
let keys: Record<'app' | 'reviewer' | 'processor' | 'risk', string>
let checking: { id: string; accountNumber: string }
let savings: { id: string }
let customerId: string
let landlord: string
let cardId: string
let rent: { id: string; traceNumber: string }
let bulk: { id: string; status: string; amount: number; traceNumber: string }[]

beforeAll(async () => {
  database = await createDatabase('template1')
  const opened = await startLive(database.server, START, {
    app: [],
    reviewer: ['--scopes', 'review:write'],
    processor: ['--scopes', 'processor:write'],
    risk: ['--scopes', 'risk:write'],
  })
  live = opened.live
  keys = opened.keys
})
afterAll(async () => {
  await endServices()
  await database.drop()
})

type Who = keyof typeof keys

/** Sends a request that must succeed; returns its data. */
async function as(who: Who, method: string, path: string, body?: unknown) {
  const { status, json, bytes } = await live.call(keys[who], method, `/v0/${path}`, body)
  expect(status, `${method} ${path}: ${bytes}`).toBeLessThan(300)
  return json?.data
}

/** Sends a request that must be refused; returns the status and the code. */
async function refused(who: Who, method: string, path: string, body?: unknown): Promise<[number, string]> {
  const { status, json } = await live.call(keys[who], method, `/v0/${path}`, body)
  return [status, json.code]
}

const balanceOf = async ({ id }: { id: string }) => (await as('app', 'GET', `banking/accounts/${id}`)).balance
const paymentOf = (id: string) => as('app', 'GET', `banking/payments/${id}`)
const pay = (amount: number) => ({
  ...{ amount, counterpartyAccountId: landlord },
  ...{ description: 'Rent', originalType: 'ACH' },
})

test('an applicant is reviewed: a document is requested, uploaded and approved, then the application', async () => {
  const application = await as('app', 'POST', 'banking/applications', applicant)
  expect(application.status).toBe('PendingReview')
  expect(await refused('app', 'GET', 'review/applications')).toEqual([403, 'forbidden'])
  expect(await refused('reviewer', 'GET', 'banking/customers')).toEqual([403, 'forbidden'])
  const [waiting] = await as('reviewer', 'GET', 'review/applications?status=PendingReview')
  expect(waiting).toMatchObject({ id: application.id, ssnLastDigits: '6789', documents: [] })

  const requested = await as('reviewer', 'POST', `review/applications/${application.id}/documents`, {})
  const path = `banking/applications/${application.id}`
  expect(await as('app', 'GET', path)).toMatchObject({ status: 'AwaitingDocuments', documents: [{ id: requested.id }] })
  await as('app', 'POST', `${path}/documents/${requested.id}`, { file: PNG, contentType: 'image/png' })
  const looked = await live.call(keys.reviewer, 'GET', `/v0/review/documents/${requested.id}/content?side=front`)
  expect(looked.bytes.toString('base64')).toBe(PNG)
  await as('reviewer', 'POST', `review/documents/${requested.id}/approve`, { reason: 'Readable' })
  expect((await as('app', 'GET', path)).status).toBe('PendingReview')
  await as('reviewer', 'POST', `review/applications/${application.id}/approve`, { reason: 'Known' })
  customerId = (await as('app', 'GET', path)).customerId

  const other = await as('app', 'POST', 'banking/applications', { ...applicant, ssn: '222334444', name: 'Eve Example' })
  await as('reviewer', 'POST', `review/applications/${other.id}/deny`, { reason: 'Unknown' })
  expect(await as('app', 'GET', `banking/applications/${other.id}`)).toMatchObject({ status: 'Denied' })
  expect(await as('reviewer', 'GET', 'review/applications')).toEqual([])
})

test('wages arrive by a file of another bank on their settlement day', async () => {
  checking = await as('app', 'POST', 'banking/accounts', { customerId })
  savings = await as('app', 'POST', 'banking/accounts', { customerId })
  const entries = [{ sequence: 1, code: 22, amount: 2_500_00, accountNumber: checking.accountNumber }]
  const header = { createdOn: '2031-03-03' }
  live.putFile('wages.ach', incomingFile({ entries, settlesOn: '2031-03-04', header, to: ROUTING_NUMBER }))
  const received = () => as('app', 'GET', `banking/received-payments?accountId=${checking.id}`)
  await until('the file to be taken', async () => (await received()).length === 1)
  expect(await received()).toMatchObject([{ status: 'Pending', amount: 2_500_00 }])
  expect(await balanceOf(checking)).toBe(0)
  // 09:00 in Eastern time.
  await live.passTo('2031-03-04T14:00:00Z')
  await until('the wages to be booked', async () => (await received())[0].status === 'Completed')
  expect(await balanceOf(checking)).toBe(2_500_00)
  await until('the file to be put away', () => live.filesIn('in/done').length === 1)
})

test('purchases by card are messages of the processor', async () => {
  const shippingAddress = applicant.address
  const card = { type: 'individualDebitCard', accountId: checking.id, shippingAddress }
  cardId = (await as('app', 'POST', 'banking/cards', card)).id
  expect(await refused('app', 'PUT', `banking/cards/${cardId}/limits`, {})).toEqual([403, 'forbidden'])
  await as('risk', 'PUT', `banking/cards/${cardId}/limits`, {
    day: { amount: 300_00 },
    blockedCategories: ['Gambling'],
  })
  await as('processor', 'PUT', `processor/cards/${cardId}/reference`, { reference: 'crd_1' })
  const [found] = await as('processor', 'GET', 'processor/cards?reference=crd_1')
  expect(found.id).toBe(cardId)

  let messages = 0
  const send = (path: string, content: Record<string, unknown>) =>
    as('processor', 'POST', `processor/${path}`, { processorId: `msg-${++messages}`, ...content })
  const charge = (amount: number, merchant: Record<string, string> = { name: 'Sample Hotel', category: 'Lodging' }) =>
    send(`cards/${cardId}/authorizations`, { amount, merchant })
  expect(await charge(1_00)).toMatchObject({ status: 'Declined', reason: 'CardNotActive' })
  await as('app', 'POST', `banking/cards/${cardId}/activate`)
  expect(await refused('app', 'POST', `processor/cards/${cardId}/authorizations`, {})).toEqual([403, 'forbidden'])
  const hotel = await charge(120_00)
  expect(hotel.status).toBe('Authorized')
  expect(await send(`authorizations/${hotel.id}/increment`, { amount: 30_00 })).toMatchObject({ approved: true })
  expect(await as('app', 'GET', `banking/accounts/${checking.id}`)).toMatchObject({ hold: 150_00, available: 2_350_00 })
  expect(await charge(151_00)).toMatchObject({ reason: 'DailyLimitExceeded' })
  expect(await charge(1_00, { name: 'Casino', category: 'Gambling' })).toMatchObject({
    reason: 'MerchantCategoryNotAllowed',
  })
  await send(`authorizations/${hotel.id}/settle`, { amount: 140_00 })
  await send(`authorizations/${hotel.id}/refund`, { amount: 15_00 })
  const dinner = await charge(60_00)
  await send(`authorizations/${dinner.id}/reverse`, {})
  expect(await as('app', 'GET', `banking/accounts/${checking.id}`)).toMatchObject({ balance: 2_375_00, hold: 0 })
})

test('a bill above the soft limit is approved, leaves with the file of its window and settles', async () => {
  expect(await refused('app', 'PUT', `banking/accounts/${checking.id}/limits`, {})).toEqual([403, 'forbidden'])
  await as('risk', 'PUT', `banking/accounts/${checking.id}/limits`, {
    payment: { soft: 500_00, hard: 1_500_00 },
    day: { hard: 1_600_00 },
  })
  const payee = { name: 'Grace Sample', routingNumber: '021000021', accountNumber: '9876543210' }
  const path = `banking/customers/${customerId}/external-accounts`
  landlord = (await as('app', 'POST', path, { type: 'Person', accountType: 'Checking', ...payee })).id
  const payments = `banking/accounts/${checking.id}/payments`
  expect(await refused('app', 'POST', payments, pay(1_500_01))).toEqual([422, 'limit_exceeded'])
  const { id, status } = await as('app', 'POST', payments, pay(900_00))
  expect([status, await balanceOf(checking)]).toEqual(['PendingReview', 1_475_00])
  expect(await as('reviewer', 'GET', 'review/payments')).toMatchObject([{ id, reviewReason: 'accountLimit' }])
  await as('reviewer', 'POST', `review/payments/${id}/approve`, { reason: 'Lease seen' })
  expect(await paymentOf(id)).toMatchObject({ status: 'Pending', expectedCompletionDate: '2031-03-05' })

  const savingsPlan = { toAccountId: savings.id, amount: 200_00, description: 'Savings' }
  const moved = await as('app', 'POST', `banking/accounts/${checking.id}/transfers`, savingsPlan)
  expect(moved).toMatchObject({ type: 'bookPayment', status: 'Sent' })
  expect(live.filesIn('out')).toEqual([])
  // Past the cut-off at 10:00 in Eastern time, and the ten seconds in which payments of before are committed.
  await live.passTo('2031-03-04T15:00:11Z')
  await until('the bill to clear', async () => (await paymentOf(id)).status === 'Clearing')
  const [name = ''] = await until('a file in the folder', () => live.filesIn('out').length > 0 && live.filesIn('out'))
  const { file, faults } = readAchFile(readFileSync(join(live.folder, 'out', name)))
  expect(faults).toEqual([])
  expect(file?.batches.map(({ entries }) => entries.map(({ amount }) => amount))).toEqual([[900_00]])
  // A file is in its folder a moment before it counts as delivered.
  const listed = await until('the delivery', async () => {
    return (await live.purser(['ach', 'list', '--state', 'delivered']))[0]
  })
  expect(listed).toMatchObject({ name, credits: 900_00 })
  await live.purser(['ach', 'acknowledge', String(listed.id)])
  await live.passTo('2031-03-05T13:30:00Z')
  await until('the bill to settle', async () => (await paymentOf(id)).status === 'Sent')
  rent = await paymentOf(id)
})

test('a bulk payment stands by its items, within the limits of the account and of the organisation', async () => {
  await live.purser(['organisations', 'limits', 'default', '--day-soft', '40000', '--day-hard', '90000'])
  const items = [100_00, 250_00, 100_00, 500_00].map((amount) => ({ accountId: checking.id, ...pay(amount) }))
  const answered: { status: number; payment?: { id: string; status: string }; problem?: { code: string } }[] = await as(
    'app',
    'POST',
    'banking/payments/batch',
    { payments: items },
  )
  expect(answered.map(({ payment, problem }) => payment?.status ?? problem?.code)).toEqual([
    'Pending',
    'Pending',
    'PendingReview',
    'limit_exceeded',
  ])
  const [waiting] = await as('reviewer', 'GET', 'review/payments')
  expect(waiting).toMatchObject({ id: answered[2]?.payment?.id, reviewReason: 'organisationLimit' })
  await as('reviewer', 'POST', `review/payments/${waiting.id}/reject`, { reason: 'Twice' })
  expect(await balanceOf(checking)).toBe(925_00)

  await live.passTo('2031-03-05T15:00:11Z')
  await until('a second file', () => live.filesIn('out').length === 2)
  await live.passTo('2031-03-06T13:30:00Z')
  const ids = answered.slice(0, 2).map(({ payment }) => payment?.id ?? '')
  await until('both to settle', async () => {
    bulk = await Promise.all(ids.map(paymentOf))
    return bulk.every(({ status }) => status === 'Sent')
  })
  expect(bulk.map(({ status }) => status)).toEqual(['Sent', 'Sent'])
})

test('a payment comes back with a file of the other bank', async () => {
  const [, second] = bulk
  if (!second) throw new Error('there is no payment to return')
  const entries = [returnOf(second, { sequence: 2 })]
  live.putFile('returns.ach', incomingFile({ entries, settlesOn: '2031-03-07', modifier: 'B', to: ROUTING_NUMBER }))
  await until('the return', async () => (await paymentOf(second.id)).status === 'Returned')
  expect(await balanceOf(checking)).toBe(1_175_00)
  expect(live.filesIn('in/refused')).toEqual([])
})

test("the month's statement agrees with the ledger", async () => {
  await live.passTo('2031-04-01T00:00:01Z')
  const statements = () => as('app', 'GET', `banking/statements?accountId=${checking.id}`)
  await until('the statement', async () => (await statements()).length === 1)
  const [statement] = await statements()
  expect(statement).toMatchObject({ period: '2031-03', accountId: checking.id })
  const lines: { amount: number; direction: string }[] = await as(
    'app',
    'GET',
    `banking/transactions?accountId=${checking.id}&sort=createdAt&limit=1000`,
  )
  const signed = lines.map(({ amount, direction }) => (direction === 'Credit' ? amount : -amount))
  expect(signed).toEqual([
    ...[2_500_00, -140_00, 15_00, -900_00, -200_00],
    ...[-100_00, -250_00, -100_00, 100_00, 250_00],
  ])
  const closing = signed.reduce((sum, amount) => sum + amount, 0)
  expect(closing).toBe(await balanceOf(checking))
  const { bytes } = await live.call(keys.app, 'GET', `/v0/banking/statements/${statement.id}/pdf`)
  const texts = pdfPages(bytes).flat()
  const dollars = (cents: number) => `$${(cents / 100).toLocaleString('en-US', { minimumFractionDigits: 2 })}`
  for (const text of [applicant.name, checking.accountNumber, dollars(closing), '$2,500.00', '$900.00']) {
    expect(texts.join('\n')).toContain(text)
  }
  const { html } = await as('app', 'GET', `banking/statements/${statement.id}?format=html`)
  expect(html).toContain(`<b>${dollars(closing)}</b>`)
})

test('no answer names an operation of the sandbox', async () => {
  const shown = [
    ...['me', `lookup/account/${checking.id}`, `lookup/payment/${rent.id}`, `lookup/card/${cardId}`],
    ...[`lookup/customer/${customerId}`, 'banking/authorizations/1', 'banking/cards/1', 'banking/payments/1'],
    ...['banking/customers/1', 'banking/accounts/1', 'banking/statements/1', 'banking/applications/1', 'sandbox/clock'],
  ]
  for (const key of Object.values(keys)) {
    for (const path of shown) {
      const { status, bytes } = await live.call(key, 'GET', `/v0/${path}`)
      expect(status).not.toBe(500)
      expect(bytes.toString(), path).not.toMatch(/sandbox\/|sandbox:/)
    }
  }
})

test('the feed has the whole story in order, and the books are sound', async () => {
  const events: { sequence: number; type: string; entity: { id: string } }[] = await as(
    'app',
    'GET',
    'events?limit=1000',
  )
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, at) => at + 1))
  const of = (id: string) => events.filter(({ entity }) => entity.id === id).map(({ type }) => type)
  expect(of(rent.id)).toEqual(['payment.created', 'payment.pending', 'payment.clearing', 'payment.sent'])
  expect(of(bulk[1]?.id ?? '')).toEqual([
    ...['payment.created', 'payment.clearing', 'payment.sent'],
    'payment.returned',
  ])
  expect([...new Set(events.map(({ type }) => type))]).toEqual([
    ...['apiKey.created', 'application.created', 'document.requested', 'application.awaitingDocuments'],
    ...['application.pendingReview', 'document.viewed', 'document.approved', 'customer.created'],
    ...['application.approved', 'application.denied', 'account.created'],
    ...['receivedPayment.created', 'transaction.created', 'receivedPayment.completed'],
    ...['card.created', 'card.limitsChanged', 'card.referenceChanged', 'authorization.declined', 'card.activated'],
    ...['authorization.created', 'authorization.amountChanged', 'authorization.completed', 'authorization.canceled'],
    ...['account.limitsChanged', 'externalAccount.created', 'payment.created', 'payment.pending', 'payment.clearing'],
    ...['payment.sent', 'organisation.limitsChanged', 'payment.rejected', 'payment.returned', 'statement.created'],
  ])

  for (const [day, net] of Object.entries({
    '2031-03-04': 2_500_00,
    '2031-03-05': -900_00,
    '2031-03-06': -350_00,
    '2031-03-07': 250_00,
  })) {
    expect(await as('app', 'GET', `banking/ach-reconciliation?date=${day}`)).toMatchObject({ net, difference: 0 })
  }
  const [reconciled] = await live.purser(['ach', 'reconcile', '2031-03-06', '--statement', '-35000'])
  expect(reconciled).toMatchObject({ difference: 0, statementDifference: 0 })
  expect(await live.purser(['ach', 'exceptions'])).toEqual([])
  const laws = await live.purser(['verify'])
  expect(laws.length).toBeGreaterThan(20)
  expect(laws.filter(({ holds }) => holds === false)).toEqual([])
  expect(live.process.errors()).toBe('')
})
