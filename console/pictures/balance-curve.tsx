import { type PointerEvent, useRef, useState } from 'react'
import type { LedgerBalance } from '../../client/src/index.ts'
import { Table } from '../components/lists/table.tsx'
import { compactMoney, count, date, money } from '../data/format.ts'
import styles from './balance-curve.module.css'
import { ticksOf } from './ticks.ts'
import { useWidth } from './width.ts'

const HEIGHT = 190
/** Room for the marks of the scales. */
const LEFT = 56
const BOTTOM = 22
const TOP = 8

/** The balance at the end of each day as a curve, and the same as a table. */
export function BalanceCurve({ days }: { days: readonly LedgerBalance[] }) {
  const [at, setAt] = useState<number>()
  const pointed = days[at ?? days.length - 1]
  return (
    <>
      <p className="muted" aria-hidden="true">
        {pointed && `${date(pointed.date)}: ${money(pointed.balance)}`}
      </p>
      <Plot days={days} at={at} point={setAt} />
      <details className={styles.table}>
        <summary>As a table</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls the rows. */}
        <section className={styles.rows} aria-label="Balance by day" tabIndex={0}>
          <Table
            label="Balance at the end of each day"
            rows={days.toReversed()}
            keyOf={({ date: day }) => day}
            columns={[
              { head: 'Day', cell: ({ date: day }) => date(day) },
              { head: 'Transfers', cell: ({ transfers }) => transfers !== null && count(transfers), number: true },
              { head: 'Balance', cell: ({ balance }) => money(balance), number: true },
            ]}
          />
        </section>
      </details>
    </>
  )
}

interface PlotProps {
  days: readonly LedgerBalance[]
  /** The place of the day under the pointer. */
  at: number | undefined
  point(at: number | undefined): void
}

/** Draws the curve in steps: a balance holds until the next day. */
function Plot({ days, at, point }: PlotProps) {
  const place = useRef<HTMLDivElement>(null)
  const width = useWidth(place)
  const balances = days.map(({ balance }) => balance)
  const ticks = ticksOf(Math.min(0, ...balances), Math.max(0, ...balances))
  const [low = 0, high = 0] = [ticks[0], ticks.at(-1)]
  const x = (index: number) => LEFT + ((width - LEFT) * index) / days.length
  const y = (cents: number) => TOP + ((HEIGHT - TOP - BOTTOM) * (high - cents)) / (high - low || 1)
  const line = balances.map((cents, index) => `H${x(index)}V${y(cents)}`).join('')
  const curve = `M${LEFT},${y(balances[0] ?? 0)}${line}H${width}`
  const move = (event: PointerEvent<SVGSVGElement>) => {
    const { left } = event.currentTarget.getBoundingClientRect()
    const index = Math.floor(((event.clientX - left - LEFT) / (width - LEFT)) * days.length)
    point(Math.min(Math.max(index, 0), days.length - 1))
  }
  const every = Math.ceil(days.length / Math.max(1, Math.floor((width - LEFT) / 70)))
  return (
    <div ref={place} className={styles.plot}>
      <svg
        width={width}
        height={HEIGHT}
        role="img"
        aria-label={describe(days)}
        onPointerMove={move}
        onPointerLeave={() => point(undefined)}
      >
        {ticks.map((cents) => (
          <g key={cents}>
            <line x1={LEFT} x2={width} y1={y(cents)} y2={y(cents)} className={styles.grid} />
            <text x={LEFT - 8} y={y(cents) + 4} textAnchor="end">
              {compactMoney(cents)}
            </text>
          </g>
        ))}
        <path d={`${curve}V${y(0)}H${LEFT}Z`} className={styles.area} />
        <path d={curve} className={styles.line} />
        {at !== undefined && <circle cx={x(at)} cy={y(balances[at] ?? 0)} r={4} className={styles.pointed} />}
        {days.map(({ date: day }, index) =>
          index % every === 0 ? (
            <text key={day} x={x(index)} y={HEIGHT - 4}>
              {date(day).slice(0, -6)}
            </text>
          ) : null,
        )}
      </svg>
    </div>
  )
}

/** The curve in words. */
function describe(days: readonly LedgerBalance[]): string {
  const first = days[0]
  const last = days.at(-1)
  if (!first || !last) return 'Balance by day'
  const balances = days.map(({ balance }) => balance)
  const lowest = money(Math.min(...balances))
  const highest = money(Math.max(...balances))
  return `Balance from ${date(first.date)}, ${money(first.balance)}, to ${date(last.date)}, ${money(last.balance)}; lowest ${lowest}, highest ${highest}`
}
