import { messageOf } from '../../base/message-of.ts'
import type { Queryable } from '../../database/database.ts'
import { isDatabaseError } from '../../database/errors.ts'
import { type ArchiveLine, type ArchiveManifest, faultAt, isObject, parsedLine } from './format.ts'
import { insertLines } from './import.sql.ts'
import { archivedTables, portionOf } from './tables.ts'

/** Rows of one table that are inserted together. */
interface Portion {
  table: string
  first: number
  lines: string[]
  bytes: number
}

/** A portion holds no more, beside the line that passes it. */
const LARGEST_PORTION = 4 * 1024 * 1024
/** The database quotes values, which may be long. */
const LONGEST_REASON = 300

export interface Taking {
  manifest: ArchiveManifest
  columns: Map<string, string[]>
  progress: (done: number, of: number, now: string) => void
}

/**
 * Inserts the rows of an archive. Refuses a row of another organisation, of an unknown table or with other columns, one more row
 * than the manifest says, and a file without its last line.
 */
export async function takeRows(
  transaction: Queryable,
  lines: AsyncIterator<ArchiveLine>,
  { manifest, columns, progress }: Taking,
): Promise<void> {
  const { counts } = manifest.figures
  const all = archivedTables.reduce((sum, { name }) => sum + (counts[name] ?? 0), 0)
  const taken = new Map<string, number>()
  let rows = 0
  let turn = 0
  let portion: Portion | undefined
  const insert = async () => {
    if (portion) await insertPortion(transaction, portion)
    portion = undefined
    progress(rows, all, archivedTables[turn]?.name ?? '')
  }
  for (let next = await lines.next(); !next.done; next = await lines.next()) {
    const line = next.value
    const value = parsedLine(line)
    if (!isObject(value)) throw faultAt(line.number, 'the line is no row')
    if (value.end !== undefined) {
      await insert()
      if (value.end !== rows) throw faultAt(line.number, `${rows} rows are here, and the archive had ${value.end}`)
      if (!(await lines.next()).done) throw faultAt(line.number + 1, 'the archive goes on behind its end')
      return
    }
    const { table, row } = value
    const found = archivedTables.findIndex(({ name }) => name === table)
    if (typeof table !== 'string' || found < 0) throw faultAt(line.number, 'the table is unknown')
    if (found < turn) throw faultAt(line.number, `rows of ${table} come too late`)
    requireOwn(line.number, row, columns.get(table) ?? [], manifest.organisation.id)
    const count = (taken.get(table) ?? 0) + 1
    if (count > (counts[table] ?? 0)) throw faultAt(line.number, `${table} has more rows than the manifest says`)
    if (portion && (portion.table !== table || isFull(portion))) await insert()
    turn = found
    taken.set(table, count)
    rows++
    portion ??= { table, first: line.number, lines: [], bytes: 0 }
    portion.lines.push(line.text)
    portion.bytes += line.text.length
  }
  throw faultAt(rows + 2, 'the archive is not whole: its last line is missing')
}

function isFull({ table, lines, bytes }: Portion): boolean {
  return lines.length >= portionOf(table) * 5 || bytes >= LARGEST_PORTION
}

function requireOwn(number: number, row: unknown, columns: string[], id: number): void {
  if (!isObject(row)) throw faultAt(number, 'the line has no row')
  const names = Object.keys(row)
  if (names.length !== columns.length || !columns.every((column) => Object.hasOwn(row, column))) {
    throw faultAt(number, 'the row has other columns than its table')
  }
  if (columns.includes('organisation_id') && row.organisation_id !== id) {
    throw faultAt(number, 'the row is of another organisation')
  }
}

async function insertPortion(transaction: Queryable, { table, first, lines }: Portion): Promise<void> {
  try {
    await insertLines(transaction, table, lines)
  } catch (error) {
    if (!isDatabaseError(error)) throw error
    const last = first + lines.length - 1
    const where = last > first ? ` to ${last}` : ''
    throw faultAt(
      first,
      `rows of ${table}${where} do not fit into the bank: ${messageOf(error).slice(0, LONGEST_REASON)}`,
    )
  }
}
