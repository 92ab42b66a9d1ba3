import { atOnce, type Steps } from '../../base/pace.ts'
import { hasRoutingChecksum } from '../../base/routing-number.ts'
import { readAddenda } from './addenda.ts'
import { checkBatchControl, checkBatchEnd, checkBatchHeader, checkEntry } from './check-batch.ts'
import { entryClasses } from './codes.ts'
import { type AchFile, addEntry, addTotals, blocksOf, noTotals, type Totals } from './file.ts'
import { addFault, type FaultCode, type Finding, type Findings, inOrder, MAX_FINDINGS, noFindings } from './findings.ts'
import {
  adviceBatchControl,
  adviceEntry,
  adviceFileControl,
  batchControl,
  batchHeader,
  entryDetail,
  fileControl,
  fileHeader,
  internationalEntry,
  otherEntry,
  otherHeader,
} from './layouts.ts'
import { linesOf, textOf } from './lines.ts'
import { readFileOf, untrustedBy } from './read-entries.ts'
import { type Layout, LINE_LENGTH, type Read, readRecord, shown } from './record.ts'

/** Same-day entries above this amount settle on the next banking day. */
export const SAME_DAY_LIMIT = 100_000_000

export interface RailLimits {
  /** Cents. */
  sameDayLimit: number
}

export interface Reading extends Findings {
  /** Undefined if there are faults. */
  file: AchFile | undefined
  /** The file if its framing can be trusted: entries with faults are marked. */
  trusted: AchFile | undefined
  /** The faults because of which the framing cannot be trusted. */
  untrusted: Finding<FaultCode>[]
  /** The lines of the file, with the nines that fill the last block. */
  lines: number
  totals: Totals
}

/** A batch that is being read. Fields with faults have no value. */
export interface OpenBatch {
  line: number
  /** How its entries are read: by the rules of their SEC code, or only bank, account and amount. */
  form: 'read' | 'other' | 'international' | 'advices'
  header: Read<typeof batchHeader>
  authentication: string
  entries: OpenEntry[]
  totals: Totals
  lastTrace: string
  /** Whether a record could not be read, so that totals cannot be judged. */
  spoiled: boolean
  /** Whether it has a transaction code that does not exist, so that the side of the entry is uncertain. */
  isUncertain: boolean
}

export interface OpenEntry {
  line: number
  values: Read<typeof entryDetail>
  addenda: ReturnType<typeof readAddenda>[]
}

/** The state of reading. */
export interface Reader {
  findings: Findings
  limits: RailLimits
  line: number
  header: Read<typeof fileHeader> | undefined
  batches: OpenBatch[]
  batch: OpenBatch | undefined
  entry: OpenEntry | undefined
  ended: boolean
  control: { line: number; values: Read<typeof fileControl> } | undefined
  traces: Set<string>
  totals: Totals
  lastBatchNumber: number
  spoiled: boolean
}

/**
 * Reads an ACH file and reports all faults at once. Missing padding, short lines, CRLF and missing line ends are common,
 * so they are accepted.
 */
export function readAchFile(bytes: Uint8Array, limits: RailLimits = { sameDayLimit: SAME_DAY_LIMIT }): Reading {
  return atOnce(readingOf(bytes, limits))
}

/** The same in steps. */
export function* readingOf(bytes: Uint8Array, limits: RailLimits): Steps<Reading> {
  const reader = yield* readLines(bytes, limits)
  const { line: lines, totals } = reader
  const findings = inOrder(reader.findings)
  const { faults } = findings
  const untrusted = untrustedBy(reader, findings)
  const trusted = untrusted.length === 0 ? yield* readFileOf(reader, faults) : undefined
  return { ...findings, file: faults.length === 0 ? trusted : undefined, trusted, untrusted, lines, totals }
}

/** The findings of a file, in steps. */
export function* checkingOf(bytes: Uint8Array, limits: RailLimits): Steps<Findings> {
  const { findings } = yield* readLines(bytes, limits)
  return inOrder(findings)
}

/** Lines of a step. */
const STEP = 100

