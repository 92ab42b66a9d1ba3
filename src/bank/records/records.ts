import type { AccountHoldReason, AccountHoldStatus } from '../../banking/account-holds/account-hold.ts'
import type { AuthorizationStatus } from '../../banking/authorizations/authorization.ts'
import type { OverSettlementStatus } from '../../banking/authorizations/over-settlement.ts'
import type { CardStatus } from '../../banking/cards/card.ts'
import type { StoredCardLimits } from '../../banking/cards/card-limits.ts'
import type { PaymentSecCode, PaymentStatus } from '../../banking/payments/payment.ts'
import type { PaymentLink } from '../../banking/payments/payment-link.ts'
import type { ReviewReason } from '../../banking/payments/review-reason.ts'
import type { CreateRecurringPaymentInput } from '../../banking/recurring-payments/create-recurring-payment.ts'
import type {
  LastRun,
  missingMoneyRules,
  RecurringStatus,
  RunStatus,
  returnRules,
  Schedule,
} from '../../banking/recurring-payments/recurring-payment.ts'
import type { OfferOutcome } from '../../rewards/matching.ts'

export interface LedgerPayment {
  id: number
  organisationId: number
  accountId: number
  customerId: number
  type: 'achPayment' | 'bookPayment'
  direction: 'Credit' | 'Debit'
  status: PaymentStatus
  amount: number
  description: string
  addenda: string | null
  originalType: string
  createdAt: string
  externalAccountId: number | null
  counterparty: { name: string; routingNumber: string; accountNumber: string; accountType: string }
  destinationAccountId: number | null
  tags: Record<string, string>
  /** The recurring payment whose run made it. */
  recurringPaymentId: number | null
  /** The payment that it repeats or takes back; null for nearly all. */
  link: PaymentLink | null
  returnCode: string | null
  /** How the payment leaves with an ACH file; all null if it does not. Fixed when it is created. */
  sameDay: boolean | null
  secCode: PaymentSecCode | null
  cutoffAt: string | null
  settlesAt: string | null
  /** The file and the trace number; null before the payment is in a file. */
  achFileId: number | null
  traceNumber: string | null
  /** The reason that the reviewer gave; null if there was no decision. */
  reviewNote: string | null
  /** How it was to leave before it was stopped, by the version in which it was Pending; null if it never was. */
  departures: Record<number, Departure> | null
  /** The reason of its review, for one in PendingReview that was read under lock. */
  waitsFor?: ReviewReason | undefined
  /** Counts the changes; 1 when it is new. */
  version: number
}

type Departure = Pick<LedgerPayment, 'cutoffAt' | 'settlesAt' | 'reviewNote'>

/** The review of a payment that began as PendingReview. It has the id of the payment. */
export interface LedgerReview {
  id: number
  organisationId: number
  createdAt: string
  reason: ReviewReason
  /** The words of the screening, which the audit log shows. */
  screening?: { requestId: string; customerId: number; reason: string } | undefined
}

/** The decision about a payment that waited for a review, and the payment with the columns that it sets. */
export interface ReviewDecision {
  payment: LedgerPayment
  decision: 'Approved' | 'Rejected' | 'Canceled'
  decidedAt: string
}

/** A payment that was stopped before it left, and has to be reviewed now. */
export interface StoppedPayment {
  payment: LedgerPayment
  reason: ReviewReason
  /** The words of the reviewer who stopped it, which the audit log shows. */
  given?: { requestId: string; reason: string } | undefined
}

/** The payments of an account that are to wait for a reason of their own. */
export interface KeptWaiting {
  organisationId: number
  accountId: number
  reason: ReviewReason
}

/** An external account that is not deleted. Payments go to it. */
export interface LedgerPayee {
  id: number
  customerId: number
  name: string
  routingNumber: string
  accountNumber: string
  accountType: string
  type: 'Business' | 'Person' | 'Unknown'
  /** Whether its payments wait for a reviewer of the account. */
  underReview: boolean
  /** Whether a payment to it was approved before. */
  known: boolean
}

