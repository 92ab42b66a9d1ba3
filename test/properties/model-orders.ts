import { newMessageId } from '../support/world.ts'
import {
  type AccountLimits,
  type AccountMove,
  endOf,
  heldBy,
  type Model,
  type ModelCardLimits,
  type ModelCardMove,
  type ModelLimits,
  NOBODY,
  pick,
  type Request,
  spendableOf,
} from './model.ts'
import { type ReviewOrder, reviewRequestOf } from './model-reviews.ts'

/** An order as it is generated. Its cents, ids and times are computed from the state of the model when it is sent. */
export type Order =
  | { do: 'pay'; account: number; external: number; amount: Amount; key?: number }
  | { do: 'transfer'; account: number; to: number; amount: Amount; key?: number }
  | { do: 'receive'; account: number; direction: 'Credit' | 'Debit'; amount: Amount; key?: number }
  | { do: 'batch'; items: BatchItem[]; key?: number }
  | { do: 'return' | 'cancel' | 'approve' | 'reject'; payment: number }
  | { do: 'decideExternal'; external: number; move: 'approve' | 'reject' }
  | { do: 'limits'; account: number; limits: AccountLimits }
  | { do: 'cardLimits'; card: number; limits: ModelCardLimits }
  | { do: 'organisation'; limits: ModelLimits | undefined }
  | { do: 'move'; account: number; move: AccountMove; closeTo?: number }
  | { do: 'delete'; external: number }
  | { do: 'card'; account: number; key?: number }
  | { do: 'moveCard'; card: number; move: ModelCardMove }
  | { do: 'authorize'; card: number; amount: Amount; key?: number }
  | { do: 'settle'; authorization: number; amount?: Amount; final: boolean; key?: number }
  | { do: 'reverse'; authorization: number }
  | { do: 'refund'; authorization: number; amount?: Amount; key?: number }
  | { do: 'increment' | 'advise'; authorization: number; amount: Amount }
  | { do: 'hold'; account: number; amount: Amount; isLegal: boolean; hours?: number; key?: number }
  | { do: 'releaseHold'; hold: number; account: number }
  | { do: 'advance'; to: Time }
  | { do: 'again'; request: number }
  | ReviewOrder

interface BatchItem {
  account: number
  external: number
  amount: Amount
  key?: number
}

/** An amount in cents, or an amount relative to a limit: the available balance, the hold, or the rest to refund. */
export type Amount = { cents: number } | { more: number }

/** A number of hours from now, or of milliseconds from the expiry of an authorization or the end of the month. */
export type Time = { hours: number } | { expiryOf: number; ms: number } | { monthEnd: true; ms: number }

/** The smallest advance. Bank time goes on between the making of a request and its answer. */
const SOON_MS = 60_000

