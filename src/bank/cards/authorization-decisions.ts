import {
  type Authorization,
  type AuthorizationIncrement,
  authorizationRules,
  heldBy,
  requireRefundable,
} from '../../banking/authorizations/authorization.ts'
import type { ChargeInput } from '../../banking/authorizations/charge.ts'
import { type OverSettlement, toleratedAmount } from '../../banking/authorizations/over-settlement.ts'
import { requireAllowed, stateAfter } from '../../banking/state-rules.ts'
import type { ListedTransaction } from '../../banking/transactions/transaction.ts'
import { MAX_AMOUNT, MAX_CENTS } from '../../base/cents.ts'
import { addDays } from '../../base/clock.ts'
import { Problem } from '../../base/problem.ts'
import { type EventType, emit } from '../../events/event.ts'
import { type Books, type Needs, needs } from '../../ledger/books.ts'
import type { TransferOrder } from '../../ledger/records.ts'
import { depositAccountIn } from '../accounts/deposit-account.ts'
import { post, sideOf } from '../accounts/posting.ts'
import { listedTransaction } from '../accounts/transaction-view.ts'
import { type ClawBack, clawBack, coversPurchases } from '../earning/claw-back.ts'
import { type Earning, earn, lacksParts } from '../earning/earning.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import type { DecisionQuestion, Verdict } from '../parts/decision-hook.ts'
import { authorizations, cards } from '../records/cards.ts'
import type { LedgerAuthorization } from '../records/records.ts'
import { categoriesOf, declineReasonOf, merchantOf, questionOf } from './decline-reasons.ts'

const EXPIRES_AFTER_DAYS = 7
const AMOUNT_LIMIT = 'The authorization with its increments would pass 999,999,999,999 cents.'
const TOTAL_LIMIT = 'The settlements of the authorization together would pass 9,007,199,254,740,991 cents.'

/** A charge that a merchant asks for. */
interface AuthorizationOrder {
  id: number
  organisationId: number
  accountId: number
  cardId: number
  amount: number
  merchant: ChargeInput['merchant']
  /** The amount by which the account may be overdrawn. */
  overdraftCents: number
  /** The app's decision; undefined if the app is to be asked. */
  verdict: Verdict | undefined
}

/** Decides an authorization: holds the amount, or records that it was declined. Needs the app's verdict before it approves. */
export function decideAuthorization(books: Books, order: AuthorizationOrder): Authorization | Needs<DecisionQuestion> {
  const account = depositAccountIn(books, order.organisationId, order.accountId)
  const card = books.of(cards).get(order.cardId)
  if (!card || account.customerId === null) throw new Problem('card_not_found')
  const now = books.now(order.organisationId)
  const { amount, merchant, overdraftCents, verdict } = order
  const facts = { merchantCategory: merchant.category ?? '', merchantCategoryCode: merchant.categoryCode ?? null }
  const merchantCategories = categoriesOf(facts)
  const purchase = { account, card, amount, total: amount, merchantCategories, overdraftCents, createdAt: now, now }
  const declineReason = declineReasonOf(books, purchase) ?? verdict
  const authorization: LedgerAuthorization = {
    id: order.id,
    organisationId: order.organisationId,
    accountId: account.id,
    customerId: account.customerId,
    cardId: card.id,
    cardLast4: card.last4,
    status: declineReason ? 'Declined' : 'Authorized',
    amount,
    settled: 0,
    refunded: 0,
    merchantName: merchant.name,
    ...facts,
    merchantLocation: merchant.location ?? '',
    merchantId: merchant.id ?? null,
    declineReason: declineReason ?? null,
    overSettlement: null,
    createdAt: now,
    expiresAt: addDays(now, EXPIRES_AFTER_DAYS),
    version: 1,
  }
  if (declineReason === undefined) return needs(questionOf('authorization.requested', account, authorization, amount))
  books.of(authorizations).insert(authorization)
  return emitAuthorization(books, declineReason ? 'authorization.declined' : 'authorization.created', authorization)
}

/** More that a merchant asks for on an open authorization. */
export interface IncrementOrder {
  id: number
  accountId: number
  cardId: number
  /** The amount in addition to what is held. */
  amount: number
  overdraftCents: number
  /** The app's decision; undefined if the app is to be asked. */
  verdict: Verdict | undefined
}

