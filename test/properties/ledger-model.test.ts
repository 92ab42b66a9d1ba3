import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { organisationNamed, setBankTime } from '../support/bank-time.ts'
import { bankNow, makeVirtualCard } from '../support/cards.ts'
import { openTestBank, type Reply, type TestBank } from '../support/harness.ts'
import {
  accountOf,
  expectSoundLedger,
  makeExternalAccount,
  makeOwnBankAccount,
  receiveAch,
  transactionsOf,
} from '../support/ledger.ts'
import { makeAccount, makeCustomer } from '../support/world.ts'
import {
  availableOf,
  balanceOf,
  dueBy,
  type Expiry,
  endOf,
  type Given,
  holdOf,
  type Model,
  type ModelAccount,
  type ModelCard,
  type ModelExternal,
  monthsOver,
  type Outcome,
  pick,
  predict,
  type Request,
} from './model.ts'
import { anyOrder, describeOrder, type Order, requestOf } from './model-orders.ts'

vi.setConfig({ testTimeout: 900_000 })

const soak = Boolean(process.env.SOAK)
const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31)
const LIMIT_MS = soak ? 240_000 : 14_000
const RUNS = soak ? 2_000 : 40

/** A few days before a month's end. */
const START = '2026-01-26T12:00:00.000Z'
const FIRST_MONTH = START.slice(0, 7)

/** The outcome of a request in the terms of the model. */
function outcomeOf({ status, headers, text, json }: Reply): Outcome {
  if (headers['idempotent-replayed'] === 'true') return { status, replayed: text }
  if (status >= 300) return { status, code: json.code }
  const { balance, status: state, reason } = json?.data ?? {}
  return { status, balance, state, reason }
}

/** The id and time of the record that was made. A refusal made none, so both are placeholders. */
function givenBy({ json }: Pick<Reply, 'json'>): Given {
  return { id: '', createdAt: START, ...json?.data }
}

function send(bank: TestBank, { method, path, body, key }: Request): Promise<Reply> {
  return bank.call(method, path, { body, ...(key !== undefined && { headers: { 'idempotency-key': key } }) })
}

/** The visible state of the bank or of the model. */
interface Stand {
  accounts: Record<'id' | 'status', string>[]
  cards: Record<'id' | 'status', string>[]
  authorizations: Record<'id' | 'status', string>[]
}

const byId = (a: { id: string }, b: { id: string }) => Number(a.id) - Number(b.id)

async function standOf(bank: TestBank, model: Model, authorizationIds: Iterable<string>): Promise<Stand> {
  const read = async (path: string) => (await bank.call('GET', `/v0/banking/${path}`)).json.data
  const accounts = model.accounts.map(async ({ id }) => {
    const { status, balance, hold, available } = await accountOf(bank, id)
    const lines = (await transactionsOf(bank, id)).map(({ amount, direction }) =>
      direction === 'Credit' ? amount : -amount,
    )
    return { id, status, balance, hold, available, lines }
  })
  const authorizations = [...authorizationIds].map(async (asked) => {
    const { id, status, reason } = await read(`authorizations/${asked}`)
    return { id, status, reason }
  })
  const cards: { id: string; status: string }[] = await read('cards?limit=1000')
  return {
    accounts: await Promise.all(accounts),
    cards: cards.map(({ id, status }) => ({ id, status })).sort(byId),
    authorizations: (await Promise.all(authorizations)).sort(byId),
  }
}

function standIn(model: Model): Stand {
  const accounts = model.accounts.map((account) => {
    const { id, status, lines } = account
    const [balance, hold, available] = [balanceOf(account), holdOf(model, account), availableOf(model, account)]
    return { id, status, balance, hold, available, lines }
  })
  return {
    accounts,
    cards: model.cards.map(({ id, status }) => ({ id, status })).sort(byId),
    authorizations: model.authorizations.map(({ id, status, reason }) => ({ id, status, reason })).sort(byId),
  }
}

