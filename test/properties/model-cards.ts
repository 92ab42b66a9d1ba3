import {
  balanceOf,
  DAY_MS,
  type Given,
  heldBy,
  type Model,
  type ModelAuthorization,
  type ModelCard,
  type ModelCardLimits,
  type ModelCardMove,
  type Outcome,
  pick,
  type Request,
  spendableOf,
  type Work,
} from './model.ts'

type CardOrder =
  | 'card'
  | 'moveCard'
  | 'cardLimits'
  | 'authorize'
  | 'settle'
  | 'reverse'
  | 'refund'
  | 'increment'
  | 'advise'
type OfCards = Extract<Request | Work, { do: CardOrder | 'expire' }>

/** The effect of a request about a card or an authorization. */
export function effectOfCard(model: Model, request: OfCards, given: Given): Outcome {
  if (request.do === 'card') {
    const { account } = request
    if (pick(model.accounts, account).status !== 'Open') return { status: 409, code: 'account_not_open' }
    const expires = `${Number(given.createdAt.slice(0, 4)) + 4}${given.createdAt.slice(4, 7)}`
    model.cards.push({ id: given.id, account, status: 'Active', expires })
    return { status: 201, state: 'Active' }
  }
  if (request.do === 'moveCard' || request.do === 'authorize' || request.do === 'cardLimits') {
    const card = model.cards.find(({ id }) => id === request.card)
    if (!card) return { status: 404, code: 'card_not_found' }
    if (request.do === 'cardLimits') return limitCard(card, request.limits)
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
    const before = Math.max(authorization.amount, authorization.settled)
    const purchase = { total: before + request.amount, more: request.amount, at: authorization.createdAt }
    const reason = card && declineReason(model, card, purchase, model.now)
    if (!reason) authorization.amount = purchase.total
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

interface Purchase {
  total: number
  more: number
  /** The time of the authorization. */
  at: string
}

function declineReason(model: Model, card: ModelCard, purchase: Purchase, now: string): ModelAuthorization['reason'] {
  const account = pick(model.accounts, card.account)
  if (card.status !== 'Active' || now.slice(0, 7) > card.expires) return 'CardNotActive'
  if (account.status !== 'Open') return 'AccountNotOpen'
  const past = pastLimit(model, card, purchase)
  if (past) return past
  return spendableOf(model, account) >= purchase.more ? undefined : 'InsufficientFunds'
}

function pastLimit(model: Model, { id, limits = {} }: ModelCard, { total, more, at }: Purchase) {
  if (limits.purchase && total > limits.purchase.amount) return 'PurchaseLimitExceeded'
  const isPast = (limit: { amount?: number; count?: number } | undefined, period: string) => {
    const spent = model.authorizations
      .filter(({ card, createdAt }) => card === id && createdAt.startsWith(period))
      .map((each) => each.settled + heldBy(each))
    const isNew = total === more
    const count = spent.filter((amount) => amount > 0).length
    const amount = spent.reduce((sum, each) => sum + each, 0)
    return (
      (limit?.amount !== undefined && amount + more > limit.amount) ||
      (isNew && limit?.count !== undefined && count >= limit.count)
    )
  }
  if (isPast(limits.day, at.slice(0, 10))) return 'DailyLimitExceeded'
  return isPast(limits.month, at.slice(0, 7)) ? 'MonthlyLimitExceeded' : undefined
}

function limitCard(card: ModelCard, limits: ModelCardLimits): Outcome {
  if (card.status === 'ClosedByCustomer') return { status: 409, code: 'card_wrong_state' }
  card.limits = limits
  return { status: 200 }
}

function authorize(model: Model, card: ModelCard, amount: number, { id, createdAt }: Given): Outcome {
  const reason = declineReason(model, card, { total: amount, more: amount, at: createdAt }, createdAt)
  const status = reason ? 'Declined' : 'Authorized'
  const expiresAt = new Date(Date.parse(createdAt) + 7 * DAY_MS).toISOString()
  const of = { id, account: card.account, card: card.id, createdAt }
  model.authorizations.push({ ...of, status, reason, amount, settled: 0, refunded: 0, expiresAt })
  return { status: 201, state: status, reason }
}
