import { COUNTED_ROWS, type Count, type PageWindow, totalOf } from '../base/page.ts'
import type { Queryable, Use } from './database.ts'

export type ListWindow = Pick<PageWindow, 'take' | 'offset' | 'ascending' | 'after'>

/**
 * The wishes of the caller of a list: the organisation, and the members that the conditions of the list name, mostly those of the query as
 * they are. A member that is null or absent restricts nothing.
 */
export interface OwnFilter {
  organisationId: number
  [member: string]: unknown
}

/** The filters of a list: conditions on its rows. `$name::type` stands for the member `name` of the filter. */
export interface ListFilters {
  /** The conditions that every list has. */
  always: string[]
  /**
   * Further conditions that an index serves. One is part of the statement only if its members have values, so that a kept plan
   * finds the rows in the index. Each of them doubles the number of texts.
   */
  along?: string[]
  /**
   * All other conditions, which hold if the first member that they name has no value. They are part of a statement together, if one of
   * them has a value: most lists have none, and are planned in a fraction of the time.
   */
  matching?: string[]
}

/** Conditions of many lists. */
export const isOfOrganisation = 'organisation_id = $organisationId::bigint'
export const period = ['created_at > $since::timestamptz', 'created_at < $until::timestamptz']
export const amountRange = ['amount >= $fromAmount::bigint', 'amount <= $toAmount::bigint']

/** A text that no index has is sought in so many rows: the newest ones of an organisation. */
const SEARCHED = 10_000

/** The time of the newest row that is not searched any more. */
export function lastSearched(table: string, always: string[], filter: object): string {
  return `select created_at from ${table} where ${conditions({ always, along: period }, filter)}
    ${newestFirst} limit 1 offset ${SEARCHED}`
}

/** The texts of statements with names in place of numbers. Texts come from a fixed set, as those of `Queryable` do. */
const numbered = new Map<string, { text: string; names: string[] }>()

/** A statement in which `$name` stands for a member of the first object that has it, as the text and the values of a query. */
export function named(statement: string, ...members: object[]): [text: string, values: unknown[]] {
  let found = numbered.get(statement)
  if (!found) {
    const names: string[] = []
    const text = statement.replace(/\$([a-z]\w*)/gi, (_match, name: string) => {
      if (!names.includes(name)) names.push(name)
      return `$${names.indexOf(name) + 1}`
    })
    found = { text, names }
    numbered.set(statement, found)
  }
  return [found.text, found.names.map((name) => memberOf(members, name))]
}

function memberOf(members: object[], name: string): unknown {
  const holder = members.find((each) => name in each) as Record<string, unknown> | undefined
  return holder?.[name] ?? null
}

/** The conditions of a filter, and that rows come after the position of a page. */
export function conditions(
  { always, along = [], matching = [] }: ListFilters,
  filter: object,
  page?: ListWindow,
): string {
  const isGiven = (condition: string) => partsOf(condition).names.every((name) => memberOf([filter], name) !== null)
  const position = page?.after
    ? [`(created_at, id) ${page.ascending ? '>' : '<'} ($afterTime::timestamptz, $afterId::bigint)`]
    : []
  const others = matching.some(isGiven) ? matching.map((condition) => partsOf(condition).ifGiven) : []
  return [...always, ...along.filter(isGiven), ...others, ...position].join(' and ')
}

/** The members that each condition names, and the condition that also holds if the first one is null. */
const parts = new Map<string, { names: string[]; ifGiven: string }>()

function partsOf(condition: string) {
  let found = parts.get(condition)
  if (!found) {
    const names = [...condition.matchAll(/\$([a-z]\w*)/gi)].map(([, name = '']) => name)
    const [value] = condition.match(/\$\w+::\w+(\[\])?/) ?? []
    found = { names, ifGiven: `(${value} is null or ${condition})` }
    parts.set(condition, found)
  }
  return found
}

/** The order of a list by creation. */
export function orderOf({ ascending }: Pick<ListWindow, 'ascending'>): string {
  return ascending ? 'created_at, id' : 'created_at desc, id desc'
}

/** A page of the rows that `select` finds: a statement up to the word `where`. */
export function listRows<Row>(
  database: Queryable,
  select: string,
  filters: ListFilters,
  filter: object,
  page: ListWindow,
  use?: Use,
): Promise<Row[]> {
  return pageOfRows(database, `${select} where ${conditions(filters, filter, page)}`, filter, page, use)
}

/** A page of the rows of a statement without order and limit, which may name `$take` and `$offset`. */
export function pageOfRows<Row>(
  database: Queryable,
  rows: string,
  filter: object,
  page: ListWindow,
  use?: Use,
): Promise<Row[]> {
  const statement = `${rows} order by ${orderOf(page)} limit $take offset $offset`
  return database.query(...named(statement, pageMembers(page), filter), use)
}

/** The members that a page adds to those of a filter. */
export function pageMembers({ take, offset, after }: ListWindow): object {
  return { take, offset, afterTime: after?.createdAt, afterId: after?.id }
}

export const countLimit = `limit ${COUNTED_ROWS}`

export const newestFirst = `order by ${orderOf({ ascending: false })}`

/** Counts the first rows of an ordered query, and those of them that match. */
export function countStatement(rows: string, matching: string[] = []): string {
  const matches = matching.length === 0 ? 'true' : matching.map((each) => partsOf(each).ifGiven).join(' and ')
  return `select count(*)::int as looked, (count(*) filter (where c.matches))::int as matching
    from (select (${matches}) as matches from ${rows} ${countLimit}) c`
}

/** Counts the rows of a table that a filter finds: along the index of their order. */
export function countRows(
  transaction: Queryable,
  table: string,
  filters: ListFilters,
  filter: object,
): Promise<string> {
  const rows = `${table} where ${conditions({ ...filters, matching: [] }, filter)} ${newestFirst}`
  return totalBy(transaction, countStatement(rows, filters.matching), filter)
}

/**
 * Runs a count, as the interface says its result. The limit holds only if rows come from an index in their order: a plan
 * that sorts or collects them first reads all of them, and the planner prefers one if it expects few.
 */
export async function totalBy(transaction: Queryable, statement: string, filter: object): Promise<string> {
  await transaction.query(alongIndexes)
  const [count = { looked: 0, matching: 0 }] = await transaction.query<Count>(...named(statement, filter))
  return totalOf(count)
}

const alongIndexes = `select set_config('enable_sort', 'off', true), set_config('enable_bitmapscan', 'off', true),
  set_config('enable_seqscan', 'off', true)`
