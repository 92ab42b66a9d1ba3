import { Link } from 'wouter'
import type { ListAllAuthorizationsQuery } from '../../client/src/index.ts'
import { Time, Zone } from '../components/display/time.tsx'
import { Empty, Reading } from '../components/feedback/empty.tsx'
import { ProblemNote } from '../components/feedback/problem.tsx'
import { Card } from '../components/layout/card.tsx'
import { PageTitle } from '../components/layout/page-title.tsx'
import { RecordLink } from '../components/records/record-link.tsx'
import { dayAfter, useBankDay, useBankNow } from '../data/bank-time.ts'
import { count, counted, date, dayTitle, money } from '../data/format.ts'
import { byWeek, changesOf, inAndOut, kindName } from '../data/ledger.ts'
import { useList } from '../data/list.ts'
import { everyMs } from '../data/live.ts'
import { useHoldersOf } from '../data/names.ts'
import { useMay, useSession } from '../data/purser.tsx'
import { activityOf, activityTypes } from '../data/records/activity.ts'
import { LazyBars, LazyCurve } from '../pictures/lazy.tsx'
import { RefusalBars } from '../pictures/refusal-bars.tsx'
import { Attention } from './attention.tsx'
import { GettingStarted } from './getting-started.tsx'
import styles from './home.module.css'

/** The bank at a glance: what needs a person, the money, and what happened last. */
export function Home() {
  const { me } = useSession()
  const now = useBankNow()
  return (
    <>
      <PageTitle name="Home" title={me.organisation.name}>
        {now && <span className="muted">{dayTitle(now)}</span>}
      </PageTitle>
      <div className="columns">
        <div>
          <Attention />
        </div>
        <div>
          <Position />
        </div>
      </div>
      <div className="halves">
        <Deposits />
        <InAndOut />
      </div>
      <div className="columns">
        <div>
          <LatestActivity />
        </div>
        <div>
          <GettingStarted />
          <Refused />
          <CashBack />
        </div>
      </div>
      <Zone />
    </>
  )
}

const DAYS = 90

/** The balances by kind of account at the end of each of the last days. */
function useBalances() {
  const today = useBankDay()
  const query = today ? { since: dayAfter(today, 1 - DAYS) } : {}
  return useList('listLedgerBalances', { query }, { enabled: today !== undefined })
}

/** The deposits over time. */
function Deposits() {
  const may = useMay('listLedgerBalances')
  const days = useBalances().rows.filter(({ kind }) => kind === 'deposit')
  return (
    may && (
      <Card title={`Deposits, ${DAYS} days`} aside={<span>end of each day, UTC</span>}>
        {days.some(({ balance }) => balance !== 0) ? (
          <LazyCurve days={days} />
        ) : (
          <p className="muted">No money has moved yet.</p>
        )}
      </Card>
    )
  )
}

const BAR_DAYS = 30

/** Money that came in and money that went out, by day. */
function InAndOut() {
  const today = useBankDay()
  const may = useMay('listLedgerFlows')
  const since = today && `${dayAfter(today, 1 - BAR_DAYS)}T00:00:00Z`
  const query = { interval: 'day', ...(since && { since }) } as const
  const { rows, isPending } = useList('listLedgerFlows', { query }, { enabled: Boolean(today) })
  if (!may || !today) return null
  const days = inAndOut(rows, today, BAR_DAYS)
  const hasMoved = days.some(({ amount, out }) => amount !== 0 || out !== 0)
  const sum = (of: 'amount' | 'out') => money(days.reduce((total, day) => total + day[of], 0))
  return (
    <Card title={`Money in and out, ${BAR_DAYS} days`} aside={<span>by day, today so far</span>}>
      {isPending ? (
        <Reading lines={8} />
      ) : !hasMoved ? (
        <p className="muted">No money has moved yet.</p>
      ) : (
        <>
          <p className={styles.legend}>
            <span>
              <b>{sum('amount')}</b> in
            </span>
            <span className={styles.outward}>
              <b>{sum('out')}</b> out
            </span>
          </p>
          <LazyBars of={days} name="Money in and out" unit="Day" />
        </>
      )}
    </Card>
  )
}

/** The latest events about people and their money, in sentences. */
function LatestActivity() {
  const may = useMay('listEvents')
  const now = useBankNow()
  const { rows, isPending } = useList('listEvents', { query: { type: activityTypes, sort: '-sequence', limit: 10 } })
  const holders = useHoldersOf(rows)
  return (
    may && (
      <Card title="Latest activity" flush aside={<Link href="/events">All events</Link>}>
        {isPending && <Reading lines={8} />}
        {!isPending && rows.length === 0 && <Empty title="Nothing has happened yet." />}
        <ul className={styles.activity}>
          {rows.map((event) => {
            const { who, did, more, amount, bad } = activityOf(event, holders.get(event.entity.id))
            const { type, id } = event.entity
            return (
              <li key={event.id}>
                <Time of={event.timestamp} show={now && date(event.timestamp) === date(now) ? 'clock' : 'day'} />
                <div>
                  <RecordLink type={type} id={id}>
                    <b>{who}</b> {did}
                  </RecordLink>
                  {more && <p className={bad ? 'bad' : 'muted'}>{more}</p>}
                </div>
                <span className="number">{amount}</span>
              </li>
            )
          })}
        </ul>
      </Card>
    )
  )
}

