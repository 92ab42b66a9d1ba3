import type { ResponseInfo } from './transport.ts'

/** One page of a list. */
export interface Page<Item> {
  data: Item[]
  /** The query parameters of the next page; undefined on the last one. */
  next: Record<string, string | string[]> | undefined
  /** The number of all records, if `count` asked for it; `10000+` for more than 10,000. */
  total: string | undefined
  /** The number of records that are left out, because a provider sent them in a form that cannot be shown. */
  omitted: number
  response: ResponseInfo
}

type ReadPage<Item> = (parameters: Record<string, unknown>) => Promise<Page<Item>>

/**
 * A list: read it record by record with `for await`, or page by page. Nothing is sent before it is read.
 *
 * @example
 * const payments = purser.payments.list({ accountId, limit: 100, count: true })
 * const { data, total, next } = await payments.page()
 */
export interface List<Item> extends AsyncIterable<Item> {
  /** The first page alone. */
  page(): Promise<Page<Item>>
  /** All pages, one after the other. */
  pages(): AsyncGenerator<Page<Item>>
  /** All records of all pages. If a page is found by its offset, records that new ones pushed onto it are left out. */
  [Symbol.asyncIterator](): AsyncGenerator<Item>
}

/** A class apart from its interface: one with private members differs between two copies of the package. */
export class PagedList<Item> implements List<Item> {
  readonly #query: Record<string, unknown>
  readonly #read: ReadPage<Item>

  constructor(query: Record<string, unknown>, read: ReadPage<Item>) {
    this.#query = query
    this.#read = read
  }

  page(): Promise<Page<Item>> {
    return this.#read(this.#query)
  }

  async *pages(): AsyncGenerator<Page<Item>> {
    for (let query: Record<string, unknown> | undefined = this.#query; query; ) {
      const page: Page<Item> = await this.#read(query)
      yield page
      // A cache that ignores the query would be read for ever.
      if (page.next && JSON.stringify(page.next) === JSON.stringify(query)) {
        throw new Error('the list does not move on: a page names itself as the next one')
      }
      query = page.next
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item> {
    const seen = new Set<unknown>()
    for await (const { data, next } of this.pages()) {
      for (const item of data) {
        const { id } = item as { id?: unknown }
        if (id !== undefined && seen.has(id)) continue
        yield item
        if (id !== undefined && next?.offset !== undefined) seen.add(id)
      }
    }
  }
}

/** The query parameters that a Link header names for the next page. */
export function nextOf(headers: Headers): Record<string, string | string[]> | undefined {
  const target = /<([^>]*)>\s*;\s*rel="?next"?/.exec(headers.get('link') ?? '')?.[1]
  if (target === undefined) return undefined
  const parameters: Record<string, string | string[]> = {}
  for (const [name, value] of new URL(target, 'http://service').searchParams) {
    const earlier = parameters[name]
    parameters[name] = earlier === undefined ? value : [earlier, value].flat()
  }
  return parameters
}
