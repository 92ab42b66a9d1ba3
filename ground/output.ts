import { type Columns, cellOf, GAP, openTable, type TableStyle } from './table.ts'
import { jsonLine, padded, visible, visibleLines, widthOf } from './text.ts'

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
  /** Colours for standard output; without effect if it has none. */
  colors: Colors
  /** One record: a line for each member on a terminal, one line of JSON elsewhere. */
  record(record: object): void
  /** A result: a sentence on a terminal, the record as one line of JSON elsewhere. */
  result(record: object, text: string): void
  /** Records as they come: a table on a terminal, a line of JSON each elsewhere. */
  records(
    records: Iterable<object> | AsyncIterable<object>,
    columns?: Columns | undefined,
    style?: TableStyle,
  ): Promise<void>
  /** A line of text that is the data itself, such as an address. */
  line(text: string): void
  /** Bytes of a file. */
  bytes(bytes: Uint8Array): void
  /** A remark beside the data, on standard error. */
  note(text: string): void
}

interface OutputSettings {
  json: boolean
  environment: Environment
  stdin: { isTTY?: boolean }
  stdout: OutputStream
  stderr: OutputStream
  /** Members that hold cents in every record of the API. */
  money?: readonly string[]
}

/** The variables of a process. */
type Environment = Readonly<Record<string, string | undefined>>

export interface OutputStream {
  isTTY?: boolean
  columns?: number
  write(data: string | Uint8Array): unknown
}

/** A table's columns are as wide as these first rows need. */
const MEASURED_ROWS = 100

export function outputTo({ json, environment, stdin, stdout, stderr, money = [] }: OutputSettings): Output {
  const forPeople = Boolean(stdout.isTTY) && !json
  const colors = colorsFor(hasColors(stdout, environment))
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
    record: (record) => line(forPeople ? recordText(record, colors, money) : jsonLine(record)),
    result: (record, text) => line(forPeople ? visibleLines(text) : jsonLine(record)),
    records: async (records, columns, style = { money }) => {
      if (!forPeople) for await (const record of records) line(jsonLine(record))
      else await writeTable(records, { columns, style, colors, width, line, note })
    },
    line,
    bytes: (bytes) => {
      stdout.write(bytes)
    },
    note,
  }
}

/** `NO_COLOR` has the last word; `FORCE_COLOR` is for programs that show the output of others. */
function hasColors(stream: OutputStream, { NO_COLOR, FORCE_COLOR, TERM }: Environment): boolean {
  if (NO_COLOR) return false
  return FORCE_COLOR ? FORCE_COLOR !== '0' : Boolean(stream.isTTY) && TERM !== 'dumb'
}

/** The codes of a terminal that begin and end each. */
const codes = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39] } as const

type Colors = Record<keyof typeof codes, (text: string) => string>

function colorsFor(isColored: boolean): Colors {
  const paints = Object.entries(codes).map(([name, [begin, end]]) => [
    name,
    (text: string) => (isColored ? `\u001b[${begin}m${text}\u001b[${end}m` : text),
  ])
  return Object.fromEntries(paints)
}

function recordText(record: object, colors: Colors, money: readonly string[]): string {
  const rows = [...leavesOf(record, money)]
  const width = Math.max(0, ...rows.map(([name]) => widthOf(name)))
  return rows.map(([name, value]) => `${colors.dim(padded(name, width))}${GAP}${value || colors.dim('-')}`).join('\n')
}

/** The members of a record with their paths; those of inner records after a dot. */
function* leavesOf(record: object, money: readonly string[], path = ''): Generator<[name: string, value: string]> {
  for (const [name, value] of Object.entries(record)) {
    const scalars = Array.isArray(value) && value.every((each) => typeof each !== 'object')
    if (typeof value === 'object' && value !== null && !scalars)
      yield* leavesOf(value, money, `${path}${visible(name)}.`)
    else yield [path + visible(name), cellOf(name, value, { money })]
  }
}

interface Writing extends Pick<Output, 'colors' | 'width' | 'line' | 'note'> {
  columns: Columns | undefined
  style: TableStyle
}

async function writeTable(records: Iterable<object> | AsyncIterable<object>, writing: Writing): Promise<void> {
  const { columns, style, colors, width, line, note } = writing
  const first: object[] = []
  let table: ReturnType<typeof openTable> | undefined
  const begin = () => {
    const begun = openTable(first, columns, width, style)
    line(colors.bold(begun.heading))
    for (const record of first) line(begun.row(record))
    return begun
  }
  for await (const record of records) {
    if (table) line(table.row(record))
    else if (first.push(record) === MEASURED_ROWS) table = begin()
  }
  // Headings that are named are shown without records, too.
  const isNamed = columns !== undefined && !Array.isArray(columns)
  if (!table && (first.length > 0 || isNamed)) table = begin()
  if (table && table.hidden.length > 0)
    note(`Not shown for lack of width: ${table.hidden.join(', ')}. --json prints all members.`)
}
