import { atOnce, type Steps } from '../../base/pace.ts'
import { writeAddenda } from './addenda.ts'
import { type AchFile, addEntry, addTotals, type Batch, blocksOf, noTotals, type Totals } from './file.ts'
import { type Finding, type Findings, noFindings } from './findings.ts'
import { batchControl, batchHeader, entryDetail, fileControl, fileHeader } from './layouts.ts'
import { checkingOf, type RailLimits, SAME_DAY_LIMIT } from './read-file.ts'
import { LINE_LENGTH, writeRecord } from './record.ts'

/** The bytes of a file, or the findings that forbid to write it. Almost every warning is a reason, too. */
export type Writing = { bytes: Uint8Array; totals: Totals; findings: null } | { bytes: null; findings: Finding[] }

interface Writer {
  lines: string[]
  totals: Totals
  findings: Findings
}

/**
 * Writes an ACH file: ASCII, lines of 94 characters, blocks of ten lines. Counts, totals and hashes are calculated. The
 * reader judges the result, so a file that is written is one that it accepts.
 */
export function writeAchFile(file: AchFile, options: WriteOptions = {}): Writing {
  return atOnce(writingOf(file, options))
}

interface WriteOptions {
  lineEnd?: '\n' | '\r\n'
  limits?: RailLimits
}

/** The same in steps. */
export function* writingOf(file: AchFile, options: WriteOptions): Steps<Writing> {
  const { lineEnd = '\n', limits = { sameDayLimit: SAME_DAY_LIMIT } } = options
  const writer: Writer = { lines: [], totals: noTotals(), findings: noFindings() }
  writer.lines.push(writeRecord(fileHeader, file.header, 1, writer.findings))
  for (const batch of file.batches) yield* writeBatch(writer, batch)
  writeControl(writer, file.batches.length)
  const misfits = findingsOf(writer.findings)
  if (misfits.length > 0) return { bytes: null, findings: misfits }
  const bytes = Buffer.from(writer.lines.map((line) => line + lineEnd).join(''), 'latin1')
  const findings = findingsOf(yield* checkingOf(bytes, limits))
  return findings.length > 0 ? { bytes: null, findings } : { bytes, totals: writer.totals, findings: null }
}

/** Warnings that do not forbid to write: corrected data is another bank's to judge, and a payment with a reserved word is refused before. */
const WRITTEN: ReadonlySet<Finding['code']> = new Set(['corrected_data_form', 'reserved_word'])

function findingsOf({ faults, warnings }: Findings): Finding[] {
  return [...faults, ...warnings.filter(({ code }) => !WRITTEN.has(code))]
}

/** Entries of a step. */
const STEP = 100

function* writeBatch(writer: Writer, batch: Batch): Steps<void> {
  const { lines, findings } = writer
  const totals = noTotals()
  lines.push(writeRecord(batchHeader, batch, lines.length + 1, findings))
  for (const [at, entry] of batch.entries.entries()) {
    if (at % STEP === 0) yield
    const { addenda, further = [], traceNumber } = entry
    const values = { ...entry, addendaIndicator: addenda ? '1' : '0' }
    lines.push(writeRecord(entryDetail, values, lines.length + 1, findings))
    addEntry(totals, entry)
    for (const [index, each] of (addenda ? [addenda, ...further] : []).entries()) {
      lines.push(writeAddenda(each, { traceNumber, number: index + 1 }, lines.length + 1, findings))
      totals.entryCount++
    }
  }
  lines.push(writeRecord(batchControl, { ...batch, ...totals }, lines.length + 1, findings))
  addTotals(writer.totals, totals)
}

function writeControl({ lines, totals, findings }: Writer, batchCount: number): void {
  const blockCount = blocksOf(lines.length + 1)
  lines.push(writeRecord(fileControl, { ...totals, batchCount, blockCount }, lines.length + 1, findings))
  while (lines.length < blockCount * 10) lines.push('9'.repeat(LINE_LENGTH))
}
