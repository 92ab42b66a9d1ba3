import { movedTables } from '../../cells/move/tables.ts'

/** A trigger writes rows of this table for pages of events that a former version has stored. They are there already when its turn comes. */
export const indexOfEvents = 'event_entity'
/** Its row is sealed with the key of one bank. The manifest has its content. */
const keys = 'organisation_key'

const others = movedTables.filter(({ name }) => name !== keys && name !== indexOfEvents)

/** The tables of an archive in the order of their rows: a table before those that refer to it. */
export const archivedTables = [...others, ...movedTables.filter(({ name }) => name === indexOfEvents)]

/** Rows with whole files: each is as large as many others. */
const withFiles = new Set(['document_file', 'ach_file'])

/** The rows of a table that are in memory at a time. */
export function portionOf(table: string): number {
  return withFiles.has(table) ? 1 : 100
}
