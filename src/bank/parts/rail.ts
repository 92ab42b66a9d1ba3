import type { CreatePaymentInput } from '../../banking/payments/create-payment.ts'
import type { PaymentSecCode } from '../../banking/payments/payment.ts'
import type { InternalKind } from '../../ledger/records.ts'
import { noRail } from '../records/payment-columns.ts'
import type { LedgerPayee, LedgerPayment } from '../records/records.ts'

/** The part of a payment that its rail decides: its status, and when and how it leaves. */
export type RailState = Pick<LedgerPayment, 'status' | Exclude<keyof typeof noRail, 'link'>>

interface RailInput extends Pick<CreatePaymentInput, 'amount' | 'sameDay' | 'description' | 'direction'> {
  secCode?: PaymentSecCode
  /** Whether the bank itself chose the description, which may then be a reserved word. */
  isReserved?: boolean
}

/** A way for payments to leave the bank. */
export interface Rail {
  /** The state in which a payment begins. Refuses a payment that the rail cannot carry. */
  firstState(input: RailInput, payee: Pick<LedgerPayee, 'routingNumber' | 'type'>, now: string): RailState
  /** The state of a payment that was approved now. Refuses a payment that the rail cannot carry. */
  departure(payment: LedgerPayment, now: string): RailState
}

/** The rails of a bank, by the network that a payment names. */
export type Rails = Record<Network, Rail>

type Network = CreatePaymentInput['originalType']

/** The internal accounts that hold the money of payments which have left their account and not the bank. */
const clearingAccounts: Record<Network, InternalKind> = { ACH: 'ach_clearing' }

/** The internal account that holds the money of a payment to another bank while it is under way. */
export function clearingOf(payment: Pick<LedgerPayment, 'originalType'>): InternalKind {
  return clearingAccounts[networkOf(payment)]
}

/** The rail of a payment to another bank. */
export function railOf(rails: Rails, payment: Pick<LedgerPayment, 'originalType'>): Rail {
  return rails[networkOf(payment)]
}

/** Payments within the bank have no network, and are never under way: they count as ACH until they are refused. */
function networkOf({ originalType }: Pick<LedgerPayment, 'originalType'>): Network {
  return originalType in clearingAccounts ? (originalType as Network) : 'ACH'
}

const arrived: RailState = { ...noRail, status: 'Sent' }

/** The rail of payments that arrive at once: those within the bank, and those of a bank without ACH files. */
export const instant: Rail = { firstState: () => arrived, departure: () => arrived }

/** The state of a payment that has to be reviewed: the decision fixes when it leaves. */
export function underReview(state: RailState): RailState {
  return { ...state, status: 'PendingReview', cutoffAt: null, settlesAt: null }
}