function* readLines(bytes: Uint8Array, limits: RailLimits): Steps<Reader> {
  const reader: Reader = {
    ...{ findings: noFindings(), limits, line: 0, batches: [], traces: new Set(), totals: noTotals() },
    ...{ header: undefined, batch: undefined, entry: undefined, control: undefined },
    ...{ ended: false, lastBatchNumber: 0, spoiled: false },
  }
  const text = textOf(bytes)
  if (text === undefined) fault({ ...reader, line: 1 }, 1, 'not_text', 'the file is binary: an ACH file is text')
  else {
    for (const line of linesOf(text)) {
      readLine(reader, line)
      if (reader.line % STEP === 0) yield
      if (isFull(reader.findings)) break
    }
    if (!isFull(reader.findings)) checkEnd(reader)
  }
  return reader
}

/** Nothing is learnt from more faults than that, and millions take minutes to describe. */
function isFull({ faults, truncated }: Findings): boolean {
  return truncated && faults.length >= MAX_FINDINGS
}

const records: Record<string, (reader: Reader, content: string | undefined) => void> = {
  1: readFileHeader,
  5: readBatchHeader,
  6: readEntry,
  7: readAddendaLine,
  8: readBatchControl,
  9: readFileControl,
}

function readLine(reader: Reader, line: string): void {
  reader.line++
  if (reader.ended) {
    readPadding(reader, line)
    return
  }
  if (reader.line === 1 && line[0] !== '1') {
    fault(reader, 1, 'missing_record', 'the file does not begin with a file header')
    reader.spoiled = true
  }
  const read = Object.hasOwn(records, line[0] ?? '') ? records[line[0] ?? ''] : undefined
  if (!read) {
    fault(reader, 1, 'record_type', `record type ${shown(line[0] ?? '')} does not exist`)
    spoil(reader)
    return
  }
  if (line.length > LINE_LENGTH) {
    const text = `the line has ${line.length} characters, and may have ${LINE_LENGTH}`
    fault(reader, LINE_LENGTH + 1, 'line_length', text)
    spoil(reader)
    // The fields of such a line are in unknown places; only its type counts.
    read(reader, undefined)
    return
  }
  read(reader, line.padEnd(LINE_LENGTH))
}

function readPadding(reader: Reader, line: string): void {
  if (/^9+$/.test(line) && line.length <= LINE_LENGTH) return
  fault(reader, 1, 'record_order', 'only lines of nines may follow the file control')
}

function readFileHeader(reader: Reader, content: string | undefined): void {
  if (reader.line > 1) {
    fault(reader, 1, 'record_order', 'a file header is allowed in the first line only')
    return
  }
  reader.header = content === undefined ? {} : readRecord(fileHeader, content, reader.line, reader.findings)
  const { destination } = reader.header
  if (destination !== undefined && !hasRoutingChecksum(destination)) {
    fault(reader, 5, 'routing_checksum', `destination ${shown(destination)} fails the checksum of routing numbers`)
  }
}

function readBatchHeader(reader: Reader, content: string | undefined): void {
  if (reader.batch) leaveOpenBatch(reader)
  const { line, findings } = reader
  const form = content === undefined ? 'read' : formOf(content)
  const header: OpenBatch['header'] =
    content === undefined ? {} : readRecord(form === 'read' ? batchHeader : otherHeader, content, line, findings)
  reader.batch = {
    ...{ line, form, header, authentication: '', entries: [], totals: noTotals(), lastTrace: '' },
    ...{ spoiled: false, isUncertain: false },
  }
  checkBatchHeader(reader, reader.batch)
}

/** The service class of advices, whose amounts have other columns. */
const ADVICES = '280'

function formOf(content: string): OpenBatch['form'] {
  const secCode = content.slice(50, 53)
  if (entryClasses.has(secCode)) return 'read'
  if (secCode === 'ADV' && content.slice(1, 4) === ADVICES) return 'advices'
  return secCode === 'IAT' ? 'international' : 'other'
}

const entryLayouts: Record<OpenBatch['form'], Layout> = {
  read: entryDetail,
  other: otherEntry,
  international: internationalEntry,
  advices: adviceEntry,
}

function readEntry(reader: Reader, content: string | undefined): void {
  const { batch, line, findings } = reader
  if (!batch) {
    misplaced(reader, 'an entry is allowed in a batch only')
    return
  }
  endEntry(reader)
  const layout = entryLayouts[batch.form]
  const values: OpenEntry['values'] = content === undefined ? {} : readRecord(layout, content, line, findings)
  const { code, routingNumber, amount } = values
  if (code === undefined || routingNumber === undefined || amount === undefined) batch.spoiled = true
  // Advices of credits have odd codes.
  else addEntry(batch.totals, { code, routingNumber, amount }, batch.form === 'advices' ? code % 2 === 1 : undefined)
  reader.entry = { line, values, addenda: [] }
}

