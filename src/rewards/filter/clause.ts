import { type BoundValues, bindValues } from './binding.ts'
import type { Column, Columns, Value } from './columns.ts'
import { type Condition, type OrderTerm, type Predicate, parseOrderBy, parseWhere } from './condition.ts'
import { type Name, parseColumnNames, parseValues } from './lists.ts'
import { type ClauseParameter, type Placeholder, Reader } from './reader.ts'

/** A parsed query of a list. Every column is a known one, every value has the type of its column. */
export interface Clause {
  where: Condition<Column, Value> | undefined
  order: OrderTerm<Column>[]
}

export type ClauseTexts = { [parameter in ClauseParameter]?: string | undefined }

/**
 * Parses the filter language of R3 to R5. A fault is reported with a code, the parameter and the position in it. The
 * result holds no text of the request except values.
 */
export function readClause(columns: Columns, texts: ClauseTexts): Clause {
  const readerOf = (parameter: ClauseParameter) => new Reader(parameter, texts[parameter] ?? '')
  const where = readerOf('whereClause')
  const orderBy = readerOf('orderByClause')
  const columnNames = readerOf('columnNames')
  const values = readerOf('values')

  const condition = unlessBlank(where, parseWhere)
  const terms = unlessBlank(orderBy, parseOrderBy) ?? []
  const names = unlessBlank(columnNames, parseColumnNames) ?? []
  const groups = unlessBlank(values, parseValues)

  const named = names.map((name) => columnNamed(name, columns, columnNames))
  const columnOf = (reader: Reader, { index, at }: Placeholder): Column => {
    const column = named[index - 1]
    if (column) return column
    throw reader.refusal(
      'column_out_of_range',
      `$C${index} needs ${index} names in columnNames, which has ${named.length}`,
      at,
    )
  }
  const order = terms.map((term) => ({ ...term, column: columnOf(orderBy, term.column), at: term.column.at }))
  for (const placeholder of condition?.columns ?? []) columnOf(where, placeholder)
  refuseRepeated(order, orderBy)

  const bound = bindValues({ reader: where, used: condition?.values ?? [] }, { reader: values, groups })
  const typedPredicate = (predicate: Predicate<Placeholder, Placeholder>) => {
    const column = columnOf(where, predicate.column)
    refuseOperator(predicate, column, where)
    return withValues(predicate, column, bound)
  }
  return {
    where: condition && mapPredicates(condition.root, typedPredicate),
    order: withId(order.map(({ at: _, ...term }) => term)),
  }
}

function unlessBlank<Result>(reader: Reader, parse: (reader: Reader) => Result): Result | undefined {
  return reader.at === reader.text.length ? undefined : parse(reader)
}

function columnNamed({ text, at }: Name, columns: Columns, reader: Reader): Column {
  const type = columns.get(text)
  if (type) return { name: text, type }
  throw reader.refusal('unknown_column', `no such column; there are ${[...columns.keys()].join(', ')}`, at)
}

function refuseRepeated(order: { column: Column; at: number }[], reader: Reader): void {
  const seen = new Set<string>()
  for (const { column, at } of order) {
    if (seen.has(column.name))
      throw reader.refusal('duplicate_order_column', `${column.name} is ordered by already`, at)
    seen.add(column.name)
  }
}

/** Appends the id to the order: without ties, pages neither repeat nor skip a record. */
function withId(order: OrderTerm<Column>[]): OrderTerm<Column>[] {
  if (order.some(({ column }) => column.name === 'id')) return order
  return [...order, { column: { name: 'id', type: 'integer' }, descending: false, nullsFirst: false }]
}

function mapPredicates<C, V, D, W>(
  condition: Condition<C, V>,
  map: (predicate: Predicate<C, V>) => Predicate<D, W>,
): Condition<D, W> {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return { kind: condition.kind, parts: condition.parts.map((part) => mapPredicates(part, map)) }
    case 'not':
      return { kind: 'not', part: mapPredicates(condition.part, map) }
    default:
      return map(condition)
  }
}

/** LIKE applies to texts only. Booleans can be compared for equality, but have no order. */
function refuseOperator(predicate: Predicate<Placeholder, Placeholder>, { name, type }: Column, reader: Reader): void {
  const isOrdering =
    predicate.kind === 'between' || (predicate.kind === 'compare' && !['=', '<>'].includes(predicate.operator))
  if ((predicate.kind === 'like' && type !== 'string') || (isOrdering && type === 'boolean')) {
    const reason = `the operator does not go with ${name}, a column of type ${type}`
    throw reader.refusal('operator_type', reason, predicate.column.at)
  }
}

function withValues(
  predicate: Predicate<Placeholder, Placeholder>,
  column: Column,
  bound: BoundValues,
): Predicate<Column, Value> {
  const one = (placeholder: Placeholder) => bound.one(placeholder, column.type)
  switch (predicate.kind) {
    case 'compare':
      return { ...predicate, column, value: one(predicate.value) }
    case 'in':
      return { ...predicate, column, values: bound.all(predicate.values, column.type) }
    case 'like':
      return { ...predicate, column, pattern: bound.pattern(predicate.pattern) }
    case 'between':
      return { ...predicate, column, low: one(predicate.low), high: one(predicate.high) }
    case 'null':
      return { ...predicate, column }
  }
}
