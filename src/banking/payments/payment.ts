import { type Static, Type } from 'typebox'
import { CentsValue } from '../../base/cents.ts'
import { RecordId } from '../../base/ids.ts'
import { Problem } from '../../base/problem.ts'
import { CreatedAt, described, Word } from '../../base/text.ts'
import { requireAllowed, type StateRules } from '../state-rules.ts'
import { reversalReasons } from './payment-link.ts'
import { reviewReasons } from './review-reason.ts'

/** The other party of a payment or transaction. */
export const Counterparty = Type.Object(
  {
    name: Type.String({ description: 'Name of the other party', examples: ['Grace Sample'] }),
    routingNumber: Type.String({ description: 'ABA routing number of its bank', examples: ['021000021'] }),
    accountNumber: Type.String({ description: 'Its account number', examples: ['9876543210'] }),
    accountType: Type.String({ description: 'Kind of its account', examples: ['Checking'] }),
  },
  { $id: 'Counterparty', description: 'The other party of a payment or transaction, as it was at the time' },
)
export type Counterparty = Static<typeof Counterparty>

export const paymentStatuses = [
  'Pending',
  'PendingReview',
  'Clearing',
  'Sent',
  'Rejected',
  'Canceled',
  'Returned',
] as const
export type PaymentStatus = (typeof paymentStatuses)[number]

/** The SEC codes that a payment may ask for. */
export const paymentSecCodes = ['PPD', 'CCD', 'WEB'] as const
/** TEL follows from a mandate by telephone. */
const shownSecCodes = [...paymentSecCodes, 'TEL'] as const
export type PaymentSecCode = (typeof shownSecCodes)[number]

/** The operations that need a payment in a certain state. A payment to another account of this bank cannot be returned. */
export const paymentRules = {
  cancelPayment: { from: ['Pending', 'PendingReview'], to: 'Canceled', otherwise: 'payment_not_cancelable' },
  approvePayment: { from: ['PendingReview'], otherwise: 'payment_not_in_review' },
  rejectPayment: { from: ['PendingReview'], to: 'Rejected', otherwise: 'payment_not_in_review' },
  stopPayment: { from: ['Pending'], to: 'PendingReview', otherwise: 'payment_not_stoppable' },
  retryPayment: { from: ['Returned'], otherwise: 'payment_not_retryable' },
  reversePayment: { from: ['Clearing', 'Sent'], otherwise: 'payment_not_reversible' },
  returnPayment: { from: ['Clearing', 'Sent'], to: 'Returned', otherwise: 'payment_not_returnable' },
} as const satisfies StateRules<string, PaymentStatus>

/** The state of a payment that decides whether it can be returned. */
export interface ReturnState {
  status: PaymentStatus
  type: string
  destinationAccountId: number | null
}

/** Throws the refusal of a payment that cannot be returned. A payment within the bank arrives, so no other bank returns it. */
export function requireReturnable({ status, type, destinationAccountId }: ReturnState): void {
  requireAllowed(paymentRules, 'returnPayment', status)
  if (type !== 'achPayment' || destinationAccountId !== null) throw new Problem('payment_not_returnable')
}

/** The members of a shown payment that decide whether it can be presented again or taken back. */
export interface ShownState {
  status: PaymentStatus
  type: string
  direction: string
  returnCode?: string
  reversalOf?: string
  destinationAccountId: number | null
}

/** Whether a debit was returned because money was missing. */
export function isForMoney(returnCode: string): boolean {
  return returnCode === 'R01' || returnCode === 'R09'
}

/** Throws the refusal of a payment that is no debit which was returned because money was missing. */
export function requireRetryable({
  status,
  direction,
  returnCode = '',
  reversalOf,
}: Omit<ShownState, 'type' | 'destinationAccountId'>): void {
  requireAllowed(paymentRules, 'retryPayment', status)
  if (direction !== 'Debit' || reversalOf !== undefined || !isForMoney(returnCode)) {
    throw new Problem('payment_not_retryable')
  }
}

/** Throws the refusal of a payment that was not sent to another bank, or takes another one back. */
export function requireReversible({
  status,
  type,
  reversalOf,
  destinationAccountId,
}: Omit<ShownState, 'direction' | 'returnCode'>): void {
  requireAllowed(paymentRules, 'reversePayment', status)
  if (type !== 'achPayment' || destinationAccountId !== null || reversalOf !== undefined) {
    throw new Problem('payment_not_reversible')
  }
}

