import { figure, jsonLine, padded, visible, widthOf } from './text.ts'

/** The columns of a table, the most important first: members, or members with headings of their own. */
export type Columns = readonly string[] | Readonly<Record<string, string>>

/** How a table shows some of its members. */
export interface TableStyle {
  /** Members in cents, which are shown in dollars. */
  money?: readonly string[]
  /** Texts that are aligned as numbers are. */
  right?: readonly string[]
}

interface Table {
  heading: string
  row(record: object): string
  /** The headings of columns for which there was no room. */
  hidden: string[]
}

interface Column {
  name: string
  heading: string
  align: 'left' | 'right'
  width: number
  /** The width that it needs at least. */
  least: number
  isEmpty: boolean
}

/** Texts of several words are cut to no less than this, and paths to a little more; ids, times, amounts and states are shown in full or not at all. */
const MIN_PROSE = 16
const MIN_PATH = 30
export const GAP = '  '

/**
 * A table that is as wide as its first records need. If the terminal is too narrow, columns without a value and then later ones
 * are left out.
 */
export function openTable(
  first: readonly object[],
  columns: Columns | undefined,
  width: number,
  style: TableStyle = {},
): Table {
  const all = headingsOf(first, columns).map(([name, heading]) => measured(first, name, heading, style))
  const shown = fitting(all, width)
  const rowText = (text: (column: Column) => string) =>
    shown
      .map((column) => padded(text(column), column.width, column.align))
      .join(GAP)
      .trimEnd()
  const isLeftOut = (column: Column) => first.length > 0 && !column.isEmpty && !shown.includes(column)
  return {
    heading: rowText(({ heading }) => heading),
    row: (record) => rowText(({ name }) => tableCell(name, memberAt(record, name), style)),
    hidden: all.filter(isLeftOut).map(({ heading }) => heading),
  }
}

/** Records as the lines of a table of any width. */
export function tableText(records: readonly object[], columns: Columns, style?: TableStyle): string {
  const { heading, row } = openTable(records, columns, Number.POSITIVE_INFINITY, style)
  return [heading, ...records.map(row)].join('\n')
}

/** Columns without headings of their own are those that a record has a value for. */
function headingsOf(rows: readonly object[], columns: Columns | undefined): [name: string, heading: string][] {
  if (columns && !Array.isArray(columns)) return Object.entries(columns)
  const isShown = (name: string) => rows.some((row) => memberAt(row, name) !== undefined)
  const isShort = (name: string) => rows.some((row) => isPlain(memberAt(row, name)))
  const names = columns?.filter(isShown) ?? Object.keys(rows[0] ?? {}).filter(isShort)
  return names.map((name: string) => [name, headingOf(name)])
}

/** The heading of a member: `createdAt` is CREATED AT. */
function headingOf(name: string): string {
  return name.replace(/[A-Z]/g, ' $&').replaceAll('.', ' ').toUpperCase()
}

/** Inner records are left to `--json`. */
function isPlain(value: unknown): boolean {
  return value !== null && value !== undefined && typeof value !== 'object'
}

function measured(rows: readonly object[], name: string, heading: string, style: TableStyle): Column {
  const values = rows.map((row) => memberAt(row, name))
  const texts = values.map((value) => tableCell(name, value, style))
  const isNumber = style.right?.includes(name) || values.some((value) => typeof value === 'number')
  const width = Math.max(widthOf(heading), ...texts.map(widthOf))
  const holds = (sign: string) => values.some((value) => typeof value === 'string' && value.includes(sign))
  const shortest = holds(' ') ? MIN_PROSE : holds('/') ? MIN_PATH : width
  const least = Math.min(width, Math.max(widthOf(heading), shortest))
  const isEmpty = rows.length > 0 && texts.every((text) => text === '')
  return { name, heading, align: isNumber ? 'right' : 'left', width, least, isEmpty }
}

/** The columns that there is room for, the first one always. */
function fitting(columns: Column[], width: number): Column[] {
  const excess = (some: Column[], of: 'width' | 'least') =>
    some.reduce((sum, each) => sum + each[of] + GAP.length, -GAP.length) - width
  if (excess(columns, 'width') <= 0) return columns
  const kept: Column[] = []
  for (const column of columns.filter(({ isEmpty }) => !isEmpty)) {
    if (kept.length === 0 || excess([...kept, column], 'least') <= 0) kept.push(column)
  }
  // The widest text of several words gives way first.
  for (let over = excess(kept, 'width'); over > 0; over = excess(kept, 'width')) {
    const widest = kept.reduce((one, other) => (other.width - other.least > one.width - one.least ? other : one))
    if (kept.length === 1) widest.least = Math.min(widest.least, width)
    widest.width = Math.max(widest.least, widest.width - Math.min(over, 4))
  }
  return kept
}

/** A value as a person reads it: amounts in dollars, lists with commas. */
export function cellOf(path: string, value: unknown, { money = [] }: TableStyle): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' && money.includes(path.slice(path.lastIndexOf('.') + 1))) return figure(value)
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object')) return visible(value.join(', '))
  return typeof value === 'object' ? jsonLine(value) : visible(String(value))
}

/** A value in a table: also without milliseconds, and a reference to a record without its JSON. */
function tableCell(path: string, value: unknown, style: TableStyle): string {
  if (isReference(value)) return visible(`${value.type} ${value.id}`)
  return cellOf(path, value, style).replace(/^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.\d+Z$/, '$1Z')
}

function isReference(value: unknown): value is { type: string; id: string } {
  return typeof value === 'object' && value !== null && Object.keys(value).toSorted().join() === 'id,type'
}

/** A member of a record or, by a path with dots, of its inner records. */
function memberAt(record: object, path: string): unknown {
  let value: unknown = record
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined
    value = (value as Record<string, unknown>)[name]
  }
  return value
}