const authorizationIds = ({ authorizations }: Model) => authorizations.map(({ id }) => id)

/** Runs one order: the bank must give the answer that the model predicts, and reach the state of the model. */
async function runAlone(order: Order, model: Model, bank: TestBank): Promise<void> {
  const request = requestOf(order, model)
  const happened = request.do === 'advance' ? happeningsOf(model, request.to) : []
  const reply = await send(bank, request)
  const expected = predict(model, request, givenBy(reply), reply.text)
  expect(outcomeOf(reply), describeOrder(order)).toEqual(expected)
  if (request.do === 'advance' && reply.status === 200) {
    expect(reply.json.data, describeOrder(order)).toMatchObject({ happened, total: happened.length })
  }
  if (request.key !== undefined) model.keyed.push(request)
  expect(await standOf(bank, model, authorizationIds(model)), describeOrder(order)).toEqual(standIn(model))
}

/** The happenings that an advance should list: the end of every authorization and every statement, each at its time. */
function happeningsOf(model: Model, to: string) {
  const ends = dueBy(model, to).map(({ id, expiresAt: at }) => ({ at, type: 'authorization.canceled', id }))
  const statements = monthsOver(model, to).flatMap((month) =>
    model.accounts.map(() => ({ at: endOf(month), type: 'statement.created' })),
  )
  return [...ends, ...statements].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
}

interface Happened {
  request: Request | Expiry
  reply: Pick<Reply, 'json' | 'text'>
  outcome: string
}

/** Runs several orders at once: some sequence of them must explain every answer and the state of the bank. */
async function runTogether(orders: Order[], model: Model, bank: TestBank): Promise<void> {
  const requests = orders.map((order) => requestOf(order, model))
  const replies = await Promise.all(requests.map((request) => send(bank, request)))
  const happened: Happened[] = requests.map((request, index) => {
    const reply = replies[index] as Reply
    return { request, reply, outcome: JSON.stringify(outcomeOf(reply)) }
  })
  const made = happened.filter(({ request, outcome }) => request.do === 'authorize' && outcome.includes('"state"'))
  const ids = new Set([...authorizationIds(model), ...made.map(({ reply }) => reply.json.data.id)])
  const stand = JSON.stringify(await standOf(bank, model, ids))
  // While the clock advances, authorizations end one by one, and other orders run between them.
  const ended = requests.flatMap((request, index) =>
    request.do === 'advance' && replies[index]?.status === 200 ? dueBy(model, request.to) : [],
  )
  const expiries = ended.map(({ id }): Happened => {
    return { request: { do: 'expire', authorization: id }, reply: { json: {}, text: '' }, outcome: '{"status":0}' }
  })
  const after = explain(model, [...happened, ...expiries], stand, new Set())
  const orderLines = happened.map(({ outcome }, index) => `${describeOrder(orders[index] as Order)} → ${outcome}`)
  expect(after, `no order explains:\n${orderLines.join('\n')}\n${stand}`).toBeDefined()
  Object.assign(model, after)
  model.keyed.push(...requests.filter(({ key }) => key !== undefined))
}

/** The model after some sequence of the orders; `vain` are the sequences that did not explain the outcome. */
function explain(model: Model, happened: Happened[], stand: string, vain: Set<string>): Model | undefined {
  if (happened.length === 0) return JSON.stringify(standIn(model)) === stand ? model : undefined
  const way = JSON.stringify([happened.map(({ request }) => request), model])
  if (vain.has(way)) return undefined
  for (const one of happened) {
    const next = structuredClone(model)
    const predicted = predict(next, one.request, givenBy(one.reply), one.reply.text)
    if (JSON.stringify(predicted) !== one.outcome) continue
    const rest = happened.filter((other) => other !== one)
    const found = explain(next, rest, stand, vain)
    if (found) return found
  }
  vain.add(way)
  return undefined
}

