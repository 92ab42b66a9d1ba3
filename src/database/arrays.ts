type Value = number | string | Buffer | null

/** One array a column, for a statement that takes rows by `unnest`. */
export function columns<Row>(rows: Row[], pick: ((row: Row) => Value)[]): string[] {
  return pick.map((column) => arrayOf(rows.map(column)))
}

/** An array in PostgreSQL's own notation: the driver's conversion was about 6 % of Node's time under payments. */
export function arrayOf(values: Value[]): string {
  let text = '{'
  for (const value of values) text += text.length > 1 ? `,${elementOf(value)}` : elementOf(value)
  return `${text}}`
}

function elementOf(value: Value): string {
  if (value === null) return 'NULL'
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return `"${value.replace(/["\\]/g, '\\$&')}"`
  return `"\\\\x${value.toString('hex')}"`
}
