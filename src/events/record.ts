import type { RecordedEvents, Write } from '../base/operation.ts'
import type { Queryable } from '../database/database.ts'
import type { EventDraft, Origin } from './event.ts'
import { insertEvents } from './events.sql.ts'

export interface NewEvent {
  event: EventDraft
  /** With a place for the numbers of the events, if the write has one. */
  origin: Origin & { recorded?: RecordedEvents | undefined }
}

/** Numbers and stores events. It is the last statement before COMMIT, because other transactions wait for the counter. */
export function recordEvents(transaction: Queryable, events: NewEvent[]): Promise<void> {
  return events.length > 0 ? insertEvents(transaction, events) : Promise.resolve()
}

/** The type of `recordEvents`. The benchmark passes a function that drops events, to measure their cost. */
export type RecordEvents = typeof recordEvents

/** The origin of the changes of a write. */
export function originOf({ caller, requestId, key, recorded }: Write<never>): NewEvent['origin'] {
  return {
    organisationId: caller.organisationId,
    apiKeyId: caller.keyId === 0 ? null : caller.keyId,
    requestId,
    idempotencyKey: key.text,
    recorded,
  }
}

/** The origin of a change that the bank makes by itself. */
export function bankOrigin(organisationId: number): Origin {
  return { organisationId, apiKeyId: null, requestId: null, idempotencyKey: null }
}
