import type { AccountStatus } from '../banking/accounts/account.ts'
import type { DebitLimits, PaymentLimits } from '../banking/accounts/account-limits.ts'
import type { PaymentBlock } from '../banking/accounts/payment-block.ts'

/** An account that a batch has locked. */
export interface LedgerAccount {
  id: number
  organisationId: number
  /** Null for internal accounts. */
  customerId: number | null
  name: string
  accountNumber: string
  status: AccountStatus
  balance: number
  hold: number
  seq: number
  postedAt: string | null
  /** Null for an account without limits. */
  limits: LedgerLimits | null
  /** Null if its outgoing payments are not blocked. */
  paymentBlock: PaymentBlock | null
  /** The place of the row in its table, which cannot change while the row is locked. */
  ctid: string
}

/** The limits of an account, its own overdraft, and the first day of which its usage is kept. */
export interface LedgerLimits extends PaymentLimits {
  overdraft: number | null
  since: string
  /** Absent without limits of debits. */
  debits?: DebitLimits
}

/** The kinds of internal accounts: the other side of money that enters or leaves the bank. */
export type InternalKind =
  | 'ach_clearing'
  | 'ach_settlement'
  | 'ach_suspense'
  | 'ach_write_off'
  | 'bank_fees'
  | 'bank_funding'
  | 'bank_suspense'
  | 'card_settlement'
  | 'moved_in'
  | 'rewards_funding'

/** The cause of a transfer. */
export type SourceKind =
  | 'payment'
  | 'payment_return'
  | 'payment_release'
  | 'debit'
  | 'debit_return'
  | 'ach_settlement'
  | 'ach_return'
  | 'ach_exception'
  | 'ach_resolution'
  | 'statement_booking'
  | 'received_ach'
  | 'received_ach_return'
  | 'card_settlement'
  | 'card_refund'
  | 'reward'
  | 'reward_clawback'
  | 'moved_in'

export interface TransferOrder {
  /** Even. The debit side is the transaction of this id, the credit side that of the next id. */
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
