import './language.ts'
import 'uplot/dist/uPlot.min.css'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import UPlot from 'uplot'
import type { LedgerBalance } from '../../client/src/index.ts'
import { Table } from '../components/lists/table.tsx'
import { compactMoney, date, money } from '../data/format.ts'
import styles from './balance-curve.module.css'

const HEIGHT = 190

/** The balance at the end of each day as a curve, and the same as a table. */
export function BalanceCurve({ days }: { days: readonly LedgerBalance[] }) {
  const [at, setAt] = useState<number | null>(null)
  const pointed = days[at ?? days.length - 1]
  return (
    <>
      <p className="muted" aria-hidden="true">
        {pointed && `${date(pointed.date)}: ${money(pointed.balance)}`}
      </p>
      <Plot days={days} point={setAt} />
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
              { head: 'Transfers', cell: ({ transfers }) => transfers, number: true },
              { head: 'Balance', cell: ({ balance }) => money(balance), number: true },
            ]}
          />
        </section>
      </details>
    </>
  )
}

/** Draws the curve. `point` gets the place of the day under the pointer. */
function Plot({ days, point }: { days: readonly LedgerBalance[]; point(at: number | null): void }) {
  const place = useRef<HTMLDivElement>(null)
  const plot = useRef<UPlot>(null)
  const dark = useDark()
  const latest = useRef({ days, point })
  latest.current = { days, point }

  // biome-ignore lint/correctness/useExhaustiveDependencies: other colours need another drawing.
  useEffect(() => {
    const element = place.current
    if (!element) return
    const width = element.clientWidth
    const drawn = new UPlot(
      options(element, width, (at) => latest.current.point(at)),
      seriesOf(latest.current.days),
      element,
    )
    plot.current = drawn
    const observer = new ResizeObserver(() => drawn.setSize({ width: element.clientWidth, height: HEIGHT }))
    observer.observe(element)
    return () => {
      observer.disconnect()
      drawn.destroy()
    }
  }, [dark])
  useEffect(() => plot.current?.setData(seriesOf(days)), [days])
  return <div ref={place} className={styles.plot} role="img" aria-label={describe(days)} />
}

function seriesOf(days: readonly LedgerBalance[]): UPlot.AlignedData {
  return [days.map((day) => Date.parse(day.date) / 1_000), days.map(({ balance }) => balance / 100)]
}

function options(element: HTMLElement, width: number, point: (at: number | null) => void): UPlot.Options {
  const colour = (token: string) => resolved(element, token)
  const font = `11px ${getComputedStyle(element).fontFamily}`
  const axis = { stroke: colour('--faint'), font, ticks: { show: false }, grid: { stroke: colour('--line'), width: 1 } }
  return {
    width,
    height: HEIGHT,
    legend: { show: false },
    cursor: { y: false, drag: { setScale: false, x: false, y: false }, points: { size: 7 } },
    tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1_000), 'Etc/UTC'),
    scales: { y: { range: (_plot, low, high) => rangeOf(low, high) } },
    axes: [
      { ...axis, grid: { show: false }, size: 28, space: 70, values: (_plot, marks) => marks.map(dayMark) },
      { ...axis, size: 52, space: 28, values: (_plot, marks) => marks.map((mark) => compactMoney(mark * 100)) },
    ],
    series: [
      {},
      {
        stroke: colour('--accent'),
        fill: colour('--accent-ground'),
        width: 2,
        points: { show: false },
        ...(UPlot.paths.stepped && { paths: UPlot.paths.stepped({ align: 1 }) }),
      },
    ],
    hooks: { setCursor: [(drawn) => point(drawn.cursor.idx ?? null)] },
  }
}

/** Zero is always in sight, with room above the highest balance. */
function rangeOf(low: number, high: number): UPlot.Range.MinMax {
  const top = Math.max(high, 0)
  const bottom = Math.min(low, 0)
  const room = (top - bottom || 100) * 0.08
  return [bottom < 0 ? bottom - room : 0, top + room]
}

/** The day of a mark, `Nov 16`. */
function dayMark(seconds: number): string {
  return date(new Date(seconds * 1_000).toISOString()).slice(0, -6)
}

/** The colour that a token stands for now. A canvas does not know `light-dark()`. */
function resolved(element: HTMLElement, token: string): string {
  const probe = document.createElement('span')
  probe.className = styles.probe ?? ''
  probe.style.color = `var(${token})`
  element.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

const darkness = matchMedia('(prefers-color-scheme: dark)')

function useDark(): boolean {
  return useSyncExternalStore(
    (changed) => {
      darkness.addEventListener('change', changed)
      return () => darkness.removeEventListener('change', changed)
    },
    () => darkness.matches,
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
