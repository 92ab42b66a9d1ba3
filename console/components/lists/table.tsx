import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { Rows } from '../../data/list.ts'
import { Reading } from '../feedback/empty.tsx'
import { ProblemNote } from '../feedback/problem.tsx'
import styles from './table.module.css'

export interface Column<Row> {
  head: string
  cell(row: Row): ReactNode
  /** Figures, at the right. */
  number?: boolean
  /** Hidden on narrow screens; `widest` below 900 pixels. The first column that is not leads to the row. */
  wide?: boolean | 'widest'
  /** Its place in a card, which a row is on a phone. Others that are not wide take the places that are left. */
  card?: Place
  /** Shown if the reader chooses it. */
  optional?: boolean
  /** A control before the others, which is no link to the row. */
  control?: boolean
}

/** Places in a card: `who` beside `amount`, `to` and then `state` and `note` below, and `when` at the right. */
type Place = 'who' | 'to' | 'amount' | 'state' | 'note' | 'when'

interface TableProps<Row> {
  /** Names the table for screen readers. */
  label: string
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  keyOf(row: Row): string | number
  /** The path of a row's screen. The first cell becomes the link. */
  path?(row: Row): string | undefined
}

const ROW_PX = 41
/** Rows beyond the screen that are drawn before they are needed. */
const SPARE = 20
/** Shorter tables are drawn whole. */
const WHOLE = 150

/** The places of the columns in a card; none if the columns do not ask for cards or a column would not have a place. */
function placesOf<Row>(columns: readonly Column<Row>[]): readonly (Place | undefined)[] | undefined {
  const taken = new Set<Place>()
  const take = (...wanted: readonly Place[]) => {
    const place = wanted.find((each) => !taken.has(each))
    if (place) taken.add(place)
    return place
  }
  const asked = columns.map(({ card }) => card && take(card))
  const places = columns.map(({ number, wide, control }, at) => {
    // Without the first party the other one leads.
    if (asked[at] === 'to' && !asked.includes('who')) return take('who')
    return asked[at] || wide || control ? asked[at] : number ? take('amount', 'when') : take('who', 'state', 'note')
  })
  const isWhole = columns.every(({ wide, control }, at) => places[at] || wide || control)
  return asked.some(Boolean) && isWhole ? places : undefined
}

/** A table. Of a long one, only the rows near the screen are drawn. */
export function Table<Row>({ label, rows, columns, keyOf, path }: TableProps<Row>) {
  const body = useRef<HTMLTableSectionElement>(null)
  const [from, to, rowPx] = useVisible(body, rows.length)
  const [, go] = useLocation()
  // The reader may have left the columns of narrow screens out.
  const own = columns.filter(({ control }) => !control)
  const places = placesOf(columns)
  const form = places && (places.includes('to') ? styles.long : styles.short)
  const linked = columns.indexOf(own.find(({ wide }) => !wide) ?? own[0] ?? (columns[0] as Column<Row>))
  return (
    <div className={styles.fit}>
      <table
        className={`${styles.table} ${form ?? ''} ${rows.length <= WHOLE ? styles.whole : ''}`}
        aria-label={label}
        aria-rowcount={rows.length + 1}
      >
        <thead>
          <tr>
            {columns.map(({ head, number, wide, control }) => (
              <th key={head} scope="col" className={control ? styles.control : classOf(number, wide)}>
                {control ? <span className="unseen">{head}</span> : head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          <Gap px={from * rowPx} columns={columns.length} />
          {rows.slice(from, to).map((row, at) => {
            const target = path?.(row)
            const cells = columns.map(({ head, cell, number, wide, control }, column) => (
              <td
                key={head}
                data-card={places?.[column]}
                data-control={control}
                className={control ? styles.control : classOf(number, wide)}
              >
                {column === linked && target ? (
                  <Link href={target} data-row="">
                    {cell(row)}
                  </Link>
                ) : (
                  cell(row)
                )}
              </td>
            ))
            if (!target) return <tr key={keyOf(row)}>{cells}</tr>
            return (
              <tr
                key={keyOf(row)}
                aria-rowindex={from + at + 2}
                className={styles.leads}
                onClick={(event) => {
                  const text = getSelection()?.toString()
                  if (!text && !(event.target as Element).closest('a, button, input, [data-control]')) go(target)
                }}
              >
                {cells}
              </tr>
            )
          })}
          <Gap px={(rows.length - to) * rowPx} columns={columns.length} />
        </tbody>
      </table>
    </div>
  )
}

/** Takes the height of rows that are not drawn. */
function Gap({ px, columns }: { px: number; columns: number }) {
  if (px <= 0) return null
  return (
    <tr data-gap="">
      <td colSpan={columns} style={{ height: px, padding: 0 }} />
    </tr>
  )
}

/** The first row near the screen, the one after the last, and the height of a row. */
function useVisible(
  body: React.RefObject<HTMLElement | null>,
  count: number,
): [from: number, to: number, rowPx: number] {
  const [range, setRange] = useState<[number, number, number]>([0, WHOLE, ROW_PX])
  useLayoutEffect(() => {
    if (count <= WHOLE) return
    const look = () => {
      const top = -(body.current?.getBoundingClientRect().top ?? 0)
      // Steps of ten rows, so that most scroll events draw nothing.
      const rowPx = body.current?.querySelector('tr:not([data-gap])')?.getBoundingClientRect().height || ROW_PX
      const first = Math.max(0, Math.floor(top / rowPx / 10) * 10 - SPARE)
      const last = Math.ceil((top + innerHeight) / rowPx / 10) * 10 + SPARE
      setRange((earlier) => {
        const next: typeof earlier = [first, last, rowPx]
        return next.every((each, at) => each === earlier[at]) ? earlier : next
      })
    }
    look()
    addEventListener('scroll', look, { passive: true })
    addEventListener('resize', look)
    return () => {
      removeEventListener('scroll', look)
      removeEventListener('resize', look)
    }
  }, [body, count])
  return count <= WHOLE ? [0, count, ROW_PX] : [range[0], Math.min(count, range[1]), range[2]]
}

/** The records of a list operation: reads on when the end comes into view. */
export function ListTable<Row>({
  list: { rows, error, isPending, hasMore, isReadingMore, readMore },
  empty,
  ...table
}: Omit<TableProps<Row>, 'rows'> & { list: Rows<Row>; empty: ReactNode }) {
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!hasMore || isReadingMore || !end.current) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && readMore(), { rootMargin: '600px' })
    observer.observe(end.current)
    return () => observer.disconnect()
  }, [hasMore, isReadingMore, readMore])
  if (isPending) return <Reading lines={6} />
  return (
    <>
      <ProblemNote error={error} />
      {rows.length > 0 ? <Table {...table} rows={rows} /> : !error && empty}
      {hasMore && (
        <div ref={end} className={styles.end}>
          <button type="button" onClick={readMore} disabled={isReadingMore}>
            {isReadingMore ? 'Reading…' : 'Show more'}
          </button>
        </div>
      )}
    </>
  )
}

function classOf(number?: boolean, wide?: Column<never>['wide']): string | undefined {
  return (
    [number && 'number', wide && styles.wide, wide === 'widest' && styles.widest].filter(Boolean).join(' ') || undefined
  )
}
