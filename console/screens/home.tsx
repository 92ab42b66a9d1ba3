import { Link } from 'wouter'
import { State } from '../components/display/state.tsx'
import { Time } from '../components/display/time.tsx'
import { Empty } from '../components/feedback/empty.tsx'
import { ProblemNote } from '../components/feedback/problem.tsx'
import { Card } from '../components/layout/card.tsx'
import { PageTitle } from '../components/layout/page-title.tsx'
import { ListTable, Table } from '../components/lists/table.tsx'
import { groupsOf } from '../data/developers/traffic.ts'
import { money, words } from '../data/format.ts'
import { useList } from '../data/list.ts'
import { useCall, useMay, useSend, useSession } from '../data/purser.tsx'
import { recordPath } from '../routes.ts'
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
          <ErrorGroups />
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
function ErrorGroups() {
  const may = useMay('listRequests')
  const refused = useList(
    'listRequests',
    { query: { status: '4xx', sort: '-sequence', limit: 100 } },
    { everyMs: 3_000 },
  )
  const failed = useList(
    'listRequests',
    { query: { status: '5xx', sort: '-sequence', limit: 100 } },
    { everyMs: 3_000 },
  )
  if (!may) return null
  const groups = groupsOf([...failed.rows, ...refused.rows])
  return (
    <Card title="Refused requests" aside={<Link href="/requests">All requests</Link>} flush>
      <ProblemNote error={refused.error ?? failed.error} />
      {groups.length === 0 ? (
        <Empty title="No request was refused">
          <p>Requests of your app appear here when the service refuses them.</p>
        </Empty>
      ) : (
        <Table
          label="Refused requests by operation and code"
          rows={groups.slice(0, 8)}
          keyOf={({ key }) => key}
          path={({ operation, code }) => `/requests?operation=${operation}&code=${code}`}
          columns={[
            { head: 'Code', cell: ({ code }) => <code>{code}</code> },
            { head: 'Operation', cell: ({ operation }) => operation },
            { head: 'Latest', cell: ({ last }) => <Time of={last.at} real />, number: true, wide: true },
            { head: 'Count', cell: ({ count }) => count, number: true },
          ]}
        />
      )}
    </Card>
  )
}

/** The newest events, live. */
function LatestEvents() {
  const may = useMay('listEvents')
  const list = useList('listEvents', { query: { sort: '-sequence', limit: 10 } })
  if (!may) return null
  return (
    <Card title="Latest events" aside={<Link href="/events">All events</Link>} flush>
      <ListTable
        label="Latest events"
        list={{ ...list, hasMore: false }}
        keyOf={({ id }) => id}
        path={({ id }) => recordPath('event', id)}
        columns={[
          { head: 'Type', cell: ({ type }) => <span className="mono">{type}</span> },
          { head: 'Record', cell: ({ entity }) => `${words(entity.type)} ${entity.id}` },
          { head: 'Number', cell: ({ sequence }) => `#${sequence}`, number: true, wide: true },
          { head: 'Bank time', cell: ({ timestamp }) => <Time of={timestamp} />, number: true, wide: true },
        ]}
        empty={<Empty title="Nothing has happened yet" />}
      />
    </Card>
  )
}
