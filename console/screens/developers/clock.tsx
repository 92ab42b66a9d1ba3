import { type FormEvent, useState } from 'react'
import { Link } from 'wouter'
import type { Clock } from '../../../client/src/index.ts'
import { type Moment, TimeLine } from '../../components/display/time-line.tsx'
import { Reading } from '../../components/feedback/empty.tsx'
import { ProblemNote } from '../../components/feedback/problem.tsx'
import { Unavailable } from '../../components/feedback/unavailable.tsx'
import { Card } from '../../components/layout/card.tsx'
import { PageTitle } from '../../components/layout/page-title.tsx'
import { NamedLink } from '../../components/records/record-link.tsx'
import { type Advance, useAdvance, useAdvances } from '../../data/advances.ts'
import { count, date, dateTime } from '../../data/format.ts'
import {
  aheadText,
  comingGroups,
  comingText,
  doneText,
  grouped,
  type Happening,
  type HappeningGroup,
  nextDue,
} from '../../data/happenings.ts'
import { useList } from '../../data/list.ts'
import { everyMs } from '../../data/live.ts'
import { useCall, useMay } from '../../data/purser.tsx'
import { hasScreen } from '../../routes.ts'
import styles from './clock.module.css'

/** Bank time: the past, now, and the things that are due; and travel to a later time. */
export function ClockScreen() {
  const may = useMay('getClock')
  const { data: clock, error } = useCall('getClock', {}, { everyMs: everyMs.clock })
  if (!may) {
    return (
      <>
        <PageTitle title="Clock" />
        <Unavailable title="Clock" scope="sandbox:write" absent="Only a sandbox has a clock that moves." />
      </>
    )
  }
  if (!clock) return error ? <ProblemNote error={error} /> : <Reading lines={8} />
  return <FoundClock clock={clock} />
}

function FoundClock({ clock }: { clock: Clock }) {
  const advances = useAdvances()
  const ahead = aheadText(Date.parse(clock.now), Date.now())
  return (
    <>
      <PageTitle name="Clock" title={dateTime(clock.now)}>
        <span className="muted">
          bank time{ahead && `, ${ahead}`}
          {clock.frozen && ', frozen: it moves only when it is advanced'}
        </span>
      </PageTitle>
      <Travel clock={clock} />
      <div className="columns">
        <div>
          <Line clock={clock} />
        </div>
        <div>
          {advances.map((advance, at) => (
            <AdvanceCard key={advance.number} advance={advance} latest={at === 0} />
          ))}
        </div>
      </div>
    </>
  )
}

const steps = [
  ['+1 day', 'P1D'],
  ['+1 week', 'P7D'],
  ['+1 month', 'P1M'],
] as const

/** The buttons that advance the clock. It cannot be set back. */
function Travel({ clock: { now, upcoming } }: { clock: Clock }) {
  const may = useMay('advanceClock')
  const { advance, isPending, error } = useAdvance()
  const [day, setDay] = useState('')
  const next = nextDue(upcoming)
  if (!may) return null
  const go = (event: FormEvent) => {
    event.preventDefault()
    if (day) advance({ to: day })
  }
  return (
    <Card title="Travel" aside={<span>Everything that is due on the way happens</span>}>
      <div className={styles.travel}>
        {steps.map(([label, by]) => (
          <button key={by} type="button" disabled={isPending} onClick={() => advance({ by })}>
            {label}
          </button>
        ))}
        <button type="button" disabled={isPending} onClick={() => advance({ to: monthEnd(now) })}>
          To the end of the month
        </button>
        <button type="button" disabled={isPending || !next} onClick={() => next && advance({ to: next.at })}>
          {next ? `To the next due, ${date(next.at)}` : 'Nothing is due'}
        </button>
        <form onSubmit={go}>
          <label htmlFor="travel-day">To date</label>
          <input
            id="travel-day"
            type="date"
            min={dayAfter(now)}
            value={day}
            onChange={(event) => setDay(event.target.value)}
          />
          <button type="submit" disabled={isPending || !day}>
            Go
          </button>
        </form>
      </div>
      {isPending && <p role="status">Advancing…</p>}
      <ProblemNote error={error} />
    </Card>
  )
}

