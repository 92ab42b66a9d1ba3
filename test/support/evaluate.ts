import type { Column, Value } from '../../src/rewards/filter/columns.ts'
import type { Condition, OrderTerm, Predicate } from '../../src/rewards/filter/condition.ts'

export type Row = Record<string, Value | null>

/** True, false, or null for what cannot be known: SQL's three values. */
type Truth = boolean | null

/** A second implementation of the filter language: on records in memory, without SQL. */
export function select(
  rows: Row[],
  { where, order }: { where: Condition<Column, Value> | undefined; order: OrderTerm<Column>[] },
): Row[] {
  return rows.filter((row) => where === undefined || evaluate(where, row) === true).sort(comparator(order))
}

function evaluate(condition: Condition<Column, Value>, row: Row): Truth {
  switch (condition.kind) {
    case 'and':
      return every(condition.parts.map((part) => evaluate(part, row)))
    case 'or':
      return not(every(condition.parts.map((part) => not(evaluate(part, row)))))
    case 'not':
      return not(evaluate(condition.part, row))
    default:
      return holds(condition, row)
  }
}

function holds(predicate: Predicate<Column, Value>, row: Row): Truth {
  const value = row[predicate.column.name] ?? null
  if (predicate.kind === 'null') return (value === null) !== predicate.negated
  if (predicate.kind === 'in' && predicate.values.length === 0) return predicate.negated
  if (value === null) return null
  switch (predicate.kind) {
    case 'compare': {
      const sign = compare(value, predicate.value)
      return { '=': sign === 0, '<>': sign !== 0, '<': sign < 0, '<=': sign <= 0, '>': sign > 0, '>=': sign >= 0 }[
        predicate.operator
      ]
    }
    case 'in':
      return predicate.values.some((other) => compare(value, other) === 0) !== predicate.negated
    case 'like':
      return like(String(value), String(predicate.pattern), predicate.anyCase) !== predicate.negated
    case 'between':
      return (compare(value, predicate.low) >= 0 && compare(value, predicate.high) <= 0) !== predicate.negated
  }
}

function every(truths: Truth[]): Truth {
  if (truths.includes(false)) return false
  return truths.includes(null) ? null : true
}

function not(truth: Truth): Truth {
  return truth === null ? null : !truth
}

function compare(left: Value, right: Value): number {
  if (typeof left !== 'string' || typeof right !== 'string') return Number(left) - Number(right)
  // Without the Z a time with more digits comes after the time that they go beyond.
  const [a, b] = [left, right].map((text) =>
    [...text.replace(/(\.\d+)Z$/, '$1')].map((letter) => letter.codePointAt(0)),
  )
  for (let at = 0; at < Math.max(a?.length ?? 0, b?.length ?? 0); at++) {
    const difference = (a?.[at] ?? -1) - (b?.[at] ?? -1)
    if (difference !== 0) return difference
  }
  return 0
}

function like(text: string, pattern: string, anyCase: boolean): boolean {
  const letters = [...(anyCase ? text.toLowerCase() : text)]
  const marks = [...(anyCase ? pattern.toLowerCase() : pattern)]
  /** Whether the text from `at` on matches the pattern from `mark` on. */
  const matches = (at: number, mark: number): boolean => {
    if (mark === marks.length) return at === letters.length
    if (marks[mark] === '%') return matches(at, mark + 1) || (at < letters.length && matches(at + 1, mark))
    if (at === letters.length) return false
    if (marks[mark] === '_') return matches(at + 1, mark + 1)
    const escaped = marks[mark] === '\\' ? mark + 1 : mark
    return letters[at] === marks[escaped] && matches(at + 1, escaped + 1)
  }
  return matches(0, 0)
}

function comparator(order: OrderTerm<Column>[]): (left: Row, right: Row) => number {
  return (left, right) => {
    for (const { column, descending, nullsFirst } of order) {
      const [a, b] = [left[column.name] ?? null, right[column.name] ?? null]
      const sign =
        a === null || b === null
          ? (Number(a === null) - Number(b === null)) * (nullsFirst ? -1 : 1)
          : compare(a, b) * (descending ? -1 : 1)
      if (sign !== 0) return sign
    }
    return 0
  }
}
