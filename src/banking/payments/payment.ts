import { type Static, Type } from 'typebox'
import { CentsValue } from '../../base/cents.ts'
import { RecordId } from '../../base/ids.ts'
import { Timestamp, Word } from '../../base/text.ts'

/** The other side of a movement of money. */
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

/** A payment in a list: without `originalType`. */
export const ListedPayment = Type.Object({ ...listed, counterparty: Counterparty }, { $id: 'ListedPayment' })
export type ListedPayment = Static<typeof ListedPayment>
