import type { Clause } from '../../rewards/filter/clause.ts'
import type { Column, ColumnType, Value } from '../../rewards/filter/columns.ts'
import type { Condition, OrderTerm, Predicate } from '../../rewards/filter/condition.ts'

const sqlTypes: Record<ColumnType, string> = {
  integer: 'bigint',
  boolean: 'boolean',
  timestamp: 'timestamptz',
  string: 'text',
}

/**
 * Compiles a clause to SQL. No text of the request is in it: column names come from the map of the table, operators from
 * here, and values are bound as parameters after those already in `values`.
 */
export function compileClause(
  { where, order }: Clause,
  names: ReadonlyMap<string, string>,
  values: unknown[],
): { where: string; order: string } {
  const nameOf = ({ name }: Column): string => {
    const sqlName = names.get(name)
    if (sqlName === undefined) throw new Error('a clause names a column that the table does not have')
    return sqlName
  }
  const bind = (value: Value | Value[], { type }: Column): string =>
    `$${values.push(value)}::${sqlTypes[type]}${Array.isArray(value) ? '[]' : ''}`

  function condition(tree: Condition<Column, Value>): string {
    switch (tree.kind) {
      case 'and':
      case 'or':
        return `(${tree.parts.map(condition).join(` ${tree.kind} `)})`
      case 'not':
        return `(not ${condition(tree.part)})`
      default:
        return predicate(tree)
    }
  }

  function predicate(tree: Predicate<Column, Value>): string {
    const { column } = tree
    const name = nameOf(column)
    switch (tree.kind) {
      case 'compare':
        return `${name} ${tree.operator} ${bind(tree.value, column)}`
      // IN refuses an empty list; = any is false for it, and <> all is true.
      case 'in':
        return `${name} ${tree.negated ? '<> all' : '= any'} (${bind(tree.values, column)})`
      case 'like': {
        // The collation "C" knows the upper case of ASCII letters alone.
        const operator = tree.anyCase ? 'ilike' : 'like'
        return `${name}${tree.anyCase ? ' collate "default"' : ''} ${not(tree)}${operator} ${bind(tree.pattern, column)}`
      }
      case 'between':
        return `${name} ${not(tree)}between ${bind(tree.low, column)} and ${bind(tree.high, column)}`
      case 'null':
        return `${name} is ${not(tree)}null`
    }
  }

  const term = ({ column, descending, nullsFirst }: OrderTerm<Column>) =>
    `${nameOf(column)} ${descending ? 'desc' : 'asc'} nulls ${nullsFirst ? 'first' : 'last'}`

  return { where: where ? condition(where) : 'true', order: order.map(term).join(', ') }
}

function not({ negated }: { negated: boolean }): string {
  return negated ? 'not ' : ''
}
