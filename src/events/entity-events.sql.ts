import type { Queryable } from '../database/database.ts'
import type { StoredEvent } from './event.ts'
import { columnsOf, type EventRange } from './events.sql.ts'

/** The record that events are about. */
export interface Entity {
  type: string
  id: string
}

/** The events of a record that are in its index, those of most records; in ascending order or newest first. */
export function listIndexedRows(
  database: Queryable,
  { type, id }: Entity,
  { organisationId, after, upTo, descending, take }: EventRange & { descending: boolean; take: number },
): Promise<StoredEvent[]> {
  const order = descending ? 'desc' : 'asc'
  return database.query(
    `select ${columnsOf}
     from (select sequence as number from event_entity
       where organisation_id = $1::bigint and entity_type = $2::text and entity_id = $3::text
         and sequence > $4::bigint and sequence <= $5::bigint
       order by sequence ${order} limit $6::bigint) i
     cross join lateral event_at($1::bigint, i.number)
     order by sequence ${order}`,
    [organisationId, type, id, after, upTo, take],
  )
}

/** Numbers of events: `low` is the last one before a time, `high` the last one within a minute after it. */
export interface TimeRange {
  low: number
  high: number
}

const rangeOf = `select event_sequence_at($1::bigint, created_at - interval '1 millisecond') as low,
  event_sequence_at($1::bigint, created_at + interval '1 minute') as high`

/** If the first event of a payment or a transaction is looked for; undefined if there is no such record. */
export async function findCreationRange(
  database: Queryable,
  organisationId: number,
  { type, id }: { type: 'payment' | 'transaction'; id: number },
): Promise<TimeRange | undefined> {
  const text =
    type === 'payment'
      ? `${rangeOf} from payment where organisation_id = $1::bigint and id = $2::bigint`
      : `${rangeOf} from transfer where organisation_id = $1::bigint and id = $2::bigint - $2::bigint % 2`
  const [row] = await database.query<TimeRange>(text, [organisationId, id])
  return row
}

export async function findCreatedRow(
  database: Queryable,
  { type, id }: Entity,
  { organisationId, after, upTo }: EventRange,
): Promise<StoredEvent | undefined> {
  const [row] = await database.query<StoredEvent>(
    `select ${columnsOf} from created_event($1::bigint, $2::text, $3::text, $4::bigint, $5::bigint)`,
    [organisationId, type, id, after, upTo],
  )
  return row
}
