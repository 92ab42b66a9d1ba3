/** Records as CSV with a column for each member; those of inner objects have a dot in their name. */
export function csvOf(records: readonly object[]): string {
  const rows = records.map((record) => Object.fromEntries(membersOf(record)))
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const lines = [names, ...rows.map((row) => names.map((name) => row[name]))]
  return lines.map((cells) => `${cells.map(cellOf).join(',')}\r\n`).join('')
}

function membersOf(record: object, before = ''): [name: string, value: unknown][] {
  return Object.entries(record).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? membersOf(value, `${before}${name}.`)
      : [[`${before}${name}`, value]],
  )
}

function cellOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  // A spreadsheet would run a text that begins like a formula.
  const harmless = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
