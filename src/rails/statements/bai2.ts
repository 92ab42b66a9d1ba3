import { centsOf, shortDay } from './amounts.ts'
import { directionOf, isCustom, type KindMapping } from './codes.ts'
import { type BankStatement, type Flag, requireBalance, requireFew, StatementFault } from './statement.ts'

/** A record with its continuations. */
interface BaiRecord {
  code: string
  /** Its first line in the file. */
  line: number
  /** The record without its code, and the continuations after it. */
  parts: string[]
  /** The lines that it takes, continuations counted. */
  lines: number
  /** Those among them that continue a text and have no code. */
  loose: number
}

interface FileNames {
  sender: string
  fileCreated: string
  fileId: string
}

interface Group {
  originator: string
  status: BankStatement['status']
  asOf: string
  currency: string
  modifier: string
}

const MAX_LINES = 2_000_000
const MAX_LINE = 20_000
/** The lines of one record. */
const MAX_CONTINUED = 1_000

const RECORD = /^(01|02|03|16|88|49|98|99)\s*(?:[,/]|$)/
const statuses = { '1': 'update', '2': 'deletion', '3': 'correction', '4': 'test' } as const

/** Where a record may begin behind a text on the same line. */
const BEHIND_TEXT = /\/[ \t]+(?=(?:02|03|16|49|88|98|99),)/g

/** Reads a BAI2 file. Everything that frames it must agree: the order of records, their counts and the control totals. */
export function readBai2(text: string, mapping: KindMapping): BankStatement[] {
  try {
    return readFiles(text, mapping)
  } catch (fault) {
    // Some banks write records behind a text. A text may look like that, too, so that only the totals and counts decide.
    const separated = text.replace(BEHIND_TEXT, '/\n')
    if (!(fault instanceof StatementFault) || separated === text) throw fault
    try {
      return readFiles(separated, mapping)
    } catch (second) {
      throw second instanceof StatementFault ? fault : second
    }
  }
}

function readFiles(text: string, mapping: KindMapping): BankStatement[] {
  const cursor = cursorOf(recordsIn(text))
  const statements: BankStatement[] = []
  while (cursor.peek()) statements.push(...readFile(cursor, mapping))
  return statements
}

function recordsIn(text: string): BaiRecord[] {
  requireLines(text)
  const records: BaiRecord[] = []
  for (const [index, raw] of text.split(/\r\n|\n|\r/).entries()) {
    if (raw.length > MAX_LINE)
      throw new StatementFault('too_large', `a line has more than ${MAX_LINE} characters`, index + 1)
    for (const line of recordsOnLine(raw.trimEnd())) addLine(records, line, index + 1)
  }
  return records
}

function requireLines(text: string): void {
  let lines = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 10 || code === 13) lines++
    if (lines > MAX_LINES) throw new StatementFault('too_large', `the file has more than ${MAX_LINES} lines`)
  }
}

/** Records that share a line: only those without text can be separated. */
function recordsOnLine(line: string): string[] {
  const records: string[] = []
  let rest = line
  while (/^(01|02|03|49|98|99),/.test(rest)) {
    const end = rest.indexOf('/')
    const behind = end < 0 ? '' : rest.slice(end + 1).trimStart()
    if (!RECORD.test(behind)) break
    records.push(rest.slice(0, end + 1))
    rest = behind
  }
  return rest === '' ? records : [...records, rest]
}

function addLine(records: BaiRecord[], text: string, line: number): void {
  const [, code] = RECORD.exec(text) ?? []
  const last = records.at(-1)
  if (code !== undefined && code !== '88') {
    records.push({ code, line, parts: [partOf(text)], lines: 1, loose: 0 })
  } else if (last && (code === '88' || last.code === '16')) {
    last.parts.push(code === '88' ? partOf(text) : text)
    last.lines++
    if (last.lines > MAX_CONTINUED)
      throw new StatementFault('too_large', `a record has more than ${MAX_CONTINUED} lines`, line)
    if (code === undefined) last.loose++
  } else throw new StatementFault('record_unknown', 'the line begins with no record code', line)
}

/** A line without its code and without the slash that ends it. */
function partOf(text: string): string {
  return text.slice(2).trimStart().replace(/^,/, '').replace(/\/$/, '')
}

interface Cursor {
  peek(): BaiRecord | undefined
  /** The next record, which must have one of the codes. */
  next(...codes: string[]): BaiRecord
  /** The lines of the records so far, and those among them without a code. */
  at(): { lines: number; loose: number }
}

function cursorOf(records: BaiRecord[]): Cursor {
  let place = 0
  const passed = { lines: 0, loose: 0 }
  return {
    peek: () => records[place],
    at: () => ({ ...passed }),
    next(...codes) {
      const record = records[place++]
      const wanted = codes.join(' or ')
      if (!record) throw new StatementFault('unexpected_end', `the file ends where a record ${wanted} must follow`)
      if (!codes.includes(record.code)) {
        throw new StatementFault(
          'record_order',
          `a record ${record.code} stands where ${wanted} must follow`,
          record.line,
        )
      }
      passed.lines += record.lines
      passed.loose += record.loose
      return record
    },
  }
}

