import { Type } from 'typebox'
import { entityType, eventTypes } from './event.ts'

const ANY = '.*'

/** The words of a filter: a type, all types of a kind of record (`payment.*`), or every type (`*`). */
export const eventFilterWords = ['*', ...new Set(eventTypes.map((type) => entityType(type) + ANY)), ...eventTypes]

export const EventFilter = Type.Enum(eventFilterWords)

/**
 * A filter, split into types and kinds of records. A wildcard is not expanded into the types known here: during an upgrade
 * another process may already emit a type that this one does not know.
 */
export interface TypeFilter {
  types: string[]
  entities: string[]
}

/** Reads a filter; null if it lets every event through. A repeated word counts once, because each is compared. */
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
