import { type Static, type TLiteral, type TObject, type TSchema, Type } from 'typebox'
import { AnsweredType, type RecordOf, type RecordType, recordTypeNames, recordTypes } from './record-types.ts'

/** The most records of one relation that an answer names. */
export const MAX_RELATED = 10

export const RelatedRecord = Type.Object(
  {
    relation: Type.String({
      description: 'How the record is related: its type, or its part, such as `destinationAccount` of a payment',
      examples: ['account'],
    }),
    type: AnsweredType,
    id: Type.String({ description: 'Id of the related record', examples: ['1000042'] }),
  },
  { $id: 'RelatedRecord', description: 'A record that is linked to another one' },
)
export type RelatedRecord = Static<typeof RelatedRecord>

const RecordAction = Type.Object(
  {
    operation: Type.String({ description: 'Id of the operation', examples: ['returnPayment'] }),
    allowed: Type.Union([Type.Boolean(), Type.Null()], {
      description:
        'Whether the present state of the record allows the operation; amounts are not judged. Null if a connector serves the record: then its provider decides',
    }),
    problem: Type.Union([Type.String(), Type.Null()], {
      description: 'Code of the problem that would refuse the operation; null if none would',
      examples: ['payment_not_returnable'],
    }),
  },
  { $id: 'RecordAction', description: 'An operation that changes the record, and whether it is possible now' },
)
export type RecordAction = Static<typeof RecordAction>

const around = {
  id: Type.String({ description: 'Id of the record as a text', examples: ['1000042'] }),
  label: Type.String({ description: 'A short text for people', examples: ['Rent, $20.00 to Grace Sample'] }),
}
const context = {
  related: Type.Array(RelatedRecord, {
    description: `Records that are linked to this one, in both directions, of the types that the key may read: the newest ${MAX_RELATED} of each relation`,
  }),
  actions: Type.Array(RecordAction, {
    description: 'The operations of this service that change the record, each with whether it is possible now',
  }),
}

const titles: Partial<Record<RecordType, string>> = { account: 'DepositAccount', request: 'Request' }

function schemaOf<T extends RecordType>(type: T) {
  const { record } = recordTypes[type]
  const name = titles[type] ?? `${type.charAt(0).toUpperCase()}${type.slice(1)}`
  return Type.Object(
    {
      type: Type.Literal(type, { description: 'Type of the record' }) as TLiteral<T>,
      ...around,
      record: record as TSchema,
      ...context,
    },
    {
      $id: `LookedUp${name}`,
      description: `A record of the type \`${type}\` with the records and operations around it`,
    },
  )
}

/** A record with its neighbours and the operations on it. `type` chooses the schema of `record`. */
export const LookedUp = Type.Unsafe<AnyLookedUp>(
  Type.Union(recordTypeNames.map(schemaOf) as TObject[], {
    discriminator: { propertyName: 'type' },
    $id: 'LookedUp',
    description: 'A record with the records and operations around it; `type` chooses the schema of `record`',
  }),
)

interface LookedUpOf<T extends RecordType> {
  type: T
  id: string
  label: string
  record: RecordOf<T>
  related: RelatedRecord[]
  actions: RecordAction[]
}
export type AnyLookedUp = { [T in RecordType]: LookedUpOf<T> }[RecordType]