export function requestOf(drawn: Order, model: Model): Request {
  const order = placed(drawn, model)
  const cents = (amount: Amount, there: number) => ('cents' in amount ? amount.cents : Math.max(1, there + amount.more))
  const spendable = (account: number) => spendableOf(model, pick(model.accounts, account))
  const keyed = 'key' in order && order.key !== undefined ? { key: `key-${order.key}` } : {}
  const post = (path: string, body?: Record<string, unknown>) => ({
    method: 'POST',
    path: `/v0/${path}`,
    ...(body && { body }),
    ...keyed,
  })
  const authorization = 'authorization' in order ? newest(model, order.authorization) : undefined
  const authorizationId = authorization?.id ?? NOBODY
  switch (order.do) {
    case 'pay': {
      const { id } = pick(model.accounts, order.account)
      const external = pick(model.externals, order.external).id
      const amount = cents(order.amount, spendable(order.account))
      const body = { amount, counterpartyAccountId: external, description: 'Model', originalType: 'ACH' }
      return { do: 'pay', account: order.account, external, amount, ...post(`banking/accounts/${id}/payments`, body) }
    }
    case 'transfer': {
      const { account, to } = order
      const amount = cents(order.amount, spendable(account))
      const body = { toAccountId: pick(model.accounts, to).id, amount, description: 'Model' }
      const path = `banking/accounts/${pick(model.accounts, account).id}/transfers`
      return { do: 'transfer', account, to, amount, ...post(path, body) }
    }
    case 'receive': {
      const { account, direction } = order
      const amount = cents(order.amount, spendable(account))
      const path = `sandbox/accounts/${pick(model.accounts, account).id}/receive-ach`
      return { do: 'receive', account, direction, amount, ...post(path, { amount, companyName: 'Model', direction }) }
    }
    case 'batch':
      return batchOf(order, model)
    case 'return': {
      const payment = model.payments.length > 0 ? pick(model.payments, order.payment).id : NOBODY
      return { do: 'return', payment, ...post(`sandbox/payments/${payment}/return`, { returnCode: 'R01' }) }
    }
    case 'cancel':
    case 'approve':
    case 'reject': {
      const payment = reviewed(model, order.payment)
      const path =
        order.do === 'cancel' ? `banking/payments/${payment}/cancel` : `review/payments/${payment}/${order.do}`
      return { do: order.do, payment, ...post(path, order.do === 'cancel' ? undefined : { reason: 'Model' }) }
    }
    case 'decideExternal': {
      const { id: external } = pick(model.externals, order.external)
      const { move } = order
      const path = `review/external-accounts/${external}/${move}`
      return { do: 'decideExternal', external, move, ...post(path, { reason: 'Model' }) }
    }
    case 'limits': {
      const { account, limits } = order
      const path = `banking/accounts/${pick(model.accounts, account).id}/limits`
      return { do: 'limits', account, limits, ...post(path, { ...limits }), method: 'PUT' }
    }
    case 'cardLimits': {
      const { id: card } = pick(model.cards, order.card)
      const { limits } = order
      return { do: 'cardLimits', card, limits, ...post(`banking/cards/${card}/limits`, { ...limits }), method: 'PUT' }
    }
    case 'organisation':
      return { do: 'organisation', limits: order.limits, method: '', path: '' }
    case 'move': {
      const { account, move } = order
      const path = `banking/accounts/${pick(model.accounts, account).id}/${move}`
      if (move !== 'close') return { do: 'move', account, move, ...post(path) }
      const { closeTo } = order
      const to = closeTo === undefined ? {} : { closeTo: pick(model.accounts, closeTo).id }
      const named = closeTo === undefined ? {} : { closeTo }
      return { do: 'move', account, move, ...named, ...post(path, { reason: 'ByCustomer', ...to }) }
    }
    case 'delete': {
      const external = pick(model.externals, order.external).id
      return { do: 'delete', external, method: 'DELETE', path: `/v0/banking/external-accounts/${external}` }
    }
    case 'card': {
      const body = { type: 'individualVirtualDebitCard', accountId: pick(model.accounts, order.account).id }
      return { do: 'card', account: order.account, ...post('banking/cards', body) }
    }
    case 'moveCard': {
      const { id } = pick(model.cards, order.card)
      return { do: 'moveCard', card: id, move: order.move, ...post(`banking/cards/${id}/${order.move}`) }
    }
    case 'authorize': {
      const { id, account } = pick(model.cards, order.card)
      const amount = cents(order.amount, spendable(account))
      const body = { amount, merchant: { name: 'Model' } }
      return { do: 'authorize', card: id, amount, ...post(`sandbox/cards/${id}/authorizations`, body) }
    }
    case 'settle': {
      const { final } = order
      const amount = order.amount && cents(order.amount, authorization ? heldBy(authorization) : 0)
      const request = post(`sandbox/authorizations/${authorizationId}/settle`, { ...(amount && { amount }), final })
      return { do: 'settle', authorization: authorizationId, amount, final, ...request }
    }
    case 'reverse':
      return {
        do: 'reverse',
        authorization: authorizationId,
        ...post(`sandbox/authorizations/${authorizationId}/reverse`),
      }
    case 'refund': {
      const left = authorization ? authorization.settled - authorization.refunded : 0
      const amount = order.amount && cents(order.amount, left)
      const request = post(`sandbox/authorizations/${authorizationId}/refund`, amount ? { amount } : {})
      return { do: 'refund', authorization: authorizationId, amount, ...request }
    }
    case 'increment':
    case 'advise': {
      const amount = cents(order.amount, authorization ? spendable(authorization.account) : 0)
      const path = `processor/authorizations/${authorizationId}/${order.do === 'increment' ? 'increment' : 'advice'}`
      const request = post(path, { amount, processorId: newMessageId() })
      return { do: order.do, authorization: authorizationId, amount, ...request }
    }
    case 'hold': {
      const { account, isLegal, hours } = order
      const amount = cents(order.amount, spendable(account))
      const expiresAt =
        hours === undefined ? undefined : new Date(Date.parse(model.now) + hours * 3_600_000).toISOString()
      const body = { amount, reason: isLegal ? 'LegalOrder' : 'Dispute', ...(expiresAt && { expiresAt }) }
      const path = `banking/accounts/${pick(model.accounts, account).id}/holds`
      return { do: 'hold', account, amount, isLegal, expiresAt, ...post(path, body) }
    }
    case 'releaseHold': {
      // Mostly a hold of its own account, and now and then one of another.
      const found = model.holds.length > 0 ? pick(model.holds, order.hold) : undefined
      const account = order.account === 0 ? 0 : (found?.account ?? 1)
      const hold = found?.id ?? NOBODY
      const path = `banking/accounts/${pick(model.accounts, account).id}/holds/${hold}/release`
      return { do: 'releaseHold', account, hold, ...post(path) }
    }
    case 'advance': {
      const to = new Date(timeOf(order.to, model)).toISOString()
      return { do: 'advance', to, ...post('sandbox/clock/advance', { to }) }
    }
    case 'again':
      return model.keyed.length > 0 ? pick(model.keyed, order.request) : requestOf({ do: 'return', payment: 0 }, model)
    default:
      return reviewRequestOf(order, model, post)
  }
}

