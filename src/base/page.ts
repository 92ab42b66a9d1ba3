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
      description: 'Most records of a page. The Link header leads to the next page',
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
    Instant({ description: 'Only records created before this time; the time itself is not included' }),
  ),
}

export interface PageQuery {
  limit?: number
  offset?: number
  sort?: 'createdAt' | '-createdAt'
}

/** One page of a list, and whether more records follow. */
export class Page<Item> {
  readonly items: Item[]
  readonly more: boolean
  /** The query parameters of the next page, where it is not found by its offset. */
  readonly next: Record<string, number | string> | undefined
  /** Records of this page that are left out, because an upstream sent them in a form that cannot be read. */
  readonly omitted: number

  constructor(items: Item[], more: boolean, next?: Record<string, number | string>, omitted = 0) {
    this.items = items
    this.more = more
    this.next = next
    this.omitted = omitted
  }
}

/** The limits of a list statement. It reads one row more than the page has, to see whether more exist. */
export function pageWindow(query: PageQuery): { limit: number; take: number; offset: number; ascending: boolean } {
  const limit = query.limit ?? 100
  return { limit, take: limit + 1, offset: query.offset ?? 0, ascending: query.sort === 'createdAt' }
}

export function toPage<Row, Item>(rows: Row[], limit: number, item: (row: Row) => Item): Page<Item> {
  return new Page(rows.slice(0, limit).map(item), rows.length > limit)
}
