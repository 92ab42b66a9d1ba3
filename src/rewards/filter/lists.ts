import type { Reader } from './reader.ts'

const MAX_COLUMNS = 20
const MAX_VALUES = 1_000
const MAX_NESTED = 2
const MAX_STRING = 500

/** A column name of the request. */
export interface Name {
  text: string
  at: number
}

export interface Scalar {
  text: string
  /** Whether the value was quoted: a bare `null` is no text. */
  quoted: boolean
  at: number
}

export interface List {
  items: (List | Scalar)[]
  at: number
}

/** `userId, id` or `["userId", "id"]`. */
export function parseColumnNames(reader: Reader): Name[] {
  const names: Name[] = []
  const bracketed = reader.take(/\[/y) !== undefined
  do {
    const { at } = reader
    const name = reader.take(/"[A-Za-z][A-Za-z0-9]*"|[A-Za-z][A-Za-z0-9]*/y)
    if (name === undefined) throw reader.expected('a column name')
    if (names.length === MAX_COLUMNS) {
      throw reader.refusal('too_many_columns', `there may be ${MAX_COLUMNS} columns`, at)
    }
    names.push({ text: name.replaceAll('"', ''), at })
  } while (reader.take(/,/y))
  if (bracketed) reader.expect(/\]/y, 'a comma or ]')
  reader.expectEnd(bracketed ? '' : 'a comma or ')
  return names
}

/** `[1, 2]`, `[1, 2], [true]` or `[[1, 2], true]`. */
export function parseValues(reader: Reader): List[] {
  let count = 0

  function group(depth: number): List {
    const { at } = reader
    reader.expect(/\[/y, '[')
    if (depth > MAX_NESTED) throw reader.refusal('too_deep', `lists may nest ${MAX_NESTED} deep`, at)
    const items: List['items'] = []
    if (reader.take(/\]/y)) return { items, at }
    do items.push(reader.text[reader.at] === '[' ? group(depth + 1) : scalar())
    while (reader.take(/,/y))
    reader.expect(/\]/y, 'a comma or ]')
    return { items, at }
  }

  function scalar(): Scalar {
    const { at } = reader
    const value = quoted() ?? bare()
    if (value === undefined) throw reader.expected('a value')
    if (++count > MAX_VALUES) throw reader.refusal('too_many_values', `there may be ${MAX_VALUES} values`, at)
    if ([...value.text].length > MAX_STRING) {
      throw reader.refusal('too_long', `a value may hold ${MAX_STRING} characters`, at)
    }
    return { ...value, at }
  }

  function quoted(): { text: string; quoted: boolean } | undefined {
    const single = reader.take(/'(?:[^']|'')*'/y)
    if (single !== undefined) return { text: single.slice(1, -1).replaceAll("''", "'"), quoted: true }
    const { at } = reader
    const double = reader.take(/"(?:[^"\\]|\\.)*"/y)
    if (double === undefined) return undefined
    try {
      const text: string = JSON.parse(double)
      // An escape sequence can produce characters that are refused in plain form.
      if (!/[\p{Cc}\p{Cs}]/u.test(text)) return { text, quoted: true }
    } catch {
      throw reader.refusal('syntax', 'between double quotes a JSON string was expected', at)
    }
    throw reader.refusal('syntax', 'control characters are not allowed', at)
  }

  function bare(): { text: string; quoted: boolean } | undefined {
    const text = reader.take(/[A-Za-z0-9_.:+-]+/y)
    return text === undefined ? undefined : { text, quoted: false }
  }

  const groups: List[] = []
  do groups.push(group(1))
  while (reader.take(/,/y))
  reader.expectEnd('a comma or ')
  return groups
}