/** Decides an increment as an authorization is decided: holds the further amount, or leaves the hold as it is. */
export function decideIncrement(books: Books, order: IncrementOrder): AuthorizationIncrement | Needs<DecisionQuestion> {
  const authorization = authorizationIn(books, order.id)
  requireAllowed(authorizationRules, 'incrementAuthorization', authorization.status)
  const account = depositAccountIn(books, authorization.organisationId, order.accountId)
  const card = books.of(cards).get(order.cardId)
  if (!card) throw new Problem('card_not_found')
  const { amount: more, overdraftCents, verdict } = order
  const amount = Math.max(authorization.amount, authorization.settled) + more
  if (amount > MAX_AMOUNT) throw new Problem('balance_limit', { detail: AMOUNT_LIMIT })
  const now = books.now(authorization.organisationId)
  const { createdAt } = authorization
  const merchantCategories = categoriesOf(authorization)
  const purchase = { account, card, amount: more, total: amount, merchantCategories, overdraftCents, createdAt, now }
  const reason = declineReasonOf(books, purchase) ?? verdict
  if (reason === undefined) {
    return needs(questionOf('authorization.incrementRequested', account, authorization, more))
  }
  const version = authorization.version + 1
  const changed: LedgerAuthorization = reason ? { ...authorization, version } : { ...authorization, amount, version }
  books.of(authorizations).update(changed)
  const shown = reason ? authorizationOf(changed) : emitAuthorization(books, 'authorization.amountChanged', changed)
  const increment = {
    id: shown.id,
    amount: more,
    approved: !reason,
    ...(reason && { reason }),
    authorization: shown,
  }
  return reason ? emit(books.events, 'authorization.incrementDeclined', version, increment) : increment
}

/** Decides an advice: the authorization gets the amount that the network has decided on, whatever the balance is. */
export function decideAdvice(books: Books, { id, amount }: Pick<IncrementOrder, 'id' | 'amount'>): Authorization {
  const authorization = authorizationIn(books, id)
  requireAllowed(authorizationRules, 'adviseAuthorization', authorization.status)
  const changed: LedgerAuthorization = { ...authorization, amount, version: authorization.version + 1 }
  books.of(authorizations).update(changed)
  return emitAuthorization(books, 'authorization.amountChanged', changed)
}

/** A settlement that a merchant asks for. */
interface SettlementOrder {
  id: number
  accountId: number
  transferId: number
  /** The whole hold if it is undefined. */
  amount: number | undefined
  /** Whether the authorization is complete afterwards. */
  final: boolean
  /** Absent for a card that earns nothing. */
  earning: Earning | undefined
}

/**
 * Decides a settlement: takes the money, releases its part of the hold, and rewards the purchase. Says whether a reviewer has to
 * look at it. Needs more ids if a part settled meanwhile that earns only now.
 */
export function decideSettlement(
  books: Books,
  order: SettlementOrder,
  settings: Pick<BankParts, 'payoutDelayMs' | 'routingNumber'>,
): { transaction: ListedTransaction; overSettled: boolean } | Needs<'parts'> {
  const { id, accountId, transferId, final, earning } = order
  const authorization = authorizationIn(books, id)
  requireAllowed(authorizationRules, 'settleAuthorization', authorization.status)
  const amount = order.amount ?? heldBy(authorization)
  if (amount === 0) throw new Problem('nothing_held')
  const settled = authorization.settled + amount
  if (settled > MAX_CENTS) throw new Problem('balance_limit', { detail: TOTAL_LIMIT })
  if (earning && lacksParts(books, earning, id, amount)) return needs('parts')
  const status = final ? 'Completed' : authorization.status
  const changed: LedgerAuthorization = { ...authorization, settled, status, version: authorization.version + 1 }
  emitAuthorization(books, final ? 'authorization.completed' : 'authorization.amountChanged', changed)
  const overSettled = settled > toleratedBy(changed)
  books.of(authorizations).update(changed)
  if (overSettled) openOverSettlement(books, changed)
  const transfer: TransferOrder = {
    id: transferId,
    debitAccountId: accountId,
    creditAccountId: books.internal('card_settlement').id,
    amount,
    sourceKind: 'card_settlement',
    sourceId: id,
    party: authorization.merchantName,
    description: `Card ${authorization.cardLast4}`,
  }
  const posted = post(books, transfer, null, settings.routingNumber)
  const purchase = { authorization, bankTransactionId: String(transferId), amount, refunded: 0 }
  if (earning) earn(books, earning, purchase, settings)
  const side = sideOf(books, posted, accountId, null)
  return { transaction: listedTransaction(side, { routingNumber: settings.routingNumber }), overSettled }
}

