import { createReadStream } from 'node:fs'
import { isCleanText, LongLine, linesIn } from '../../base/text.ts'

/** A row of a file by the names of its columns. Cells without content are left out. */
interface FileRow {
  line: number
  cells: Map<string, string>
}

/** A fault of a line. */
export interface LineFault {
  line: number
  fault: string
}

export type RowOrFault = FileRow | LineFault

export function isFault(row: RowOrFault): row is LineFault {
  return 'fault' in row
}

export interface RowFile {
  path: string
  format: 'csv' | 'jsonl'
  /** The names that columns may have. */
  columns: readonly string[]
  required: readonly string[]
  /** Hears the bytes of the file. */
  read?: (bytes: Buffer) => void
}

const LONGEST_LINE = 64 * 1024
const MAX_CELLS = 64
/** The lines of a record with line ends in its cells. */
const MAX_LINES = 100

/** Reads rows one after the other. After a fault of the first line, or of the form of the file, there are none. */
export async function* readRows(file: RowFile): AsyncGenerator<RowOrFault> {
  const lines = textsOf(file)
  try {
    if (file.format === 'csv') yield* csvRows(lines, file)
    else yield* jsonRows(lines, file)
  } catch (error) {
    if (error instanceof LongLine) yield { line: error.number, fault: `the line has more than ${LONGEST_LINE} bytes` }
    else if (error instanceof BrokenText) yield { line: error.line, fault: error.message }
    else throw error
  }
}

class BrokenText extends Error {
  readonly line: number

  constructor(line: number, fault: string) {
    super(fault)
    this.line = line
  }
}

interface Line {
  number: number
  text: string
}

async function* textsOf({ path, read }: RowFile): AsyncGenerator<Line> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const source = createReadStream(path) as AsyncIterable<Buffer>
  let number = 0
  for await (const bytes of linesIn(heard(source, read), () => LONGEST_LINE)) {
    number++
    let text: string
    try {
      text = decoder.decode(bytes)
    } catch {
      throw new BrokenText(number, 'the line is no UTF-8')
    }
    yield { number, text: text.endsWith('\r') ? text.slice(0, -1) : text }
  }
}

async function* heard(source: AsyncIterable<Buffer>, read: RowFile['read']): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    read?.(chunk)
    yield chunk
  }
}

async function* csvRows(lines: AsyncGenerator<Line>, file: RowFile): AsyncGenerator<RowOrFault> {
  let names: string[] | undefined
  for await (const { number, cells, fault } of csvRecords(lines)) {
    if (fault !== undefined) {
      yield { line: number, fault }
      if (!names) return
    } else if (!names) {
      const wrong = headingFault(cells, file)
      if (wrong) {
        yield { line: number, fault: wrong }
        return
      }
      names = cells
    } else if (cells.length !== names.length) {
      yield { line: number, fault: `the line has ${cells.length} cells, and the first one has ${names.length} names` }
    } else
      yield rowOf(
        number,
        names.map((name, at) => [name, cells[at] ?? ''] as const),
        file,
      )
  }
  if (!names) yield { line: 1, fault: 'the file is empty: its first line names the columns' }
}

function headingFault(cells: string[], { columns, required }: RowFile): string | undefined {
  const unknown = cells.find((name) => !columns.includes(name))
  if (unknown !== undefined) {
    return `there is no column ${JSON.stringify(unknown.slice(0, 40))}; the columns are ${columns.join(', ')}`
  }
  const twice = cells.find((name, at) => cells.indexOf(name) !== at)
  if (twice !== undefined) return `the column ${twice} occurs twice`
  const missing = required.filter((name) => !cells.includes(name))
  return missing.length > 0 ? `the column ${missing.join(', ')} is missing` : undefined
}

interface CsvRecord {
  number: number
  cells: string[]
  fault?: string
}

/** The records of a CSV. A cell in quotes may hold commas, line ends and doubled quotes. */
async function* csvRecords(lines: AsyncGenerator<Line>): AsyncGenerator<CsvRecord> {
  let open: Line | undefined
  for await (const line of lines) {
    // Spreadsheets begin a file with a mark of its encoding.
    const own = line.number === 1 ? line.text.replace(/^\uFEFF/, '') : line.text
    const whole: Line = open ? { number: open.number, text: `${open.text}\n${own}` } : { ...line, text: own }
    open = undefined
    if (whole.text === '') continue
    if (!whole.text.includes('"')) yield recordOf(whole.number, whole.text.split(','))
    else if (countQuotes(whole.text) % 2 === 0) yield quotedRecord(whole)
    else if (line.number - whole.number >= MAX_LINES || whole.text.length > LONGEST_LINE)
      throw new BrokenText(whole.number, 'a quote is not closed')
    else open = whole
  }
  if (open) yield { number: open.number, cells: [], fault: 'a quote is not closed' }
}

function recordOf(number: number, cells: string[]): CsvRecord {
  return cells.length > MAX_CELLS
    ? { number, cells: [], fault: `the line has more than ${MAX_CELLS} cells` }
    : { number, cells }
}

function countQuotes(text: string): number {
  let count = 0
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) count++
  return count
}

const CELL = /(?:"((?:[^"]|"")*)"|([^",]*))(,|$)/y

function quotedRecord({ number, text }: Line): CsvRecord {
  const cells: string[] = []
  for (let at = 0; ; ) {
    CELL.lastIndex = at
    const [whole, quoted, bare = '', end] = CELL.exec(text) ?? []
    if (whole === undefined) return { number, cells: [], fault: 'a quote stands within a cell' }
    cells.push(quoted?.replaceAll('""', '"') ?? bare)
    at += whole.length
    if (end === '') return recordOf(number, cells)
    if (cells.length > MAX_CELLS) return recordOf(number, cells)
  }
}

async function* jsonRows(lines: AsyncGenerator<Line>, file: RowFile): AsyncGenerator<RowOrFault> {
  for await (const { number, text } of lines) {
    if (text.trim() === '') continue
    yield jsonRow(number, text, file)
  }
}

function jsonRow(line: number, text: string, file: RowFile): RowOrFault {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { line, fault: 'the line is no JSON' }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { line, fault: 'the line is no object' }
  const cells: [string, string][] = []
  for (const [name, member] of Object.entries(value)) {
    if (!file.columns.includes(name)) {
      return {
        line,
        fault: `there is no member ${JSON.stringify(name.slice(0, 40))}; they are ${file.columns.join(', ')}`,
      }
    }
    if (typeof member === 'object' && member !== null) return { line, fault: `${name} is a list or an object` }
    if (typeof member === 'number' && !Number.isSafeInteger(member))
      return { line, fault: `${name} is no whole number` }
    cells.push([name, member === null ? '' : String(member)])
  }
  return rowOf(line, cells, file)
}

function rowOf(line: number, pairs: (readonly [string, string])[], { required }: RowFile): RowOrFault {
  const cells = new Map<string, string>()
  for (const [name, text] of pairs) {
    if (!isCleanText(text)) return { line, fault: `${name} holds a control character` }
    if (text !== '') cells.set(name, text)
  }
  const missing = required.filter((name) => !cells.has(name))
  return missing.length > 0 ? { line, fault: `${missing.join(', ')} is missing` } : { line, cells }
}
