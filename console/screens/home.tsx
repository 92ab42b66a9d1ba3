import { Link } from 'wouter'
import { State } from '../components/display/state.tsx'
import { Time } from '../components/display/time.tsx'
import { ProblemNote } from '../components/feedback/problem.tsx'
import { Card } from '../components/layout/card.tsx'
import { PageTitle } from '../components/layout/page-title.tsx'
import { ShortList } from '../components/lists/list-screen.tsx'
import { money } from '../data/format.ts'
import { useList } from '../data/list.ts'
import { everyMs } from '../data/live.ts'
import { useCall, useMay, useSend, useSession } from '../data/purser.tsx'
import { events } from './developers/event-list.tsx'
import { Refusals } from './developers/refusals.tsx'
import { GettingStarted } from './getting-started.tsx'
import styles from './home.module.css'

/** The state of the bank at one look. */
export function Home() {
  const { me } = useSession()
  return (
    <>
      <PageTitle name="Home" title={me.organisation.name} />
      <Position />
      <div className="columns">
        <div>
          <LatestRefusals />
          <LatestEvents />
        </div>
        <div>
          <GettingStarted />
          <Laws />
        </div>
      </div>
    </>
  )
}

const positions = [
  ['deposit', 'Deposits of customers'],
  ['achClearing', 'ACH clearing'],
  ['cardSettlement', 'Card settlement'],
  ['rewardsFunding', 'Rewards funding'],
] as const

/** The money of the bank by kind of account, today. */
function Position() {
  const may = useMay('listLedgerBalances')
  const { rows, error } = useList('listLedgerBalances', {})
  if (!may) return null
  const today = rows.at(-1)?.date
  const balance = (kind: string) => rows.find((row) => row.date === today && row.kind === kind)?.balance ?? 0
  return (
    <section aria-label="Money position" className={styles.position}>
      <ProblemNote error={error} />
      {positions.map(([kind, name]) => (
        <Link key={kind} href="/ledger" className={styles.figure}>
          <span className="muted">{name}</span>
          <span className={styles.amount}>{money(balance(kind))}</span>
        </Link>
      ))}
    </section>
  )
}

/** Whether the laws of the ledger hold. */
function Laws() {
  const may = useMay('getLedgerVerification')
  const mayRun = useMay('runLedgerVerification')
  const { data, error } = useCall('getLedgerVerification', {})
  const run = useSend('runLedgerVerification')
  if (!may) return null
  const broken = data?.laws.filter(({ holds }) => holds === false) ?? []
  return (
    <Card title="Laws of the ledger" aside={data && <State of={data.status} />}>
      <ProblemNote error={error ?? run.error} />
      <div className="stack">
        {data?.checkedAt ? (
          <p>
            {broken.length === 0 ? `All ${data.laws.length} laws hold` : `${broken.length} laws are broken`}, checked at{' '}
            <Time of={data.checkedAt} />.
          </p>
        ) : (
          <p>The laws were not checked yet.</p>
        )}
        <div className="row">
          {mayRun && (
            <button type="button" disabled={run.isPending} onClick={() => run.mutate({})}>
              {run.isPending ? 'Checking…' : 'Check now'}
            </button>
          )}
          <Link href="/ledger">Show the ledger</Link>
        </div>
      </div>
    </Card>
  )
}

/** The latest refusals, by operation and code. */
function LatestRefusals() {
  const may = useMay('listRequests')
  const query = { sort: '-sequence', limit: 100 } as const
  const refused = useList('listRequests', { query: { ...query, status: '4xx' } }, { everyMs: everyMs.sent })
  const failed = useList('listRequests', { query: { ...query, status: '5xx' } }, { everyMs: everyMs.sent })
  return may && <Refusals requests={[...failed.rows, ...refused.rows]} shown={8} />
}

/** The newest events, live. */
function LatestEvents() {
  return (
    <ShortList
      of={events}
      title="Latest events"
      query={{ sort: '-sequence' }}
      columns={['Type', 'Record', 'Number', 'Bank time']}
      none="Nothing has happened yet."
      shown={10}
      aside={<Link href="/events">All events</Link>}
    />
  )
}
