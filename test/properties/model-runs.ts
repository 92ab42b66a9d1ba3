import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { setOrganisationLimits } from '../../src/bank/limits/organisation-limits.ts'
import type { PaymentLimits } from '../../src/banking/accounts/account-limits.ts'
import { organisationNamed, setBankTime } from '../support/bank-time.ts'
import { bankNow, makeVirtualCard } from '../support/cards.ts'
import { type Consumer, openConsumer } from '../support/consumer.ts'
import { openTestBank, type Reply, type TestBank } from '../support/harness.ts'
import { expectSoundLedger, makeExternalAccount, makeOwnBankAccount, receiveAch } from '../support/ledger.ts'
import { seedOfTest } from '../support/random.ts'
import { makeAccount, makeCustomer } from '../support/world.ts'
import {
  dueBy,
  endOf,
  type Given,
  hasLimits,
  holdsDueBy,
  type Model,
  type ModelAccount,
  type ModelCard,
  type ModelExternal,
  type ModelLimits,
  monthsOver,
  type Outcome,
  pick,
  type Request,
  releasesIn,
  type Work,
} from './model.ts'
import { describeOrder } from './model-describe.ts'
import { anyOrder } from './model-draws.ts'
import { type Order, requestOf } from './model-orders.ts'
import { screeningOf } from './model-payments.ts'
import { predict } from './model-predict.ts'
import { anyReview } from './model-reviews.ts'
import { noteCustomers, type Stand, standIn, standOf } from './model-stand.ts'

/** Screens external accounts by the flag, payments above a soft limit by their amount, and people by their name. */
let screener: Consumer
let isReviewing = false
/** A few days before a month's end. */
const START = '2026-01-26T12:00:00.000Z'
const FIRST_MONTH = START.slice(0, 7)

/** The outcome of a request in the terms of the model. */
function outcomeOf({ status, headers, text, json }: Reply, request?: Request): Outcome {
  if (headers['idempotent-replayed'] === 'true') return { status, replayed: text }
  if (status >= 300) return { status, code: json.code }
  if (request?.do === 'limits') return { status, used: [json.data.day.used, json.data.month.used] }
  if (request?.do === 'decideExternal') return { status }
  const { balance, status: state, reason } = json?.data ?? {}
  // A payment shows the reason of its reviewer, and a hold its own.
  return { status, balance, state, reason: isReviewed(request) ? undefined : reason }
}

const isReviewed = (request: Request | undefined) =>
  request !== undefined && ('payment' in request || /hold/i.test(request.do))

/** The id and time of the record that was made. A refusal made none, and was decided at the present time. */
function givenBy({ json }: Pick<Reply, 'json'>, { now }: Model): Given {
  return { id: '', createdAt: now, ...json?.data }
}

async function send(bank: TestBank, request: Request): Promise<Reply> {
  const { method, path, body, key = request.outer } = request
  if (request.do === 'organisation') {
    await setOrganisationLimits(bank.database, 'first', request.limits ? withNulls(request.limits) : null)
    return { status: 200, headers: {}, text: '', bytes: Buffer.alloc(0), json: { data: {} } }
  }
  const headers = key === undefined ? {} : { 'idempotency-key': key }
  return bank.call(method, path, { body, headers, key: request.isStranger ? bank.otherKey : bank.key })
}

function withNulls({ payment, day, month }: ModelLimits): PaymentLimits {
  const whole = ({ soft = null, hard = null }: { soft?: number | null; hard?: number | null }) => ({ soft, hard })
  return { payment: whole(payment), day: whole(day), month: whole(month) }
}

/** The answers to the payments of a batch, as `createPayment` would give them. */
function itemReplies({ status, text, headers, bytes, json }: Reply): Reply[] {
  expect(status, text).toBe(200)
  return json.data.map((item: { status: number; payment?: object; problem?: object }) => {
    const data = item.payment ? { data: item.payment } : item.problem
    return { status: item.status, headers, bytes, text: JSON.stringify(data), json: data }
  })
}

/** Whether an answer is the predicted one. A batch does not say which of its payments are replays. */
function isPredicted(predicted: Outcome, reply: Reply, request: Request, isItem: boolean): boolean {
  if (isItem && predicted.replayed !== undefined) {
    return predicted.status === reply.status && predicted.replayed === reply.text
  }
  return isDeepStrictEqual(compact(predicted), compact(outcomeOf(reply, request)))
}

/** The same without members that are undefined. */
const compact = (outcome: Outcome): Outcome => JSON.parse(JSON.stringify(outcome))

const authorizationIds = ({ authorizations }: Model) => authorizations.map(({ id }) => id)

