import { useRef } from 'react'
import { Table } from '../components/lists/table.tsx'
import { compactMoney, date, money } from '../data/format.ts'
import type { Amount } from '../data/ledger.ts'
import styles from './bars.module.css'
import { ticksOf } from './ticks.ts'
import { useWidth } from './width.ts'

const HEIGHT = 170
const LEFT = 56
const BOTTOM = 22
const TOP = 8

/** Amounts as bars from zero, and the same as a table. The last one, which is not over, is pale. */
export function Bars({ of: amounts, name, unit }: { of: readonly Amount[]; name: string; unit: 'Day' | 'Week of' }) {
  const place = useRef<HTMLDivElement>(null)
  const width = useWidth(place)
  const values = amounts.map(({ amount }) => amount)
  const ticks = ticksOf(Math.min(0, ...values), Math.max(0, ...values))
  const [low = 0, high = 0] = [ticks[0], ticks.at(-1)]
  const y = (cents: number) => TOP + ((HEIGHT - TOP - BOTTOM) * (high - cents)) / (high - low || 1)
  const step = (width - LEFT) / Math.max(1, amounts.length)
  const every = Math.ceil(60 / step)
  const total = values.reduce((sum, each) => sum + each, 0)
  return (
    <div ref={place}>
      <svg
        width={width}
        height={HEIGHT}
        role="img"
        className={styles.bars}
        aria-label={`${name}: ${money(total)} in all, from ${money(Math.min(...values))} to ${money(Math.max(...values))}`}
      >
        {ticks.map((cents) => (
          <g key={cents}>
            <line
              x1={LEFT}
              x2={width}
              y1={y(cents)}
              y2={y(cents)}
              className={cents === 0 ? styles.zero : styles.grid}
            />
            <text x={LEFT - 8} y={y(cents) + 4} textAnchor="end">
              {compactMoney(cents)}
            </text>
          </g>
        ))}
        {amounts.map(({ date: day, amount }, at) => (
          <g key={day}>
            <rect
              x={LEFT + at * step + step * 0.15}
              y={y(Math.max(0, amount))}
              width={step * 0.7}
              height={Math.abs(y(amount) - y(0))}
              className={amount < 0 ? styles.out : styles.in}
              opacity={at === amounts.length - 1 ? 0.45 : 1}
            >
              <title>{`${date(day)}: ${money(amount)}`}</title>
            </rect>
            {at % every === 0 && (
              <text x={LEFT + at * step} y={HEIGHT - 4}>
                {date(day).slice(0, -6)}
              </text>
            )}
          </g>
        ))}
      </svg>
      <details className={styles.table}>
        <summary>As a table</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls the rows. */}
        <section className={styles.rows} aria-label={name} tabIndex={0}>
          <Table
            label={name}
            rows={amounts.toReversed()}
            keyOf={({ date: day }) => day}
            columns={[
              { head: unit, cell: ({ date: day }) => date(day) },
              { head: 'Amount', cell: ({ amount }) => money(amount), number: true },
            ]}
          />
        </section>
      </details>
    </div>
  )
}
