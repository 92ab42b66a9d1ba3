import { type Static, Type } from 'typebox'
import { RecordId } from '../base/ids.ts'
import { CreatedAt, Word } from '../base/text.ts'
import { AccountKindWord, LedgerAccountId } from './ledger-account.ts'

/** The causes of transfers. */
const transferKinds = [
  'payment',
  'paymentReturn',
  'debit',
  'debitReturn',
  'receivedAch',
  'cardSettlement',
  'cardRefund',
  'reward',
  'rewardClawback',
  'achSettlement',
  'achReturn',
  'achException',
  'achResolution',
  'statementBooking',
  'receivedAchReturn',
] as const

/** The kinds of records that cause transfers. */
export const sourceTypes = [
  'payment',
  'authorization',
  'reward',
  'receivedPayment',
  'achBatch',
  'achException',
] as const
export type SourceType = (typeof sourceTypes)[number]

const LedgerTransferSide = Type.Object(
  {
    accountId: LedgerAccountId,
    kind: AccountKindWord,
    name: Type.String({ description: 'Name of the account', examples: ['Ada Example'] }),
    transactionId: Type.Union([RecordId(), Type.Null()], {
      description: 'Id of the transaction that the account shows; null for an internal account',
    }),
    sequence: Type.Integer({
      minimum: 1,
      description: 'Number of the transfer along the account. The numbers of an account have no gaps',
    }),
    balance: Type.Integer({ description: 'Balance of the account after the transfer, in cents', examples: [2000] }),
  },
  { $id: 'LedgerTransferSide', description: 'One of the two accounts of a transfer' },
)

const LedgerTransferSource = Type.Object(
  {
    type: Word(sourceTypes, { description: 'Type of the record' }),
    id: Type.String({ description: 'Id of the record', examples: ['1000042'] }),
  },
  { $id: 'LedgerTransferSource', description: 'The record that caused a transfer' },
)

export const LedgerTransfer = Type.Object(
  {
    id: RecordId(),
    kind: Word(transferKinds, { description: 'Cause of the transfer' }),
    amount: Type.Integer({ minimum: 1, description: 'Amount in cents, always positive', examples: [2000] }),
    debit: LedgerTransferSide,
    credit: LedgerTransferSide,
    source: Type.Union([LedgerTransferSource, Type.Null()], {
      description:
        'The record that caused the transfer; null for an ACH transfer that was simulated, which has no other record',
    }),
    description: Type.Union([Type.String(), Type.Null()], { description: 'Purpose of the transfer; null without one' }),
    requestId: Type.Union([Type.String(), Type.Null()], {
      description: 'Id of the request that made the transfer; null if the bank made it by itself',
    }),
    createdAt: CreatedAt,
  },
  {
    $id: 'LedgerTransfer',
    description: 'A movement of money from the debited to the credited account. A transfer never changes',
  },
)
export type LedgerTransfer = Static<typeof LedgerTransfer>