function readAddendaLine(reader: Reader, content: string | undefined): void {
  const { batch, entry, line, findings } = reader
  if (!batch || !entry) {
    misplaced(reader, 'an addenda is allowed after an entry only')
    return
  }
  batch.totals.entryCount++
  const read = batch.form === 'read' ? content : undefined
  entry.addenda.push(readAddenda(read, line, findings))
}

function readBatchControl(reader: Reader, content: string | undefined): void {
  const { batch, line, findings } = reader
  if (!batch) {
    misplaced(reader, 'a batch control is allowed after the entries of a batch only')
    return
  }
  endEntry(reader)
  checkBatchEnd(reader, batch)
  if (content !== undefined) {
    const layout = batch.form === 'advices' ? adviceBatchControl : batchControl
    const control: Partial<Read<typeof batchControl>> = readRecord(layout, content, line, findings)
    batch.authentication = control.authentication ?? ''
    checkBatchControl(reader, batch, control)
  }
  endBatch(reader, batch)
}

function readFileControl(reader: Reader, content: string | undefined): void {
  if (reader.batch) leaveOpenBatch(reader)
  reader.ended = true
  const { line, findings } = reader
  if (content === '9'.repeat(LINE_LENGTH)) {
    fault(reader, 1, 'missing_record', 'the file control is missing before the lines of nines')
    return
  }
  const { batches } = reader
  const layout = batches.length > 0 && batches.every(({ form }) => form === 'advices') ? adviceFileControl : fileControl
  reader.control = { line, values: content === undefined ? {} : readRecord(layout, content, line, findings) }
}

/** The batch control is missing: the batch ends at the next record all the same. */
function leaveOpenBatch(reader: Reader): void {
  const { batch } = reader
  if (!batch) return
  endEntry(reader)
  checkBatchEnd(reader, batch)
  fault(reader, 1, 'missing_record', 'the batch control of the batch before this line is missing')
  endBatch(reader, batch)
}

function endEntry(reader: Reader): void {
  const { batch, entry } = reader
  if (!batch || !entry) return
  if (batch.form === 'read') checkEntry(reader, batch, entry)
  batch.entries.push(entry)
  reader.entry = undefined
}

function endBatch(reader: Reader, batch: OpenBatch): void {
  addTotals(reader.totals, batch.totals)
  reader.spoiled ||= batch.spoiled
  reader.batches.push(batch)
  reader.batch = undefined
}

function checkEnd(reader: Reader): void {
  if (reader.line === 0) {
    fault({ ...reader, line: 1 }, 1, 'empty_file', 'the file has no records')
    return
  }
  if (reader.batch) leaveOpenBatch(reader)
  const { control, line } = reader
  if (!reader.ended) fault(reader, 1, 'missing_record', 'the file control is missing after the last line')
  if (!control) return
  const at = { ...reader, line: control.line }
  const { values } = control
  if (reader.batches.length === 0) fault(at, 1, 'no_batches', 'the file has no batches')
  const same = (column: number, code: FaultCode, stated: number | undefined, counted: number, noun: string) => {
    if (stated === undefined || stated === counted) return
    fault(at, column, code, `${noun} is ${stated} in the file control, and ${counted} in the file`)
  }
  same(8, 'block_count', values.blockCount, blocksOf(line), 'block count')
  if (reader.spoiled) return
  same(2, 'batch_count', values.batchCount, reader.batches.length, 'batch count')
  same(14, 'entry_count', values.entryCount, reader.totals.entryCount, 'number of entries and addenda')
  same(22, 'entry_hash', values.entryHash, reader.totals.entryHash, 'entry hash')
  same(32, 'debit_total', values.debits, reader.totals.debits, 'total of debits')
  same(44, 'credit_total', values.credits, reader.totals.credits, 'total of credits')
}

function misplaced(reader: Reader, text: string): void {
  fault(reader, 1, 'record_order', text)
  spoil(reader)
}

function spoil(reader: Reader): void {
  if (reader.batch) reader.batch.spoiled = true
  reader.spoiled = true
}

function fault(
  { findings, line }: Pick<Reader, 'findings' | 'line'>,
  column: number,
  code: FaultCode,
  text: string,
): void {
  addFault(findings, { line, column }, code, text)
}
