import { useLocation, useSearch } from 'wouter'

export type FilterValues = Record<string, string>

/** The filters of a list, which are part of the address. */
export function useFilters(names: readonly string[]): [FilterValues, (values: FilterValues) => void] {
  const search = new URLSearchParams(useSearch())
  const [path, go] = useLocation()
  const values = Object.fromEntries(names.flatMap((name) => (search.get(name) ? [[name, search.get(name) ?? '']] : [])))
  const set = (next: FilterValues) => {
    const query = new URLSearchParams(Object.entries(next).filter(([, value]) => value !== '')).toString()
    go(query ? `${path}?${query}` : path, { replace: true })
  }
  return [values, set]
}
