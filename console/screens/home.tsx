import { Link } from 'wouter'
import { ProblemNote } from '../components/feedback/problem.tsx'
import { Card } from '../components/layout/card.tsx'
import { PageTitle } from '../components/layout/page-title.tsx'
import { ShortList } from '../components/lists/list-screen.tsx'
import { dayAfter, useBankDay } from '../data/bank-time.ts'
import { money } from '../data/format.ts'
import { byWeek, changesOf, kindName } from '../data/ledger.ts'
import { useList } from '../data/list.ts'
import { everyMs } from '../data/live.ts'
import { useMay, useSession } from '../data/purser.tsx'
import { LazyBars, LazyCurve } from '../pictures/lazy.tsx'
import { Attention } from './attention.tsx'
import { events } from './developers/event-list.tsx'
import { Refusals } from './developers/refusals.tsx'
import { GettingStarted } from './getting-started.tsx'
import styles from './home.module.css'

/** The bank at one look: what needs a person, the money, and what happened last. */
export function Home() {
  const { me } = useSession()
  return (
    <>
      <PageTitle name="Home" title={me.organisation.name} />
      <div className="columns">
        <div>
          <Attention />
          <Deposits />
          <DepositsByDay />
          <ShortList
            of={events}
            title="Latest activity"
            query={{ sort: '-sequence' }}
            columns={['What', 'Record', 'Bank time']}
            none="Nothing has happened yet."
            shown={10}
            aside={<Link href="/events">All events</Link>}
          />
        </div>
        <div>
          <Position />
          <GettingStarted />
          <CashBack />
          <LatestRefusals />
        </div>
      </div>
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
        {days.length > 0 ? <LazyCurve days={days} /> : <p className="muted">No money has moved yet.</p>}
      </Card>
    )
  )
}

const BAR_DAYS = 30

/** Money that came in, less money that went out, by day. */
function DepositsByDay() {
  const days = useBalances().rows.filter(({ kind }) => kind === 'deposit')
  const changes = changesOf(days).slice(-BAR_DAYS)
  const net = changes.reduce((sum, { amount }) => sum + amount, 0)
  if (!changes.some(({ amount }) => amount !== 0)) return null
  return (
    <Card title={`Money in less money out, ${BAR_DAYS} days`} aside={<span>by day, today so far</span>}>
      <p className="muted">{money(net)} in all</p>
      <LazyBars of={changes} name="Money in less money out" unit="Day" />
    </Card>
  )
}

/** The cash back that customers earned, which the rewards funding account pays, by week. */
function CashBack() {
  const days = useBalances().rows.filter(({ kind }) => kind === 'rewardsFunding')
  const weeks = byWeek(changesOf(days).map(({ date, amount }) => ({ date, amount: -amount })))
  const earned = weeks.reduce((sum, { amount }) => sum + amount, 0)
  if (!weeks.some(({ amount }) => amount !== 0)) return null
  return (
    <Card title="Cash back earned" aside={<span>by week, this one so far</span>}>
      <p className={styles.amount}>{money(earned)}</p>
      <p className="muted">in {weeks.length} weeks</p>
      <LazyBars of={weeks} name="Cash back earned" unit="Week of" />
    </Card>
  )
}

/** The money of the bank by kind of account, today: the deposits first. */
function Position() {
  const may = useMay('listLedgerBalances')
  const { rows, error } = useBalances()
  const today = rows.at(-1)?.date
  const now = rows.filter(({ date }) => date === today)
  const deposits = now.find(({ kind }) => kind === 'deposit')?.balance ?? 0
  return (
    may && (
      <Card title="Money position" aside={<Link href="/ledger">Ledger</Link>}>
        <ProblemNote error={error} />
        <p className={styles.amount}>{money(deposits)}</p>
        <p className="muted">{kindName('deposit')}</p>
        <dl className={styles.position}>
          {now
            .filter(({ kind }) => kind !== 'deposit')
            .map(({ kind, balance }) => (
              <div key={kind}>
                <dt>{kindName(kind)}</dt>
                <dd>{money(balance)}</dd>
              </div>
            ))}
        </dl>
      </Card>
    )
  )
}

/** The latest refusals, by operation and code. */
function LatestRefusals() {
  const may = useMay('listRequests')
  const query = { sort: '-sequence', limit: 100 } as const
  const refused = useList('listRequests', { query: { ...query, status: '4xx' } }, { everyMs: everyMs.outside })
  const failed = useList('listRequests', { query: { ...query, status: '5xx' } }, { everyMs: everyMs.outside })
  return may && <Refusals requests={[...failed.rows, ...refused.rows]} shown={5} short />
}
