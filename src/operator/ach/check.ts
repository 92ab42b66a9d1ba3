import { figure, jsonLine } from '../../../ground/text.ts'
import { counted } from '../../base/text.ts'
import type { Totals } from '../../rails/ach/file.ts'
import type { Finding } from '../../rails/ach/findings.ts'
import { type Reading, readAchFile } from '../../rails/ach/read-file.ts'
import type { OperatorCommand } from '../command.ts'
import { contentOf } from './content.ts'

/** Checks an ACH file; the exit code is 1 if it has a fault. Prints JSON only with --json, also into a pipe. */
export const checkFile: OperatorCommand = async ({ args: [path = ''], out }) => {
  const reading = readAchFile(await contentOf(path))
  for (const line of out.json ? jsonLines(reading) : textLines(reading)) out.line(line)
  return reading.faults.length > 0 ? 1 : 0
}

function textLines({ faults, warnings, truncated, file, lines, totals }: Reading): string[] {
  const line = ({ line: number, column, code, text }: Finding) => `${number}:${column} ${code} ${text}`
  return [
    ...faults.map(line),
    ...warnings.map((each) => line({ ...each, text: `warning: ${each.text}` })),
    ...(truncated ? ['there may be more: the check stopped'] : []),
    ...(file ? ['valid', summary(file.batches.length, lines, totals)] : []),
  ]
}

function summary(batches: number, lines: number, { entryCount, debits, credits }: Totals): string {
  const counts = [
    `${batches} ${batches === 1 ? 'batch' : 'batches'}`,
    `${entryCount} entries and addenda`,
    counted(lines, 'line'),
  ]
  return `${counts.join(', ')}; debits ${figure(debits)}, credits ${figure(credits)}`
}

/** One line for each finding, and a line with the verdict. */
function jsonLines({ faults, warnings, truncated, file, lines, totals }: Reading): string[] {
  const records = [
    ...faults.map((each) => ({ severity: 'fault', ...each })),
    ...warnings.map((each) => ({ severity: 'warning', ...each })),
    { valid: file !== undefined, ...(file && { batches: file.batches.length, ...totals }), lines, truncated },
  ]
  return records.map(jsonLine)
}
