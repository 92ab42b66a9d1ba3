/** The results of a command: text on a terminal, JSON lines in a pipe or with `--json`. */
export interface Output {
  json: boolean
  /** Writes a result. */
  result(record: object, text: string): void
  /** Writes records with the same members, on a terminal as a table with these headings. */
  table(records: Record<string, unknown>[], headings: Record<string, string>): void
  /** Writes a remark to standard error, so that standard output holds results only. */
  note(line: string): void
}

export function openOutput(args: string[]): Output {
  const json = args.includes('--json') || process.stdout.isTTY !== true
  const print = (line: string) => void process.stdout.write(`${line}\n`)
  return {
    json,
    result: (record, text) => print(json ? JSON.stringify(record) : text),
    table: (records, headings) => {
      for (const line of json ? records.map((each) => JSON.stringify(each)) : tableLines(records, headings)) print(line)
    },
    note: (line) => void process.stderr.write(`${line}\n`),
  }
}

function tableLines(records: Record<string, unknown>[], headings: Record<string, string>): string[] {
  const names = Object.keys(headings)
  const rows = [Object.values(headings), ...records.map((each) => names.map((name) => String(each[name] ?? '-')))]
  const widths = names.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
