import {
  type AccountHold,
  type AccountHoldStatus,
  accountHoldRules,
  requireReleasable,
} from '../../banking/account-holds/account-hold.ts'
import type { CreateAccountHoldInput } from '../../banking/account-holds/create-account-hold.ts'
import { accountRules } from '../../banking/accounts/account.ts'
import { requireAllowed } from '../../banking/state-rules.ts'
import { invalidRequest, Problem } from '../../base/problem.ts'
import type { EventType } from '../../events/event.ts'
import { sealedDraft } from '../../events/stored/sealed-data.ts'
import { type Books, type Needs, needs } from '../../ledger/books.ts'
import { depositAccountIn } from '../accounts/deposit-account.ts'
import { overdraftOf } from '../limits/check.ts'
import type { CustomerSeals } from '../parts/customer-seals.ts'
import { stopPending } from '../payments/payment-stop.ts'
import { holds } from '../records/holds.ts'
import type { LedgerHold } from '../records/records.ts'

/** A hold to be decided: the request, its id, and the settings of the bank. */
interface HoldOrder {
  id: number
  organisationId: number
  accountId: number
  input: CreateAccountHoldInput
  /** The amount by which the account may be overdrawn. */
  overdraftCents: number
  /** Whether the bank makes it, and not the app. */
  byBank: boolean
  seals: CustomerSeals
}

/**
 * Decides a hold: refuses it, or reserves the amount. A legal order may exceed what is available, and then stops the payments that have
 * not left.
 */
export function decideHold(books: Books, order: HoldOrder): AccountHold | Needs<'pending'> {
  const { id, organisationId, accountId, input, overdraftCents, byBank, seals } = order
  const account = depositAccountIn(books, organisationId, accountId)
  requireAllowed(accountRules, 'createAccountHold', account.status)
  const createdAt = books.now(organisationId)
  const { amount, reason, description = null, expiresAt = null } = input
  if (expiresAt !== null && expiresAt <= createdAt) throw expired(createdAt)
  const isShort = account.balance - account.hold - amount < -overdraftOf(account, overdraftCents)
  if (isShort && reason !== 'LegalOrder') throw new Problem('insufficient_funds')
  const stopsPayments = reason === 'LegalOrder' && account.balance - account.hold - amount < 0
  if (stopsPayments && !stopPending(books, account, 'legalHold')) return needs('pending')
  if (account.customerId === null) throw new Error('an internal account has no holds')
  const hold: LedgerHold = {
    id,
    organisationId,
    accountId,
    customerId: account.customerId,
    status: 'Active',
    amount,
    reason,
    description,
    createdAt,
    expiresAt,
    endedAt: null,
    byBank,
    version: 1,
  }
  books.of(holds).insert(hold)
  emitHold(books, 'accountHold.created', hold, seals)
  return accountHoldOf(hold)
}

function expired(now: string): Problem {
  const message = `expiresAt must be later than bank time, which is ${now}`
  return invalidRequest([{ pointer: '/expiresAt', code: 'out_of_range', message }])
}

const eventOf = { Released: 'accountHold.released', Expired: 'accountHold.expired' } as const

interface HoldEnd {
  id: number
  /** Whether the caller of a release has `risk:write`; absent for an expiry. */
  decidesRisk?: boolean
  status: Exclude<AccountHoldStatus, 'Active'>
  seals: CustomerSeals
}

/** Decides a release or an expiry: the amount is available again. */
export function decideHoldEnd(books: Books, { id, status, decidesRisk, seals }: HoldEnd): LedgerHold {
  const hold = books.of(holds).get(id)
  if (!hold) throw new Problem('account_hold_not_found')
  if (decidesRisk === undefined) requireAllowed(accountHoldRules, 'releaseAccountHold', hold.status)
  else requireReleasable({ ...hold, decidesRisk })
  const ended = books.of(holds).update({ ...hold, status, endedAt: books.now(hold.organisationId) })
  emitHold(books, eventOf[status], ended, seals)
  return ended
}

/** Emits an event of a hold, sealed with the key of the customer: the note may say something about the customer. */
function emitHold(books: Books, type: EventType, hold: LedgerHold, seals: CustomerSeals): void {
  const seal = seals.get(hold.customerId)
  if (!seal) throw new Error('a customer with an active hold was erased')
  const { id, version, customerId } = hold
  const draft = { type, id: String(id), version, data: accountHoldOf(hold), sealedFor: customerId }
  books.events.push(sealedDraft(seal, draft))
}

export function accountHoldOf(hold: LedgerHold): AccountHold {
  return {
    id: String(hold.id),
    status: hold.status,
    accountId: String(hold.accountId),
    customerId: String(hold.customerId),
    amount: hold.amount,
    reason: hold.reason,
    description: hold.description,
    createdAt: hold.createdAt,
    expiresAt: hold.expiresAt,
    endedAt: hold.endedAt,
  }
}
