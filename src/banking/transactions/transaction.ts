import { type Static, Type } from 'typebox'
import { CentsValue } from '../../base/cents.ts'
import { RecordId } from '../../base/ids.ts'
import { described, Timestamp, Word } from '../../base/text.ts'
import { Counterparty, directions, returnMembers } from '../payments/payment.ts'

const TransactionTags = Type.Record(Type.String(), Type.String(), {
  description:
    'Facts about the cause: `originalType` is `ACH`, `BOOK`, `CARD` or `REWARD`; `paymentId` names the payment, if there is one',
  examples: [{ originalType: 'ACH' }],
})

const attributes = {
  createdAt: described(Timestamp, 'Time of posting, in bank time'),
  amount: described(CentsValue, 'Amount in cents, always positive'),
  direction: Word(directions, { description: '`Credit` for money in, `Debit` for money out' }),
  balance: described(CentsValue, 'Balance of the account after the transaction, in cents'),
  summary: Type.String({ description: 'Name of the other party and purpose', examples: ['Grace Sample  |  Rent'] }),
  counterparty: Counterparty,
  ...returnMembers,
}

/** A transaction in a list, with its attributes at the top level. */
export const ListedTransaction = Type.Object(
  {
    type: Word(['bookTransaction'], { description: 'Kind of transaction' }),
    id: RecordId(),
    accountId: Type.Optional(RecordId('Its account')),
    ...attributes,
    tags: Type.Optional(TransactionTags),
  },
  { $id: 'ListedTransaction', description: 'A transaction in a list, with its attributes at the top level' },
)
export type ListedTransaction = Static<typeof ListedTransaction>

const Relation = Type.Object(
  {
    type: Type.String({ description: 'Type of the related record', examples: ['account'] }),
    id: Type.String({ description: 'Id of the related record', examples: ['1000042'] }),
  },
  { $id: 'Relation', description: 'A related record by its type and id' },
)
const ToOne = Type.Object({ data: Relation }, { $id: 'ToOneRelation', description: 'A relation to one record' })
const ToMany = Type.Object(
  { data: Type.Array(Relation, { description: 'The related records' }) },
  { $id: 'ToManyRelation', description: 'A relation to several records' },
)

const TransactionAttributes = Type.Object(
  { ...attributes, tags: TransactionTags },
  { $id: 'TransactionAttributes', description: 'The facts of the transaction' },
)

/** The built-in bank always names the customer and the organisation. An upstream may leave them out. */
const TransactionRelationships = Type.Object(
  {
    account: ToOne,
    customer: Type.Optional(ToOne),
    customers: Type.Optional(ToMany),
    payment: Type.Optional(ToOne),
    counterpartyAccount: Type.Optional(ToOne),
    counterpartyCustomer: Type.Optional(ToOne),
    org: Type.Optional(ToOne),
  },
  {
    $id: 'TransactionRelationships',
    description:
      'The records that the transaction is related to: its account, customers and organisation (`org`); the payment, if there is one; the account and the customer on the other side, if they are known',
  },
)

/** A single transaction: its attributes and the records that it is related to. */
export const Transaction = Type.Object(
  {
    type: Word(['bookTransaction'], { description: 'Kind of transaction' }),
    id: RecordId(),
    attributes: TransactionAttributes,
    relationships: TransactionRelationships,
  },
  { $id: 'Transaction', description: 'A movement of money into or out of an account' },
)
export type Transaction = Static<typeof Transaction>

export function summaryOf(counterpartyName: string, description: string): string {
  return `${counterpartyName}  |  ${description}`
}
