import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { type AccountMove, moveAccount } from '../src/banking/accounts/account.ts'
import { openTestBank, type Reply, type TestBank } from './harness.ts'
import {
  accountOf,
  expectSoundLedger,
  makeExternalAccount,
  makeOwnBankAccount,
  receiveAch,
  transactionsOf,
} from './ledger.ts'
import { makeAccount, makeCustomer } from './world.ts'

vi.setConfig({ testTimeout: 900_000 })

const soak = Boolean(process.env.SOAK)
const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31)
const LIMIT_MS = soak ? 240_000 : 12_000
const RUNS = soak ? 2_000 : 40

/** What the bank should be, in memory. */
interface Model {
  overdraft: number
  accounts: ModelAccount[]
  externals: ModelExternal[]
  payments: { id: string; account: number; amount: number; returned: boolean; ownBank: boolean }[]
  /** Stored answers by their key. */
  answers: Map<string, { request: string; text: string }>
  /** Every request that had a key, to send it again. */
  keyed: Request[]
}

interface ModelAccount {
  id: string
  owner: number
  status: 'Open' | 'Frozen' | 'Closed'
  /** Amounts with their signs, in the order of posting. */
  lines: number[]
}

interface ModelExternal {
  id: string
  owner: number
  /** The account of this bank that it names. */
  names: number | undefined
  deleted: boolean
}

/** An order as it is generated: what it means in cents and ids depends on the moment. */
type Order =
  | { do: 'pay'; account: number; external: number; amount: Amount; key?: number }
  | { do: 'receive'; account: number; direction: 'Credit' | 'Debit'; amount: Amount; key?: number }
  | { do: 'return'; payment: number }
  | { do: 'move'; account: number; move: AccountMove }
  | { do: 'delete'; external: number }
  | { do: 'again'; request: number }
type Amount = { cents: number } | { available: number }

type Request = (
  | { do: 'pay'; account: number; external: ModelExternal; amount: number }
  | { do: 'receive'; account: number; direction: 'Credit' | 'Debit'; amount: number }
  | { do: 'return'; payment: string }
  | { do: 'move'; account: number; move: AccountMove }
  | { do: 'delete'; external: ModelExternal }
) & { method: string; path: string; body?: Record<string, unknown>; key?: string }

const balanceOf = ({ lines }: ModelAccount) => lines.reduce((sum, line) => sum + line, 0)

function pick<T>(list: T[], index: number): T {
  const item = list[index % list.length]
  if (item === undefined) throw new Error('nothing to pick from')
  return item
}

function requestOf(order: Order, model: Model): Request {
  const amountOf = (account: ModelAccount, amount: Amount) =>
    'cents' in amount ? amount.cents : Math.max(1, balanceOf(account) + model.overdraft + amount.available)
  const keyOf = (key: number | undefined) => (key === undefined ? {} : { key: `key-${key}` })
  switch (order.do) {
    case 'pay': {
      const account = pick(model.accounts, order.account)
      const external = pick(model.externals, order.external)
      const amount = amountOf(account, order.amount)
      return {
        do: 'pay',
        account: model.accounts.indexOf(account),
        external,
        amount,
        method: 'POST',
        path: `/v0/banking/accounts/${account.id}/payments`,
        body: { amount, counterpartyAccountId: external.id, description: 'Model', originalType: 'ACH' },
        ...keyOf(order.key),
      }
    }
    case 'receive': {
      const account = pick(model.accounts, order.account)
      const amount = amountOf(account, order.amount)
      return {
        do: 'receive',
        account: model.accounts.indexOf(account),
        direction: order.direction,
        amount,
        method: 'POST',
        path: `/v0/sandbox/accounts/${account.id}/receive-ach`,
        body: { amount, companyName: 'Model', direction: order.direction },
        ...keyOf(order.key),
      }
    }
    case 'return': {
      const payment = model.payments.length > 0 ? pick(model.payments, order.payment).id : '1000000000'
      const path = `/v0/sandbox/payments/${payment}/return`
      return { do: 'return', payment, method: 'POST', path, body: { returnCode: 'R01' } }
    }
    case 'move': {
      const account = pick(model.accounts, order.account)
      const path = `/v0/banking/accounts/${account.id}/${order.move}`
      const body = order.move === 'close' ? { body: { reason: 'ByCustomer' } } : {}
      return { do: 'move', account: model.accounts.indexOf(account), move: order.move, method: 'POST', path, ...body }
    }
    case 'delete': {
      const external = pick(model.externals, order.external)
      return { do: 'delete', external, method: 'DELETE', path: `/v0/banking/external-accounts/${external.id}` }
    }
    case 'again':
      return model.keyed.length > 0 ? pick(model.keyed, order.request) : requestOf({ do: 'return', payment: 0 }, model)
  }
}

interface Outcome {
  status: number
  code?: string
  balance?: number
  replayed?: string
}

