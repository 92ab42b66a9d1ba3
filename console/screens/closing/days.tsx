import { Link } from 'wouter'
import type { ClosingDay } from '../../../client/src/index.ts'
import { Empty, Reading } from '../../components/feedback/empty.tsx'
import { ProblemNote } from '../../components/feedback/problem.tsx'
import { Card } from '../../components/layout/card.tsx'
import { ListNote } from '../../components/lists/list-screen.tsx'
import { useSettlementDay } from '../../data/bank-time.ts'
import { useFilters } from '../../data/filters.ts'
import { counted, date, money, month as monthName } from '../../data/format.ts'
import { useCall } from '../../data/purser.tsx'
import styles from './closing.module.css'
import { ClosingScreen } from './head.tsx'

/** The banking days of a month: closed, open with the cents that are missing, or without a statement. */
export function ClosingDays() {
  return (
    <ClosingScreen>
      <Month />
    </ClosingScreen>
  )
}

function Month() {
  const [filters, set] = useFilters(['month'])
  const today = useSettlementDay()
  const month = filters.month ?? today?.slice(0, 7)
  const input = { query: { month: month ?? '' } }
  const { data, error } = useCall('listClosingDays', input, { enabled: month !== undefined, keep: true })
  if (error) return <ProblemNote error={error} />
  if (!data || !month) return <Reading lines={6} />
  const open = data.filter(({ state }) => state === 'open')
  const turn = (step: number) => (
    <button type="button" onClick={() => set({ month: monthAfter(month, step) })}>
      {step < 0 ? 'Earlier' : 'Later'}
    </button>
  )
  return (
    <Card
      title={monthName(month)}
      aside={
        <span className={styles.turn}>
          {turn(-1)}
          {turn(1)}
        </span>
      }
    >
      {data.length === 0 ? (
        <Empty title="No banking day yet">
          <p>
            Days are listed when they are over, from the day of the first bank statement on. Take the oldest statement
            first: no earlier one is taken after it.
          </p>
        </Empty>
      ) : (
        <>
          <p className="muted">
            {open.length === 0 ? 'All days are closed.' : `${counted(open.length, 'day')} open.`} A day closes against
            the bank’s statement, after the day before it.
          </p>
          <Calendar of={month} days={data} />
          <ListNote paths={data.map(({ day }) => pathOf(day))} />
        </>
      )}
    </Card>
  )
}

const pathOf = (day: string) => `/closing/days/${day}`

function monthAfter(month: string, step: number): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + step)).toISOString().slice(0, 7)
}

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri']

/** The weekdays of a month in five columns. Holidays, and days that are not over, have no link. */
function Calendar({ of, days }: { of: string; days: readonly ClosingDay[] }) {
  const length = new Date(Date.parse(`${monthAfter(of, 1)}-01`) - 1).getUTCDate()
  const dates = Array.from({ length }, (_, at) => `${of}-${String(at + 1).padStart(2, '0')}`)
  const ofWeek = dates.filter((each) => ![0, 6].includes(weekdayOf(each)))
  return (
    <ol className={styles.calendar}>
      {weekdays.map((each) => (
        <li key={each} className={styles.weekday} aria-hidden="true">
          {each}
        </li>
      ))}
      {ofWeek.map((each, at) => (
        <li key={each} {...(at === 0 && { style: { gridColumnStart: weekdayOf(each) } })}>
          <Day date={each} day={days.find(({ day }) => day === each)} />
        </li>
      ))}
    </ol>
  )
}

function weekdayOf(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay()
}

function Day({ date: on, day }: { date: string; day: ClosingDay | undefined }) {
  const number = <b>{Number(on.slice(8))}</b>
  if (!day) return <span className={styles.none}>{number}</span>
  const { name, tone, more } = standingOf(day)
  return (
    <Link href={pathOf(on)} className={`${styles.day} ${styles[tone] ?? ''}`}>
      <span className="unseen">{date(on)}: </span>
      <span aria-hidden="true">{number}</span>
      <span>{name}</span>
      {more && <small>{more}</small>}
    </Link>
  )
}

function standingOf({ state, hasStatement, openItems, missing, version }: ClosingDay) {
  if (state === 'closed') return { name: 'Closed', tone: 'good', more: version !== 1 && `version ${version}` }
  if (!hasStatement) return { name: 'No statement', tone: 'warn', more: false }
  if (openItems === 0) return { name: 'Open', tone: 'warn', more: 'nothing missing' }
  const more = missing !== 0 ? money(missing) : counted(openItems, 'item')
  return { name: 'Open', tone: 'bad', more }
}
