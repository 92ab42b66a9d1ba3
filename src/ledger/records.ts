import type { AccountStatus } from '../banking/accounts/account.ts'
import type { AuthorizationStatus, DeclineReason } from '../banking/authorizations/authorization.ts'
import type { CardStatus } from '../banking/cards/card.ts'
import type { PaymentStatus } from '../banking/payments/payment.ts'

/** An account as the ledger sees it under lock. */
export interface LedgerAccount {
  id: number
  organisationId: number
  /** Null for the bank's own accounts. */
  customerId: number | null
  name: string
  accountNumber: string
  status: AccountStatus
  balance: number
  hold: number
  seq: number
  postedAt: string | null
  /** Where its row lies: the same while it is locked. */
  ctid: string
}

/** The bank's own accounts: where money that comes and goes is kept. */
export type InternalKind = 'ach_clearing' | 'card_settlement' | 'rewards_funding'

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
  returnCode: string | null
}

/** An external account that is not deleted: where a payment goes. */
export interface LedgerPayee {
  id: number
  customerId: number
  name: string
  routingNumber: string
  accountNumber: string
  accountType: string
}

/** A card as it is while its account is locked: its status changes under that lock alone. */
export interface LedgerCard {
  id: number
  accountId: number
  last4: string
  expires: string
  status: CardStatus
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
  declineReason: DeclineReason | null
  createdAt: string
  expiresAt: string
  version: number
}

/** A card's link to a partner user, who earns with it while neither is removed. */
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
  userAmount: number
  issuerAmount: number
  state: 'PENDING' | 'CONFIRMED' | 'PAID' | 'REJECTED' | 'REVERSED' | 'CLAWED_BACK'
  payoutDueAt: string | null
  /** The payout, once it was made, and its record. */
  paymentId: number | null
  paidAt: string | null
  rewardPaymentId: number
  updatedAt: string | null
  version: number
}

/** A settled purchase of a linked card: a rewardable transaction, and what it earned. */
export interface LedgerPurchase {
  id: number
  organisationId: number
  linkId: number
  authorizationId: number
  bankTransactionId: string
  amount: number
  refunded: number
  createdAt: string
  updatedAt: string | null
  version: number
  reward: LedgerReward | null
}

/** What caused a transfer. */
export type SourceKind =
  | 'payment'
  | 'payment_return'
  | 'received_ach'
  | 'card_settlement'
  | 'card_refund'
  | 'reward'
  | 'reward_clawback'

export interface TransferOrder {
  /** The even one of two neighbouring ids. */
  id: number
  debitAccountId: number
  creditAccountId: number
  amount: number
  sourceKind: SourceKind
  sourceId: number | null
  party: string | null
  description: string | null
}

export interface Transfer extends TransferOrder {
  organisationId: number
  debitSeq: number
  debitBalance: number
  creditSeq: number
  creditBalance: number
  createdAt: string
}