/** Runs one order: the bank must give the answer that the model predicts, and reach the state of the model. */
async function runAlone(order: Order, model: Model, bank: TestBank): Promise<void> {
  const request = requestOf(order, model)
  const happened = request.do === 'advance' ? happeningsOf(model, request.to) : []
  const reply = await send(bank, request)
  const parts = partsOf(request, reply)
  for (const [place, part] of parts.entries()) {
    const predicted = predict(model, part.request, givenBy(part.reply, model), part.reply.text)
    if (isPredicted(predicted, part.reply, part.request, part.isItem)) continue
    expect(outcomeOf(part.reply, part.request), `${describeOrder(order)}, part ${place}`).toEqual(predicted)
  }
  if (request.do === 'advance' && reply.status === 200) {
    expect(reply.json.data, describeOrder(order)).toMatchObject({ happened, total: happened.length })
  }
  if (request.key !== undefined || request.outer !== undefined) model.keyed.push(request)
  expect(await standOf(bank, model, authorizationIds(model)), describeOrder(order)).toEqual(standIn(model))
}

interface PartOfRequest {
  request: Request
  reply: Reply
  /** Whether it is a payment of a batch, and of which one. */
  isItem: boolean
  batch?: Request
}

/** A request by itself, or the payments of a batch. */
function partsOf(request: Request, reply: Reply): PartOfRequest[] {
  if (request.do !== 'batch') return [{ request, reply, isItem: false }]
  const replies = itemReplies(reply)
  return request.items.map((item, place) => ({
    request: item,
    reply: replies[place] as Reply,
    isItem: true,
    batch: request,
  }))
}

/** The happenings that an advance should list, each at its time: payments that follow their external account, ends, statements. */
function happeningsOf(model: Model, to: string) {
  if (to <= model.now) return []
  const releases = releasesIn(model).map(({ id, createdAt: at, external }) => {
    const isApproved = model.externals.find((each) => each.id === external)?.review === 'Approved'
    return { at, type: isApproved ? 'payment.sent' : 'payment.rejected', id }
  })
  const ends = dueBy(model, to).map(({ id, expiresAt: at }) => ({ at, type: 'authorization.canceled', id }))
  const statements = monthsOver(model, to).flatMap((month) =>
    model.accounts.filter(wasThere(month)).map(() => ({ at: endOf(month), type: 'statement.created' })),
  )
  const holds = holdsDueBy(model, to).map(({ id, expiresAt: at }) => ({ at, type: 'accountHold.expired', id }))
  return [...releases, ...holds, ...ends, ...statements].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
}

/** Whether an account was opened before the end of a month. */
const wasThere =
  (month: string) =>
  ({ createdAt }: ModelAccount) =>
    createdAt < endOf(month)

type Happened = PartOfRequest | { request: Work }

/** Runs several orders at once: some sequence of them must explain every answer and the state of the bank. */
async function runTogether(orders: Order[], model: Model, bank: TestBank): Promise<void> {
  const requests = orders.map((order) => requestOf(order, model))
  const replies = await Promise.all(requests.map((request) => send(bank, request)))
  const happened = requests.flatMap((request, index) => partsOf(request, replies[index] as Reply))
  const made = happened.filter(({ request, reply }) => request.do === 'authorize' && reply.status === 201)
  const ids = new Set([...authorizationIds(model), ...made.map(({ reply }) => reply.json.data.id)])
  const stand = await standOf(bank, model, ids)
  // While the clock advances, authorizations end and payments are released one by one, and other orders run between them.
  const advance = requests.find((request, index) => request.do === 'advance' && replies[index]?.status === 200)
  const work: Happened[] =
    advance?.do !== 'advance'
      ? []
      : [
          ...dueBy(model, advance.to).map(({ id }) => ({ request: { do: 'expire' as const, authorization: id } })),
          ...holdsDueBy(model, advance.to).map(({ id }) => ({ request: { do: 'expireHold' as const, hold: id } })),
          ...releasesIn(model).map(({ id }) => ({ request: { do: 'release' as const, payment: id } })),
        ]
  const after = explain(model, [...happened, ...work], stand, new Set())
  const orderLines = orders.map(
    (order, index) => `${describeOrder(order)} → ${replies[index]?.status} ${replies[index]?.text}`,
  )
  expect(after, `no order explains:\n${orderLines.join('\n')}\n${JSON.stringify(stand)}`).toBeDefined()
  Object.assign(model, after)
  model.keyed.push(...requests.filter(({ key, outer }) => key !== undefined || outer !== undefined))
}

