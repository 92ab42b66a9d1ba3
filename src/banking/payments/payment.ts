import { type Static, Type } from 'typebox'
import { CentsValue } from '../../base/cents.ts'
import { RecordId } from '../../base/ids.ts'
import { Problem } from '../../base/problem.ts'
import { Timestamp, Word } from '../../base/text.ts'
import { requireAllowed, type StateRules } from '../state-rules.ts'

/** The other party of a payment or transaction. */
export const Counterparty = Type.Object(
  {
    name: Type.String({ examples: ['Grace Sample'] }),
    routingNumber: Type.String({ examples: ['021000021'] }),
    accountNumber: Type.String({ examples: ['9876543210'] }),
    accountType: Type.String({ examples: ['Checking'] }),
  },
  { $id: 'Counterparty' },
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

/** The operations that need a payment in a certain state. A payment to another account of this bank cannot be returned. */
export const paymentRules = {
  returnPayment: { from: ['Sent'], to: 'Returned', otherwise: 'payment_not_returnable' },
} as const satisfies StateRules<string, PaymentStatus>

/** Throws the refusal of a payment that cannot be returned. */
export function requireReturnable(payment: { status: PaymentStatus; destinationAccountId: number | null }): void {
  requireAllowed(paymentRules, 'returnPayment', payment.status)
  if (payment.destinationAccountId !== null) throw new Problem('payment_not_returnable')
}

export const directions = ['Credit', 'Debit'] as const
export const Direction = Type.Enum([...directions])

const listed = {
  id: RecordId(),
  type: Word(['achPayment', 'bookPayment']),
  amount: CentsValue,
  createdAt: Timestamp,
  description: Type.String({ examples: ['Rent'] }),
  direction: Word(directions),
  status: Word(paymentStatuses),
}

export const Payment = Type.Object(
  { ...listed, originalType: Type.String({ examples: ['ACH'] }), counterparty: Counterparty },
  { $id: 'Payment' },
)
export type Payment = Static<typeof Payment>

/** A payment in a list, without `originalType`. */
export const ListedPayment = Type.Object({ ...listed, counterparty: Counterparty }, { $id: 'ListedPayment' })
export type ListedPayment = Static<typeof ListedPayment>
