import type { Queryable } from '../database/database.ts'
import { envelope } from './event.ts'
import { type EventRange, listEventRows } from './events.sql.ts'
import { completeEvents, type ReadFirstStates } from './stored/complete-events.ts'

/** The next events of a range, as the feed shows them, each as one line of JSON. */
export async function readEventLines(
  database: Queryable,
  readFirstStates: ReadFirstStates,
  range: EventRange,
  take: number,
): Promise<{ number: number; line: string }[]> {
  const rows = await listEventRows(database, { ...range, filter: null, take })
  const events = await completeEvents(database, readFirstStates, rows)
  return events.map((event) => ({ number: event.sequence, line: envelope(event) }))
}
