import { COUNTED_ROWS, type Count, type PageWindow, totalOf } from '../base/page.ts'
import type { Queryable } from './database.ts'

export type ListWindow = Pick<PageWindow, 'take' | 'offset' | 'ascending' | 'after'>

/** The order of a list by creation. */
export function orderOf({ ascending }: Pick<ListWindow, 'ascending'>): string {
  return ascending ? 'created_at, id' : 'created_at desc, id desc'
}

/**
 * The condition that rows come after the position of a page, on values from `$first` on. It is part of the statement only
 * if there is a position, so that a kept plan finds the place in the index, as deep as it may be.
 */
export function afterClause({ ascending, after }: ListWindow, first: number): string {
  if (!after) return ''
  return `and (created_at, id) ${ascending ? '>' : '<'} ($${first}::timestamptz, $${first + 1}::bigint)`
}

/** The values of `afterClause`. */
export function afterValues({ after }: ListWindow): (string | number)[] {
  return after ? [after.createdAt, after.id] : []
}

/**
 * The condition that a column has the id of a filter, if there is one. The column is compared only then, so that a kept plan
 * finds its rows in an index and does not walk along all others.
 */
export function equals(column: string, parameter: number, id: number | null): string {
  return id === null ? `$${parameter}::bigint is null` : `${column} = $${parameter}::bigint`
}

export const countLimit = `limit ${COUNTED_ROWS}`

/** Counts the first rows of an ordered query, and those of them that match. */
export function countStatement(rows: string, matching = 'true'): string {
  return `select count(*)::int as looked, (count(*) filter (where c.matches))::int as matching
    from (select (${matching}) as matches from ${rows} ${countLimit}) c`
}

/**
 * Runs a count, as the interface says its result. The limit holds only if rows come from an index in their order: a plan
 * that sorts or collects them first reads all of them, and the planner prefers one if it expects few.
 */
export async function totalBy(transaction: Queryable, statement: string, values: unknown[]): Promise<string> {
  await transaction.query(alongIndexes)
  const [count = { looked: 0, matching: 0 }] = await transaction.query<Count>(statement, values)
  return totalOf(count)
}

const alongIndexes = `select set_config('enable_sort', 'off', true), set_config('enable_bitmapscan', 'off', true),
  set_config('enable_seqscan', 'off', true)`
