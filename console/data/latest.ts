import { useMemo } from 'react'
import type { Event, EventFilter } from '../../client/src/index.ts'
import { type Rows, useList } from './list.ts'

/** The records in events, newest event first, each in its latest state. */
export function latestIn<Row>(events: readonly Event[]): Row[] {
  const found = new Map<string, Row>()
  for (const { entity, data } of events) {
    if (!found.has(entity.id)) found.set(entity.id, data as Row)
  }
  return [...found.values()]
}

/** The latest records of a type, by their events, if the list operation gives only those of one customer or account. */
export function useLatest<Row>(types: EventFilter, enabled: boolean): Rows<Row> {
  const events = useList('listEvents', { query: { type: [types], sort: '-sequence', limit: 100 } }, { enabled })
  const rows = useMemo(() => latestIn<Row>(events.rows), [events.rows])
  return { ...events, rows }
}
