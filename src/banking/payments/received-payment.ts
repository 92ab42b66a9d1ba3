import { type Static, Type } from 'typebox'
import { CentsValue } from '../../base/cents.ts'
import { RecordId } from '../../base/ids.ts'
import { Tags, Timestamp, Word } from '../../base/text.ts'
import { Counterparty, directions } from './payment.ts'

const receivedPaymentStatuses = ['Pending', 'PendingReview', 'Advanced', 'MarkedForReturn', 'Completed', 'Returned']

/** A payment that another bank sent to an account here: an ACH entry that credits or debits it. */
export const ReceivedPayment = Type.Object(
  {
    id: RecordId(),
    type: Word(['achReceivedPayment']),
    accountId: RecordId(),
    amount: CentsValue,
    createdAt: Timestamp,
    description: Type.String({ examples: ['Salary'] }),
    direction: Word(directions),
    status: Word(receivedPaymentStatuses),
    counterparty: Counterparty,
    receiverName: Type.Optional(Type.String({ description: 'The holder of the account, as the sender names it' })),
    secCode: Type.Optional(Type.String({ description: 'The Standard Entry Class', examples: ['PPD'] })),
    traceNumber: Type.Optional(Type.String({ examples: ['021000020000001'] })),
    addenda: Type.Optional(Type.String()),
    expectedCompletionDate: Type.Optional(
      Type.String({ description: 'The day on which it completes', examples: ['2026-02-02'] }),
    ),
    wasAdvanced: Type.Optional(Type.Boolean({ description: 'Whether the money was available before settlement' })),
    returnReason: Type.Optional(Type.String({ description: 'Why it was returned' })),
    tags: Tags,
  },
  { $id: 'ReceivedPayment' },
)
export type ReceivedPayment = Static<typeof ReceivedPayment>
