import { parseInstant } from '../../base/clock.ts'
import type { Problem } from '../../base/problem.ts'
import type { ColumnType, Value } from './columns.ts'
import type { List, Scalar } from './lists.ts'
import type { Placeholder, Reader } from './reader.ts'

const MAX_PATTERN = 200

/** The values of `$V1`, `$V2`, …, converted to the type of a column. */
export interface BoundValues {
  one(placeholder: Placeholder, type: ColumnType): Value
  /** All values of a placeholder; lists are flattened. */
  all(placeholders: Placeholder[], type: ColumnType): Value[]
  pattern(placeholder: Placeholder): string
}

/** Assigns `values` to placeholders: one group each, one element each, or all of them to a single placeholder. */
export function bindValues(
  where: { reader: Reader; used: Placeholder[] },
  values: { reader: Reader; groups: List[] | undefined },
): BoundValues {
  const parts = partsOf(where, values)
  const partOf = ({ index }: Placeholder): List | Scalar => {
    const part = parts[index - 1]
    if (!part) throw new Error(`$V${index} was counted and is not there`)
    return part
  }

  function single(part: List | Scalar): Scalar {
    if (!('items' in part)) return part
    const [only, ...more] = part.items
    if (only && more.length === 0) return single(only)
    const count = part.items.length
    throw values.reader.refusal(
      'value_arity',
      `a list outside IN must hold one value, this one holds ${count}`,
      part.at,
    )
  }

  function typed(scalar: Scalar, type: ColumnType): Value {
    if (!scalar.quoted && /^null$/i.test(scalar.text)) {
      throw values.reader.refusal('null_comparison', 'nothing compares with null; ask with IS NULL', scalar.at)
    }
    const value = read[type](scalar.text)
    if (value !== undefined) return value
    throw values.reader.refusal('value_type', `${expected[type]} was expected`, scalar.at)
  }

  return {
    one: (placeholder, type) => typed(single(partOf(placeholder)), type),
    all: (placeholders, type) =>
      placeholders.flatMap((placeholder) => spread(partOf(placeholder)).map((scalar) => typed(scalar, type))),
    pattern: (placeholder) => {
      const scalar = single(partOf(placeholder))
      const pattern = String(typed(scalar, 'string'))
      return checkedPattern(pattern, (code, reason) => values.reader.refusal(code, reason, scalar.at))
    },
  }
}

function partsOf(
  { reader, used }: { reader: Reader; used: Placeholder[] },
  { reader: values, groups }: { reader: Reader; groups: List[] | undefined },
): (List | Scalar)[] {
  const places = new Map(used.map(({ index, at }) => [index, at]))
  const count = Math.max(0, ...places.keys())
  for (let index = 1; index <= count; index++) {
    if (!places.has(index)) {
      throw reader.refusal('placeholder_gap', `$V${count} is used, so $V${index} must be too`, places.get(count))
    }
  }
  const [first, ...others] = groups ?? []
  if (count === 0 && first && first.items.length === 0 && others.length === 0) return []
  const parts = first && others.length === 0 && count > 1 ? first.items : (groups ?? [])
  const unused = parts[count]
  if (unused) throw values.refusal('unused_value', 'no $V uses this', unused.at)
  if (parts.length < count) {
    const place = places.get(parts.length + 1)
    throw reader.refusal('value_out_of_range', `values holds nothing for $V${parts.length + 1}`, place)
  }
  return parts
}

function spread(part: List | Scalar): Scalar[] {
  return 'items' in part ? part.items.flatMap(spread) : [part]
}

const expected: Record<ColumnType, string> = {
  integer: `a whole number of at most ${Number.MAX_SAFE_INTEGER}`,
  boolean: 'true or false',
  timestamp: 'an RFC 3339 date-time or YYYY-MM-DD',
  string: 'text',
}

const read: Record<ColumnType, (text: string) => Value | undefined> = {
  integer: (text) => (/^-?\d+$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : undefined),
  boolean: (text) => (/^(true|false)$/i.test(text) ? text.toLowerCase() === 'true' : undefined),
  timestamp: parseInstant,
  string: (text) => text,
}

function checkedPattern(
  pattern: string,
  refusal: (code: 'too_long' | 'bad_pattern', reason: string) => Problem,
): string {
  if ([...pattern].length > MAX_PATTERN) {
    throw refusal('too_long', `a pattern may hold ${MAX_PATTERN} characters`)
  }
  // A pattern must not end with the escape character.
  if (!/^(?:[^\\]|\\.)*$/s.test(pattern))
    throw refusal('bad_pattern', 'a pattern may not end with an escape character that escapes nothing')
  return pattern
}