/** What should come of a request, and what the model becomes by it; ids are the bank's to give. */
function predict(model: Model, request: Request, givenId: string, givenText: string): Outcome {
  const name = JSON.stringify([request.path, request.body])
  const stored = request.key === undefined ? undefined : model.answers.get(request.key)
  if (stored) {
    if (stored.request !== name) return { status: 422, code: 'idempotency_key_reused' }
    return { status: 201, replayed: stored.text }
  }
  const outcome = effectOf(model, request, givenId)
  if (request.key !== undefined && outcome.status === 201) {
    model.answers.set(request.key, { request: name, text: givenText })
  }
  return outcome
}

function effectOf(model: Model, request: Request, givenId: string): Outcome {
  if (request.do === 'delete') {
    const external = model.externals.find(({ id }) => id === request.external.id)
    if (!external || external.deleted) return { status: 404, code: 'external_account_not_found' }
    external.deleted = true
    return { status: 204 }
  }
  if (request.do === 'return') {
    const payment = model.payments.find(({ id }) => id === request.payment)
    if (!payment) return { status: 404, code: 'payment_not_found' }
    if (payment.returned || payment.ownBank) return { status: 409, code: 'payment_not_returnable' }
    payment.returned = true
    pick(model.accounts, payment.account).lines.push(payment.amount)
    return { status: 200 }
  }
  const account = pick(model.accounts, request.account)
  if (request.do === 'move') {
    const moved = moveAccount(account.status, request.move)
    if ('refused' in moved) return { status: 409, code: moved.refused }
    account.status = moved.status
    return { status: 200 }
  }
  const { amount } = request
  if (request.do === 'receive') {
    const debit = request.direction === 'Debit'
    if (account.status === 'Closed') return { status: 409, code: 'account_closed' }
    if (debit && account.status !== 'Open') return { status: 409, code: 'account_not_open' }
    if (debit && balanceOf(account) < amount) return { status: 422, code: 'insufficient_funds' }
    account.lines.push(debit ? -amount : amount)
    return { status: 201, balance: balanceOf(account) }
  }
  const external = model.externals.find(({ id }) => id === request.external.id)
  if (external?.owner !== account.owner || external.deleted) return { status: 404, code: 'external_account_not_found' }
  if (account.status !== 'Open') return { status: 409, code: 'account_not_open' }
  const named = external.names === undefined ? undefined : model.accounts[external.names]
  const destination = named?.status === 'Closed' ? undefined : named
  if (destination === account) return { status: 422, code: 'same_account' }
  if (balanceOf(account) - amount < -model.overdraft) return { status: 422, code: 'insufficient_funds' }
  account.lines.push(-amount)
  destination?.lines.push(amount)
  const ownBank = destination !== undefined
  model.payments.push({ id: givenId, account: request.account, amount, returned: false, ownBank })
  return { status: 201 }
}

/** What came of a request, in the model's words. */
function outcomeOf(request: Request, { status, headers, text, json }: Reply): Outcome {
  if (headers['idempotent-replayed'] === 'true') return { status, replayed: text }
  if (status >= 300) return { status, code: json.code }
  return request.do === 'receive' ? { status, balance: json.data.balance } : { status }
}

function send(bank: TestBank, { method, path, body, key }: Request): Promise<Reply> {
  return bank.call(method, path, { body, ...(key !== undefined && { headers: { 'idempotency-key': key } }) })
}

/** What the bank holds, to compare with a model's accounts. */
async function standOf(bank: TestBank, model: Model): Promise<Pick<ModelAccount, 'id' | 'status' | 'lines'>[]> {
  return Promise.all(
    model.accounts.map(async ({ id }) => {
      const { status, balance, available } = await accountOf(bank, id)
      const lines = (await transactionsOf(bank, id)).map(({ amount, direction }) =>
        direction === 'Credit' ? amount : -amount,
      )
      expect([balance, available]).toEqual(Array(2).fill(lines.reduce((sum, line) => sum + line, 0)))
      return { id, status, lines }
    }),
  )
}

const standIn = (model: Model) => model.accounts.map(({ id, status, lines }) => ({ id, status, lines }))

/** One order at a time: the bank answers what the model says, and stands where the model stands. */
async function runAlone(order: Order, model: Model, bank: TestBank): Promise<void> {
  const request = requestOf(order, model)
  const reply = await send(bank, request)
  const expected = predict(model, request, reply.json?.data?.id, reply.text)
  expect(outcomeOf(request, reply), describeOrder(order)).toEqual(expected)
  if (request.key !== undefined) model.keyed.push(request)
  expect(await standOf(bank, model)).toEqual(standIn(model))
}

