import { type TableOptions, tableOf } from './table.ts'

/** The results of a command: text on a terminal, JSON lines in a pipe or with `--json`. */
export interface Output {
  json: boolean
  /** Writes a result. */
  result(record: object, text: string): void
  /** Writes records with the same members, on a terminal as a table with these headings, the most important ones first. */
  table(records: Record<string, unknown>[], headings: Record<string, string>, options?: TableOptions): void
  /** Writes a remark to standard error, so that standard output holds results only. */
  note(line: string): void
}

export function openOutput(args: string[]): Output {
  const json = args.includes('--json') || process.stdout.isTTY !== true
  const print = (line: string) => void process.stdout.write(`${line}\n`)
  return {
    json,
    result: (record, text) => print(json ? JSON.stringify(record) : text),
    table: (records, headings, options) => {
      if (json) {
        for (const record of records) print(JSON.stringify(record))
        return
      }
      // A terminal that does not know its width, as in some containers, says 0.
      const { lines, hidden } = tableOf(records, headings, process.stdout.columns || 80, options)
      for (const line of lines) print(line)
      if (hidden.length > 0)
        process.stderr.write(`Not shown for lack of width: ${hidden.join(', ')}. --json prints all members.\n`)
    },
    note: (line) => void process.stderr.write(`${line}\n`),
  }
}