/** The cash back that customers earned, which the rewards funding account pays, by week. */
function CashBack() {
  const days = useBalances().rows.filter(({ kind }) => kind === 'rewardsFunding')
  const weeks = byWeek(changesOf(days).map(({ date, amount }) => ({ date, amount: -amount })))
  const earned = weeks.reduce((sum, { amount }) => sum + amount, 0)
  if (!weeks.some(({ amount }) => amount !== 0)) return null
  return (
    <Card title="Cash back earned" aside={<span>by week</span>}>
      <p className={styles.legend}>
        <b>{money(earned)}</b> in {weeks.length} weeks
      </p>
      <LazyBars of={weeks} name="Cash back earned" unit="Week of" />
    </Card>
  )
}

/** The money of the bank: its deposits, and what it is for with the records behind it and what is due next. */
function Position() {
  const may = useMay('listLedgerPosition')
  const { rows, error, isPending } = useList('listLedgerPosition')
  const deposits = rows.find(({ kind }) => kind === 'deposits')
  const today = changesOf(useBalances().rows.filter(({ kind }) => kind === 'deposit')).at(-1)
  return (
    may && (
      <Card title="Money position" aside={<Link href="/ledger">Ledger</Link>}>
        <ProblemNote error={error} />
        {isPending && !error && <Reading lines={6} />}
        {deposits && (
          <>
            <p className={styles.amount}>{money(deposits.amount)}</p>
            <p>{kindName('deposit')}</p>
            <p className="muted">
              {many(deposits, 'account', 'accounts')}
              {today && today.amount !== 0 && ` · ${today.amount > 0 ? '+' : ''}${money(today.amount)} today`}
            </p>
          </>
        )}
        <dl className={styles.position}>
          {parts.map(({ kind, name, place, one, several, due }) => {
            const part = rows.find((row) => row.kind === kind)
            return (
              part && (
                <div key={kind}>
                  <dt>
                    <Link href={place}>{name}</Link>
                  </dt>
                  <dd>{money(part.amount)}</dd>
                  <dd className="muted">
                    {many(part, one, several)}
                    {part.due && part.count > 0 && (
                      <>
                        , {due} <Time of={part.due} show="day" />
                      </>
                    )}
                  </dd>
                </div>
              )
            )
          })}
        </dl>
      </Card>
    )
  )
}

/** The parts of the money beside the deposits: their records and list, and what happens when the first one is due. */
const parts = [
  {
    ...{ kind: 'outgoing', name: 'On its way to other banks', place: '/payments?status=Pending,Clearing' },
    ...{ one: 'payment', several: 'payments', due: 'the next settles' },
  },
  {
    ...{ kind: 'purchases', name: 'Held for card purchases', place: '/authorizations?status=Authorized' },
    ...{ one: 'purchase', several: 'purchases', due: 'within the deposits, the first until' },
  },
  {
    ...{ kind: 'cashBack', name: 'Cash back to pay out', place: '/rewards' },
    ...{ one: 'reward', several: 'rewards', due: 'due from' },
  },
]

function many({ count: number, more }: { count: number; more: boolean }, one: string, several: string): string {
  return more ? `${count(number)}+ ${several}` : counted(number, one, several)
}

const REFUSAL_DAYS = 7

/** The refusals of the last days: of requests by code if they are logged, otherwise of purchases by reason. */
function Refused() {
  const mayRequests = useMay('listRequests')
  const mayPurchases = useMay('listAllAuthorizations')
  return mayRequests ? <RefusedRequests /> : mayPurchases && <DeclinedPurchases />
}

function RefusedRequests() {
  const query = { sort: '-sequence', limit: 1_000 } as const
  const refused = useList('listRequests', { query: { ...query, status: '4xx' } }, { everyMs: everyMs.outside })
  const failed = useList('listRequests', { query: { ...query, status: '5xx' } }, { everyMs: everyMs.outside })
  // The log has the times of this world, also if the bank's clock is ahead.
  const since = dayAfter(new Date().toISOString().slice(0, 10), 1 - REFUSAL_DAYS)
  const codes = [...failed.rows, ...refused.rows]
    .filter(({ at }) => at >= since)
    .map(({ code, status }) => code ?? `http_${status}`)
  return (
    <RefusalBars
      title={`Refused requests, ${REFUSAL_DAYS} days`}
      codes={codes}
      all="/requests?status=4xx"
      pathOf={(code) => `/requests?code=${code}`}
      none="No request was refused."
    />
  )
}

function DeclinedPurchases() {
  const today = useBankDay()
  const since = today && dayAfter(today, 1 - REFUSAL_DAYS)
  const query: ListAllAuthorizationsQuery = {
    ...{ status: ['Declined'], sort: '-createdAt', limit: 1_000 },
    ...(since && { since }),
  }
  const { rows } = useList('listAllAuthorizations', { query }, { enabled: Boolean(today) })
  return (
    <RefusalBars
      title={`Declined purchases, ${REFUSAL_DAYS} days`}
      codes={rows.map(({ reason }) => reason ?? 'Declined')}
      all={`/authorizations?status=Declined&since=${since}`}
      pathOf={() => `/authorizations?status=Declined&since=${since}`}
      none="No purchase was declined."
    />
  )
}
