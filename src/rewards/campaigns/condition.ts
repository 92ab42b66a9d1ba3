import { readClause } from '../filter/clause.ts'
import type { Column, Columns, Value } from '../filter/columns.ts'
import type { Comparison, Condition, Predicate } from '../filter/condition.ts'
import type { UserCondition } from './campaign.ts'

/** Any tag is a column of texts; one that a user does not have is null. */
const tagColumns: Columns = Object.assign(new Map<string, 'string'>(), { get: () => 'string' as const })

/** Parses a condition; refuses one with a fault. One without a clause holds for every user. */
export function readCondition(condition: UserCondition): Condition<Column, Value> | undefined {
  return readClause(tagColumns, condition).where
}

/** Whether a user with these tags meets a condition. As in SQL, a comparison with null is neither true nor false. */
export function meets(tags: Record<string, string>, condition: UserCondition | null): boolean {
  const tree = condition && readCondition(condition)
  return !tree || truth(tree, tags) === true
}

type Truth = boolean | null

function truth(tree: Condition<Column, Value>, tags: Record<string, string>): Truth {
  switch (tree.kind) {
    case 'and':
    case 'or': {
      const deciding = tree.kind === 'or'
      const parts = tree.parts.map((part) => truth(part, tags))
      if (parts.includes(deciding)) return deciding
      return parts.includes(null) ? null : !deciding
    }
    case 'not':
      return not(truth(tree.part, tags))
    default:
      return predicate(tree, Object.hasOwn(tags, tree.column.name) ? (tags[tree.column.name] ?? null) : null)
  }
}

function not(value: Truth): Truth {
  return value === null ? null : !value
}

function predicate(tree: Predicate<Column, Value>, tag: string | null): Truth {
  if (tree.kind === 'null') return (tag === null) !== tree.negated
  if (tag === null) return null
  const found = holds(tree, tag)
  return tree.kind !== 'compare' && tree.negated ? !found : found
}

function holds(tree: Exclude<Predicate<Column, Value>, { kind: 'null' }>, tag: string): boolean {
  switch (tree.kind) {
    case 'compare':
      return comparisons[tree.operator](order(tag, tree.value))
    case 'in':
      return tree.values.includes(tag)
    case 'like':
      return tree.anyCase
        ? isLike(tag.toLowerCase(), String(tree.pattern).toLowerCase())
        : isLike(tag, String(tree.pattern))
    case 'between':
      return order(tag, tree.low) >= 0 && order(tag, tree.high) <= 0
  }
}

const comparisons: Record<Comparison, (order: number) => boolean> = {
  '=': (order) => order === 0,
  '<>': (order) => order !== 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
}

/** Compares texts by their bytes, as the lists do. */
function order(text: string, value: Value): number {
  return Buffer.compare(Buffer.from(text), Buffer.from(String(value)))
}

/** LIKE. After a failure it continues after the last `%`, so that no pattern takes more steps than both lengths multiplied. */
export function isLike(text: string, pattern: string): boolean {
  const letters = [...text]
  const parts = partsOf(pattern)
  let [at, part, retryAt, retryPart] = [0, 0, 0, -1]
  while (at < letters.length) {
    const now = parts[part]
    if (now === 'any') [retryAt, retryPart] = [at, ++part]
    else if (now !== undefined && (now === 'one' || now.letter === letters[at])) {
      at++
      part++
    } else if (retryPart >= 0) [at, part] = [++retryAt, retryPart]
    else return false
  }
  return parts.slice(part).every((rest) => rest === 'any')
}

function partsOf(pattern: string): ('any' | 'one' | { letter: string })[] {
  const parts = pattern.match(/\\.|[^\\]/gsu) ?? []
  return parts.map((text) => {
    if (text === '%') return 'any'
    return text === '_' ? 'one' : { letter: [...text].at(-1) ?? '' }
  })
}
