import { dollars } from '../../../ground/text.ts'
import {
  longDate,
  monthName,
  periodDates,
  type StatementDocument,
  shortDate,
  signedDollars,
} from '../../banking/statements/statement-document.ts'
import { dateOf } from '../../base/clock.ts'
import { openPace } from '../../base/pace.ts'
import { type Font, type Ink, openInk } from './pdf-ink.ts'

/** Letter paper, in points. */
const PAGE = { width: 612, height: 792 }
const LEFT = 54
const RIGHT = PAGE.width - LEFT
const TOP = 54
/** The lowest end of a row; the page number stands below. */
const BOTTOM = PAGE.height - 70

const INK = '#1a2330'
const GREY = '#5b6675'
const NAVY = '#12355b'
const HAIR = '#dfe4ea'
const WASH = '#f2f5f9'

const small: Font = { face: 'Helvetica', size: 8, color: GREY }
const body: Font = { face: 'Helvetica', size: 9, color: INK }
const cell: Font = { face: 'Helvetica', size: 8.5, color: INK }
const edgeCell: Font = { ...cell, color: GREY }
const lastCell: Font = { ...cell, face: 'Helvetica-Bold' }

const columns = { date: LEFT, summary: LEFT + 48, amount: RIGHT - 108, balance: RIGHT }
const SUMMARY_WIDTH = 236
const SUMMARY_LINES = 2
const LINE = 11
const PADDING = 3.5
const TABLE_HEAD = 20
const RUNNING_HEAD = 34
const NOTES = 34

/** A row of the table, measured. */
interface Row {
  date: string
  summary: string[]
  amount: string
  balance: string
  font: Font
}

/** The statement as a PDF. The same statement gives the same bytes, so that its ETag stays the same. */
export async function statementPdf(document: StatementDocument): Promise<Buffer> {
  const ink = await openInk({
    size: [PAGE.width, PAGE.height],
    info: {
      Title: `Account statement, ${monthName(document.period)}`,
      Author: document.bank,
      Subject: `Statement ${document.statementId}`,
      Creator: document.bank,
      CreationDate: dateOf(document.createdAt),
    },
  })
  const pace = openPace()
  const rows = await rowsOf(document, ink, pace)
  const holder = holderLines(document, ink)
  const pages = paginate(rows, tableTop(holder))
  for (const [index, onPage] of pages.entries()) {
    ink.addPage()
    if (index === 0) drawHead(document, holder, ink)
    else drawRunningHead(document, ink)
    let y = drawTableHead(index === 0 ? tableTop(holder) : TOP + RUNNING_HEAD, ink)
    for (const row of onPage) {
      y = drawRow(row, y, ink)
      await pace()
    }
    if (index === pages.length - 1) drawNotes(y, ink)
    drawFoot(document, { number: index + 1, of: pages.length }, ink)
  }
  return ink.finish()
}

async function rowsOf(document: StatementDocument, ink: Ink, pace: () => Promise<void>): Promise<Row[]> {
  const { period, lines, openingBalance, closingBalance } = document
  const edge = { date: '', amount: '', font: edgeCell }
  const rows: Row[] = [
    { ...edge, date: shortDate(`${period}-01`), summary: ['Opening balance'], balance: dollars(openingBalance) },
  ]
  for (const { createdAt, summary, amount, balance } of lines) {
    rows.push({
      date: shortDate(createdAt),
      summary: ink.wrap(summary, cell, SUMMARY_WIDTH, SUMMARY_LINES),
      amount: signedDollars(amount),
      balance: dollars(balance),
      font: cell,
    })
    await pace()
  }
  if (lines.length === 0) rows.push({ ...edge, summary: ['No transactions in this period.'], balance: '' })
  const last = `Closing balance on ${periodDates(period).last}`
  rows.push({ ...edge, summary: [last], balance: dollars(closingBalance), font: lastCell })
  return rows
}

function heightOf(row: Row): number {
  return row.summary.length * LINE + 2 * PADDING
}

/** Distributes rows over pages. The notes stay on the page of the last row. */
function paginate(rows: Row[], firstTop: number): Row[][] {
  const pages: Row[][] = []
  let page: Row[] = []
  let y = firstTop + TABLE_HEAD
  for (const [index, row] of rows.entries()) {
    const needed = heightOf(row) + (index === rows.length - 1 ? NOTES : 0)
    if (y + needed > BOTTOM) {
      pages.push(page)
      page = []
      y = TOP + RUNNING_HEAD + TABLE_HEAD
    }
    page.push(row)
    y += heightOf(row)
  }
  return [...pages, page]
}

const HOLDER_TOP = TOP + 60
const HOLDER_WIDTH = 260
const HOLDER_LINE = 13
const FACTS = 5
const SUMS_HEIGHT = 48

/** Name and address, wrapped to the left column. */
function holderLines({ holder, address }: StatementDocument, ink: Ink): { name: string[]; address: string[] } {
  return {
    name: ink.wrap(holder, { ...body, face: 'Helvetica-Bold' }, HOLDER_WIDTH, 2),
    address: address.flatMap((line) => ink.wrap(line, body, HOLDER_WIDTH, 1)),
  }
}