/** The model after some sequence of the orders; `vain` are the sequences that did not explain the outcome. */
function explain(model: Model, happened: Happened[], stand: Stand, vain: Set<string>): Model | undefined {
  if (happened.length === 0) return JSON.stringify(standIn(model)) === JSON.stringify(stand) ? model : undefined
  const way = JSON.stringify([happened.map(({ request }) => request), model])
  if (vain.has(way)) return undefined
  for (const [place, one] of happened.entries()) {
    if (happened.slice(0, place).some((earlier) => isBehind(one, earlier))) continue
    const next = structuredClone(model)
    if (!('reply' in one)) predict(next, one.request, { id: '', createdAt: model.now }, '')
    else {
      const predicted = predict(next, one.request, givenBy(one.reply, model), one.reply.text)
      if (!isPredicted(predicted, one.reply, one.request, one.isItem)) continue
    }
    if (!leadsTo(next, stand)) continue
    const rest = happened.filter((other) => other !== one)
    const found = explain(next, rest, stand, vain)
    if (found) return found
  }
  vain.add(way)
  return undefined
}

/** Whether the bank has posted all that the model has, in the same order. */
function leadsTo(model: Model, { accounts }: Stand): boolean {
  return model.accounts.every(({ lines }, at) => lines.every((line, place) => accounts[at]?.lines[place] === line))
}

/** A batch keeps the order of the payments of an account. */
function isBehind(one: Happened, earlier: Happened): boolean {
  if (!('batch' in one) || !('batch' in earlier) || one.batch !== earlier.batch) return false
  return one.request.path === earlier.request.path
}

/** Every account has the statement of every month that is over, and no other. */
async function expectStatements(bank: TestBank, model: Model): Promise<void> {
  const months = monthsOver({ ...model, month: FIRST_MONTH }, `${model.month}-01T00:00:00.000Z`)
  for (const account of model.accounts) {
    const { id } = account
    const { json } = await bank.call('GET', `/v0/banking/statements?accountId=${id}&sort=createdAt&limit=1000`)
    expect(json.data.map(({ period }: { period: string }) => period)).toEqual(
      months.filter((month) => wasThere(month)(account)),
    )
  }
}

class Step implements fc.AsyncCommand<Model, TestBank> {
  readonly orders: Order[]

  constructor(orders: Order[]) {
    this.orders = orders
  }

  check(): boolean {
    return true
  }

  async run(model: Model, bank: TestBank): Promise<void> {
    const orders = this.orders.length > 1 ? togetherIn(model, this.orders) : this.orders
    const [only, ...more] = orders
    const advances = orders.some((order) => order.do === 'advance')
    model.now = await bankNow(bank)
    // The limits of the organisation are used by several accounts, and a batch keeps the order of each of them only.
    const isOneByOne = more.length === 0 && !(only?.do === 'batch' && model.organisation)
    if (only && isOneByOne) await runAlone(only, model, bank)
    else if (only) await runTogether(orders, model, bank)
    await noteCustomers(bank, model)
    if (advances) await expectStatements(bank, model)
    await expectSoundLedger(bank)
  }

  toString(): string {
    const [only, ...more] = this.orders.map(describeOrder)
    return more.length === 0 ? (only ?? 'nothing') : `at once { ${[only, ...more].join('; ')} }`
  }
}

/**
 * Two customers, four accounts of which one has limits and one is closed, external accounts that name every kind of account, and three
 * cards, of which one has little time left.
 */
