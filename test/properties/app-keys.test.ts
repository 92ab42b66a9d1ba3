import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { setOrganisationLimits } from '../../src/bank/limits/organisation-limits.ts'
import type { Operation, Scope } from '../../src/base/operation.ts'
import { operations } from '../../src/operations.ts'
import { openTestBank, type TestBank } from '../support/harness.ts'
import { expectSoundLedger, makeExternalAccount, makePayer, type Payer, receiveAch } from '../support/ledger.ts'
import { railSettings } from '../support/rails/settings.ts'
import { seedOfTest } from '../support/random.ts'
import { answers, appScopes } from '../support/schemas/app-keys.ts'
import { sampleRequest, urlOf } from '../support/schemas/samples.ts'
import { makeAccount, makeWorld, type World } from '../support/world.ts'

/**
 * The key of an app sends requests of every operation in live mode, in any order, with ids and amounts of any kind, and with
 * the keys that it issues to itself. The risk key has set limits, an overdraft, a freeze and a legal hold before. However the
 * requests are answered, what leaves stays within them.
 */
const runs = process.env.SOAK ? 150 : 4
const { settings, remove } = railSettings()
let sandbox: TestBank
let live: TestBank
/** Records of every kind, with ids that requests can name. */
let world: World

beforeAll(async () => {
  sandbox = await openTestBank({ own: true, ach: settings })
  const on = { name: '', server: sandbox.server, drop: async () => undefined }
  live = await openTestBank({ on, mode: 'live', ach: settings })
  world = await makeWorld(sandbox)
})
afterAll(async () => {
  await expectSoundLedger(sandbox)
  await live.close()
  await sandbox.close()
  remove()
})

const limit = fc.record({ soft: fc.nat(60_00), more: fc.nat(60_00) })
const amount = fc.oneof(fc.integer({ min: 1, max: 90_00 }), fc.constantFrom(1, 100_00, 999_999_999_999))
const pays = fc.constantFrom(...answers.pays, ...answers.stops)
const others = fc.constantFrom(...answers.changes, ...answers.keys, ...answers.forbidden, ...answers.shows)
const step = fc.record({
  operation: fc.oneof({ weight: 6, arbitrary: pays }, { weight: 1, arbitrary: others }),
  amount,
  // Which of the ids of its kind a request names, and which of the keys it has.
  at: fc.nat(1_000),
  key: fc.nat(1_000),
  scope: fc.constantFrom<Scope | undefined>(undefined, ...appScopes, 'risk:write', 'review:write'),
})
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

/** A payment of a cent, before anything is frozen or closed. */
const first: Step = { operation: 'createPayment', amount: 1, at: 0, key: 0, scope: undefined }

/** The operations that were answered with a success. */
const accepted = new Set<string>()

/** The stage of a run: accounts with the limits of the bank, and the ids and keys of the app so far. */
interface Stage {
  limited: Payer
  frozen: string
  held: Payer
  ids: Partial<Record<string, string[]>>
  keys: string[]
}

const put = async (key: string, path: string, body: unknown, method = 'PUT') => {
  const { status, text, json } = await live.call(method, `/v0/banking/${path}`, { key, body })
  expect(status, text).toBeLessThan(300)
  return json.data
}

async function setStage(
  limits: Record<'payment' | 'day' | 'month', { soft: number; hard: number }>,
  overdraft: number,
) {
  const risk = await live.makeKey('first', ['risk:write'])
  const [limited, held, frozen] = [
    await makePayer(sandbox, 150_00),
    await makePayer(sandbox, 50_00),
    await makePayer(sandbox, 50_00),
  ]
  // A second account of the first customer, to which money can be moved, and a payee within the bank.
  const second = await makeAccount(sandbox, { customerId: limited.customerId })
  await receiveAch(sandbox, second, { amount: 10_00 })
  await put(risk, `accounts/${limited.accountId}/limits`, { ...limits, overdraft })
  await put(risk, `accounts/${frozen.accountId}/freeze`, {}, 'POST')
  await put(risk, `accounts/${held.accountId}/holds`, { amount: 30_00, reason: 'LegalOrder' }, 'POST')
  const received = await sandbox.database.query<{ id: string }>(
    'select id::text from received_payment where account_id = any($1::bigint[])',
    [[limited.accountId, held.accountId, frozen.accountId]],
  )
  const holds = (await sandbox.call('GET', `/v0/banking/accounts/${held.accountId}/holds`)).json.data
  const stage: Stage = {
    ...{ limited, held, frozen: frozen.accountId },
    ids: {
      account: [limited.accountId, held.accountId, frozen.accountId, second],
      secondAccount: [second, limited.accountId, frozen.accountId],
      customer: [limited.customerId, held.customerId],
      externalAccount: [limited.externalAccountId, held.externalAccountId, frozen.externalAccountId],
      receivedPayment: received.map(({ id }) => id),
      accountHold: holds.map(({ id }: { id: string }) => id),
      payment: [],
    },
    keys: [await live.makeKey('first', appScopes)],
  }
  stage.ids.externalAccount?.push(await makeExternalAccount(sandbox, limited.customerId))
  return stage
}

