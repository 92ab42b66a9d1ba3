import { type Payment, paymentRules } from '../../banking/payments/payment.ts'
import type { ReviewReason } from '../../banking/payments/review-reason.ts'
import { requireAllowed, stateAfter } from '../../banking/state-rules.ts'
import { optionalIdNumber } from '../../base/ids.ts'
import type { Answer, Caller, Write } from '../../base/operation.ts'
import { type Page, pageWindow, toCursorPage } from '../../base/page.ts'
import { Problem } from '../../base/problem.ts'
import type { Books, Command } from '../../ledger/books.ts'
import type { ListReviewPaymentsQuery } from '../../review/list-review-payments.ts'
import type { PaymentDecision, Review } from '../../review/review.ts'
import type { ReviewPayment } from '../../review/review-payment.ts'
import { clearNumber } from '../../secrets/numbers.ts'
import type { Seal } from '../../secrets/seal.ts'
import { openDestinationIn } from '../accounts/deposit-account.ts'
import { giveBack, post } from '../accounts/posting.ts'
import { freeLimits } from '../limits/check.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import { clearingOf, instant, type Rail, railOf } from '../parts/rail.ts'
import { creditDebit } from '../payments/debit-decision.ts'
import { shownMandate } from '../payments/external-accounts.ts'
import { ownPayment, type PaymentBank, sealOf } from '../payments/payment-bank.ts'
import { emitPayment, paymentOf } from '../payments/payment-view.ts'
import { type PaymentRow, paymentFromRow } from '../records/payment-columns.ts'
import { payments } from '../records/payments.ts'
import type { LedgerPayment } from '../records/records.ts'
import { reviews } from '../records/reviews.ts'
import { listReviewRows } from './payments.sql.ts'

export async function listReviewPayments(
  { database, seals }: BankParts,
  { organisationId }: Caller,
  { accountId, ...query }: ListReviewPaymentsQuery,
): Promise<Page<ReviewPayment>> {
  const page = pageWindow({ ...query, sort: query.sort ?? 'createdAt' })
  const rows = await listReviewRows(database, { organisationId, accountId: optionalIdNumber(accountId) }, page)
  const seal = await seals.of(organisationId)
  return toCursorPage(rows, page.limit, (row) => ({
    ...paymentOf(paymentFromRow(row), seal),
    accountId: String(row.accountId),
    customerId: String(row.customerId),
    reviewReason: row.reviewReason,
    ...(row.mandate && { mandate: shownMandate(row.mandate) }),
  }))
}

/** A decision about a payment, with the ids and settings that it needs. */
interface ReviewOrder {
  id: number
  reason: string
  transferId: number
  routingNumber: string
  seal: Seal
}

/** Approves a payment. `ifWaitsFor` is given if the bank does it by itself: a payment may wait for something else by then. */
export async function approvePayment(
  bank: PaymentBank,
  write: Write<Payment>,
  { paymentId, reason, ifWaitsFor }: PaymentDecision & { ifWaitsFor?: ReviewReason },
): Promise<Answer> {
  const payment = await ownPayment(bank, write.caller, paymentId)
  const order = await orderOf(bank, write, payment, reason)
  const destinationId = await ownAccountOf(bank, payment, order.seal)
  const command: Command<Payment> = {
    write,
    accountIds: destinationId === undefined ? [payment.accountId] : [payment.accountId, destinationId],
    internal: [clearingOf(payment)],
    reads: [payments.ids([payment.id])],
    decide: (books) =>
      decideApproval(books, { ...order, destinationId, ifWaitsFor, rail: railOf(bank.rails, payment) }),
  }
  return bank.runOnce.attempt(write, () => bank.lane.run(command))
}

export async function requireApprovable(
  bank: PaymentBank,
  caller: Caller,
  paymentId: string,
): ReturnType<Review['requireApprovable']> {
  const { status, amount, customerId } = await ownPayment(bank, caller, paymentId)
  requireAllowed(paymentRules, 'approvePayment', status)
  return { amount, customerId: String(customerId) }
}

