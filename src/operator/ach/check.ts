import type { Totals } from '../../rails/ach/file.ts'
import type { Finding } from '../../rails/ach/findings.ts'
import { type Reading, readAchFile } from '../../rails/ach/read-file.ts'
import { type OperatorCommand, readArguments } from '../command.ts'
import { dollars } from '../table.ts'
import { contentOf } from './content.ts'

/** Checks an ACH file. Exit code 1 where it has a fault. */
export function check(args: string[], usage: string): ReturnType<OperatorCommand> {
  const { positionals, values } = readArguments(args, usage, { words: 1 })
  const [path = ''] = positionals
  return async () => {
    const reading = readAchFile(await contentOf(path))
    const lines = values.json === true ? jsonLines(reading) : textLines(reading)
    process.stdout.write(`${lines.join('\n')}\n`)
    if (reading.faults.length > 0) process.exitCode = 1
  }
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
    count(batches, 'batch', 'batches'),
    `${entryCount} entries and addenda`,
    count(lines, 'line', 'lines'),
  ]
  return `${counts.join(', ')}; debits ${dollars(debits)}, credits ${dollars(credits)}`
}

/** One line for each finding, and a line with the verdict. */
function jsonLines({ faults, warnings, truncated, file, lines, totals }: Reading): string[] {
  const records = [
    ...faults.map((each) => ({ severity: 'fault', ...each })),
    ...warnings.map((each) => ({ severity: 'warning', ...each })),
    { valid: file !== undefined, ...(file && { batches: file.batches.length, ...totals }), lines, truncated },
  ]
  return records.map((each) => JSON.stringify(each))
}

function count(number: number, one: string, several: string): string {
  return `${number} ${number === 1 ? one : several}`
}
