import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { merged, pageOf, type Rows } from './list.ts'
import { TAIL } from './live.ts'
import { useMay, useSession } from './purser.tsx'

/** Entries that come within this time are drawn at once. */
const DRAW_MS = 100
/** Entries that came while the list was on screen; older ones are left out. */
const MAX_NEWER = 5_000

/** A list on screen to which entries are added as they come. */
export interface Tail<Row> extends Rows<Row> {
  paused: boolean
  setPaused(paused: boolean): void
  /** The number of entries that came since the list was paused. */
  waiting: number
}

interface Read<Row> {
  key: string
  newer: Row[]
  older: Row[]
  next: Record<string, unknown> | undefined
}

/** Hands out the entries after a number as they come. Returns a function that ends it. */
export type Subscribe<Row> = (after: number, add: (row: Row) => void) => () => void

/**
 * The entries of a numbered list, newest first, and those that come. A paused list stays as it is; the entries that come
 * are counted.
 */
export function useTail<Row extends { sequence: number }>(
  id: 'listRequests' | 'listEvents',
  input: { query: Record<string, unknown> },
  subscribe: Subscribe<Row>,
): Tail<Row> {
  const { purser } = useSession()
  const may = useMay(id)
  const key = JSON.stringify([id, input])
  const [state, setState] = useState<Read<Row>>({ key, newer: [], older: [], next: undefined })
  const [pausedAt, setPausedAt] = useState<number>()
  const more = useMore<Row>()
  const head = useQuery({
    queryKey: [id, input, TAIL],
    queryFn: () => pageOf<Row>(purser, id, input),
    enabled: may,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const own = state.key === key ? state : undefined
  const first = head.data?.data
  const next = own?.next ?? (own?.older.length ? undefined : head.data?.next)
  const rows = merged(merged(own?.newer ?? [], first ?? []), own?.older ?? [])

  const start = useRef(subscribe)
  start.current = subscribe
  useEffect(() => {
    if (!first) return
    return start.current(
      first[0]?.sequence ?? 0,
      collector<Row>((added) => setState((earlier) => withNewer(earlier, key, added))),
    )
  }, [first, key])

  const readMore = useCallback(() => {
    if (!next) return
    more.read(pageOf<Row>(purser, id, { ...input, query: next }), (page) =>
      setState((earlier) => {
        const { newer = [], older = [] } = earlier.key === key ? earlier : {}
        return { key, newer, older: merged(older, page.data), next: page.next }
      }),
    )
  }, [next, more.read, purser, id, input, key])

  const shown = pausedAt === undefined ? rows : rows.filter(({ sequence }) => sequence <= pausedAt)
  return {
    rows: shown,
    total: undefined,
    error: head.error ?? more.error,
    isPending: head.isPending && may,
    hasMore: next !== undefined,
    isReadingMore: more.isReading,
    readMore,
    paused: pausedAt !== undefined,
    setPaused: (paused) => setPausedAt(paused ? (rows[0]?.sequence ?? 0) : undefined),
    waiting: rows.length - shown.length,
  }
}

/** Follows a numbered list with a long poll. */
export function following<Row>(open: (after: number, signal: AbortSignal) => AsyncGenerator<Row>): Subscribe<Row> {
  return (after, add) => {
    const ended = new AbortController()
    void (async () => {
      for await (const row of open(after, ended.signal)) add(row)
    })().catch(() => {
      // A key that was revoked: the next call of the screen shows the refusal.
    })
    return () => ended.abort()
  }
}

/** Reads one further page at a time. */
function useMore<Row>() {
  type Page = Awaited<ReturnType<typeof pageOf<Row>>>
  const [isReading, setReading] = useState(false)
  const [error, setError] = useState<Error | null>(null)
  const busy = useRef(false)
  const read = useCallback((page: Promise<Page>, done: (page: Page) => void) => {
    if (busy.current) return
    busy.current = true
    setReading(true)
    setError(null)
    page
      .then(done)
      .catch(setError)
      .finally(() => {
        busy.current = false
        setReading(false)
      })
  }, [])
  return { isReading, error, read }
}

/** Collects entries, so that a burst of them is drawn at once. */
function collector<Row>(flush: (rows: Row[]) => void): (row: Row) => void {
  let waiting: Row[] = []
  return (row) => {
    waiting.push(row)
    if (waiting.length > 1) return
    setTimeout(() => {
      flush(waiting.reverse())
      waiting = []
    }, DRAW_MS)
  }
}

function withNewer<Row>(earlier: Read<Row>, key: string, added: Row[]): Read<Row> {
  const own = earlier.key === key ? earlier : { key, newer: [], older: [], next: undefined }
  return { ...own, newer: merged(added, own.newer).slice(0, MAX_NEWER) }
}