async function openModel(overdraft: number): Promise<{ model: Model; bank: TestBank }> {
  const bank = await openTestBank({
    overdraftCents: overdraft,
    review: 'manual',
    screening: screener.url,
    screeningMs: 10_000,
  })
  await setBankTime(bank, await organisationNamed(bank, 'first'), START)
  const [ada, grace] = [await makeCustomer(bank), await makeCustomer(bank)]
  const accounts: ModelAccount[] = []
  for (const owner of [0, 0, 1, 1]) {
    const id = await makeAccount(bank, { customerId: owner === 0 ? ada : grace })
    accounts.push({ id, owner, createdAt: START, status: 'Open', lines: [] })
  }
  for (const account of accounts.slice(0, 3)) {
    await receiveAch(bank, account.id, { amount: 600 })
    account.lines.push(600)
  }
  // From the beginning, so that many payments have to be reviewed.
  const limits = { payment: { soft: 20 }, day: { hard: 500 }, month: {} }
  await bank.call('PUT', `/v0/banking/accounts/${accounts[0]?.id}/limits`, { body: limits })
  pick(accounts, 0).limits = limits
  const cards: ModelCard[] = []
  for (const [account, expires] of [
    [0, '2030-01'],
    [0, '2026-02'],
    [2, '2030-01'],
  ] as const) {
    const { id } = await makeVirtualCard(bank, pick(accounts, account).id)
    await bank.database.query(`update card set expires = $2 where id = $1`, [id, expires])
    cards.push({ id, account, status: 'Active', expires })
  }
  await bank.call('POST', `/v0/banking/accounts/${accounts[3]?.id}/close`, { body: { reason: 'ByCustomer' } })
  pick(accounts, 3).status = 'Closed'
  const externals: ModelExternal[] = []
  for (const [owner, names] of [
    [0, undefined],
    [0, 0],
    [0, 2],
    [0, 3],
    [1, 0],
    [1, undefined],
    // The screening asks for a review of these two.
    [0, undefined],
    [0, 2],
  ] as const) {
    const customer = owner === 0 ? ada : grace
    isReviewing = externals.length >= 6
    const id =
      names === undefined
        ? await makeExternalAccount(bank, customer)
        : await makeOwnBankAccount(bank, customer, pick(accounts, names).id)
    externals.push({ id, owner, names, deleted: false, ...(isReviewing && { review: 'PendingReview' as const }) })
  }
  const none = { payments: [], organisation: undefined, holds: [], authorizations: [], answers: {}, keyed: [] }
  const people = { customers: [ada, grace], applications: [] }
  const model = { overdraft, now: START, month: FIRST_MONTH, ...people, accounts, externals, cards, ...none }
  // One application waits for a decision, and one for a document.
  for (const ssn of ['any', 'passport'] as const) await runAlone({ do: 'apply', ssn, screening: 'pass' }, model, bank)
  return { model, bank }
}

const alone = anyOrder.map((one) => new Step([one]))
const together = fc
  .oneof(
    { weight: 5, arbitrary: fc.array(anyOrder, { minLength: 2, maxLength: 6 }) },
    // Several decisions about the same few applications.
    { weight: 1, arbitrary: fc.array(anyReview, { minLength: 2, maxLength: 4 }) },
  )
  .map((several) => new Step(oneAdvance(several)))

/**
 * Two advances at once are left out: the target of the second would depend on the duration of the first. So are increments
 * beside an advance: their answers do not show the time of the decision, on which the expiry of a card depends.
 */
function oneAdvance(orders: Order[]): Order[] {
  const first = orders.find((order) => order.do === 'advance')
  if (!first) return orders
  return orders.filter((order) => (order.do !== 'advance' && order.do !== 'increment') || order === first)
}

/**
 * Limits of the organisation, decisions about external accounts and new accounts come alone. Beside an advance, orders whose outcome depends on
 * the time are left out: holds with an end and changes of limits, and payments if there are limits. A refusal does not show
 * its time.
 */
function togetherIn(model: Model, orders: Order[]): Order[] {
  const together = orders.filter(({ do: name }) => !['organisation', 'decideExternal', 'open'].includes(name))
  if (!together.some((order) => order.do === 'advance')) return together
  const dated: Order['do'][] = hasLimits(model) ? ['pay', 'batch', 'authorize', 'limits', 'again'] : ['limits']
  const hasEnd = model.keyed.some((request) => request.do === 'hold' && request.expiresAt !== undefined)
  if (hasEnd) dated.push('again')
  const isDated = (order: Order) => dated.includes(order.do) || (order.do === 'hold' && order.hours !== undefined)
  return together.filter((order) => !isDated(order))
}

async function holdsFor(runs: number, steps: fc.Arbitrary<Step>[], maxCommands: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(0, 50),
      fc.commands(steps, { maxCommands, size: 'max' }),
      async (overdraft, commands) => {
        const { model, bank } = await openModel(overdraft)
        try {
          await fc.asyncModelRun(() => ({ model, real: bank }), commands)
        } finally {
          await bank.close()
        }
      },
    ),
    { seed: seedOfTest(), numRuns: runs },
  )
}

/** The tests of the model, each with a number of random histories. */
export function testLedgerModel(runs: number): void {
  beforeAll(async () => {
    screener = await openConsumer()
    screener.answer = ({ event }) => {
      const decisions: Record<string, () => string> = {
        'payment.requested': () => screeningOf(event.data.amount),
        'application.requested': () => event.data.name.split(' ').at(-1),
        'externalAccount.requested': () => (isReviewing ? 'review' : 'pass'),
      }
      return { status: 200, body: JSON.stringify({ decision: decisions[event.type]?.() }) }
    }
  })
  afterAll(() => screener.close())

  test('orders one at a time do what the model does', () => holdsFor(runs, [alone], 40))

  test('orders at once do what the model does in some order', () => holdsFor(runs, [together, alone], 20))
}
