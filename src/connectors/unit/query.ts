import type { PageQuery } from '../../base/page.ts'
import { invalidRequest } from '../../base/problem.ts'

type Filter = string | number | readonly string[] | undefined

/** The most records that the upstream returns at once. */
export const WHOLE_PAGE = 1_000

/**
 * The query of a list in the upstream's form, without an order if the upstream has none for the list. Only undefined
 * filters are left out: 0 is a filter. The upstream pages by offset and knows no cursor.
 */
export function listQuery(query: PageQuery, sort: string | undefined, filters: Record<string, Filter> = {}): string {
  if (query.cursor !== undefined) {
    const message = 'this provider makes no cursors: take the whole address of the next page from the Link header'
    throw invalidRequest([{ parameter: 'cursor', code: 'unknown_cursor', message }])
  }
  const search = new URLSearchParams()
  search.set('page[limit]', String(query.limit ?? 100))
  search.set('page[offset]', String(query.offset ?? 0))
  if (sort !== undefined) search.set('sort', sort)
  for (const [name, value] of Object.entries(filters)) {
    if (value === undefined) continue
    if (typeof value === 'object') for (const [at, one] of value.entries()) search.set(`filter[${name}][${at}]`, one)
    else search.set(`filter[${name}]`, String(value))
  }
  return `?${search}`
}

/** Refuses a filter that the upstream's list does not have. */
export function refuseFilters(query: object, names: readonly string[], hint = ''): void {
  const given = names.find((name) => (query as Record<string, unknown>)[name] !== undefined)
  if (given === undefined) return
  const message = `${given} is not possible with this provider${hint}`
  throw invalidRequest([{ parameter: given, code: 'not_supported', message }])
}

/** The order of a list: newest first, unless the query names another. */
export function byCreation(query: PageQuery): string {
  return query.sort ?? '-createdAt'
}

/** Whether the upstream could know these ids. A malformed id is treated as an unknown one and not sent. */
export function couldExist(...ids: (string | undefined)[]): boolean {
  return ids.every((id) => id === undefined || /^[1-9][0-9]{0,18}$/.test(id))
}
