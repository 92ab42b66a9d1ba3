import pc from 'picocolors'
import { moneyMembers } from './generated/resources.ts'
import { jsonLine, padded, visible, widthOf } from './text.ts'

/** Data goes to standard output, everything else to standard error. */
export interface Output {
  /** Whether data is shown to a person: standard output is a terminal, and `--json` is not given. */
  forPeople: boolean
  /** Whether `--json` is given. */
  json: boolean
  /** Whether standard output is a terminal, with `--json` too. */
  isTerminal: boolean
  /** Whether questions may be asked and progress may be drawn: standard input and error are terminals. */
  interactive: boolean
  /** The columns of the terminal. */
  width: number
  /** Colours for standard output; without effect where it has none. */
  colors: ReturnType<typeof pc.createColors>
  /** One record: a line for each member on a terminal, one line of JSON elsewhere. */
  record(record: object): void
  /** Records as they come: a table on a terminal, a line of JSON each elsewhere. */
  records(records: Iterable<object> | AsyncIterable<object>, columns?: readonly string[]): Promise<void>
  /** A line of text that is the data itself, such as an address. */
  line(text: string): void
  /** Bytes of a file. */
  bytes(bytes: Uint8Array): void
  /** A remark beside the data, on standard error. */
  note(text: string): void
}

interface OutputSettings {
  json: boolean
  environment: NodeJS.ProcessEnv
  stdin: { isTTY?: boolean }
  stdout: OutputStream
  stderr: OutputStream
}

export interface OutputStream {
  isTTY?: boolean
  columns?: number
  write(data: string | Uint8Array): unknown
}

/** A table's columns are as wide as these first rows need. */
const MEASURED_ROWS = 100
/** Texts of several words are cut to no less than this, and paths to a little more; ids, times, amounts and states are shown in full or not at all. */
const MIN_PROSE = 16
const MIN_PATH = 30
const GAP = '  '

export function outputTo({ json, environment, stdin, stdout, stderr }: OutputSettings): Output {
  const forPeople = Boolean(stdout.isTTY) && !json
  const colors = pc.createColors(hasColors(stdout, environment))
  // A terminal that does not know its width, as in some containers, says 0.
  const width = stdout.columns || 80
  const line = (text: string) => {
    stdout.write(`${text}\n`)
  }
  const note = (text: string) => {
    stderr.write(`${visibleLines(text)}\n`)
  }
  return {
    forPeople,
    json,
    isTerminal: Boolean(stdout.isTTY),
    interactive: Boolean(stdin.isTTY && stderr.isTTY),
    width,
    colors,
    record: (record) => line(forPeople ? recordText(record, colors) : jsonLine(record)),
    records: async (records, columns) => {
      if (!forPeople) for await (const record of records) line(jsonLine(record))
      else await table(records, { columns, colors, width, line, note })
    },
    line,
    bytes: (bytes) => {
      stdout.write(bytes)
    },
    note,
  }
}

/** `NO_COLOR` has the last word; `FORCE_COLOR` is for programs that show the output of others. */
function hasColors(stream: OutputStream, { NO_COLOR, FORCE_COLOR, TERM }: NodeJS.ProcessEnv): boolean {
  if (NO_COLOR) return false
  return FORCE_COLOR ? FORCE_COLOR !== '0' : Boolean(stream.isTTY) && TERM !== 'dumb'
}

/** A message may have several lines, and nothing else that a terminal acts on. */
export function visibleLines(text: string): string {
  return text.split('\n').map(visible).join('\n')
}

/** A value as a person reads it: amounts in dollars, lists with commas. */
function cellOf(name: string, value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' && moneyMembers.includes(name)) return dollars(value)
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object')) return visible(value.join(', '))
  return typeof value === 'object' ? jsonLine(value) : visible(String(value))
}

/** A value in a table: also without milliseconds, and a reference to a record without its JSON. */
function tableCell(name: string, value: unknown): string {
  if (isReference(value)) return visible(`${value.type} ${value.id}`)
  return cellOf(name, value).replace(/^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.\d{3}Z$/, '$1Z')
}

function isReference(value: unknown): value is { type: string; id: string } {
  return typeof value === 'object' && value !== null && Object.keys(value).toSorted().join() === 'id,type'
}