export async function rejectPayment(
  bank: PaymentBank,
  write: Write<Payment>,
  { paymentId, reason }: PaymentDecision,
): Promise<Answer> {
  const payment = await ownPayment(bank, write.caller, paymentId)
  const order = await orderOf(bank, write, payment, reason)
  const command: Command<Payment> = {
    write,
    accountIds: [payment.accountId],
    internal: [clearingOf(payment)],
    reads: [payments.ids([payment.id])],
    decide: (books) => decideRejection(books, order),
  }
  return bank.runOnce.attempt(write, () => bank.lane.run(command))
}

async function orderOf(
  bank: PaymentBank,
  { caller }: Write<Payment>,
  { id }: PaymentRow,
  reason: string,
): Promise<ReviewOrder> {
  const { ids, routingNumber } = bank
  return { id, reason, transferId: await ids.nextPair(), routingNumber, seal: await sealOf(bank, caller) }
}

/** The account of this bank that the external account of a payment names. */
async function ownAccountOf(bank: PaymentBank, row: PaymentRow, seal: Seal): Promise<number | undefined> {
  const { externalAccountId, counterparty } = paymentFromRow(row)
  if (externalAccountId === null || counterparty.routingNumber !== bank.routingNumber) return undefined
  if (row.direction === 'Debit') return undefined
  return (await bank.findAccountByNumber(clearNumber(seal, externalAccountId, counterparty.accountNumber)))?.id
}

interface ApprovalOrder extends ReviewOrder {
  destinationId: number | undefined
  ifWaitsFor: ReviewReason | undefined
  rail: Rail
}

/** Decides the approval of a payment: it leaves with the next cut-off, at once, or reaches an account of this bank. */
function decideApproval(books: Books, order: ApprovalOrder): Payment {
  const { id, reason, transferId, routingNumber, seal, destinationId, ifWaitsFor, rail } = order
  const payment = books.of(payments).get(id)
  if (!payment) throw new Problem('payment_not_found')
  requireAllowed(paymentRules, 'approvePayment', payment.status)
  if (ifWaitsFor && payment.waitsFor !== ifWaitsFor) throw new Problem('payment_not_in_review')
  const now = books.now(payment.organisationId)
  const destination = openDestinationIn(books, payment.organisationId, destinationId)
  const departure = (destination ? instant : rail).departure(payment, now)
  const approved = books.of(payments).update({
    ...payment,
    ...departure,
    destinationAccountId: destination?.id ?? null,
    reviewNote: reason,
    departures: payment.departures,
  })
  books.of(reviews).decide({ payment: approved, decision: 'Approved', decidedAt: now })
  const isDebit = payment.direction === 'Debit'
  if (payment.externalAccountId !== null && !isDebit) books.of(reviews).knowPayee(payment.externalAccountId)
  const data = emitPayment(books, approved, seal)
  if (destination) release(books, approved, { transferId, routingNumber })
  if (isDebit && approved.status === 'Sent') creditDebit(books, approved, { transferId, routingNumber })
  return data
}

/** Moves the money of an approved payment to the account of this bank that it names. */
function release(
  books: Books,
  payment: LedgerPayment,
  { transferId, routingNumber }: Pick<ReviewOrder, 'transferId' | 'routingNumber'>,
): void {
  const transfer = {
    id: transferId,
    debitAccountId: books.internal(clearingOf(payment)).id,
    creditAccountId: payment.destinationAccountId ?? 0,
    amount: payment.amount,
    sourceKind: 'payment_release' as const,
    sourceId: payment.id,
    party: books.account(payment.accountId)?.name ?? null,
    description: null,
  }
  post(books, transfer, payment, routingNumber)
}

/** Decides the rejection of a payment. The money reaches the account whatever the account's status. */
function decideRejection(books: Books, { id, reason, transferId, routingNumber, seal }: ReviewOrder): Payment {
  const payment = books.of(payments).get(id)
  if (!payment) throw new Problem('payment_not_found')
  const status = stateAfter(paymentRules, 'rejectPayment', payment.status)
  const rejected = books.of(payments).update({ ...payment, status, reviewNote: reason })
  books.of(reviews).decide({ payment: rejected, decision: 'Rejected', decidedAt: books.now(payment.organisationId) })
  const data = emitPayment(books, rejected, seal)
  freeLimits(books, payment)
  giveBack(books, payment, { id: transferId, description: 'Rejected' }, routingNumber)
  return data
}