/** The request of a step: a sample of the operation that names records of the stage, with the amount of the step. */
function requestOf(operation: Operation, { amount, at, scope }: Step, { ids }: Stage) {
  const chosen = Object.fromEntries(
    Object.entries(world).map(([name, id]) => {
      const known = ids[name] ?? []
      return [name, known.length > 0 ? (known[at % known.length] as string) : id]
    }),
  ) as World
  const sample = sampleRequest(operation, chosen)
  const body = structuredClone(sample.body)
  if (body && 'amount' in body) body.amount = amount
  if (operation.id === 'createPaymentBatch') {
    const [item] = (body as { payments: Record<string, unknown>[] }).payments
    const one = { ...item, amount, idempotencyKey: undefined }
    return { ...sample, body: { payments: [one, one, one] } }
  }
  if (operation.id === 'createAccountHold' && at % 2 === 0)
    return { ...sample, body: { ...body, reason: 'LegalOrder' } }
  if (operation.id === 'closeAccount' && at % 2 === 0)
    return { ...sample, body: { ...body, closeTo: chosen.secondAccount } }
  if (operation.id === 'createApiKey') return { ...sample, body: { name: 'Own', ...(scope && { scopes: [scope] }) } }
  return { ...sample, body }
}

async function take(stage: Stage, drawn: Step): Promise<void> {
  const operation = operations.find(({ id }) => id === drawn.operation) as Operation
  const request = requestOf(operation, drawn, stage)
  const key = stage.keys[drawn.key % stage.keys.length] as string
  const { status, text, json } = await live.call(operation.method, urlOf(operation.path, request), {
    key,
    ...(operation.method !== 'GET' && { body: request.body ?? {} }),
  })
  expect(status, `${operation.id} ${text}`).not.toBe(500)
  if (status >= 300) return
  accepted.add(operation.id)
  if (!json?.data) return
  const made = { createPayment: 'payment', createAccountHold: 'accountHold', createAccount: 'account' }[operation.id]
  if (made) stage.ids[made]?.push(json.data.id)
  if (operation.id === 'createPaymentBatch') {
    for (const { payment } of json.data) if (payment) stage.ids.payment?.push(payment.id)
  }
  if (json.data.key) stage.keys.push(json.data.key)
}

interface Left {
  day: string
  amount: number
  status: string
}

/** The payments that leave an account, or are to leave it. */
const leftFrom = (accountIds: string[] | null) =>
  sandbox.database.query<Left>(
    `select (created_at at time zone 'utc')::date::text as day, amount, status from payment
     where type = 'achPayment' and direction = 'Credit' and ($1::bigint[] is null or account_id = any($1::bigint[]))
       and status not in ('Canceled', 'Rejected')`,
    [accountIds],
  )

/** The largest sums of a day and of a month. */
function sumsOf(payments: Left[]): { payment: number; day: number; month: number } {
  const sums = (lengthOf: number) => {
    const totals = new Map<string, number>()
    for (const { day, amount } of payments) {
      const period = day.slice(0, lengthOf)
      totals.set(period, (totals.get(period) ?? 0) + amount)
    }
    return Math.max(0, ...totals.values())
  }
  return { payment: Math.max(0, ...payments.map(({ amount }) => amount)), day: sums(10), month: sums(7) }
}

test('what leaves stays within what the risk key has set, whatever the key of an app sends', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({ payment: limit, day: limit, month: limit }),
      fc.nat(40_00),
      fc.nat(200_00),
      fc.array(step, { minLength: 20, maxLength: process.env.SOAK ? 80 : 40 }),
      async (drawn, overdraft, ofAll, steps) => {
        const limits = Object.fromEntries(
          Object.entries(drawn).map(([name, { soft, more }]) => [name, { soft, hard: soft + more }]),
        ) as Record<'payment' | 'day' | 'month', { soft: number; hard: number }>
        const stage = await setStage(limits, overdraft)
        const before = sumsOf(await leftFrom(null)).day
        const none = { soft: null, hard: null }
        const ofOrganisation = { soft: null, hard: before + ofAll }
        await setOrganisationLimits(sandbox.database, 'first', { payment: none, day: ofOrganisation, month: none })
        const [set] = await sandbox.database.query('select limits from account where id = $1::bigint', [
          stage.limited.accountId,
        ])
        for (const each of [first, ...steps]) await take(stage, each)

        const left = await leftFrom([stage.limited.accountId])
        const unreviewed = left.filter(({ status }) => status !== 'PendingReview')
        for (const period of ['payment', 'day', 'month'] as const) {
          expect(sumsOf(left)[period]).toBeLessThanOrEqual(limits[period].hard)
          expect(sumsOf(unreviewed)[period]).toBeLessThanOrEqual(limits[period].soft)
        }
        expect(sumsOf(await leftFrom(null)).day).toBeLessThanOrEqual(before + ofAll)
        const rows = await sandbox.database.query<{ id: string; status: string; balance: number; hold: number }>(
          'select id::text, status, balance, hold from account where id = any($1::bigint[]) order by id',
          [[stage.limited.accountId, stage.held.accountId, stage.frozen]],
        )
        const of = (id: string) => rows.find((row) => row.id === id)
        expect(of(stage.limited.accountId)?.balance).toBeGreaterThanOrEqual(-overdraft)
        expect(of(stage.held.accountId)?.hold).toBeGreaterThanOrEqual(30_00)
        expect(of(stage.held.accountId)?.balance).toBeGreaterThanOrEqual(30_00)
        expect(of(stage.frozen)?.status).toBe('Frozen')
        expect(of(stage.frozen)?.balance).toBeGreaterThanOrEqual(50_00)
        const [last] = await sandbox.database.query('select limits from account where id = $1::bigint', [
          stage.limited.accountId,
        ])
        expect(last).toEqual(set)
        expect(await unnamed()).toEqual([])
      },
    ),
    { numRuns: runs, seed: seedOfTest(), endOnFailure: !process.env.SOAK },
  )
  // Requests that are all refused would prove nothing.
  expect([...accepted]).toEqual(expect.arrayContaining(['createPayment']))
})

/** The keys with a scope of the bank that a request of the app has made. */
const unnamed = () =>
  sandbox.database.query(
    `select name from api_key where name = 'Own' and ('risk:write' = any(scopes) or 'review:write' = any(scopes))`,
  )
