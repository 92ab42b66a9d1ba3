import { Type } from 'typebox'
import { entityType, eventTypes } from './event.ts'

const ANY = '.*'

/** What may be asked for: a type, all types of a kind of record (`payment.*`), or everything (`*`). */
const filterWords = ['*', ...new Set(eventTypes.map((type) => entityType(type) + ANY)), ...eventTypes]

export const EventFilter = Type.Enum(filterWords)

/**
 * A filter by the parts that a type is compared with. Wildcards are not spelled out into the types known here: in an
 * upgrade another process may already write one that this one does not know.
 */
export interface TypeFilter {
  types: string[]
  entities: string[]
}

/** Reads a filter; null where it lets every event through. A repeated word counts once, because each is compared. */
export function typeFilter(words: string[] | undefined): TypeFilter | null {
  if (words === undefined || words.includes('*')) return null
  const distinct = [...new Set(words)]
  return {
    types: distinct.filter((word) => !word.endsWith(ANY)),
    entities: distinct.filter((word) => word.endsWith(ANY)).map(entityType),
  }
}

/** Whether a filter lets a type through. */
export function lets({ types, entities }: TypeFilter, type: string): boolean {
  return types.includes(type) || entities.includes(entityType(type))
}