/** Cents as dollars: 2000 is 20.00. Exact for every integer. */
function dollars(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0')
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

function recordText(record: object, colors: Output['colors']): string {
  const rows = [...leavesOf(record)]
  const width = Math.max(0, ...rows.map(([name]) => widthOf(name)))
  return rows.map(([name, value]) => `${colors.dim(padded(name, width))}${GAP}${value || colors.dim('-')}`).join('\n')
}

/** The members of a record with their paths; those of inner records after a dot. */
function* leavesOf(record: object, path = ''): Generator<[name: string, value: string]> {
  for (const [name, value] of Object.entries(record)) {
    const scalars = Array.isArray(value) && value.every((each) => typeof each !== 'object')
    if (typeof value === 'object' && value !== null && !scalars) yield* leavesOf(value, `${path}${visible(name)}.`)
    else yield [path + visible(name), cellOf(name, value)]
  }
}

interface TableSettings {
  columns: readonly string[] | undefined
  colors: Output['colors']
  width: number
  line(text: string): void
  note(text: string): void
}

interface Column {
  name: string
  align: 'left' | 'right'
  width: number
  /** The width that it needs at least. */
  least: number
  isEmpty: boolean
}

async function table(records: Iterable<object> | AsyncIterable<object>, settings: TableSettings): Promise<void> {
  const first: object[] = []
  let columns: Column[] | undefined
  let hidden: string[] = []
  const begin = () => {
    const all = measured(first, settings)
    columns = fitting(all, settings.width)
    hidden = all.flatMap((each) => (each.isEmpty || columns?.includes(each) ? [] : [headingOf(each.name)]))
    settings.line(settings.colors.bold(rowText(columns, ({ name }) => headingOf(name))))
    for (const record of first) settings.line(cells(record, columns))
  }
  for await (const record of records) {
    if (columns) settings.line(cells(record, columns))
    else if (first.push(record) === MEASURED_ROWS) begin()
  }
  if (!columns && first.length > 0) begin()
  if (hidden.length > 0) settings.note(`Not shown for lack of width: ${hidden.join(', ')}. --json prints all members.`)
}

/** The heading of a member: `createdAt` is CREATED AT. */
function headingOf(name: string): string {
  return name.replace(/[A-Z]/g, ' $&').replaceAll('.', ' ').toUpperCase()
}

function cells(record: object, columns: Column[]): string {
  return rowText(columns, ({ name }) => tableCell(leafName(name), memberAt(record, name)))
}

function rowText(columns: Column[], text: (column: Column) => string): string {
  return columns
    .map((column) => padded(text(column), column.width, column.align))
    .join(GAP)
    .trimEnd()
}

function measured(rows: object[], { columns: names }: TableSettings): Column[] {
  // Optional members that no record has need no column.
  const shown =
    names?.filter((name) => rows.some((row) => memberAt(row, name) !== undefined)) ??
    Object.keys(rows[0] ?? {}).filter((name) => rows.some((row) => isShort(memberAt(row, name))))
  return shown.map((name): Column => {
    const values = rows.map((row) => memberAt(row, name))
    const texts = values.map((value) => tableCell(leafName(name), value))
    const align = values.some((value) => typeof value === 'number') ? 'right' : 'left'
    const heading = widthOf(headingOf(name))
    const width = Math.max(heading, ...texts.map(widthOf))
    const holds = (sign: string) => values.some((value) => typeof value === 'string' && value.includes(sign))
    const shortest = holds(' ') ? MIN_PROSE : holds('/') ? MIN_PATH : width
    const least = Math.min(width, Math.max(heading, shortest))
    return { name, align, width, least, isEmpty: texts.every((text) => text === '') }
  })
}

/** The columns that a terminal has room for, the first one always. */
function fitting(columns: Column[], width: number): Column[] {
  const excess = (some: Column[], of: 'width' | 'least') =>
    some.reduce((sum, each) => sum + each[of] + GAP.length, -GAP.length) - width
  if (excess(columns, 'width') <= 0) return columns
  const kept: Column[] = []
  for (const column of columns.filter(({ isEmpty }) => !isEmpty)) {
    if (kept.length === 0 || excess([...kept, column], 'least') <= 0) kept.push(column)
  }
  for (let over = excess(kept, 'width'); over > 0; over = excess(kept, 'width')) {
    const widest = kept.reduce((a, b) => (b.width - b.least > a.width - a.least ? b : a))
    if (kept.length === 1) widest.least = Math.min(widest.least, width)
    widest.width = Math.max(widest.least, widest.width - Math.min(over, 4))
  }
  return kept
}

/** Inner records are left to `--json`. */
function isShort(value: unknown): boolean {
  return value !== null && value !== undefined && typeof value !== 'object'
}

function leafName(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1)
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