/** The order with places that accounts have. Accounts are opened, so that an order does not know their number. */
function placed<Drawn extends Order>(order: Drawn, { accounts }: Model): Drawn {
  const there = (name: string, member: unknown) =>
    ['account', 'to', 'closeTo'].includes(name) && typeof member === 'number' ? member % accounts.length : member
  return Object.fromEntries(Object.entries(order).map(([name, member]) => [name, there(name, member)])) as Drawn
}

/** A batch. The key of an item is its own, or that of the request with the place of the item. */
function batchOf({ items, key }: Extract<Order, { do: 'batch' }>, model: Model): Request {
  const outer = key === undefined ? undefined : `batch-${key}`
  const made = items.map(({ key: own, ...item }, place): Request => {
    const { key: _none, ...request } = requestOf({ do: 'pay', ...item }, model)
    const itemKey = own === undefined ? outer && `${outer}/${place}` : `key-${own}`
    return { ...request, ...(itemKey !== undefined && { key: itemKey }) }
  })
  const payments = made.map(({ body, key: itemKey }, place) => ({
    ...body,
    accountId: pick(model.accounts, items[place]?.account ?? 0).id,
    ...(itemKey?.startsWith('key-') && { idempotencyKey: itemKey }),
  }))
  const request = { method: 'POST', path: '/v0/banking/payments/batch', body: { payments } }
  return { do: 'batch', items: made, ...request, ...(outer !== undefined && { outer }) }
}

/** A payment that waits for a review, or any if none does. */
function reviewed({ payments }: Model, place: number): string {
  const waiting = payments.filter(({ status }) => status === 'PendingReview')
  if (payments.length === 0) return NOBODY
  return pick(waiting.length > 0 ? waiting : payments, place).id
}

function timeOf(time: Time, model: Model): number {
  const nowMs = Date.parse(model.now)
  if ('hours' in time) return nowMs + time.hours * 3_600_000
  const at = 'monthEnd' in time ? endOf(model.now.slice(0, 7)) : newest(model, time.expiryOf)?.expiresAt
  return Math.max(nowMs + SOON_MS, at === undefined ? 0 : Date.parse(at) + time.ms)
}

/** An authorization by its place from the end: -1 is the newest. The declined ones, which can do little, come before all. */
function newest({ authorizations }: Model, place: number) {
  const declined = authorizations.filter(({ status }) => status === 'Declined')
  const others = authorizations.filter(({ status }) => status !== 'Declined')
  return [...declined, ...others].at(place % (authorizations.length || 1))
}
