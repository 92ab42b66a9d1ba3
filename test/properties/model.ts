import { accountRules } from '../../src/banking/accounts/account.ts'
import { refusalIn } from '../../src/banking/state-rules.ts'

export type AccountMove = 'freeze' | 'unfreeze' | 'close' | 'reopen'

/** The expected state of the bank, in memory. */
export interface Model {
  overdraft: number
  /** Bank time when it was last asked for. */
  now: string
  /** The oldest month that has no statements yet. */
  month: string
  accounts: ModelAccount[]
  externals: ModelExternal[]
  payments: { id: string; account: number; amount: number; returned: boolean; ownBank: boolean }[]
  cards: ModelCard[]
  authorizations: ModelAuthorization[]
  /** Stored answers by their key. */
  answers: Record<string, { request: string; status: number; text: string }>
  /** Every request that had a key, to send it again. */
  keyed: Request[]
}

export interface ModelAccount {
  id: string
  owner: number
  status: 'Open' | 'Frozen' | 'Closed'
  /** Amounts with their signs, in the order of posting. */
  lines: number[]
}

export interface ModelExternal {
  id: string
  owner: number
  /** The account of this bank that it names. */
  names: number | undefined
  deleted: boolean
}

export interface ModelCard {
  id: string
  account: number
  status: 'Active' | 'Frozen' | 'ClosedByCustomer'
  /** The last month in which it works. */
  expires: string
}

interface ModelAuthorization {
  id: string
  account: number
  card: string
  status: 'Authorized' | 'Completed' | 'Canceled' | 'Declined'
  reason: 'CardNotActive' | 'AccountNotOpen' | 'InsufficientFunds' | undefined
  amount: number
  settled: number
  refunded: number
  expiresAt: string
}

export type ModelCardMove = 'freeze' | 'unfreeze' | 'close'

/** A request to the bank, and its meaning. */
export type Request = (
  | { do: 'pay'; account: number; external: string; amount: number }
  | { do: 'transfer'; account: number; to: number; amount: number }
  | { do: 'receive'; account: number; direction: 'Credit' | 'Debit'; amount: number }
  | { do: 'return'; payment: string }
  | { do: 'move'; account: number; move: AccountMove }
  | { do: 'delete'; external: string }
  | { do: 'card'; account: number }
  | { do: 'moveCard'; card: string; move: ModelCardMove }
  | { do: 'authorize'; card: string; amount: number }
  | { do: 'settle'; authorization: string; amount: number | undefined; final: boolean }
  | { do: 'reverse'; authorization: string }
  | { do: 'refund'; authorization: string; amount: number | undefined }
  | { do: 'increment'; authorization: string; amount: number }
  | { do: 'advise'; authorization: string; amount: number }
  | { do: 'advance'; to: string }
) & { method: string; path: string; body?: Record<string, unknown>; key?: string }

/** The end of an authorization while the clock advances. */
export interface Expiry {
  do: 'expire'
  authorization: string
}

/** The id and the time that the bank gave a new record. */
export interface Given {
  id: string
  createdAt: string
}

export interface Outcome {
  status: number
  code?: string
  balance?: number
  state?: string
  reason?: string | undefined
  replayed?: string
}

const DAY_MS = 86_400_000
const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)

export const balanceOf = ({ lines }: ModelAccount) => sum(lines)

export function heldBy({ status, amount, settled }: ModelAuthorization): number {
  return status === 'Authorized' ? Math.max(0, amount - settled) : 0
}

export function holdOf(model: Model, account: ModelAccount): number {
  return sum(model.authorizations.filter((one) => model.accounts[one.account] === account).map(heldBy))
}

export const availableOf = (model: Model, account: ModelAccount) => balanceOf(account) - holdOf(model, account)

export function pick<T>(list: T[], index: number): T {
  const item = list[index % list.length]
  if (item === undefined) throw new Error('nothing to pick from')
  return item
}

/** The open authorizations whose time is over by then, in the order in which they end. */
export function dueBy({ authorizations }: Model, to: string): ModelAuthorization[] {
  return authorizations
    .filter(({ status, expiresAt }) => status === 'Authorized' && expiresAt <= to)
    .sort((a, b) => (a.expiresAt === b.expiresAt ? Number(a.id) - Number(b.id) : a.expiresAt < b.expiresAt ? -1 : 1))
}

