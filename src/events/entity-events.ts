import { idNumber } from '../base/ids.ts'
import type { Queryable } from '../database/database.ts'
import { type Entity, findCreatedRow, findCreationRange, listIndexedRows } from './entity-events.sql.ts'
import type { StoredEvent } from './event.ts'

/** The part of the feed in which the events of a record are wanted. */
export interface EntityRange {
  organisationId: number
  after: number
  upTo: number
  descending: boolean
  limit: number
}

export interface EntityEvents {
  rows: StoredEvent[]
  /** The query parameters of the next page; undefined if there is none. */
  next: Record<string, number> | undefined
}

/**
 * Maximum number of events that one call reads to find the first one of a payment or a transaction. Mostly it is among
 * the first of its time; if bank time stands still, all events have one time.
 */
const MAX_EVENTS_SEARCHED = 10_000

/** The events of a record, found without reading the feed. */
export async function readEntityEvents(database: Queryable, entity: Entity, range: EntityRange): Promise<EntityEvents> {
  const { descending, limit } = range
  const indexed = await listIndexedRows(database, entity, { ...range, take: limit + 1 })
  const { created, searchedTo } = await findCreated(database, entity, range)
  // It comes before all others of its record, of which none can be shown yet.
  if (searchedTo !== undefined && !descending) return { rows: [], next: { after: searchedTo } }
  const others = indexed.filter(({ sequence }) => sequence !== created?.sequence)
  const found = created ? (descending ? [...others, created] : [created, ...others]) : others
  const rows = found.slice(0, limit)
  const last = rows.at(-1)?.sequence
  if (found.length > limit && last !== undefined) return { rows, next: descending ? { before: last } : { after: last } }
  const rest = searchedTo === undefined ? undefined : { after: searchedTo, ...(last && { before: last }) }
  return { rows, next: rest }
}

interface Search {
  created?: StoredEvent | undefined
  /** Where the search stopped before its end. */
  searchedTo?: number
}

/** Looks for the first event of a payment or a transaction, which is in no index. */
async function findCreated(database: Queryable, entity: Entity, range: EntityRange): Promise<Search> {
  const { type } = entity
  const id = idNumber(entity.id)
  if ((type !== 'payment' && type !== 'transaction') || id === 0) return {}
  const { organisationId, after, upTo } = range
  const bounds = await findCreationRange(database, organisationId, { type, id })
  if (!bounds) return {}
  const from = Math.max(bounds.low, after)
  // The event is numbered when its transaction commits: others of a later time may come first.
  const end = Math.min(upTo, Math.max(bounds.high, bounds.low + MAX_EVENTS_SEARCHED))
  const stop = Math.min(end, from + MAX_EVENTS_SEARCHED)
  if (from >= stop) return {}
  const created = await findCreatedRow(database, entity, { organisationId, after: from, upTo: stop })
  return created || stop === end ? { created } : { searchedTo: stop }
}
