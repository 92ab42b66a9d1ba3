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

/** The kinds of internal accounts, which are the other side of money that enters or leaves the bank, and the names of the accounts. */
export const internalNames = {
  ach_clearing: 'ACH clearing',
  ach_settlement: 'ACH settlement',
  ach_suspense: 'ACH suspense',
  ach_write_off: 'ACH write-off',
  bank_fees: 'Bank fees',
  bank_funding: 'Bank funding',
  bank_suspense: 'Bank suspense',
  card_settlement: 'Card settlement',
  moved_in: 'Moved in',
  rewards_funding: 'Rewards funding',
}
export type InternalKind = keyof typeof internalNames

/** The causes of transfers. */
export const sourceKinds = [
  'payment',
  'payment_return',
  'payment_release',
  'debit',
  'debit_return',
  'ach_settlement',
  'ach_return',
  'ach_exception',
  'ach_resolution',
  'statement_booking',
  'received_ach',
  'received_ach_return',
  'card_settlement',
  'card_refund',
  'reward',
  'reward_clawback',
  'moved_in',
] as const
export type SourceKind = (typeof sourceKinds)[number]

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
