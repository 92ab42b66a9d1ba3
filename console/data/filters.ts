import { useLocation, useSearch } from 'wouter'
import { centsOf, dayEnd, dayStart } from './format.ts'

export type FilterValues = Record<string, string>

/** One filter of a list. Its value is a part of the address. */
export interface Filter {
  name: string
  label: string
  /** Text by default. */
  kind?: 'date' | 'month' | 'money'
  options?: readonly string[]
  /** The texts of the options, if they are not the words of their values. */
  labels?: Readonly<Record<string, string>>
  /** Values that the field offers while a person types. */
  suggestions?: readonly string[]
  /** The type of the records that the field searches. Its value is the id of the chosen one. */
  pick?: string
  /** The value that applies until one is chosen. A choice that has such a value has no “All”. */
  standard?: string | undefined
  /** Only the bank of the service has it: a provider refuses the parameter. */
  builtin?: true
  /** The members of the query for a value; the value under its name by default. */
  query?(value: string): Record<string, unknown>
}

/** A choice whose operation takes several values at once; an option may be several, `Pending,Clearing`. */
export function choiceOfMany(name: string, label: string, options: readonly string[], labels = {}): Filter {
  return { name, label, options, labels, query: (value) => ({ [name]: value.split(',') }) }
}

/** A search for a record whose id is the value. */
export function pick(type: string, label: string, name = `${type}Id`): Filter {
  return { name, label, pick: type }
}

/** Filters that only the bank of the service has. */
export function builtinOnly(filters: readonly Filter[]): readonly Filter[] {
  return filters.map((filter) => ({ ...filter, builtin: true }))
}

/** The first and the last day of a time, both in the zone of the reader. */
export const days: readonly Filter[] = [
  { name: 'since', label: 'From', kind: 'date', query: (day) => ({ since: dayStart(day) }) },
  { name: 'until', label: 'To', kind: 'date', query: (day) => ({ until: dayEnd(day) }) },
]

/** The smallest and the largest amount in dollars. */
export const amounts: readonly Filter[] = [
  { name: 'fromAmount', label: 'From $', kind: 'money', query: (dollars) => ({ fromAmount: centsOf(dollars) }) },
  { name: 'toAmount', label: 'To $', kind: 'money', query: (dollars) => ({ toAmount: centsOf(dollars) }) },
]

/** The query that chosen values mean. */
export function queryOf(filters: readonly Filter[], values: FilterValues): Record<string, unknown> {
  const members = filters.flatMap(({ name, query }) => {
    const value = values[name]
    return value === undefined ? [] : Object.entries(query?.(value) ?? { [name]: value })
  })
  return Object.fromEntries(members.filter(([, value]) => value !== undefined))
}

/** The input of a list that its filters mean. */
export function inputFor(
  {
    filters = [],
    query = { sort: '-createdAt', limit: 100 },
    write,
  }: { filters?: readonly Filter[]; query?: unknown; write?(values: FilterValues): object },
  values: FilterValues,
): { query: object } {
  return { query: write?.(values) ?? { ...(query as object), ...queryOf(filters, values) } }
}

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
