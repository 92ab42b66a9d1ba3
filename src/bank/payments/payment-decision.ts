import { accountRules } from '../../banking/accounts/account.ts'
import { requireUnblocked } from '../../banking/accounts/payment-block.ts'
import type { CreatePaymentInput } from '../../banking/payments/create-payment.ts'
import type { Payment, PaymentSecCode } from '../../banking/payments/payment.ts'
import type { PaymentLink } from '../../banking/payments/payment-link.ts'
import type { ReviewReason } from '../../banking/payments/review-reason.ts'
import { requireAllowed } from '../../banking/state-rules.ts'
import { Problem } from '../../base/problem.ts'
import { type Books, type Group, type Needs, needs } from '../../ledger/books.ts'
import type { LedgerAccount } from '../../ledger/records.ts'
import { clearNumber, inSealedForm } from '../../secrets/numbers.ts'
import type { Seal } from '../../secrets/seal.ts'
import { depositAccountIn, openDestinationIn } from '../accounts/deposit-account.ts'
import { overdraftOf, useLimits, useOrganisationLimits } from '../limits/check.ts'
import { clearingOf, instant, type Rail, underReview } from '../parts/rail.ts'
import { payees } from '../records/payments.ts'
import type { LedgerPayee, LedgerPayment, LedgerReview } from '../records/records.ts'
import { reviews } from '../records/reviews.ts'
import type { PaymentQuestion, Screened } from '../screening/screening.ts'
import { sendPayment } from './send-payment.ts'

/** A payment to be decided: the request, its ids, and the settings of the bank. */
export interface PaymentOrder {
  organisationId: number
  /** Null if the bank acts on its own. */
  requestId: string | null
  accountId: number
  payeeId: number
  paymentId: number
  transferId: number
  input: Omit<CreatePaymentInput, 'secCode'> & { secCode?: PaymentSecCode }
  routingNumber: string
  overdraftCents: number
  seal: Seal
  /** How the payment leaves if its payee is at another bank. */
  rail: Rail
  /** The recurring payment whose run makes it. */
  recurringPaymentId: number | null
  /** The payment that it repeats or takes back. */
  link?: PaymentLink | null
  /** The batch that the payment is part of. */
  group?: Group | undefined
  /** Whether payments to an external account wait for a review until one was approved. */
  reviewFirstPayment: boolean
  /** Whether a service screens payments above a soft limit, and its answer. */
  screens: boolean
  screened?: Screened | undefined
  /** The account of this bank that the payee names. Null if there is none, undefined before it was looked up. */
  ownAccountId: number | null | undefined
}

/** The number of an account of this bank, which the payment must lock, or the screening of a payment above a soft limit. */
export type PaymentLack = { accountNumber: string } | { screen: PaymentQuestion }

/** Decides a payment: refuses it, or moves the money and emits `payment.created`. */
export function decidePayment(books: Books, order: PaymentOrder): Payment | Needs<PaymentLack> {
  const { organisationId, accountId, input, routingNumber } = order
  const account = depositAccountIn(books, organisationId, accountId)
  const payee = books.of(payees).get(order.payeeId)
  if (payee?.customerId !== account.customerId) throw new Problem('external_account_not_found')
  requireAllowed(accountRules, 'createPayment', account.status)
  requireUnblocked(account)
  if (payee.routingNumber === routingNumber && order.ownAccountId === undefined) {
    return needs({ accountNumber: clearNumber(order.seal, payee.id, payee.accountNumber) })
  }
  const destination = openDestinationIn(books, organisationId, order.ownAccountId)
  if (destination?.id === accountId) throw new Problem('same_account')
  const overdraft = overdraftOf(account, order.overdraftCents)
  if (account.balance - account.hold - input.amount < -overdraft) throw new Problem('insufficient_funds')
  const overAccount = useLimits(books, account, input.amount)
  const overLimit = useOrganisationLimits(books, organisationId, input.amount) ?? overAccount
  if (overLimit && order.screens && !order.screened) {
    return needs({ screen: questionOf(order, payee, account) })
  }
  const review = reviewOf(order, payee, overLimit)
  const payment = newPayment(order, payee, { destination, review }, books.now(organisationId))
  if (review) books.of(reviews).insert({ ...reviewFor(order, payment), reason: review })
  const creditAccountId = payment.destinationAccountId ?? books.internal(clearingOf(payment)).id
  return sendPayment(books, payment, { transferId: order.transferId, creditAccountId, routingNumber, seal: order.seal })
}

