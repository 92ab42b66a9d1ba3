import type { Queryable } from '../database/database.ts'
import type { Entity } from './entity-events.sql.ts'
import { readEntityEvents } from './entity-events.ts'
import { type CompleteEvent, eventId } from './event.ts'
import { findKeptEvents } from './events.sql.ts'
import { findKeys, findTransactionEvents, type PastKey } from './past.sql.ts'
import { completeEvents, type ReadFirstStates } from './stored/complete-events.ts'

/** An event of a record, with the key that caused it. */
export interface PastEvent {
  id: string
  sequence: number
  type: string
  at: string
  requestId: string | null
  idempotencyKey: string | null
  /** Null if the bank acted by itself. */
  apiKey: { id: string; name: string; personId: string | null } | null
  data: Record<string, unknown>
}

/** A page of the events of a record, oldest first. */
export interface Past {
  events: PastEvent[]
  /** The event before the page. */
  before: PastEvent | undefined
  /** The number after which the next page begins; undefined if there is none. */
  next: number | undefined
}

interface PastParts {
  database: Queryable
  readFirstStates: ReadFirstStates
}

/** Reads the events of a record that are kept, after a number. */
export async function readPast(
  { database, readFirstStates }: PastParts,
  organisationId: number,
  entity: Entity,
  { after, limit }: { after: number; limit: number },
): Promise<Past> {
  const kept = await findKeptEvents(database, organisationId)
  const from = Math.max(after, kept.after)
  const ahead = { organisationId, after: from, upTo: Math.max(from, kept.head), descending: false, limit }
  const { rows, next } = await readEntityEvents(database, entity, ahead)
  const back = { ...ahead, after: kept.after, upTo: from, descending: true, limit: 1 }
  const last = from > kept.after ? (await readEntityEvents(database, entity, back)).rows : []
  const complete = await completeEvents(database, readFirstStates, [...last, ...rows])
  const keyIds = complete.flatMap(({ apiKeyId }) => apiKeyId ?? [])
  const keys = await findKeys(database, organisationId, [...new Set(keyIds)])
  const events = complete.map((event) => pastEvent(event, keys))
  return { before: events[last.length - 1], events: events.slice(last.length), next: next?.after }
}

function pastEvent(event: CompleteEvent, keys: Map<number, PastKey>): PastEvent {
  const { sequence, type, createdAt, requestId, idempotencyKey, apiKeyId, data } = event
  const { name = '', personId = null } = keys.get(apiKeyId ?? 0) ?? {}
  const person = personId === null ? null : String(personId)
  const apiKey = apiKeyId === null ? null : { id: String(apiKeyId), name, personId: person }
  return {
    id: eventId(event),
    sequence,
    type,
    at: createdAt,
    requestId,
    idempotencyKey,
    apiKey,
    data: JSON.parse(data),
  }
}

/** The event of a transaction, without data. */
export interface TransactionEvent {
  id: string
  sequence: number
  transactionId: string
}

/** The events of transactions that were recorded beside other events: in the same commit, close to the number of one. */
export async function readTransactionEvents(
  database: Queryable,
  organisationId: number,
  wanted: { transactionId: string; near: number }[],
): Promise<TransactionEvent[]> {
  const rows = await findTransactionEvents(database, organisationId, wanted)
  return rows.map((row) => ({ ...row, id: eventId({ organisationId, ...row }) }))
}