export const directions = ['Credit', 'Debit'] as const
export const Direction = Type.Enum([...directions])

const listed = {
  id: RecordId(),
  type: Word(['achPayment', 'bookPayment'], {
    description:
      '`achPayment` by ACH to an external account; `bookPayment` within the bank: a book transfer, or the payout of a reward',
  }),
  amount: described(CentsValue, 'Amount in cents'),
  createdAt: CreatedAt,
  description: Type.String({ description: 'Purpose that the sender gave', examples: ['Rent'] }),
  direction: Word(directions, {
    description: '`Credit` sends money to the counterparty, `Debit` collects it from there',
  }),
  status: Word(paymentStatuses, {
    description:
      'A payment that leaves with an ACH file is `Pending` until the cut-off, `Clearing` until it settles, then `Sent`; a debit is `Clearing` until its clearing days are over. Other payments of the built-in bank are `Sent` at once. A payment that has to be reviewed, or was stopped before it left, is `PendingReview`, and a reviewer approves or rejects it. `Rejected`, `Canceled` and `Returned` are final, and the money is back where it came from',
  }),
}

/** The members of a payment or transaction that another bank returned, and of a payment that is returned to one. */
export const returnMembers = {
  returnCode: Type.Optional(
    Type.String({ description: 'Nacha code of the return, on what was returned', examples: ['R03'] }),
  ),
  returnReason: Type.Optional(
    Type.String({
      description: 'The return code in words; absent if the code is unknown',
      examples: ['No account, or unable to locate it'],
    }),
  ),
}

/** The members of a payment that leaves with an ACH file; other payments lack them. */
const rail = {
  sameDay: Type.Optional(
    Type.Boolean({ description: 'True for a payment that settles on the day on which it leaves' }),
  ),
  secCode: Type.Optional(Word(shownSecCodes, { description: 'SEC code of the entry' })),
  expectedCompletionDate: Type.Optional(
    Type.String({ format: 'date', description: 'Day on which the payment is to settle', examples: ['2026-02-03'] }),
  ),
  traceNumber: Type.Optional(
    Type.String({ description: 'Trace number of the entry, from `Clearing` on', examples: ['812345670000001'] }),
  ),
  settlementDate: Type.Optional(
    Type.String({
      format: 'date',
      description: 'Day on which the payment settled, from `Sent` on',
      examples: ['2026-02-03'],
    }),
  ),
}

/** The members of a payment that repeats or takes back another one. */
const linkMembers = {
  retryOf: Type.Optional(RecordId('The debit that it presents again; only then')),
  reversalOf: Type.Optional(RecordId('The payment that it takes back; only then')),
  reversalReason: Type.Optional(Word(reversalReasons, { description: 'Why it takes the other payment back' })),
}

const recurringPaymentId = Type.Optional(RecordId('The recurring payment whose run made it; only then'))

const reason = Type.Optional(
  Type.String({
    description: 'The reason that the reviewer gave; only on a payment that was approved or rejected by one',
    examples: ['The invoice was checked'],
  }),
)

export const Payment = Type.Object(
  {
    ...listed,
    originalType: Type.String({
      description: 'The network that carries the payment; `BOOK` for a book transfer, `REWARD` for a payout',
      examples: ['ACH'],
    }),
    counterparty: Counterparty,
    recurringPaymentId,
    ...linkMembers,
    ...rail,
    ...returnMembers,
    reason,
  },
  { $id: 'Payment', description: 'Money sent from an account to a counterparty' },
)
export type Payment = Static<typeof Payment>

/** A payment in a list, with its account and without `originalType`. */
export const ListedPayment = Type.Object(
  {
    ...listed,
    accountId: Type.Optional(RecordId('The account that the payment leaves, or that a debit arrives at')),
    reviewReason: Type.Optional(Word(reviewReasons, { description: 'Why it waits for a reviewer' })),
    counterparty: Counterparty,
    recurringPaymentId,
    ...linkMembers,
    ...rail,
    ...returnMembers,
    reason,
  },
  {
    $id: 'ListedPayment',
    description: 'A payment in a list, with its account and without `originalType`',
  },
)
export type ListedPayment = Static<typeof ListedPayment>