/**
 * The screening decides about a payment above a soft limit. A payment waits for its external account if it waits for nothing else:
 * the approval of the account lets it leave, and does not replace another review.
 */
function reviewOf(
  { screened, reviewFirstPayment }: PaymentOrder,
  { underReview: payeeUnderReview, known }: LedgerPayee,
  overLimit: ReviewReason | undefined,
): ReviewReason | undefined {
  if (screened?.outcome === 'refuse') throw refusedPayment()
  if (screened?.outcome === 'review') return 'screening'
  if (overLimit && !screened) return overLimit
  if (reviewFirstPayment && !known) return 'firstPayment'
  return payeeUnderReview ? 'externalAccount' : undefined
}

/** The review of a payment, with the words of the screening if it asks for the review. */
function reviewFor(
  { screened, requestId }: PaymentOrder,
  { id, organisationId, createdAt, customerId }: LedgerPayment,
): Omit<LedgerReview, 'reason'> {
  const review = { id, organisationId, createdAt }
  if (screened?.reason === undefined || requestId === null) return review
  return { ...review, screening: { requestId, customerId, reason: screened.reason } }
}

function refusedPayment(): Problem {
  return new Problem('payment_rejected', {
    detail: 'The screening of the operator refused this payment: nothing was booked.',
  })
}

function questionOf(
  { paymentId, input }: PaymentOrder,
  { id, name, routingNumber }: LedgerPayee,
  { id: accountId, customerId, name: customerName }: LedgerAccount,
): PaymentQuestion {
  return {
    paymentId: String(paymentId),
    customerId: String(customerId),
    customerName,
    accountId: String(accountId),
    amount: input.amount,
    description: input.description,
    counterparty: { externalAccountId: String(id), name, routingNumber },
  }
}

type NewPayment = Pick<
  PaymentOrder,
  'organisationId' | 'accountId' | 'paymentId' | 'input' | 'rail' | 'recurringPaymentId' | 'link' | 'seal'
>

export function newPayment(
  { organisationId, accountId, paymentId, input, rail, recurringPaymentId, seal, link = null }: NewPayment,
  payee: LedgerPayee,
  { destination, review }: { destination: LedgerAccount | undefined; review: ReviewReason | undefined },
  createdAt: string,
): LedgerPayment {
  // A payment within the bank arrives at once.
  const state = (destination ? instant : rail).firstState(
    link ? { ...input, isReserved: true } : input,
    payee,
    createdAt,
  )
  return {
    id: paymentId,
    organisationId,
    accountId,
    customerId: payee.customerId,
    type: 'achPayment',
    direction: input.direction ?? 'Credit',
    amount: input.amount,
    description: input.description,
    addenda: input.addenda ?? null,
    originalType: input.originalType,
    createdAt,
    externalAccountId: payee.id,
    counterparty: {
      name: payee.name,
      routingNumber: payee.routingNumber,
      // The chain of hashes covers the stored number, which then must not change.
      accountNumber: inSealedForm(seal, payee.id, payee.accountNumber),
      accountType: payee.accountType,
    },
    destinationAccountId: review ? null : (destination?.id ?? null),
    tags: input.tags ?? {},
    recurringPaymentId,
    returnCode: null,
    ...(review ? underReview(state) : state),
    link,
    version: 1,
  }
}
