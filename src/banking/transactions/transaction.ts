import { type Static, Type } from 'typebox'
import { CentsValue } from '../../base/cents.ts'
import { RecordId } from '../../base/ids.ts'
import { Timestamp, Word } from '../../base/text.ts'
import { Counterparty, directions } from '../payments/payment.ts'

const TransactionTags = Type.Record(Type.String(), Type.String(), { examples: [{ originalType: 'ACH' }] })

const attributes = {
  createdAt: Timestamp,
  amount: CentsValue,
  direction: Word(directions),
  balance: CentsValue,
  summary: Type.String({ examples: ['Grace Sample  |  Rent'] }),
  counterparty: Counterparty,
}

/** A transaction in a list, with its attributes at the top level. */
export const ListedTransaction = Type.Object(
  { type: Word(['bookTransaction']), id: RecordId(), ...attributes, tags: Type.Optional(TransactionTags) },
  { $id: 'ListedTransaction' },
)
export type ListedTransaction = Static<typeof ListedTransaction>

const Relation = Type.Object({ type: Type.String(), id: Type.String() })
const ToOne = Type.Object({ data: Relation })

/** A single transaction: its attributes and the records that it is related to. */
export const Transaction = Type.Object(
  {
    type: Word(['bookTransaction']),
    id: RecordId(),
    attributes: Type.Object({ ...attributes, tags: TransactionTags }),
    // The built-in bank always names the customer and the organisation. An upstream may leave them out.
    relationships: Type.Object({
      account: ToOne,
      customer: Type.Optional(ToOne),
      customers: Type.Optional(Type.Object({ data: Type.Array(Relation) })),
      payment: Type.Optional(ToOne),
      counterpartyAccount: Type.Optional(ToOne),
      counterpartyCustomer: Type.Optional(ToOne),
      org: Type.Optional(ToOne),
    }),
  },
  { $id: 'Transaction' },
)
export type Transaction = Static<typeof Transaction>

export function summaryOf(counterpartyName: string, description: string): string {
  return `${counterpartyName}  |  ${description}`
}