function fieldsOf({ parts }: BaiRecord): string[] {
  return parts
    .join(',')
    .split(',')
    .map((field) => field.trim())
}

function readFile(cursor: Cursor, mapping: KindMapping): BankStatement[] {
  const start = cursor.at()
  const header = cursor.next('01')
  const [sender = '', , created = '', , fileId = '', , , version = ''] = fieldsOf(header)
  if (version !== '2') throw new StatementFault('format', `version ${version || 'none'} is not 2`, header.line)
  const file = { sender, fileId, fileCreated: shortDay(created, header.line) }
  const statements: BankStatement[] = []
  let groups = 0
  let total = 0
  for (; cursor.peek()?.code === '02'; groups++) {
    const group = readGroup(cursor, file, mapping)
    statements.push(...group.statements)
    total += group.total
  }
  const trailer = cursor.next('02', '99')
  requireTrailer(trailer, total, groups, 'groups', linesSince(cursor, start))
  return statements
}

function readGroup(cursor: Cursor, file: FileNames, mapping: KindMapping) {
  const start = cursor.at()
  const header = cursor.next('02')
  const [, originator = '', status = '', asOf = '', , currency = '', modifier = ''] = fieldsOf(header)
  if (!(status in statuses))
    throw new StatementFault('field', `${status || 'nothing'} is no status of a group`, header.line)
  const group: Group = {
    ...{ originator, modifier, currency: currency || 'USD', asOf: shortDay(asOf, header.line) },
    status: statuses[status as keyof typeof statuses],
  }
  const statements: BankStatement[] = []
  let total = 0
  while (cursor.peek()?.code === '03') {
    const account = readAccount(cursor, file, group, mapping)
    statements.push(account.statement)
    total += account.total
  }
  const trailer = cursor.next('03', '98')
  requireTrailer(trailer, total, statements.length, 'accounts', linesSince(cursor, start))
  return { statements, total: totalIn(trailer) }
}

function readAccount(cursor: Cursor, file: FileNames, group: Group, mapping: KindMapping) {
  const start = cursor.at()
  const header = cursor.next('03')
  const summary = readSummary(header)
  const flags = new Set<Flag>()
  const statement: BankStatement = {
    ...{ format: 'bai2', servicer: group.originator, account: summary.account, asOf: group.asOf },
    ...{ currency: summary.currency || group.currency, reference: group.modifier, status: group.status },
    names: { sender: file.sender, fileCreated: file.fileCreated, fileId: file.fileId },
    isInterim: group.modifier !== '' && group.modifier !== '2' && group.modifier !== '4',
    ...{ page: null, opening: summary.balances.get('010') ?? null, closing: summary.balances.get('015') ?? null },
    ...{ entries: [], notBooked: 0, flags: [] },
  }
  let [written, signed] = [0, 0]
  while (cursor.peek()?.code === '16') {
    const detail = readDetail(cursor.next('16'), group, mapping)
    for (const flag of detail.flags) flags.add(flag)
    written += detail.written
    signed += detail.direction === 'Debit' ? -detail.written : detail.written
    if (detail.entry) statement.entries.push({ ...detail.entry, place: statement.entries.length + 1 })
    else statement.notBooked++
    requireFew(statement.entries.length)
  }
  const trailer = cursor.next('16', '49')
  const total = totalIn(trailer)
  if (total === summary.total + signed && total !== summary.total + written) flags.add('control_total_signed')
  else if (total === written && total !== summary.total + written) flags.add('control_total_details')
  else requireTotal(trailer, summary.total + written)
  requireCount(trailer, fieldsOf(trailer)[1], linesSince(cursor, start), 'records')
  if (statement.opening === null) flags.add('opening_missing')
  if (statement.closing === null) flags.add('closing_missing')
  const sums = { Credit: 0, Debit: 0 }
  for (const { direction, amount } of statement.entries) if (direction) sums[direction] += Math.abs(amount)
  const differs = (code: string, sum: number) => (summary.totals.get(code) ?? sum) !== sum
  if (differs('100', sums.Credit) || differs('400', sums.Debit)) flags.add('totals_differ')
  statement.flags = [...flags]
  requireBalance(statement)
  return { statement, total }
}

/** The balances and totals of an account. Groups of four fields may be broken anywhere. */
function readSummary(record: BaiRecord) {
  const fields = fieldsOf(record)
  let place = 0
  const next = () => fields[place++] ?? ''
  const [account, currency] = [next(), next()]
  if (account === '') throw new StatementFault('field', 'the record names no account', record.line)
  const balances = new Map<string, number>()
  const totals = new Map<string, number>()
  let total = 0
  while (place < fields.length) {
    const written = next()
    // A group that is left out, or a comma too many at the end of a line.
    if (written === '') continue
    const [code, text] = [typeCode(written, record.line), next()]
    next()
    skipFunds(next, record.line)
    if (text === '') continue
    const amount = centsOf(text, record.line, { signed: true })
    const known = Number(code) < 100 ? balances : totals
    if (known.has(code) && known.get(code) !== amount) {
      throw new StatementFault('field', `type code ${code} stands twice with different amounts`, record.line)
    }
    known.set(code, amount)
    total += amount
  }
  return { account, currency, balances, totals, total }
}

