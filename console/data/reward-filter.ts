/** The query of a list in the filter language: records whose columns have these values, newest first. */
export function rewardQuery(values: Readonly<Record<string, string>>): {
  whereClause?: string
  columnNames: string
  values?: string
  orderByClause: string
  limit: number
} {
  const given = Object.entries(values).filter(([, value]) => value !== '')
  const columnNames = [...given.map(([name]) => name), 'id'].join(',')
  const order = { columnNames, orderByClause: `$C${given.length + 1} DESC`, limit: 100 }
  if (given.length === 0) return order
  return {
    ...order,
    whereClause: given.map((_value, at) => `$C${at + 1} = $V${at + 1}`).join(' AND '),
    values: `[${given.map(([, value]) => literalOf(value)).join(', ')}]`,
  }
}

/** A value of the filter language: a number or a word as it is, any other text in quotes. */
function literalOf(text: string): string {
  return /^\w+$/.test(text) ? text : `'${text.replaceAll("'", "''")}'`
}
