import type { Placeholder, Reader } from './reader.ts'

/** A condition over columns `C` and values `V`: placeholders after parsing, columns and values after binding. */
export type Condition<C, V> =
  | { kind: 'and' | 'or'; parts: Condition<C, V>[] }
  | { kind: 'not'; part: Condition<C, V> }
  | Predicate<C, V>

export type Predicate<C, V> =
  | { kind: 'compare'; column: C; operator: Comparison; value: V }
  | { kind: 'in'; column: C; negated: boolean; values: V[] }
  | { kind: 'like'; column: C; negated: boolean; anyCase: boolean; pattern: V }
  | { kind: 'between'; column: C; negated: boolean; low: V; high: V }
  | { kind: 'null'; column: C; negated: boolean }

export type Comparison = '=' | '<>' | '<=' | '<' | '>=' | '>'

export interface OrderTerm<C> {
  column: C
  descending: boolean
  nullsFirst: boolean
}

const MAX_PREDICATES = 50
const MAX_DEPTH = 20
const MAX_TERMS = 5

type Syntax = Condition<Placeholder, Placeholder>

/** A parsed condition with its placeholders. */
export interface ParsedWhere {
  root: Syntax
  columns: Placeholder[]
  values: Placeholder[]
}

/** A recursive descent parser with one function for each rule of the grammar. NOT binds before AND, AND before OR. */
export function parseWhere(reader: Reader): ParsedWhere {
  const columns: Placeholder[] = []
  const values: Placeholder[] = []

  function disjunction(depth: number): Syntax {
    return chain('or', () => conjunction(depth))
  }

  function conjunction(depth: number): Syntax {
    return chain('and', () => negation(depth))
  }

  function chain(kind: 'and' | 'or', next: () => Syntax): Syntax {
    const first = next()
    const parts = [first]
    while (reader.takeKeyword(kind.toUpperCase())) parts.push(next())
    return parts.length === 1 ? first : { kind, parts }
  }

  function negation(depth: number): Syntax {
    const { at } = reader
    return reader.takeKeyword('NOT') ? { kind: 'not', part: negation(deeper(depth, at)) } : primary(depth)
  }

  function primary(depth: number): Syntax {
    const { at } = reader
    if (!reader.take(/\(/y)) return predicate(reader, columns, value)
    const inner = disjunction(deeper(depth, at))
    reader.expect(/\)/y, 'AND, OR or )')
    return inner
  }

  function deeper(depth: number, at: number): number {
    if (depth === MAX_DEPTH) throw reader.refusal('too_deep', `NOT and parentheses may nest ${MAX_DEPTH} deep`, at)
    return depth + 1
  }

  function value(): Placeholder {
    const placeholder = reader.placeholder('V')
    values.push(placeholder)
    return placeholder
  }

  const root = disjunction(0)
  reader.expectEnd('AND, OR or ')
  return { root, columns, values }
}

/** One comparison of a column; `value` reads the next value of the clause. */
function predicate(reader: Reader, columns: Placeholder[], value: () => Placeholder): Syntax {
  const column = reader.placeholder('C')
  if (columns.push(column) > MAX_PREDICATES) {
    throw reader.refusal('too_many_predicates', `there may be ${MAX_PREDICATES} predicates`, column.at)
  }
  const mark = reader.take(/!=|<>|<=|>=|[=<>]/y)
  if (mark !== undefined) {
    return { kind: 'compare', column, operator: mark === '!=' ? '<>' : (mark as Comparison), value: value() }
  }
  if (reader.takeKeyword('IS')) {
    const negated = reader.takeKeyword('NOT') !== undefined
    reader.expectKeyword('NULL')
    return { kind: 'null', column, negated }
  }
  const negated = reader.takeKeyword('NOT') !== undefined
  const word = reader.takeKeyword('IN', 'LIKE', 'ILIKE', 'BETWEEN')
  switch (word) {
    case 'IN':
      return { kind: 'in', column, negated, values: list(reader, value) }
    case 'LIKE':
    case 'ILIKE':
      return { kind: 'like', column, negated, anyCase: word === 'ILIKE', pattern: value() }
    case 'BETWEEN': {
      const low = value()
      reader.expectKeyword('AND')
      return { kind: 'between', column, negated, low, high: value() }
    }
    default:
      throw reader.expected(negated ? 'IN, LIKE, ILIKE or BETWEEN' : 'an operator')
  }
}

function list(reader: Reader, value: () => Placeholder): Placeholder[] {
  reader.expect(/\(/y, '(')
  const members = [value()]
  while (reader.take(/,/y)) members.push(value())
  reader.expect(/\)/y, 'a comma or )')
  return members
}

/** By default null sorts as the largest value. */
export function parseOrderBy(reader: Reader): OrderTerm<Placeholder>[] {
  const terms: OrderTerm<Placeholder>[] = []
  do {
    const column = reader.placeholder('C')
    if (terms.length === MAX_TERMS) {
      throw reader.refusal('too_many_order_terms', `there may be ${MAX_TERMS} terms`, column.at)
    }
    const descending = reader.takeKeyword('ASC', 'DESC') === 'DESC'
    const nulls = reader.takeKeyword('NULLS') && reader.expectKeyword('FIRST', 'LAST')
    terms.push({ column, descending, nullsFirst: nulls ? nulls === 'FIRST' : descending })
  } while (reader.take(/,/y))
  reader.expectEnd('a comma or ')
  return terms
}
