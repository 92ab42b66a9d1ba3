import { type Static, Type } from 'typebox'
import { CentsValue } from '../../base/cents.ts'
import { RecordId } from '../../base/ids.ts'
import { CreatedAt, described, Tags, Word } from '../../base/text.ts'
import type { StateRules } from '../state-rules.ts'
import { Counterparty, directions, returnMembers } from './payment.ts'

export const receivedPaymentStatuses = [
  'Pending',
  'PendingReview',
  'Advanced',
  'MarkedForReturn',
  'Completed',
  'Returned',
] as const
export type ReceivedPaymentStatus = (typeof receivedPaymentStatuses)[number]

/** The operations that need a received payment in a certain state. */
export const receivedPaymentRules = {
  returnReceivedPayment: {
    from: ['Pending', 'Completed'],
    to: 'MarkedForReturn',
    otherwise: 'received_payment_not_returnable',
  },
} as const satisfies StateRules<string, ReceivedPaymentStatus>

/** A payment that another bank sent to an account here: an ACH entry that credits or debits it. */
export const ReceivedPayment = Type.Object(
  {
    id: RecordId(),
    type: Word(['achReceivedPayment'], { description: 'Kind of received payment' }),
    accountId: RecordId('The account that it reached'),
    amount: described(CentsValue, 'Amount in cents'),
    createdAt: CreatedAt,
    description: Type.String({ description: 'Purpose that the sender gave', examples: ['Salary'] }),
    direction: Word(directions, { description: '`Credit` pays into the account, `Debit` takes from it' }),
    status: Word(receivedPaymentStatuses, {
      description:
        '`Pending` until it is booked on the settlement day, then `Completed`. `MarkedForReturn` until the return settles, then `Returned`',
    }),
    counterparty: Counterparty,
    receiverName: Type.Optional(Type.String({ description: 'The holder of the account, as the sender names it' })),
    secCode: Type.Optional(Type.String({ description: 'The Standard Entry Class', examples: ['PPD'] })),
    traceNumber: Type.Optional(
      Type.String({ description: 'Trace number of the ACH entry', examples: ['021000020000001'] }),
    ),
    addenda: Type.Optional(Type.String({ description: 'Further text of the sender' })),
    expectedCompletionDate: Type.Optional(
      Type.String({ description: 'The day on which it completes', examples: ['2026-02-02'] }),
    ),
    wasAdvanced: Type.Optional(Type.Boolean({ description: 'Whether the money was available before settlement' })),
    ...returnMembers,
    tags: Tags,
  },
  { $id: 'ReceivedPayment', description: 'A payment that another bank sent to an account' },
)
export type ReceivedPayment = Static<typeof ReceivedPayment>