/** Every account has the statement of every month that is over, and no other. */
async function expectStatements(bank: TestBank, model: Model): Promise<void> {
  const months = monthsOver({ ...model, month: FIRST_MONTH }, `${model.month}-01T00:00:00.000Z`)
  for (const { id } of model.accounts) {
    const { json } = await bank.call('GET', `/v0/banking/statements?accountId=${id}&sort=createdAt&limit=1000`)
    expect(json.data.map(({ period }: { period: string }) => period)).toEqual(months)
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
    const [only, ...more] = this.orders
    const advances = this.orders.some((order) => order.do === 'advance')
    if (advances) model.now = await bankNow(bank)
    if (only && more.length === 0) await runAlone(only, model, bank)
    else await runTogether(this.orders, model, bank)
    if (advances) await expectStatements(bank, model)
    await expectSoundLedger(bank)
  }

  toString(): string {
    const [only, ...more] = this.orders.map(describeOrder)
    return more.length === 0 ? (only ?? 'nothing') : `at once { ${[only, ...more].join('; ')} }`
  }
}

/**
 * Two customers, four accounts of which one is closed, external accounts that name every kind of account, and three
 * cards, of which one has little time left.
 */
async function openModel(overdraft: number): Promise<{ model: Model; bank: TestBank }> {
  const bank = await openTestBank({ overdraftCents: overdraft })
  await setBankTime(bank, await organisationNamed(bank, 'first'), START)
  const [ada, grace] = [await makeCustomer(bank), await makeCustomer(bank)]
  const accounts: ModelAccount[] = []
  for (const owner of [0, 0, 1, 1]) {
    const id = await makeAccount(bank, { customerId: owner === 0 ? ada : grace })
    accounts.push({ id, owner, status: 'Open', lines: [] })
  }
  for (const account of accounts.slice(0, 3)) {
    await receiveAch(bank, account.id, { amount: 600 })
    account.lines.push(600)
  }
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
  ] as const) {
    const customer = owner === 0 ? ada : grace
    const id =
      names === undefined
        ? await makeExternalAccount(bank, customer)
        : await makeOwnBankAccount(bank, customer, pick(accounts, names).id)
    externals.push({ id, owner, names, deleted: false })
  }
  const empty = { payments: [], authorizations: [], answers: {}, keyed: [] }
  return { model: { overdraft, now: START, month: FIRST_MONTH, accounts, externals, cards, ...empty }, bank }
}

const alone = anyOrder.map((one) => new Step([one]))
const together = fc.array(anyOrder, { minLength: 2, maxLength: 6 }).map((several) => new Step(oneAdvance(several)))

/**
 * Two advances at once are left out: the target of the second would depend on the duration of the first. So are increments
 * beside an advance: their answers do not show the time of the decision, on which the expiry of a card depends.
 */
function oneAdvance(orders: Order[]): Order[] {
  const first = orders.find((order) => order.do === 'advance')
  if (!first) return orders
  return orders.filter((order) => (order.do !== 'advance' && order.do !== 'increment') || order === first)
}

async function holdsFor(steps: fc.Arbitrary<Step>[], maxCommands: number): Promise<void> {
  const deadline = performance.now() + LIMIT_MS
  let failed = false
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(0, 50),
      fc.commands(steps, { maxCommands, size: 'max' }),
      async (overdraft, commands) => {
        // A slow machine does fewer runs; a failure is always shrunk to the end.
        if (!failed && performance.now() > deadline) return
        const { model, bank } = await openModel(overdraft)
        try {
          await fc.asyncModelRun(() => ({ model, real: bank }), commands)
        } catch (error) {
          failed = true
          throw error
        } finally {
          await bank.close()
        }
      },
    ),
    { seed, numRuns: RUNS },
  )
}

test(`orders one at a time do what the model does (seed ${seed})`, () => holdsFor([alone], 40))

test(`orders at once do what the model does in some order (seed ${seed})`, () => holdsFor([together, alone], 20))
