import { accountRules } from '../../banking/accounts/account.ts'
import type { DebitSettings, DebitTerms } from '../../banking/accounts/account-limits.ts'
import { type Mandate, requireDebitable, requireLiveMandate } from '../../banking/external-accounts/external-account.ts'
import type { Payment, PaymentSecCode } from '../../banking/payments/payment.ts'
import type { ReviewReason } from '../../banking/payments/review-reason.ts'
import { requireAllowed } from '../../banking/state-rules.ts'
import { MAX_CENTS } from '../../base/cents.ts'
import { Problem } from '../../base/problem.ts'
import type { Books } from '../../ledger/books.ts'
import type { Reads } from '../../ledger/kinds.ts'
import type { LedgerAccount } from '../../ledger/records.ts'
import { describeReturn } from '../../rails/ach/codes.ts'
import { depositAccountIn } from '../accounts/deposit-account.ts'
import { post } from '../accounts/posting.ts'
import { useDebitLimits } from '../limits/check.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import { type DebitSource, debitSources, debits, debitUsage } from '../records/debits/debits.ts'
import { companyReturns, returnCounts } from '../records/debits/return-rates.ts'
import type { LedgerPayment } from '../records/records.ts'
import { reviews } from '../records/reviews.ts'
import { newPayment, type PaymentOrder } from './payment-decision.ts'
import { requireDebitsOpen } from './return-rates.ts'
import { startPayment } from './send-payment.ts'

/** Decides a payment that collects money: refuses it, or emits `payment.created`. The account is credited when it is `Sent`. */
export function decideDebit(books: Books, order: PaymentOrder, setting: DebitSettings): Payment {
  const { organisationId, accountId, payeeId, input, routingNumber, seal } = order
  const account = depositAccountIn(books, organisationId, accountId)
  const source = books.of(debitSources).get(payeeId)
  if (source?.customerId !== account.customerId) throw new Problem('external_account_not_found')
  requireAllowed(accountRules, 'createPayment', account.status)
  const { mandate, secCode } = collectionFrom(source, routingNumber, input.secCode)
  requireDebitsOpen(books, organisationId, setting)
  if (account.balance + input.amount > MAX_CENTS) throw new Problem('balance_limit')
  const overLimit = useDebitLimits(books, account, input.amount)
  const review = reviewOf(order, source, overLimit)
  const createdAt = books.now(organisationId)
  const changes = { destination: undefined, review }
  const payment = newPayment({ ...order, input: { ...input, secCode } }, source, changes, createdAt)
  const terms = termsOf(account, setting)
  const early = books.of(debitUsage).of(accountId).early + input.amount <= terms.earlyAvailability
  books.of(debitUsage).add(accountId, input.amount, early)
  const { clearingDays } = terms
  books.of(debits).insert({
    ...{ id: payment.id, organisationId, accountId, externalAccountId: source.id, createdAt },
    ...{ mandate, clearingDays, early },
  })
  if (review) books.of(reviews).insert({ id: payment.id, organisationId, createdAt, reason: review })
  const data = startPayment(books, payment, seal)
  if (payment.status === 'Sent') creditDebit(books, payment, order)
  return data
}

/** The mandate and the SEC code with which money is collected from an external account. Refuses one that it may not be collected from. */
export function collectionFrom(
  source: DebitSource,
  routingNumber: string,
  asked: string | undefined,
): { mandate: Mandate; secCode: PaymentSecCode } {
  const mandate = mandateOf(source, routingNumber)
  const secCode = secCodeOf(source, mandate)
  if (asked !== undefined && asked !== secCode) throw notThisCode(asked, secCode)
  return { mandate, secCode }
}

/** The mandate of an external account that money may be collected from. */
function mandateOf(source: DebitSource, routingNumber: string): Mandate {
  requireDebitable(source)
  if (source.routingNumber === routingNumber) throw new Problem('external_account_not_debitable')
  if (source.permissions !== 'CreditAndDebit') throw new Problem('debit_not_permitted')
  requireLiveMandate(source)
  return source.mandate as Mandate
}

/** The SEC code follows from how the customer gave the mandate. */
function secCodeOf({ type }: DebitSource, { authorization }: Mandate): PaymentSecCode {
  if (type === 'Business') return 'CCD'
  return ({ Online: 'WEB', Written: 'PPD', Phone: 'TEL' } as const)[authorization]
}

function notThisCode(given: string, secCode: string): Problem {
  const detail = `The SEC code of the debit follows from its mandate and is ${secCode}, not ${given}: leave secCode out.`
  return new Problem('sec_code_not_allowed', { detail })
}

function reviewOf(
  { reviewFirstPayment }: PaymentOrder,
  { underReview, known }: DebitSource,
  overLimit: ReviewReason | undefined,
): ReviewReason | undefined {
  if (overLimit) return overLimit
  if (reviewFirstPayment && !known) return 'firstPayment'
  return underReview ? 'externalAccount' : undefined
}

/** The terms of an account, or those of the settings. */
export function termsOf({ limits }: LedgerAccount, setting: DebitTerms): DebitTerms {
  const own = limits?.debits
  return {
    clearingDays: own?.clearingDays ?? setting.clearingDays,
    earlyAvailability: own?.earlyAvailability ?? setting.earlyAvailability,
    blockOnReturn: own?.blockOnReturn ?? setting.blockOnReturn,
  }
}

interface Crediting {
  transferId: number
  routingNumber: string
}

/** Credits an account with the money of a debit. */
export function creditDebit(books: Books, payment: LedgerPayment, { transferId, routingNumber }: Crediting): void {
  const clearing = books.internal('ach_clearing').id
  const between = { debitAccountId: clearing, creditAccountId: payment.accountId }
  const cause = { sourceKind: 'debit' as const, sourceId: payment.id, party: null, description: null }
  post(books, { id: transferId, ...between, amount: payment.amount, ...cause }, payment, routingNumber)
}

/** Takes back what an account was credited with, below zero if the money is spent. */
export function takeBack(
  books: Books,
  payment: LedgerPayment,
  { transferId, routingNumber, returnCode }: Crediting & { returnCode: string },
): void {
  const clearing = books.internal('ach_clearing').id
  const between = { debitAccountId: payment.accountId, creditAccountId: clearing }
  const cause = { sourceKind: 'debit_return' as const, sourceId: payment.id, party: null }
  const description = describeReturn(returnCode)
  post(books, { id: transferId, ...between, amount: payment.amount, ...cause, description }, payment, routingNumber)
}

/** The reads of a new debit. The counts of returns take a look at all debits of 60 days. */
export function debitReads(
  { payeeId, accountId, organisationId }: PaymentOrder,
  { debits: { stopAt, companyStopAt }, ach }: Pick<BankParts, 'debits' | 'ach'>,
): Reads[] {
  const reads = [debitSources.ids([payeeId]), debitUsage.ids([accountId])]
  if (stopAt) reads.push(returnCounts.ids([organisationId]))
  if (companyStopAt && ach !== 'instant') reads.push(companyReturns.ids([ach.companyId]))
  return reads
}
