import { Type } from 'typebox'
import { MAX_CENTS } from './cents.ts'
import type { Rule } from './rules.ts'
import { Instant } from './text.ts'

/** The query parameters of every banking list. */
export const pageQuery = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1000,
      default: 100,
      description: 'Most records on a page. The Link header leads to the next page',
    }),
  ),
  offset: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 1_000_000_000_000, default: 0, description: 'Number of records to skip' }),
  ),
  sort: Type.Optional(
    Type.Enum(['createdAt', '-createdAt'], {
      default: '-createdAt',
      description: '`createdAt` for oldest first, `-createdAt` for newest first',
    }),
  ),
}

/** A place in a list: that of a record, by the values that the list is ordered by. */
export class Position {
  readonly createdAt: string
  readonly id: number

  constructor(createdAt: string, id: number) {
    this.createdAt = createdAt
    this.id = id
  }
}

/**
 * The query parameters of a list that is continued at a position, so that records which arrive meanwhile shift nothing.
 * `cursor` arrives as text; the operation receives the position that it stands for.
 */
export const cursorQuery = {
  ...pageQuery,
  cursor: Type.Optional(
    Type.Unsafe<Position>(
      Type.String({
        pattern: '^[A-Za-z0-9_-]{32}$',
        examples: ['AAABnDpvUgAAAAAAAA9CQKX1mW3uJk0c'],
        description:
          'Where the page begins: the value in the `Link` header of the page before, sent with the same filters and `sort`, and without `offset`. A record that exists while you follow `Link` is on exactly one page, whatever arrives meanwhile. Any other value is refused',
      }),
    ),
  ),
}

/** The query parameters of a list that is a queue: the oldest record comes first. */
export const queueQuery = {
  ...cursorQuery,
  sort: Type.Optional(
    Type.Enum(['createdAt', '-createdAt'], {
      default: 'createdAt',
      description: '`createdAt` for oldest first, `-createdAt` for newest first',
    }),
  ),
}

/** A cursor is made by the service for one list, with one set of filters in one order. It takes the place of an offset. */
export const cursorRule: Rule = { rule: 'cursor', members: ['offset', 'cursor'] }

/** The query parameter of a list that can be counted. */
export const countQuery = {
  count: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        '`true` adds the header `X-Total-Count`: how many records match the filters, on all pages together. The `Link` header leaves it out, because the number is the same on every page',
    }),
  ),
}

/** An amount in a query, in cents. Zero is allowed. */
export function AmountFilter(description: string) {
  return Type.Integer({ description, minimum: 0, maximum: MAX_CENTS })
}

/** A range of amounts that can match nothing is refused: it is more likely a mistake than a wish for an empty list. */
export const amountOrder: Rule = { rule: 'ordered', members: ['fromAmount', 'toAmount'] }

export const sinceUntil = {
  since: Type.Optional(
    Instant({ description: 'Only records created after this time; the time itself is not included' }),
  ),
  until: Type.Optional(
    Instant({
      description: 'Only records created before this time; the time itself is not included',
      examples: ['2026-02-28T12:00:00Z', '2026-02-28'],
    }),
  ),
}

export interface PageQuery {
  limit?: number
  offset?: number
  sort?: 'createdAt' | '-createdAt'
  cursor?: Position
  count?: boolean
}

/** One page of a list, and whether more records follow. */
export class Page<Item> {
  readonly items: Item[]
  readonly more: boolean
  /** The last record's position, or the query parameters of the next page; without either it is found by its offset. */
  readonly next: Position | Record<string, number | string> | undefined
  /** Records of this page that are left out, because an upstream sent them in a form that cannot be read. */
  readonly omitted: number
  /** The number of records on all pages, as `X-Total-Count` says it; undefined if it is not asked for or not known. */
  total: string | undefined = undefined
  /** The first of the records that are left out, and why. */
  omittedReason: string | undefined = undefined

  constructor(items: Item[], more: boolean, next?: Position | Record<string, number | string>, omitted = 0) {
    this.items = items
    this.more = more
    this.next = next
    this.omitted = omitted
  }

  counted(total: string | undefined): this {
    this.total = total
    return this
  }

  because(omittedReason: string | undefined): this {
    this.omittedReason = omittedReason
    return this
  }
}

/** The rows of a list statement: how many, and from where on. */
export interface PageWindow {
  limit: number
  /** One row more than the page has, to see whether more exist. */
  take: number
  offset: number
  ascending: boolean
  /** The position that the rows come after. */
  after?: Position | undefined
}

export function pageWindow(query: PageQuery): PageWindow {
  const limit = query.limit ?? 100
  const ascending = query.sort === 'createdAt'
  return { limit, take: limit + 1, offset: query.offset ?? 0, ascending, after: query.cursor }
}

export function toPage<Row, Item>(rows: Row[], limit: number, item: (row: Row) => Item): Page<Item> {
  return new Page(rows.slice(0, limit).map(item), rows.length > limit)
}

/** A page that the next one follows by position. */
export function toCursorPage<Row extends { createdAt: string; id: number }, Item>(
  rows: Row[],
  limit: number,
  item: (row: Row) => Item,
): Page<Item> {
  const last = rows.length > limit ? rows[limit - 1] : undefined
  return new Page(rows.slice(0, limit).map(item), last !== undefined, last && new Position(last.createdAt, last.id))
}

/** The largest number that is counted. */
const MAX_COUNT = 10_000

/** Counting looks at so many rows at most: one more than the largest number that is shown. */
export const COUNTED_ROWS = MAX_COUNT + 1

/** A count of rows: those that were looked at, and those of them that match. */
export interface Count {
  looked: number
  matching: number
}

/** A count of all rows, if it is asked for and known. */
export function totalIf(asked: boolean | undefined, all: unknown): string | undefined {
  return asked && typeof all === 'number' ? totalOf({ looked: all, matching: all }) : undefined
}

/** A count in the words of `X-Total-Count`: exact, or with a plus sign if rows are left that were not looked at. */
export function totalOf({ looked, matching }: Count): string {
  return Math.max(looked, matching) > MAX_COUNT ? `${Math.min(matching, MAX_COUNT)}+` : String(matching)
}