/** The first instant of the next month. */
function monthEnd(now: string): string {
  const [year = 0, month = 0] = now.split('-').map(Number)
  return new Date(Date.UTC(year, month, 1)).toISOString()
}

function dayAfter(now: string): string {
  return new Date(Date.parse(now) + 86_400_000).toISOString().slice(0, 10)
}

/** The events that time causes. */
const timed = ['authorization.canceled', 'statement.created', 'reward.paid'] as const
/** Moments of the past on the line. */
const MAX_PAST = 12

/** Past, now and upcoming on one line. */
function Line({ clock: { now, frozen, upcoming } }: { clock: Clock }) {
  const { rows } = useList('listEvents', { query: { type: [...timed], sort: '-sequence', limit: 100 } })
  const past = rows
    .map(({ timestamp, type, entity }): Happening => ({ at: timestamp, type, id: entity.id }))
    .filter(({ at }) => at <= now)
    .reverse()
  const moments: Moment[] = [
    ...grouped(past).slice(-MAX_PAST).map(pastMoment),
    { key: 'now', kind: 'now', at: now, title: <b>Now{frozen && ', frozen'}</b> },
    ...comingGroups(upcoming).map(upcomingMoment),
  ]
  return (
    <Card title="Time line" aside={<Link href="/events">All events</Link>}>
      <TimeLine moments={moments} />
      {upcoming.length === 0 && <p className="muted">Nothing is due.</p>}
    </Card>
  )
}

function pastMoment(group: HappeningGroup): Moment {
  return {
    key: `${group.at} ${group.type} ${group.ids[0]}`,
    kind: 'out',
    at: group.at,
    title: (
      <>
        {doneText(group)} <Records group={group} />
      </>
    ),
  }
}

function upcomingMoment(group: HappeningGroup): Moment {
  return {
    key: `${group.at} ${group.type} ${group.ids[0]}`,
    at: group.at,
    title: (
      <>
        {comingText(group)} <Records group={group} />
      </>
    ),
  }
}

/** Records of a group that are named. */
const MAX_NAMED = 3

/** Links to the first records of a group, by their names. A month is no record. */
function Records({ group: { type, ids } }: { group: HappeningGroup }) {
  const [entity = ''] = type.split('.')
  if (entity === 'webhook') {
    return (
      <span className={styles.record}>
        <Link href="/webhooks?status=Pending">Show</Link>
      </span>
    )
  }
  if (!hasScreen(entity)) return null
  return (
    <>
      {ids.slice(0, MAX_NAMED).map((id, at) => (
        <span key={id} className={styles.record}>
          {at > 0 && ' · '}
          <NamedLink type={entity} id={id} />
        </span>
      ))}
      {ids.length > MAX_NAMED && <span className="muted"> and {count(ids.length - MAX_NAMED)} more</span>}
    </>
  )
}

/** The things that happened during one advance. */
function AdvanceCard({ advance, latest }: { advance: Advance; latest: boolean }) {
  const { now, happened, total, number } = advance
  return (
    <Card title={latest ? 'Last advance' : `Advance ${number}`} aside={<span>to {dateTime(now)}</span>}>
      {total === 0 && <p className="muted">Nothing was due on the way.</p>}
      <ul className={styles.happened} aria-live={latest ? 'polite' : 'off'}>
        {grouped(happened).map((group) => (
          <li key={`${group.at} ${group.type} ${group.ids[0]}`}>
            <span>
              {doneText(group)} <Records group={group} />
            </span>
            <span className="muted">{date(group.at)}</span>
          </li>
        ))}
      </ul>
      {total > happened.length && <p className="muted">and {count(total - happened.length)} more</p>}
    </Card>
  )
}
