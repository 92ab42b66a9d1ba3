import { afterEach, beforeEach, expect, test } from 'vitest'
import { setOrganisationLimits } from '../../../src/bank/limits/organisation-limits.ts'
import { openDatabase, plainTimeouts } from '../../../src/database/database.ts'
import { type Attempt, runKillLoop } from '../../support/kill-loop.ts'
import { expectSoundLedger } from '../../support/ledger.ts'
import {
  ask,
  embeddedOf,
  endServices,
  gone,
  postmasterOf,
  preparedDataDir,
  type Service,
  type ServiceReply,
  startService,
} from '../../support/service.ts'

const kills = process.env.SOAK ? 40 : 2
/** Requests of each kind. */
const EACH = kills * 15
const ITEMS = 5
const AMOUNT = 7

/**
 * Payments, batches, purchases by card and approvals under limits that are exactly as large as all of them together. Anything
 * that a kill counted twice would refuse the last ones; anything that it lost would leave room for one more.
 */
let dataDir: string
let service: Service
let keys: Record<'processor' | 'reviewer', string>
let accounts: { limited: string; reviewed: string; free: string }
let external: string
let cardId: string
let waiting: string[]

beforeEach(async () => {
  dataDir = await preparedDataDir()
  service = await startService({ PURSER_DATA_DIR: dataDir })
  await prepare()
})
afterEach(endServices)

async function call(method: string, path: string, body?: unknown) {
  const { status, text, json } = await service.call(method, `/v0/${path}`, { body })
  expect(status, text).toBeLessThan(300)
  return json.data
}

const pay = () => ({
  ...{ amount: AMOUNT, counterpartyAccountId: external },
  ...{ description: 'Kill', originalType: 'ACH' },
})

async function withDatabase<T>(work: (database: ReturnType<typeof openDatabase>) => Promise<T>): Promise<T> {
  const database = openDatabase({ servers: [embeddedOf(dataDir)], connections: 1, timeouts: plainTimeouts })
  return work(database).finally(() => database.close())
}

/** Three accounts with money, a card, and payments that wait for a reviewer. The clock is in the middle of a month. */
async function prepare(): Promise<void> {
  const now = new Date()
  const to = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 10, 12)).toISOString()
  await call('POST', 'sandbox/clock/advance', { to })
  const { id: customerId } = await call('POST', 'sandbox/customers', { name: 'Ada Example' })
  const open = async () => {
    const { id } = await call('POST', 'banking/accounts', { customerId })
    await call('POST', `sandbox/accounts/${id}/receive-ach`, { amount: 1_000_000, companyName: 'Sample Payroll' })
    return id
  }
  accounts = { limited: await open(), reviewed: await open(), free: await open() }
  const payee = { type: 'Person', name: 'Grace Sample', accountType: 'Checking' }
  const at = { routingNumber: '021000021', accountNumber: '9876543210' }
  external = (await call('POST', `banking/customers/${customerId}/external-accounts`, { ...payee, ...at })).id
  const issue = async (scope: string) => (await call('POST', 'api-keys', { name: scope, scopes: [scope] })).key
  keys = { processor: await issue('processor:write'), reviewer: await issue('review:write') }

  await call('PUT', `banking/accounts/${accounts.reviewed}/limits`, { payment: { soft: 0 } })
  const payments = Array.from({ length: EACH }, () => ({ accountId: accounts.reviewed, ...pay() }))
  const made: { payment: { id: string; status: string } }[] = await call('POST', 'banking/payments/batch', { payments })
  waiting = made.map(({ payment }) => payment.id)
  expect(new Set(made.map(({ payment }) => payment.status))).toEqual(new Set(['PendingReview']))

  const ofAccount = EACH * (1 + ITEMS) * AMOUNT
  await call('PUT', `banking/accounts/${accounts.limited}/limits`, { month: { hard: ofAccount } })
  const none = { soft: null, hard: null }
  const month = { soft: null, hard: ofAccount + EACH * AMOUNT }
  await withDatabase((database) => setOrganisationLimits(database, 'default', { payment: none, day: none, month }))
  cardId = (await call('POST', 'banking/cards', { type: 'individualVirtualDebitCard', accountId: accounts.free })).id
  await call('PUT', `banking/cards/${cardId}/limits`, { month: { amount: EACH * AMOUNT, count: EACH } })
}

