import type { Write } from '../base/operation.ts'
import type { Queryable } from '../database/database.ts'
import type { EventDraft, Origin } from './event.ts'
import { insertEvents } from './events.sql.ts'

export interface NewEvent {
  event: EventDraft
  origin: Origin
}

/** Writes events and gives them their numbers: the last statement before COMMIT, because others wait for the counter. */
export function recordEvents(transaction: Queryable, events: NewEvent[]): Promise<void> {
  return events.length > 0 ? insertEvents(transaction, events) : Promise.resolve()
}

/** A replacement of `recordEvents`. The benchmark drops events, to measure what they cost. */
export type RecordEvents = typeof recordEvents

/** The origin of what a write changes. */
export function originOf({ caller, requestId, key }: Write<never>): Origin {
  return {
    organisationId: caller.organisationId,
    apiKeyId: caller.keyId === 0 ? null : caller.keyId,
    requestId,
    idempotencyKey: key.text,
  }
}

/** The origin of what the bank does by itself. */
export function bankOrigin(organisationId: number): Origin {
  return { organisationId, apiKeyId: null, requestId: null, idempotencyKey: null }
}