/** The months that are over by then and have no statements yet. */
export function monthsOver({ month }: Model, to: string): string[] {
  const months: string[] = []
  for (let next = month; endOf(next) <= to; next = endOf(next).slice(0, 7)) months.push(next)
  return months
}

/** The first instant after a month. */
export function endOf(month: string): string {
  return new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5, 7)), 1)).toISOString()
}

/** Predicts the outcome of a request and applies it to the model. */
export function predict(model: Model, request: Request | Expiry, given: Given, text: string): Outcome {
  if (request.do === 'expire' || request.key === undefined) return effectOf(model, request, given)
  // The record in the path is looked up before the key.
  if ('authorization' in request && !model.authorizations.some(({ id }) => id === request.authorization)) {
    return { status: 404, code: 'authorization_not_found' }
  }
  const name = JSON.stringify([request.path, request.body])
  const stored = model.answers[request.key]
  if (stored) {
    if (stored.request !== name) return { status: 422, code: 'idempotency_key_reused' }
    return { status: stored.status, replayed: stored.text }
  }
  const outcome = effectOf(model, request, given)
  if (outcome.status < 300) model.answers[request.key] = { request: name, status: outcome.status, text }
  return outcome
}

function effectOf(model: Model, request: Request | Expiry, given: Given): Outcome {
  switch (request.do) {
    case 'transfer':
      return transfer(model, request, given)
    case 'pay':
    case 'receive':
    case 'return':
    case 'delete':
      return effectOfAch(model, request, given)
    case 'move': {
      const account = pick(model.accounts, request.account)
      const refused = refusalIn(accountRules, `${request.move}Account`, account.status)
      if (refused) return { status: 409, code: refused }
      account.status = accountRules[`${request.move}Account`].to
      if (request.move === 'close') {
        for (const card of model.cards) if (card.account === request.account) card.status = 'ClosedByCustomer'
      }
      return { status: 200, balance: balanceOf(account), state: account.status }
    }
    case 'advance': {
      if (request.to <= model.now) return { status: 422, code: 'clock_not_forward' }
      if (Date.parse(request.to) > Date.parse(model.now) + 400 * DAY_MS) return { status: 400, code: 'invalid_request' }
      for (const authorization of dueBy(model, request.to)) authorization.status = 'Canceled'
      model.month = request.to.slice(0, 7)
      return { status: 200 }
    }
    default:
      return effectOfCard(model, request, given)
  }
}

type Ach = Extract<Request, { do: 'pay' | 'receive' | 'return' | 'delete' }>

function effectOfAch(model: Model, request: Ach, given: Given): Outcome {
  if (request.do === 'delete') {
    const external = model.externals.find(({ id }) => id === request.external)
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
    return { status: 200, state: 'Returned' }
  }
  const account = pick(model.accounts, request.account)
  const { amount } = request
  if (request.do === 'receive') {
    const debit = request.direction === 'Debit'
    if (account.status === 'Closed') return { status: 409, code: 'account_closed' }
    if (debit && account.status !== 'Open') return { status: 409, code: 'account_not_open' }
    if (debit && availableOf(model, account) < amount) return { status: 422, code: 'insufficient_funds' }
    account.lines.push(debit ? -amount : amount)
    return { status: 201, balance: balanceOf(account) }
  }
  const external = model.externals.find(({ id }) => id === request.external)
  if (external?.owner !== account.owner || external.deleted) return { status: 404, code: 'external_account_not_found' }
  if (account.status !== 'Open') return { status: 409, code: 'account_not_open' }
  const named = external.names === undefined ? undefined : model.accounts[external.names]
  const destination = named?.status === 'Closed' ? undefined : named
  if (destination === account) return { status: 422, code: 'same_account' }
  if (availableOf(model, account) - amount < -model.overdraft) return { status: 422, code: 'insufficient_funds' }
  account.lines.push(-amount)
  destination?.lines.push(amount)
  const ownBank = destination !== undefined
  model.payments.push({ id: given.id, account: request.account, amount, returned: false, ownBank })
  return { status: 201, state: 'Sent' }
}

/** A book transfer. Money also reaches a frozen account. */
function transfer(model: Model, request: Extract<Request, { do: 'transfer' }>, given: Given): Outcome {
  const [account, destination] = [pick(model.accounts, request.account), pick(model.accounts, request.to)]
  const { amount } = request
  if (account.status !== 'Open') return { status: 409, code: 'account_not_open' }
  if (destination === account) return { status: 422, code: 'same_account' }
  if (destination.status === 'Closed') return { status: 409, code: 'account_closed' }
  if (availableOf(model, account) - amount < -model.overdraft) return { status: 422, code: 'insufficient_funds' }
  account.lines.push(-amount)
  destination.lines.push(amount)
  model.payments.push({ id: given.id, account: request.account, amount, returned: false, ownBank: true })
  return { status: 201, state: 'Sent' }
}

