import { dayOf, decimalCents } from './amounts.ts'
import { type BankStatement, requireFew, type StatementEntry, StatementFault } from './statement.ts'

/** How a bank writes its CSV: the names of the columns, by what they hold. */
export interface CsvMapping {
  date: string
  /** How dates are written: the letters Y, M and D in their places. */
  dates: string
  /** One column with signs, or two without. */
  amount: { signed: string } | { credit: string; debit: string }
  /** The balance after each entry, without which no day can be closed. */
  balance?: string
  code?: string
  reference?: string
  text?: string
  separator: string
}

const MAX_CELLS = 200

interface Row {
  line: number
  cells: string[]
}

/** Reads a CSV with a line of headings: one statement for each day in it. The account is not in the file. */
export function readCsv(text: string, mapping: CsvMapping, account: string): BankStatement[] {
  const [heading, ...rows] = rowsIn(text, mapping.separator)
  if (!heading) throw new StatementFault('format', 'the file is empty')
  if (rows.length === 0) throw new StatementFault('format', 'the file has no lines')
  requireFew(rows.length)
  const entries = rows.map((row) => entryIn(row, heading, mapping))
  const ordered = inOrder(entries)
  const days = new Map<string, Line[]>()
  for (const entry of ordered) {
    const lines = days.get(entry.day)
    if (lines) lines.push(entry)
    else days.set(entry.day, [entry])
  }
  return [...days]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([day, lines]) => statementOf(day, lines, account))
}

interface Line {
  day: string
  amount: number
  balance: number | null
  entry: Omit<StatementEntry, 'place'>
}

function statementOf(asOf: string, lines: Line[], account: string): BankStatement {
  const [first, last] = [lines[0], lines.at(-1)]
  const opening = first && first.balance !== null ? first.balance - first.amount : null
  const closing = last?.balance ?? null
  return {
    ...{ format: 'csv', servicer: '', account, currency: 'USD', asOf, reference: '', names: {}, status: 'update' },
    ...{ isInterim: false, page: null, opening, closing, notBooked: 0 },
    entries: lines.map(({ entry }, index) => ({ ...entry, place: index + 1 })),
    flags: [
      ...(opening === null ? ['opening_missing' as const] : []),
      ...(closing === null ? ['closing_missing' as const] : []),
    ],
  }
}

/** The lines from the oldest to the newest. Banks write them either way; the balances say which one it is. */
function inOrder(lines: Line[]): Line[] {
  const [first, last] = [lines[0], lines.at(-1)]
  const falling = lines.toReversed()
  const ways = first && last && first.day > last.day ? [falling] : first?.day === last?.day ? [lines, falling] : [lines]
  const fault = ways.map(firstBreak)
  const fitting = fault.indexOf(undefined)
  if (fitting >= 0) return ways[fitting] as Line[]
  throw new StatementFault('balances', fault[0] ?? '')
}

function firstBreak(lines: Line[]): string | undefined {
  for (const [index, { amount, balance, day }] of lines.entries()) {
    const before = lines[index - 1]
    if (!before) continue
    if (day < before.day) return `the dates are in no order: ${before.day} stands before ${day}`
    if (balance === null || before.balance === null) continue
    const difference = before.balance + amount - balance
    if (difference !== 0) return `${day}: the balance ${balance} differs from the lines by ${difference} cents`
  }
  return undefined
}

function entryIn({ line, cells }: Row, heading: Row, mapping: CsvMapping): Line {
  if (cells.length !== heading.cells.length) {
    throw new StatementFault('format', `there are ${cells.length} cells and ${heading.cells.length} headings`, line)
  }
  const cell = (name: string | undefined) => {
    if (name === undefined) return ''
    const place = heading.cells.indexOf(name)
    if (place < 0) throw new StatementFault('format', `no column is called ${name}`, heading.line)
    return cells[place] ?? ''
  }
  const day = dateIn(cell(mapping.date), mapping.dates, line)
  const amount = amountIn(cell, mapping.amount, line)
  const balance = cell(mapping.balance)
  const [reference, code] = [cell(mapping.reference), cell(mapping.code)]
  const entry: Line['entry'] = {
    ...{ amount, direction: amount < 0 ? 'Debit' : 'Credit', codes: code === '' ? [] : [code], bookedOn: day },
    ...{ valueOn: null, bankReference: '', references: reference === '' ? [] : [reference], text: cell(mapping.text) },
  }
  return { day, amount, balance: balance === '' ? null : moneyIn(balance, line), entry }
}

function amountIn(cell: (name: string) => string, mapping: CsvMapping['amount'], line: number): number {
  if ('signed' in mapping) return moneyIn(cell(mapping.signed), line)
  const [credit, debit] = [cell(mapping.credit), cell(mapping.debit)]
  if ((credit === '') === (debit === ''))
    throw new StatementFault('amount', 'one of credit and debit must be given', line)
  // Some banks write debits with a sign in their own column.
  return credit === '' ? -Math.abs(moneyIn(debit, line)) : moneyIn(credit, line)
}

/** Cents from `-1,234.50`, `$12.00` or `(3.00)`, which is negative. */
function moneyIn(text: string, line: number): number {
  const [, opening, sign, whole = '', rest = ''] =
    /^(\()?([-+]?)\$?(\d{1,3}(?:,\d{3})+|\d+)(\.\d{1,5})?\)?$/.exec(text) ?? []
  const isClosed = text.endsWith(')')
  const cents = decimalCents(whole.replaceAll(',', '') + rest, line)
  if (Boolean(opening) !== isClosed) throw new StatementFault('amount', 'a parenthesis of an amount is missing', line)
  return cents > 0 && (opening || sign === '-') ? -cents : cents
}

function dateIn(text: string, form: string, line: number): string {
  const part = (letter: string) => text.slice(form.indexOf(letter), form.lastIndexOf(letter) + 1)
  return dayOf(text.length === form.length ? `${part('Y')}-${part('M')}-${part('D')}` : text, line)
}

/** The rows of a CSV. A cell in quotes may hold separators, line ends and doubled quotes. */
function rowsIn(text: string, separator: string): Row[] {
  const rows: Row[] = []
  const cell = new RegExp(`(?:"((?:[^"]|""){0,5000})"|([^"${separator}\\r\\n]*))(${separator}|\\r\\n|\\n|\\r|$)`, 'y')
  let [at, line] = [0, 1]
  for (let row: Row = { line, cells: [] }; at < text.length; ) {
    cell.lastIndex = at
    const [whole, quoted, bare = '', end = ''] = cell.exec(text) ?? []
    if (whole === undefined) throw new StatementFault('format', 'a quote is not closed or stands within a cell', line)
    at += whole.length
    if (row.cells.length === MAX_CELLS)
      throw new StatementFault('format', `a row has more than ${MAX_CELLS} cells`, line)
    row.cells.push((quoted?.replaceAll('""', '"') ?? bare).trim())
    line += whole.split('\n').length - 1
    if (end === separator && at < text.length) continue
    if (end === separator) row.cells.push('')
    if (row.cells.some((each) => each !== '')) rows.push(row)
    row = { line, cells: [] }
  }
  return rows
}