/** Opens the review of an authorization that settled for too much. The money is booked: the network has cleared it. */
function openOverSettlement(books: Books, authorization: LedgerAuthorization): void {
  const opened = books.of(authorizations).update({ ...authorization, overSettlement: 'Open' })
  emit(books.events, 'authorization.overSettled', opened.version, overSettlementOf(opened))
}

function toleratedBy(authorization: LedgerAuthorization): number {
  return toleratedAmount({ amount: authorization.amount, categories: categoriesOf(authorization) })
}

/** Decides a reversal or an expiry: releases the hold. */
export function decideReversal(books: Books, id: number): Authorization {
  const authorization = authorizationIn(books, id)
  const status = stateAfter(authorizationRules, 'reverseAuthorization', authorization.status)
  const canceled: LedgerAuthorization = { ...authorization, status, version: authorization.version + 1 }
  books.of(authorizations).update(canceled)
  return emitAuthorization(books, 'authorization.canceled', canceled)
}

/** A refund that a merchant asks for. */
export interface RefundOrder {
  id: number
  accountId: number
  transferId: number
  /** Everything that settled and was not refunded yet, if it is undefined. */
  amount: number | undefined
  /** The rewards that the refund may take back. */
  plan: ClawBack
}

/** Decides a refund: gives the money back, and takes back the rewards of it. Needs another plan if a purchase is not in it. */
export function decideRefund(
  books: Books,
  order: RefundOrder,
  routingNumber: string,
): ListedTransaction | Needs<'plan'> {
  const { id, accountId, transferId, plan } = order
  const authorization = authorizationIn(books, id)
  requireRefundable(authorization)
  const refundable = authorization.settled - authorization.refunded
  const amount = order.amount ?? refundable
  if (amount > refundable) throw new Problem('refund_exceeds_settlement')
  if (!coversPurchases(books, plan, id)) return needs('plan')
  const transfer: TransferOrder = {
    id: transferId,
    debitAccountId: books.internal('card_settlement').id,
    creditAccountId: accountId,
    amount,
    sourceKind: 'card_refund',
    sourceId: id,
    party: authorization.merchantName,
    description: `Refund to card ${authorization.cardLast4}`,
  }
  const posted = post(books, transfer, null, routingNumber)
  const refunded = authorization.refunded + amount
  books.of(authorizations).update({ ...authorization, refunded, version: authorization.version + 1 })
  clawBack(books, plan, { authorizationId: id, refund: amount }, routingNumber)
  return listedTransaction(sideOf(books, posted, accountId, null), { routingNumber })
}

function authorizationIn(books: Books, id: number): LedgerAuthorization {
  const authorization = books.of(authorizations).get(id)
  if (!authorization) throw new Problem('authorization_not_found')
  return authorization
}

function emitAuthorization(books: Books, type: EventType, authorization: LedgerAuthorization): Authorization {
  return emit(books.events, type, authorization.version, authorizationOf(authorization))
}

export function authorizationOf(row: LedgerAuthorization): Authorization {
  return {
    id: String(row.id),
    status: row.status,
    amount: row.amount,
    description: row.merchantName,
    createdAt: row.createdAt,
    cardLast4Digits: row.cardLast4,
    merchant: merchantOf(row),
    ...(row.declineReason && { reason: row.declineReason }),
  }
}

export function overSettlementOf(row: LedgerAuthorization): OverSettlement {
  const { id, createdAt, cardLast4Digits, merchant } = authorizationOf(row)
  return {
    id,
    status: row.overSettlement ?? 'Open',
    amount: row.amount,
    tolerated: toleratedBy(row),
    settled: row.settled,
    refunded: row.refunded,
    merchant,
    cardId: String(row.cardId),
    cardLast4Digits,
    accountId: String(row.accountId),
    customerId: String(row.customerId),
    createdAt,
  }
}