type OfCards = Exclude<Request | Expiry, Ach | { do: 'move' | 'advance' | 'transfer' }>

function effectOfCard(model: Model, request: OfCards, given: Given): Outcome {
  if (request.do === 'card') {
    const { account } = request
    if (pick(model.accounts, account).status !== 'Open') return { status: 409, code: 'account_not_open' }
    const expires = `${Number(given.createdAt.slice(0, 4)) + 4}${given.createdAt.slice(4, 7)}`
    model.cards.push({ id: given.id, account, status: 'Active', expires })
    return { status: 201, state: 'Active' }
  }
  if (request.do === 'moveCard' || request.do === 'authorize') {
    const card = model.cards.find(({ id }) => id === request.card)
    if (!card) return { status: 404, code: 'card_not_found' }
    return request.do === 'authorize' ? authorize(model, card, request.amount, given) : moveCard(card, request.move)
  }
  const authorization = model.authorizations.find(({ id }) => id === request.authorization)
  if (request.do === 'expire') {
    if (authorization?.status === 'Authorized') authorization.status = 'Canceled'
    return { status: 0 }
  }
  if (!authorization) return { status: 404, code: 'authorization_not_found' }
  const account = pick(model.accounts, authorization.account)
  if (request.do === 'refund') {
    if (authorization.settled === 0) return { status: 409, code: 'authorization_not_settled' }
    const left = authorization.settled - authorization.refunded
    const given = request.amount ?? left
    if (given > left || given === 0) return { status: 422, code: 'refund_exceeds_settlement' }
    authorization.refunded += given
    account.lines.push(given)
    return { status: 201, balance: balanceOf(account) }
  }
  if (authorization.status !== 'Authorized') return { status: 409, code: 'authorization_not_open' }
  if (request.do === 'reverse') {
    authorization.status = 'Canceled'
    return { status: 200, state: 'Canceled' }
  }
  if (request.do === 'advise') {
    authorization.amount = request.amount
    return { status: 200, state: 'Authorized' }
  }
  if (request.do === 'increment') {
    const card = model.cards.find(({ id }) => id === authorization.card)
    const reason = card && declineReason(model, card, request.amount, model.month)
    if (!reason) authorization.amount = Math.max(authorization.amount, authorization.settled) + request.amount
    return { status: 200, reason }
  }
  const taken = request.amount ?? heldBy(authorization)
  if (taken === 0) return { status: 422, code: 'nothing_held' }
  authorization.settled += taken
  if (request.final) authorization.status = 'Completed'
  account.lines.push(-taken)
  return { status: 201, balance: balanceOf(account) }
}

function moveCard(card: ModelCard, move: ModelCardMove): Outcome {
  const from = { freeze: ['Active'], unfreeze: ['Frozen'], close: ['Active', 'Frozen'] }[move]
  if (!from.includes(card.status)) return { status: 409, code: 'card_wrong_state' }
  card.status = ({ freeze: 'Frozen', unfreeze: 'Active', close: 'ClosedByCustomer' } as const)[move]
  return { status: 200, state: card.status }
}

function declineReason(model: Model, card: ModelCard, amount: number, month: string): ModelAuthorization['reason'] {
  const account = pick(model.accounts, card.account)
  if (card.status !== 'Active' || month > card.expires) return 'CardNotActive'
  if (account.status !== 'Open') return 'AccountNotOpen'
  return availableOf(model, account) - amount >= -model.overdraft ? undefined : 'InsufficientFunds'
}

function authorize(model: Model, card: ModelCard, amount: number, { id, createdAt }: Given): Outcome {
  const reason = declineReason(model, card, amount, createdAt.slice(0, 7))
  const status = reason ? 'Declined' : 'Authorized'
  const expiresAt = new Date(Date.parse(createdAt) + 7 * DAY_MS).toISOString()
  const of = { id, account: card.account, card: card.id }
  model.authorizations.push({ ...of, status, reason, amount, settled: 0, refunded: 0, expiresAt })
  return { status: 201, state: status, reason }
}
