import { type Static, Type } from 'typebox'
import { CentsValue } from '../../base/cents.ts'
import { RecordId } from '../../base/ids.ts'
import { CreatedAt, described, Timestamp, Word } from '../../base/text.ts'
import { directions } from '../payments/payment.ts'

export const achBatchTypes = ['payments', 'returns', 'verifications'] as const
export type AchBatchType = (typeof achBatchTypes)[number]

export const achBatchStatuses = ['Clearing', 'Settled', 'Rejected'] as const
export type AchBatchStatus = (typeof achBatchStatuses)[number]

/** A batch of an outgoing ACH file. */
export const AchBatch = Type.Object(
  {
    id: RecordId(),
    type: Word(achBatchTypes, {
      description:
        '`payments` are payments of the organisation, `returns` are received payments that go back, `verifications` are micro-entries and prenotes, which are not listed one by one',
    }),
    status: Word(achBatchStatuses, {
      description:
        '`Clearing` from the cut-off on, `Settled` from the settlement on, `Rejected` if the receiving bank refused it',
    }),
    direction: Word(directions, {
      description: 'Side of the entries. A batch of returns has that of the received payments',
    }),
    fileId: RecordId('The ACH file that holds the batch'),
    secCode: Type.String({ description: 'The Standard Entry Class', examples: ['PPD'] }),
    companyName: Type.String({
      description: 'Company of the payments; for returns the company that sent the received payments',
      examples: ['SAMPLE BANK'],
    }),
    companyId: Type.String({ description: 'Its company identification', examples: ['1234567890'] }),
    description: Type.String({ description: 'Purpose of the entries', examples: ['RENT'] }),
    effectiveDate: Type.String({ description: 'Effective entry date', examples: ['2026-02-03'] }),
    settlementDate: Type.String({
      description: 'Day of the settlement, in Eastern time. A rejected batch does not settle',
      examples: ['2026-02-03'],
    }),
    entryCount: Type.Integer({ description: 'Number of entries', examples: [12] }),
    amount: described(CentsValue, 'Sum of the entries, in cents'),
    createdAt: described(CreatedAt, 'Cut-off with which the batch left, in bank time'),
    settledAt: Type.Optional(described(Timestamp, 'Time of the settlement, in bank time')),
    rejectedAt: Type.Optional(described(Timestamp, 'Time at which the rejection was noted, in bank time')),
  },
  { $id: 'AchBatch', description: 'A batch of an outgoing ACH file' },
)
export type AchBatch = Static<typeof AchBatch>

/** An entry of such a batch. */
export const AchEntry = Type.Object(
  {
    paymentId: Type.Optional(RecordId('The payment that left with the entry')),
    receivedPaymentId: Type.Optional(
      RecordId('The received payment that the entry returns; absent if it named no account'),
    ),
    traceNumber: Type.String({ description: 'Trace number of the entry', examples: ['812345670000001'] }),
    amount: described(CentsValue, 'Amount in cents'),
    status: Type.String({ description: 'Present status of the payment or the received payment', examples: ['Sent'] }),
    returnCode: Type.Optional(Type.String({ description: 'Code of the return', examples: ['R03'] })),
  },
  { $id: 'AchEntry', description: 'An entry of a batch' },
)
export type AchEntry = Static<typeof AchEntry>
