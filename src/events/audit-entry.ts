import { type Static, Type } from 'typebox'
import { Timestamp } from '../base/text.ts'

const nullableText = Type.Union([Type.String(), Type.Null()])

const Actor = Type.Object(
  { type: Type.Enum(['apiKey', 'bank']), id: nullableText, name: nullableText },
  { $id: 'Actor' },
)
export const RecordReference = Type.Object({ type: Type.String(), id: Type.String() }, { $id: 'RecordReference' })
const Denial = Type.Object(
  {
    code: Type.Enum(['unauthorized', 'forbidden']),
    path: Type.String(),
    address: Type.String(),
    unwritten: Type.Integer({
      description: 'Number of denied requests of the key since its previous entry that were not stored',
    }),
  },
  { $id: 'Denial' },
)

/** A change of a record and the key that made it, or a request that was denied. */
export const AuditEntry = Type.Object(
  {
    at: Timestamp,
    outcome: Type.Enum(['Done', 'Denied']),
    action: Type.String({
      description: 'The type of the event; for a denied request, the operation',
      examples: ['payment.created'],
    }),
    actor: Actor,
    record: Type.Union([RecordReference, Type.Null()]),
    requestId: nullableText,
    eventId: nullableText,
    denial: Type.Union([Denial, Type.Null()]),
  },
  { $id: 'AuditEntry' },
)
export type AuditEntry = Static<typeof AuditEntry>