function sumsTop({ name, address }: { name: string[]; address: string[] }): number {
  return HOLDER_TOP + Math.max(name.length + address.length, FACTS) * HOLDER_LINE + 18
}

function tableTop(holder: { name: string[]; address: string[] }): number {
  return sumsTop(holder) + SUMS_HEIGHT + 44
}

function drawHead(document: StatementDocument, holder: { name: string[]; address: string[] }, ink: Ink): void {
  const { first, last } = periodDates(document.period)
  ink.text(document.bank, LEFT, TOP, { face: 'Helvetica-Bold', size: 20, color: NAVY })
  ink.textRight('Account statement', RIGHT, TOP, { face: 'Helvetica-Bold', size: 11, color: INK })
  ink.textRight(`${first} to ${last}`, RIGHT, TOP + 16, body)
  ink.line(LEFT, RIGHT, TOP + 36, { width: 1.5, color: NAVY })

  const left = [...holder.name, ...holder.address]
  for (const [index, line] of left.entries()) {
    const font: Font = index < holder.name.length ? { ...body, face: 'Helvetica-Bold' } : body
    ink.text(line, LEFT, HOLDER_TOP + index * HOLDER_LINE, font)
  }
  const facts: [name: string, value: string][] = [
    ['Account', 'Checking'],
    ['Account number', document.accountNumber],
    ['Routing number', document.routingNumber],
    ['Statement number', document.statementId],
    ['Statement date', longDate(document.createdAt)],
  ]
  for (const [index, [name, value]] of facts.entries()) {
    const y = HOLDER_TOP + index * HOLDER_LINE
    ink.text(name, RIGHT - 190, y, { ...body, color: GREY })
    ink.textRight(value, RIGHT, y, body)
  }
  drawSums(document, sumsTop(holder), ink)
  ink.text('Transactions', LEFT, sumsTop(holder) + SUMS_HEIGHT + 22, {
    face: 'Helvetica-Bold',
    size: 11,
    color: INK,
  })
}

function drawSums({ openingBalance, closingBalance, credits, debits }: StatementDocument, y: number, ink: Ink): void {
  const sums: [name: string, value: string][] = [
    ['Opening balance', dollars(openingBalance)],
    [`Total credits (${credits.count})`, signedDollars(credits.total)],
    [`Total debits (${debits.count})`, signedDollars(debits.total)],
    ['Closing balance', dollars(closingBalance)],
  ]
  const width = (RIGHT - LEFT) / sums.length
  ink.box(LEFT, y, RIGHT - LEFT, SUMS_HEIGHT, WASH)
  for (const [index, [name, value]] of sums.entries()) {
    const x = LEFT + index * width + 12
    ink.text(name, x, y + 11, small)
    ink.text(value, x, y + 25, ink.fitting(value, { face: 'Helvetica-Bold', size: 12, color: INK }, width - 18))
  }
}

function drawRunningHead({ bank, accountNumber, period }: StatementDocument, ink: Ink): void {
  ink.text(bank, LEFT, TOP, { face: 'Helvetica-Bold', size: 11, color: NAVY })
  ink.textRight(`Account ${accountNumber}, ${monthName(period)}`, RIGHT, TOP + 1, { ...body, color: GREY })
  ink.line(LEFT, RIGHT, TOP + 18, { width: 1, color: NAVY })
}

function drawTableHead(y: number, ink: Ink): number {
  const font: Font = { face: 'Helvetica-Bold', size: 8, color: GREY }
  ink.text('Date', columns.date, y + 5, font)
  ink.text('Description', columns.summary, y + 5, font)
  ink.textRight('Amount', columns.amount, y + 5, font)
  ink.textRight('Balance', columns.balance, y + 5, font)
  ink.line(LEFT, RIGHT, y + TABLE_HEAD - 1, { width: 0.75, color: NAVY })
  return y + TABLE_HEAD
}

function drawRow(row: Row, y: number, ink: Ink): number {
  const top = y + PADDING + 1
  ink.text(row.date, columns.date, top, row.font)
  for (const [index, line] of row.summary.entries()) ink.text(line, columns.summary, top + index * LINE, row.font)
  ink.textRight(row.amount, columns.amount, top, row.font)
  ink.textRight(row.balance, columns.balance, top, row.font)
  const bottom = y + heightOf(row)
  const isLast = row.font === lastCell
  ink.line(LEFT, RIGHT, bottom, { width: isLast ? 1 : 0.5, color: isLast ? NAVY : HAIR })
  return bottom
}

function drawNotes(y: number, ink: Ink): void {
  ink.text('Amounts are in US dollars. Dates are in Coordinated Universal Time (UTC).', LEFT, y + 10, small)
  if (ink.lost()) {
    const note = 'A question mark stands for a character that this document cannot print; the HTML statement shows it.'
    ink.text(note, LEFT, y + 21, small)
  }
}

function drawFoot(document: StatementDocument, page: { number: number; of: number }, ink: Ink): void {
  const y = PAGE.height - 46
  ink.line(LEFT, RIGHT, y - 8, { width: 0.5, color: HAIR })
  ink.text(`${document.bank}, statement ${document.statementId}`, LEFT, y, small)
  ink.textRight(`Page ${page.number} of ${page.of}`, RIGHT, y, small)
}