function typeCode(text: string, line: number): string {
  if (!/^\d{1,3}$/.test(text)) throw new StatementFault('field', `${text || 'nothing'} is no type code`, line)
  return text.padStart(3, '0')
}

/** Passes over the fields that belong to a funds type, and returns the value date if there is one. */
function skipFunds(next: () => string, line: number): string {
  const type = next()
  if (type === 'V') {
    const date = next()
    next()
    return date
  }
  if (type === 'S') for (let amounts = 0; amounts < 3; amounts++) next()
  else if (type === 'D') {
    const pairs = next()
    if (!/^\d{1,3}$/.test(pairs)) throw new StatementFault('field', `${pairs || 'nothing'} is no number of days`, line)
    for (let fields = 0; fields < 2 * Number(pairs); fields++) next()
  } else if (!['', '0', '1', '2', 'Z'].includes(type)) {
    throw new StatementFault('field', `${type} is no funds type`, line)
  }
  return ''
}

function readDetail(record: BaiRecord, { asOf }: Group, mapping: KindMapping) {
  const { line } = record
  const flags: Flag[] = record.loose > 0 ? ['text_without_88'] : []
  const { next, text } = detailFields(record)
  const [code, amountText] = [typeCode(next(), line), next()]
  const valueDate = skipFunds(next, line)
  const [bankReference, customerReference] = [next(), next()]
  const number = Number(code)
  const written = amountText === '' ? 0 : centsOf(amountText, line)
  const direction = mapping.get(code)?.direction ?? directionOf(number)
  if (number === 890) return { entry: undefined, written, direction, flags: [...flags, 'message_890' as const] }
  if (isCustom(number)) flags.push('type_code_custom')
  if (direction === null) flags.push('type_code_unknown')
  if (written === 0) return { entry: undefined, written, direction, flags }
  const valueOn = valueDate === '' ? null : shortDay(valueDate, line)
  const entry = {
    ...{ amount: direction === 'Debit' ? -written : written, direction, codes: [code] },
    ...{ bookedOn: asOf, valueOn: valueOn !== null && valueOn < asOf ? asOf : valueOn, bankReference },
    ...{ references: customerReference === '' ? [] : [customerReference], text: text() },
  }
  return { entry, written, direction, flags }
}

/** The fields of a detail one after the other, and the text after them, in which commas and slashes are no separators. */
function detailFields({ parts }: BaiRecord): { next(): string; text(): string } {
  let place = 0
  let rest: string | undefined = parts[0]
  return {
    next() {
      if (rest === undefined) rest = parts[++place]
      if (rest === undefined) return ''
      const comma = rest.indexOf(',')
      const field = comma < 0 ? rest : rest.slice(0, comma)
      rest = comma < 0 ? undefined : rest.slice(comma + 1)
      return field.trim()
    },
    text: () => [...(rest === undefined ? [] : [rest]), ...parts.slice(place + 1)].join(' ').trim(),
  }
}

/** The control total of a record. Some banks leave it empty for an account without amounts. */
function totalIn(trailer: BaiRecord): number {
  return centsOf(fieldsOf(trailer)[0] || '0', trailer.line, { signed: true })
}

function requireTrailer(
  trailer: BaiRecord,
  total: number,
  members: number,
  noun: string,
  lines: { lines: number; loose: number },
): void {
  const fields = fieldsOf(trailer)
  requireTotal(trailer, total)
  requireCount(trailer, fields[1], { lines: members, loose: 0 }, noun)
  requireCount(trailer, fields[2], lines, 'records')
}

function requireTotal(trailer: BaiRecord, found: number): void {
  const total = totalIn(trailer)
  if (total === found) return
  const detail = `control total ${total} of record ${trailer.code} differs from the sum ${found} by ${total - found} cents`
  throw new StatementFault('control_total', detail, trailer.line)
}

/** Compares a count with the lines. Lines of text without a code may be counted or not. */
function requireCount(
  trailer: BaiRecord,
  text: string | undefined,
  { lines, loose }: { lines: number; loose: number },
  noun: string,
): void {
  const count = /^\d{1,9}$/.test(text ?? '') ? Number(text) : Number.NaN
  if (count === lines || count === lines - loose) return
  const detail = `record ${trailer.code} counts ${text || 'no'} ${noun}, and there are ${lines}`
  throw new StatementFault('record_count', detail, trailer.line)
}

function linesSince(cursor: Cursor, start: { lines: number; loose: number }): { lines: number; loose: number } {
  const { lines, loose } = cursor.at()
  return { lines: lines - start.lines, loose: loose - start.loose }
}
