import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getOrganisationLimits, setOrganisationLimits } from '../../../src/bank/limits/organisation-limits.ts'
import { openDatabase, plainTimeouts } from '../../../src/database/database.ts'
import { createServiceDatabase } from '../../support/harness.ts'
import { expectSoundLedger } from '../../support/ledger.ts'
import { prepareStops, stands, stopAt } from '../../support/rails/stop-at.ts'
import { choicesOfTest } from '../../support/random.ts'
import {
  ask,
  databaseUrl,
  endServices,
  type Service,
  scratchFolder,
  startService,
  until,
} from '../../support/service.ts'

const KILLS = process.env.SOAK ? 20 : 2
const PAYMENTS = 600
/** The largest number of them in one transaction. */
const TOGETHER = 250

let pair: [Service, Service]
let database: Awaited<ReturnType<typeof createServiceDatabase>>
let environment: Record<string, string> & { PURSER_DATA_DIR: string }
let accounts: string[]
let externals: string[]

beforeAll(async () => {
  database = await createServiceDatabase()
  environment = {
    PURSER_DATA_DIR: join(scratchFolder(), 'data'),
    DATABASE_URL: databaseUrl(database.server),
    PURSER_API_KEY: 'key-of-the-first-organisation',
    PURSER_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
  }
  pair = await Promise.all([startService(environment), startService(environment)])
  await makeAccounts()
})
afterAll(async () => {
  await endServices()
  await database.drop()
})

async function post(path: string, body: unknown) {
  const { status, text, json } = await pair[0].call('POST', path, { body })
  expect(status, text).toBe(201)
  return json.data
}

/** Two accounts with money. Each can pay the other one and somebody at another bank. */
async function makeAccounts(): Promise<void> {
  const { id: customerId } = await post('/v0/sandbox/customers', { name: 'Ada Example' })
  const made = [await post('/v0/banking/accounts', { customerId }), await post('/v0/banking/accounts', { customerId })]
  const payee = { type: 'Person', name: 'Ada Example', accountType: 'Checking' }
  const numbers = [...made, { routingNumber: '021000021', accountNumber: '9876543210' }]
  accounts = made.map(({ id }) => id)
  externals = []
  for (const { routingNumber, accountNumber } of numbers) {
    const path = `/v0/banking/customers/${customerId}/external-accounts`
    externals.push((await post(path, { ...payee, routingNumber, accountNumber })).id)
  }
  for (const id of accounts) {
    await post(`/v0/sandbox/accounts/${id}/receive-ach`, { amount: 999_999_999_999, companyName: 'Sample Payroll' })
  }
}

/** Payments of both accounts in turn: to the other bank, and every third one to the other account. */
const batch = () =>
  Array.from({ length: PAYMENTS }, (_, at) => ({
    accountId: accounts[at % 2],
    amount: at + 1,
    counterpartyAccountId: externals[at % 3 === 0 ? 1 - (at % 2) : 2],
    description: 'Batch',
    originalType: 'ACH',
  }))

const send = (service: Service, idempotencyKey: string) =>
  service.call('POST', '/v0/banking/payments/batch', { body: { payments: batch() }, idempotencyKey })

interface Outcome {
  status: number
  payment: { id: string }
  problem?: { code: string }
}

async function expectEachOnce(outcomes: Outcome[], before: number): Promise<void> {
  expect(outcomes.map(({ status }) => status)).toEqual(outcomes.map(() => 201))
  const ids = outcomes.map(({ payment }) => payment.id)
  expect(new Set(ids).size).toBe(PAYMENTS)
  expect(await count()).toBe(before + PAYMENTS)
  const connection = openDatabase({ servers: [database.server], connections: 1, timeouts: plainTimeouts })
  await expectSoundLedger({ database: connection }).finally(() => connection.close())
}

async function count(): Promise<number> {
  const [row] = (await ask(database.server, 'select count(*)::int as payments from payment')) as { payments: number }[]
  return row?.payments ?? 0
}

test('Two processes that get the same batch at once make each payment once', async () => {
  const before = await count()
  const replies = await Promise.all(pair.map((service) => send(service, 'at-once')))
  for (const { status } of replies) expect(status).toBe(200)
  const [one, other] = replies.map(({ json }) => json.data as Outcome[])
  await expectEachOnce(one ?? [], before)
  expect(other).toEqual(one)
})

/** The number of payments in each state, of 200 that are sent to both processes at once. */
async function payAtOnce(payers: string[]): Promise<Record<string, number>> {
  const states: Record<string, number> = {}
  const sending = Array.from({ length: 200 }, async (_each, at) => {
    const body = { amount: 1_00, counterpartyAccountId: externals[2], description: 'Limit', originalType: 'ACH' }
    const path = `/v0/banking/accounts/${payers[at % payers.length]}/payments`
    const { json } = await (pair[at % 2] as Service).call('POST', path, { body })
    const state = json.data?.status ?? json.code
    states[state] = (states[state] ?? 0) + 1
  })
  await Promise.all(sending)
  return states
}

test('200 payments at once at two processes use the limits of an account and of the organisation up, and never pass them', async () => {
  const [limited = ''] = accounts
  const limitsOf = (body: object) => pair[1].call('PUT', `/v0/banking/accounts/${limited}/limits`, { body })
  const { month } = (await limitsOf({ month: { hard: 999_999_999 } })).json.data
  await limitsOf({ month: { soft: month.used + 50_00, hard: month.used + 80_00 } })
  expect(await payAtOnce([limited])).toEqual({ Sent: 50, PendingReview: 30, limit_exceeded: 120 })
  await limitsOf({})

  const connection = openDatabase({ servers: [database.server], connections: 1, timeouts: plainTimeouts })
  const none = { soft: null, hard: null }
  const limitOrganisation = (limit: { soft: number | null; hard: number | null }) =>
    setOrganisationLimits(connection, 'default', { payment: none, day: none, month: limit })
  await limitOrganisation({ soft: null, hard: 999_999_999 })
  const used = (await getOrganisationLimits(connection, 'default'))?.used.month ?? 0
  await limitOrganisation({ soft: used + 50_00, hard: used + 80_00 })
  expect(await payAtOnce(accounts)).toEqual({ Sent: 50, PendingReview: 30, limit_exceeded: 120 })
  await setOrganisationLimits(connection, 'default', null)
  await expectSoundLedger({ database: connection }).finally(() => connection.close())
})

test(`${KILLS} times a process is killed in the middle of a batch, which makes each payment once when it is sent again`, async () => {
  const { below } = choicesOfTest()
  await prepareStops(database.server)
  for (let round = 0; round < KILLS; round++) {
    const before = await count()
    const key = `killed-${round}`
    // The payments have different amounts. That of the first transaction are written when it stands at a later one.
    const amount = String(TOGETHER + 1 + below(PAYMENTS - TOGETHER))
    await stopAt(database.server, { table: 'payment', column: 'amount', value: amount })
    const sending = send(pair[0], key).catch(() => undefined)
    await until('the process to stand at the payment', () => stands(database.server))
    await pair[0].kill()
    expect(await sending).toBeUndefined()
    await stopAt(database.server, undefined)
    const partly = await count()
    expect(partly).toBeGreaterThan(before)
    expect(partly).toBeLessThan(before + PAYMENTS)
    const again = await send(pair[1], key)
    expect(again.status).toBe(200)
    await expectEachOnce(again.json.data, before)
    expect((await send(pair[1], key)).json).toEqual(again.json)
    pair[0] = await startService(environment)
  }
})
