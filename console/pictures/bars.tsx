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

interface Props {
  of: readonly Bar[]
  name: string
  unit: 'Day' | 'Week of'
}

/** An amount above zero, and maybe another one below it. */
interface Bar extends Amount {
  out?: number
}

/** Amounts as bars from zero, and the same as a table. The last one, which is not over, is pale. */
export function Bars({ of: amounts, name, unit }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const width = useWidth(place)
  const isPair = amounts.some(({ out }) => out !== undefined)
  const values = amounts.flatMap(({ amount, out = 0 }) => [amount, -out])
  const ticks = ticksOf(Math.min(0, ...values), Math.max(0, ...values))
  const [low = 0, high = 0] = [ticks[0], ticks.at(-1)]
  const y = (cents: number) => TOP + ((HEIGHT - TOP - BOTTOM) * (high - cents)) / (high - low || 1)
  const step = (width - LEFT) / Math.max(1, amounts.length)
  const every = Math.ceil(60 / step)
  const sum = (of: (bar: Bar) => number) => money(amounts.reduce((total, bar) => total + of(bar), 0))
  const total = isPair
    ? `${sum(({ amount }) => amount)} in, ${sum(({ out = 0 }) => out)} out`
    : `${sum(({ amount }) => amount)} in all`
  return (
    <div ref={place}>
      <svg
        width={width}
        height={HEIGHT}
        role="img"
        className={styles.bars}
        aria-label={`${name}: ${total}, from ${money(Math.min(...values))} to ${money(Math.max(...values))}`}
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
        {amounts.map(({ date: day, amount, out = 0 }, at) => (
          <g key={day}>
            {[amount, -out].map((cents, side) => (
              <rect
                // biome-ignore lint/suspicious/noArrayIndexKey: the side is the key.
                key={side}
                x={LEFT + at * step + step * 0.15}
                y={y(Math.max(0, cents))}
                width={step * 0.7}
                height={Math.abs(y(cents) - y(0))}
                className={cents < 0 ? styles.out : styles.in}
                opacity={at === amounts.length - 1 ? 0.45 : 1}
              >
                <title>{`${date(day)}: ${money(cents)}`}</title>
              </rect>
            ))}
            {at % every === 0 && (
              <text
                {...(LEFT + at * step > width - 40 ? { x: width, textAnchor: 'end' } : { x: LEFT + at * step })}
                y={HEIGHT - 4}
              >
                {date(day).slice(0, -6)}
              </text>
            )}
          </g>
        ))}
      </svg>
      <AsTable of={amounts} name={name} unit={unit} isPair={isPair} />
    </div>
  )
}

function AsTable({ of: amounts, name, unit, isPair }: Props & { isPair: boolean }) {
  return (
    <details className={styles.table}>
      <summary>As a table</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls the rows. */}
      <section className={styles.rows} aria-label={name} tabIndex={0}>
        <Table
          label={name}
          rows={amounts.toReversed()}
          keyOf={({ date: day }) => day}
          columns={[
            { head: unit, cell: ({ date: day }) => date(day).replace(/, .*/, '') },
            { head: isPair ? 'In' : 'Amount', cell: ({ amount }) => money(amount), number: true },
            ...(isPair ? [{ head: 'Out', cell: ({ out = 0 }: Bar) => money(out), number: true }] : []),
          ]}
        />
      </section>
    </details>
  )
}