const charge = (processorId: string) =>
  service.call('POST', `/v0/processor/cards/${cardId}/authorizations`, {
    key: keys.processor,
    body: { amount: AMOUNT, merchant: { name: 'Sample Coffee' }, processorId },
  })

/** A payment, a batch, a purchase or an approval, in turn. */
function request(index: number, key: string): Promise<ServiceReply> {
  const keyed = { idempotencyKey: key }
  if (index % 4 === 0) {
    return service.call('POST', `/v0/banking/accounts/${accounts.limited}/payments`, { body: pay(), ...keyed })
  }
  if (index % 4 === 1) {
    const payments = Array.from({ length: ITEMS }, () => ({ accountId: accounts.limited, ...pay() }))
    return service.call('POST', '/v0/banking/payments/batch', { body: { payments }, ...keyed })
  }
  if (index % 4 === 2) return charge(key)
  const path = `/v0/review/payments/${waiting[Math.floor(index / 4)]}/approve`
  return service.call('POST', path, { key: keys.reviewer, body: { reason: 'Known' }, ...keyed })
}

async function send(index: number, key: string): Promise<Attempt> {
  const { status, text, headers, json } = await request(index, key)
  const replayed = headers.get('Idempotent-Replayed') === 'true'
  if (json?.data?.status === 'Declined') return { status: 422, text, replayed }
  if (index % 4 !== 1 || status !== 200) return { status, text, replayed }
  const outcomes: { status: number; payment?: { id: string } }[] = json.data
  const failed = outcomes.find((outcome) => outcome.status !== 201)
  // Items have no word for a replay: the ids show it.
  const ids = outcomes.map(({ payment }) => payment?.id).join()
  return failed ? { status: failed.status, text, replayed } : { status: 200, text: ids, replayed: true }
}

test(`${kills} kills of the service, every other time of its database too, during payments, batches, purchases and approvals keep the limits to the cent`, async () => {
  let survived = 0
  async function kill(): Promise<void> {
    const postmaster = postmasterOf(dataDir)
    const died = service.kill()
    if (survived++ % 2 === 1 && postmaster !== undefined) {
      process.kill(postmaster, 'SIGKILL')
      await gone(postmaster)
    }
    await died
    service = await startService({ PURSER_DATA_DIR: dataDir })
    await withDatabase((database) => expectSoundLedger({ database }))
  }
  const { first, again, refused, retries } = await runKillLoop({ requests: 4 * EACH, kills, send, kill })
  expect(refused).toEqual([])
  expect(retries).toBeGreaterThan(0)
  expect(again.map(({ text, replayed }) => ({ text, replayed }))).toEqual(
    first.map((text) => ({ text, replayed: true })),
  )

  const { month } = await call('GET', `banking/accounts/${accounts.limited}/limits`)
  expect(month.used).toBe(month.hard)
  const card = await call('GET', `banking/cards/${cardId}/limits`)
  expect(card.month).toMatchObject({ usedAmount: EACH * AMOUNT, usedCount: EACH })
  for (const [accountId, scope] of [
    [accounts.limited, 'account'],
    [accounts.free, 'organisation'],
  ]) {
    const path = `/v0/banking/accounts/${accountId}/payments`
    const { status, json } = await service.call('POST', path, { body: { ...pay(), amount: 1 } })
    expect([status, json.code, json.limit]).toEqual([
      422,
      'limit_exceeded',
      expect.objectContaining({ scope, left: 0 }),
    ])
  }
  expect((await charge('one-more')).json.data.reason).toBe('MonthlyLimitExceeded')
  const rows = await ask(
    embeddedOf(dataDir),
    `select status, count(*)::int from payment where account_id = any($1::bigint[]) group by 1`,
    [[accounts.limited, accounts.reviewed]],
  )
  expect(rows).toEqual([{ status: 'Sent', count: EACH * (2 + ITEMS) }])
  expect((await call('GET', `banking/accounts/${accounts.free}`)).hold).toBe(EACH * AMOUNT)
  await withDatabase((database) => expectSoundLedger({ database }))
})
