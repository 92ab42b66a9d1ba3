import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { StartupError } from '../../base/startup-error.ts'
import type { Totals } from '../../rails/ach/file.ts'
import type { Finding } from '../../rails/ach/findings.ts'
import { type Reading, readAchFile } from '../../rails/ach/read-file.ts'
import { type OperatorCommand, readArguments } from '../command.ts'

/** Some 700,000 records, more than a bank sends in a day. A larger file would need gigabytes of memory. */
const MAX_BYTES = 64 * 1024 * 1024

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

/** The content of a file or a pipe, up to the limit. */
async function contentOf(path: string): Promise<Buffer> {
  const parts: Buffer[] = []
  let size = 0
  try {
    const found = await stat(path)
    if (found.isDirectory()) throw new StartupError(`${path} is a folder: name an ACH file`)
    for await (const part of createReadStream(path)) {
      parts.push(part as Buffer)
      size += (part as Buffer).length
      if (size > MAX_BYTES) throw new StartupError(`${path} has more than ${MAX_BYTES} bytes, the limit of an ACH file`)
    }
  } catch (error) {
    if (error instanceof StartupError) throw error
    throw new StartupError(`cannot read ${path} (${(error as NodeJS.ErrnoException).code})`)
  }
  return Buffer.concat(parts)
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

/** Cents as dollars. */
export function dollars(cents: number): string {
  const digits = String(cents).padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}
