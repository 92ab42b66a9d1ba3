import { type Static, Type } from 'typebox'
import { described, Timestamp } from '../../base/text.ts'

const nullableText = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

const Actor = Type.Object(
  {
    type: Type.Enum(['apiKey', 'person', 'operator', 'bank'], {
      description:
        '`operator` if the command line of the operator changed a person, `bank` if the bank acted by itself, such as at a month’s end',
    }),
    id: nullableText('Id of the API key or the person; null for others'),
    name: nullableText('Name of the API key or the person; null for others'),
    session: Type.Union(
      [
        Type.Object({
          id: nullableText('Id of the session; null for a sign-in that was refused'),
          address: Type.String({ description: 'IP address of the person' }),
        }),
        Type.Null(),
      ],
      { description: 'Session of the person; null for others' },
    ),
  },
  { $id: 'Actor', description: 'The API key, the person, the operator or the bank that acted' },
)
export const RecordReference = Type.Object(
  {
    type: Type.String({ description: 'Type of the record, as event types name it', examples: ['payment'] }),
    id: Type.String({ description: 'Id of the record', examples: ['1000042'] }),
  },
  { $id: 'RecordReference', description: 'A record by its type and id' },
)
const Denial = Type.Object(
  {
    code: Type.Enum(['unauthorized', 'forbidden'], {
      description: '`forbidden` if the key lacks a scope; `unauthorized` if it does not work any more',
    }),
    path: Type.String({ description: 'Path of the request' }),
    address: Type.String({ description: 'IP address of the caller' }),
    unwritten: Type.Integer({
      description: 'Number of denied requests of the key since its previous entry that were not stored',
    }),
  },
  { $id: 'Denial', description: 'A request that was denied' },
)

/** A change of a record and who made it, or a request that was denied. */
export const AuditEntry = Type.Object(
  {
    at: described(Timestamp, 'Time of the change or of the denied request, in bank time'),
    outcome: Type.Enum(['Done', 'Denied'], { description: '`Done` for a change, `Denied` for a denied request' }),
    action: Type.String({
      description: 'The type of the event; for a denied request, the operation',
      examples: ['payment.created'],
    }),
    actor: Actor,
    record: Type.Union([RecordReference, Type.Null()], {
      description: 'The record that changed; null for a denied request',
    }),
    reason: nullableText('The reason that a reviewer or the screening gave; null if there is none'),
    requestId: nullableText('`X-Request-Id` of the request; null if the bank acted by itself'),
    eventId: nullableText('Id of the event; null for a denied request'),
    detail: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()], {
      description: 'The `data` of an event about a person, a look at personal data or an export; null for all others',
    }),
    denial: Type.Union([Denial, Type.Null()], { description: 'The denied request; null for a change' }),
  },
  { $id: 'AuditEntry', description: 'A change with its actor, or a request that was denied' },
)
export type AuditEntry = Static<typeof AuditEntry>