/** A recurring payment. It changes only under the lock of its account, so reading it under that lock is enough. */
export interface LedgerRecurringPayment {
  id: number
  organisationId: number
  accountId: number
  customerId: number
  status: RecurringStatus
  /** Why it is Stopped. */
  reason: string | null
  type: 'achPayment' | 'bookPayment'
  direction: 'Credit' | 'Debit'
  externalAccountId: number | null
  toAccountId: number | null
  /** The amount of the next due date. */
  amount: number
  details: RecurringDetails
  schedule: Schedule
  rules: RecurringRules
  changes: RecurringChanges
  /** The number of due dates that are over. */
  runCount: number
  /** The tries of the next due date that lacked money. */
  tries: number
  nextDueDate: string | null
  /** The bank time of the next run or try; null once it has ended. */
  nextAt: string | null
  lastRun: LastRun | null
  createdAt: string
  endedAt: string | null
  version: number
}

/** The members that the payments of a recurring payment get. */
export type RecurringDetails = Pick<
  CreateRecurringPaymentInput,
  'description' | 'addenda' | 'tags' | 'sameDay' | 'secCode'
>

interface RecurringRules {
  onMissingMoney: (typeof missingMoneyRules)[number]
  retryDays?: number | undefined
  onReturn: (typeof returnRules)[number]
}

interface RecurringChanges {
  amounts: { from: string; amount: number }[]
  skipped: string[]
}

/** The outcome of a due date of a recurring payment. */
export interface LedgerRun {
  id: number
  organisationId: number
  recurringPaymentId: number
  dueDate: string
  status: RunStatus
  reason: string | null
  amount: number
  paymentId: number | null
  tries: number
  createdAt: string
  at: string
}

/** A card. Its status changes only under the lock of its account, so reading it under that lock is enough. */
export interface LedgerCard {
  id: number
  organisationId: number
  customerId: number
  accountId: number
  last4: string
  expires: string
  status: CardStatus
  /** Null for most cards. */
  limits: StoredCardLimits | null
}

export interface LedgerAuthorization {
  id: number
  organisationId: number
  accountId: number
  customerId: number
  cardId: number
  cardLast4: string
  status: AuthorizationStatus
  amount: number
  settled: number
  refunded: number
  merchantName: string
  merchantCategory: string
  merchantLocation: string
  merchantId: string | null
  merchantCategoryCode: string | null
  declineReason: string | null
  /** Null unless it settled for more than its trade explains. */
  overSettlement: OverSettlementStatus | null
  createdAt: string
  expiresAt: string
  version: number
}

/** An amount that the app reserves on an account. */
export interface LedgerHold {
  id: number
  organisationId: number
  accountId: number
  customerId: number
  status: AccountHoldStatus
  amount: number
  reason: AccountHoldReason
  description: string | null
  createdAt: string
  expiresAt: string | null
  /** Null while it is active. */
  endedAt: string | null
  /** Whether a key with `risk:write` made it. */
  byBank: boolean
  version: number
}

/** The link of a card to a partner user, who earns rewards with it. */
export interface LedgerLink {
  id: number
  partnerUserId: number
  isLive: boolean
}

export interface LedgerReward {
  id: number
  partnerUserId: number
  offerId: string
  merchantName: string
  commissionBp: number
  totalBp: number
  maximumReward: number | null
  /** Null for an offer of the catalogue. */
  campaignId: number | null
  /** Null unless the offer needs one. */
  activationId: number | null
  /** The cash back of the whole purchase, if it is no share of it. */
  flatAmount: number | null
  userAmount: number
  issuerAmount: number
  state: 'PENDING' | 'CONFIRMED' | 'PAID' | 'REJECTED' | 'REVERSED' | 'CLAWED_BACK'
  payoutDueAt: string | null
  /** The payment of the payout; null before it was made. */
  paymentId: number | null
  paidAt: string | null
  rewardPaymentId: number
  createdAt: string
  updatedAt: string | null
  version: number
}

/** The offers of a purchase, with the outcome of each. */
export type ConsideredOffers = { offerId: string; userAmount: number; outcome: OfferOutcome }[]

/** A settled purchase of a linked card (a rewardable transaction) and its reward. */
export interface LedgerPurchase {
  id: number
  organisationId: number
  linkId: number
  authorizationId: number
  bankTransactionId: string
  /** The facts by which offers were looked for, as far as they were known. */
  merchantId: string | null
  categoryCode: string | null
  amount: number
  refunded: number
  createdAt: string
  updatedAt: string | null
  version: number
  /** The offers that were considered; null if none of a campaign was among them. */
  considered: ConsideredOffers | null
  reward: LedgerReward | null
}