/** Several at once: some order of them, one after the other, explains every answer and where the bank stands. */
async function runTogether(orders: Order[], model: Model, bank: TestBank): Promise<void> {
  const requests = orders.map((order) => requestOf(order, model))
  const replies = await Promise.all(requests.map((request) => send(bank, request)))
  const stand = await standOf(bank, model)
  const happened = requests.map((request, index) => {
    const reply = replies[index] as Reply
    return { request, reply, outcome: JSON.stringify(outcomeOf(request, reply)) }
  })
  const after = explain(model, happened, JSON.stringify(stand))
  const told = happened.map(({ outcome }, index) => `${describeOrder(orders[index] as Order)} → ${outcome}`)
  expect(after, `no order explains:\n${told.join('\n')}\n${JSON.stringify(stand)}`).toBeDefined()
  Object.assign(model, after)
  model.keyed.push(...requests.filter(({ key }) => key !== undefined))
}

function explain(
  model: Model,
  happened: { request: Request; reply: Reply; outcome: string }[],
  stand: string,
): Model | undefined {
  if (happened.length === 0) return JSON.stringify(standIn(model)) === stand ? model : undefined
  for (const one of happened) {
    const next = structuredClone(model)
    const predicted = predict(next, one.request, one.reply.json?.data?.id, one.reply.text)
    if (JSON.stringify(predicted) !== one.outcome) continue
    const rest = happened.filter((other) => other !== one)
    const found = explain(next, rest, stand)
    if (found) return found
  }
  return undefined
}

function describeOrder(order: Order): string {
  const key = 'key' in order && order.key !== undefined ? ` with key ${order.key}` : ''
  const cents = (amount: Amount) =>
    'cents' in amount ? `${amount.cents}` : `available${amount.available < 0 ? '' : '+'}${amount.available}`
  switch (order.do) {
    case 'pay':
      return `pay ${cents(order.amount)} from account ${order.account} to external ${order.external}${key}`
    case 'receive':
      return `receive ${order.direction} ${cents(order.amount)} on account ${order.account}${key}`
    case 'return':
      return `return payment ${order.payment}`
    case 'move':
      return `${order.move} account ${order.account}`
    case 'delete':
      return `delete external ${order.external}`
    case 'again':
      return `repeat keyed request ${order.request}`
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
    if (only && more.length === 0) await runAlone(only, model, bank)
    else await runTogether(this.orders, model, bank)
    await expectSoundLedger(bank)
  }

  toString(): string {
    const [only, ...more] = this.orders.map(describeOrder)
    return more.length === 0 ? (only ?? 'nothing') : `at once { ${[only, ...more].join('; ')} }`
  }
}

const ACCOUNTS = 4
const EXTERNALS = 6

/** Two customers, four accounts of which one is closed, and external accounts that name every kind of account. */
async function openModel(overdraft: number): Promise<{ model: Model; bank: TestBank }> {
  const bank = await openTestBank({ overdraftCents: overdraft })
  const [ada, grace] = [await makeCustomer(bank), await makeCustomer(bank)]
  const accounts: ModelAccount[] = []
  for (const owner of [0, 0, 1, 1]) {
    const id = await makeAccount(bank, { customerId: owner === 0 ? ada : grace })
    accounts.push({ id, owner, status: 'Open', lines: [] })
  }
  for (const account of accounts.slice(0, 2)) {
    await receiveAch(bank, account.id, { amount: 300 })
    account.lines.push(300)
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
  return { model: { overdraft, accounts, externals, payments: [], answers: new Map(), keyed: [] }, bank }
}

const amount: fc.Arbitrary<Amount> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ available: fc.integer({ min: -1, max: 1 }) }) },
  { weight: 3, arbitrary: fc.record({ cents: fc.integer({ min: 1, max: 150 }) }) },
)
const account = fc.nat({ max: ACCOUNTS - 1 })
const external = fc.nat({ max: EXTERNALS - 1 })
const key = fc.option(fc.nat({ max: 3 }), { nil: undefined, freq: 2 })
const order = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('pay'), account, external, amount, key }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('receive'),
      account,
      direction: fc.constantFrom('Credit', 'Debit'),
      amount,
      key,
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('return'), payment: fc.nat({ max: 9 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('move'),
      account,
      move: fc.constantFrom('freeze', 'unfreeze', 'close', 'reopen'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete'), external }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('again'), request: fc.nat({ max: 9 }) }) },
) as fc.Arbitrary<Order>

const alone = order.map((one) => new Step([one]))
const together = fc.array(order, { minLength: 2, maxLength: 6 }).map((several) => new Step(several))

async function holdsFor(steps: fc.Arbitrary<Step>[], maxCommands: number): Promise<void> {
  const deadline = performance.now() + LIMIT_MS
  let failed = false
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(0, 50), fc.commands(steps, { maxCommands }), async (overdraft, commands) => {
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
    }),
    { seed, numRuns: RUNS },
  )
}

test(`money orders one at a time do what the model does (seed ${seed})`, () => holdsFor([alone], 40))

test(`money orders at once do what the model does in some order (seed ${seed})`, () => holdsFor([together, alone], 20))
