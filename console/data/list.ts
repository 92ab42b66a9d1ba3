import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import {
  type CallInput,
  type Event,
  type List,
  type OperationId,
  type Operations,
  operations,
  type Page,
  type Purser,
} from '../../client/src/index.ts'
import { type Asked, afterOutage, useEvents } from './live.ts'
import { useMay, useSession } from './purser.tsx'

/** The operations that answer lists. */
export type ListId = {
  [Id in OperationId]: Operations[Id]['data'] extends readonly unknown[] ? Id : never
}[OperationId]
export type RowOf<Id extends ListId> = Operations[Id]['data'] extends readonly (infer Row)[] ? Row : never

/** A list on screen, as far as it was read. */
export interface Rows<Row> {
  rows: Row[]
  /** The number of all records, if the query asked for it. */
  total: string | undefined
  error: Error | null
  /** Whether nothing was read yet. */
  isPending: boolean
  hasMore: boolean
  isReadingMore: boolean
  readMore(): void
}

/** The time after which a list is read again without an event; a function finds it, or none, from the rows. */
type Again<Row> = number | ((rows: readonly Row[]) => number | false)

interface Older<Row> {
  key: string
  rows: Row[]
  next: Record<string, unknown> | undefined
}

/** Later pages of the lists that were left, so that a step back finds its place: those of the present client alone. */
const left = new WeakMap<Purser, Map<string, Older<unknown>>>()
const MAX_LEFT = 5

function leftOf(purser: Purser): Map<string, Older<unknown>> {
  const lists = left.get(purser) ?? new Map<string, Older<unknown>>()
  left.set(purser, lists)
  return lists
}

/**
 * Reads a list page by page. Events read the first page again; later pages stay as they were read, and an event about one
 * of their records replaces it.
 */
export function useList<Id extends ListId>(
  id: Id,
  input: CallInput<Id> = {} as CallInput<Id>,
  { enabled = true, everyMs }: { enabled?: boolean; everyMs?: Again<RowOf<Id>> } = {},
): Rows<RowOf<Id>> {
  type Row = RowOf<Id>
  const { purser } = useSession()
  const may = useMay(id)
  const key = JSON.stringify([id, input])
  const [older, setOlder] = useState<Older<Row>>(
    () => (leftOf(purser).get(key) as Older<Row> | undefined) ?? { key, rows: [], next: undefined },
  )
  useEffect(() => {
    if (older.rows.length === 0) return
    const lists = leftOf(purser)
    lists.delete(older.key)
    lists.set(older.key, older)
    for (const oldest of [...lists.keys()].slice(0, -MAX_LEFT)) lists.delete(oldest)
  }, [older, purser])
  const [isReadingMore, setReading] = useState(false)
  const [laterError, setLaterError] = useState<Error | null>(null)
  const first = useQuery({
    queryKey: [id, input, 'page'],
    queryFn: () => pageOf<Row>(purser, id, input),
    enabled: enabled && may,
    ...(everyMs !== undefined && {
      refetchInterval: (query: Asked & { state: { data?: Page<Row> | undefined } }) =>
        afterOutage(query) || (typeof everyMs === 'number' ? everyMs : everyMs(query.state.data?.data ?? [])),
    }),
  })
  const own = older.key === key && older.rows.length > 0 ? older : undefined
  const next = own ? own.next : first.data?.next

  useEvents(useCallback((event: Event) => setOlder((earlier) => patched(earlier, event)), []))

  const readMore = useCallback(() => {
    if (!next || isReadingMore) return
    setReading(true)
    setLaterError(null)
    pageOf<Row>(purser, id, { ...input, query: next })
      .then((page) =>
        setOlder((earlier) => {
          const rows = earlier.key === key ? earlier.rows : []
          // The first page moves on while events arrive: its present rows are kept with the later ones.
          const kept = rows.length === 0 ? (first.data?.data ?? []) : rows
          return { key, rows: merged(kept, page.data), next: page.next }
        }),
      )
      .catch(setLaterError)
      .finally(() => setReading(false))
  }, [next, isReadingMore, purser, id, input, key, first.data])

  return {
    rows: merged(first.data?.data ?? [], own?.rows ?? []),
    total: first.data?.total,
    error: first.error ?? laterError,
    isPending: first.isPending && may,
    hasMore: next !== undefined,
    isReadingMore,
    readMore,
  }
}

/** One page of a list operation. */
export async function pageOf<Row>(purser: Purser, id: OperationId, input: object): Promise<Page<Row>> {
  return listBy<Row>(purser, id, input).page()
}

/** A list by the method that the client has for its operation. */
function listBy<Row>(purser: Purser, id: OperationId, input: object): List<Row> {
  const { params = {}, query = {} } = input as { params?: Record<string, string>; query?: object }
  const [name, , path] = operations[id]
  const values = [...path.matchAll(/:(\w+)/g)].map(([, each = '']) => params[each])
  const method = name.split('.').reduce<unknown>((group, each) => (group as Record<string, unknown>)[each], purser)
  return (method as (...values: unknown[]) => List<Row>)(...values, query)
}

/** Rows in their order, those of the first list before the others, each once. */
export function merged<Row>(first: Row[], later: Row[]): Row[] {
  if (later.length === 0) return first
  const seen = new Set(first.map(idOf))
  return [...first, ...later.filter((row) => !seen.has(idOf(row)))]
}

function idOf(row: unknown): unknown {
  const { id, sequence } = row as { id?: unknown; sequence?: unknown }
  return id ?? sequence ?? JSON.stringify(row)
}

/** The rows with the members of a changed record that they show. */
function patched<Row>(older: Older<Row>, { entity, data }: Event): Older<Row> {
  const at = older.rows.findIndex((row) => String(idOf(row)) === entity.id)
  const row = older.rows[at]
  if (!row || (data as { id?: unknown }).id === undefined) return older
  const members = Object.entries(data).filter(([name]) => name in (row as object))
  return { ...older, rows: older.rows.with(at, { ...row, ...Object.fromEntries(members) }) }
}
