import type { ClosingDayDetails, SettlementItem } from '../../../client/src/index.ts'
import { State } from '../../components/display/state.tsx'
import { Time } from '../../components/display/time.tsx'
import { Empty, Reading } from '../../components/feedback/empty.tsx'
import { ProblemNote } from '../../components/feedback/problem.tsx'
import { Reason } from '../../components/feedback/reason.tsx'
import { Action } from '../../components/forms/actions.tsx'
import { Card } from '../../components/layout/card.tsx'
import { Details } from '../../components/layout/details.tsx'
import { PageTitle } from '../../components/layout/page-title.tsx'
import { Table } from '../../components/lists/table.tsx'
import { counted, date, money, sentence, words } from '../../data/format.ts'
import { useList } from '../../data/list.ts'
import { useCall } from '../../data/purser.tsx'
import { saveFile } from '../../data/save-file.ts'
import styles from './closing.module.css'
import { Decide } from './decide.tsx'
import { amountOf, Description } from './items.tsx'
import { TakeStatement } from './take-statement.tsx'

/** A banking day: what keeps it open, the statement beside the ledger, and its certificates. */
export function ClosingDayScreen({ id: day }: { id: string }) {
  const { data, error } = useCall('getClosingDay', { params: { day } })
  const parent = { name: 'Closing', path: '/closing' }
  if (!data) {
    return (
      <>
        <PageTitle title={date(day)} parent={parent} />
        {error ? <ProblemNote error={error} /> : <Reading lines={8} />}
      </>
    )
  }
  return (
    <>
      <PageTitle title={date(day)} parent={parent} id={day} actions={<DayActions of={data} />}>
        <State of={data.state === 'closed' ? 'Closed day' : 'Open day'} />
      </PageTitle>
      {data.state === 'open' && <Reasons of={data.reasons} />}
      <div className="halves">
        <Terms of={data.settlement} />
        <Ledger of={data.ledger} />
      </div>
      <Items day={day} reasons={data.reasons} />
      {data.certificates.length > 0 && <Certificates of={data.certificates} />}
    </>
  )
}

/** Further reasons are mostly open items, which stand below. */
const MAX_REASONS = 10

function Reasons({ of: reasons }: { of: readonly string[] }) {
  if (reasons.length === 0) {
    return (
      <Reason tone="good" title="The day can be closed">
        The statement and the ledger agree to the cent. The certificate lists what is still open.
      </Reason>
    )
  }
  return (
    <Card title="Why the day is open">
      <ul className={styles.reasons}>
        {reasons.slice(0, MAX_REASONS).map((reason) => (
          <li key={reason}>{sentence(reason)}</li>
        ))}
        {reasons.length > MAX_REASONS && <li>and {reasons.length - MAX_REASONS} more</li>}
      </ul>
    </Card>
  )
}

const closeForm = { label: 'Close day' }
const reopenForm = {
  label: 'Reopen…',
  fields: [{ name: 'reason', label: 'Reason', hint: 'The next certificate names it' }],
}

function DayActions({ of: { day, state, reasons, certificates } }: { of: ClosingDayDetails }) {
  if (state === 'open') {
    return (
      <>
        <TakeStatement />
        <Action operation="closeDay" form={closeForm} target={{ day }} primary={reasons.length === 0} />
      </>
    )
  }
  const [current] = certificates
  return (
    <>
      <Action operation="reopenDay" form={reopenForm} target={{ day }} />
      {current && <Download of={current} />}
    </>
  )
}

interface DownloadProps {
  of: ClosingDayDetails['certificates'][number]
  label?: string
}

function Download({ of: { day, version, certificate }, label = 'Download certificate' }: DownloadProps) {
  const name = `${day}-version-${version}.json`
  return (
    <button type="button" onClick={() => saveFile(new TextEncoder().encode(certificate), name, 'application/json')}>
      {label}
    </button>
  )
}

const figure = (cents: number) => <span className="number">{money(cents)}</span>

function Terms({
  of: { statement, ledger, statementItems, ledgerItems, difference },
}: {
  of: ClosingDayDetails['settlement']
}) {
  return (
    <Card title="Settlement account" aside={<span className="muted">at the end of the day</span>}>
      <Details
        of={{
          'By the statement': figure(statement),
          'Without lines that the ledger lacks': figure(0 - statementItems),
          'With movements that the statement lacks': figure(ledgerItems),
          'By the ledger': figure(ledger),
          'Not explained': figure(difference),
        }}
      />
    </Card>
  )
}

function Ledger({ of: balances }: { of: ClosingDayDetails['ledger'] }) {
  const sum = balances.reduce((total, { balance }) => total + balance, 0)
  const rows = balances.map(({ kind, balance }) => [words(kind), figure(balance)] as const)
  return (
    <Card title="All accounts">
      <Details of={Object.fromEntries([...rows, ['Sum', figure(sum)]])} />
    </Card>
  )
}

interface Match {
  key: string
  items: SettlementItem[]
  reason: string | null
}

/** Items of one match together; those that are open come first, each by itself. */
function matchesOf(items: readonly SettlementItem[]): Match[] {
  const open = items.filter(({ match }) => match === null)
  const numbers = [...new Set(items.flatMap(({ match }) => match ?? []))]
  return [
    ...open.map((item) => ({ key: `item ${item.id}`, items: [item], reason: null })),
    ...numbers.map((number) => {
      const own = items.filter(({ match }) => match === number)
      return { key: `match ${number}`, items: own, reason: own[0]?.reason ?? null }
    }),
  ]
}

function Items({ day, reasons }: { day: string; reasons: readonly string[] }) {
  const { rows, error, isPending, hasMore, readMore } = useList('listSettlementItems', { query: { day, limit: 1000 } })
  const matches = matchesOf(rows)
  return (
    <Card title="Statement beside ledger" aside={<span className="muted">{counted(rows.length, 'item')}</span>}>
      <ProblemNote error={error} />
      {isPending && <Reading />}
      {!isPending && rows.length === 0 && <Empty title="Nothing was booked on this day" />}
      {rows.length > 0 && (
        <ul className={styles.matches}>
          <li className={styles.heads} aria-hidden="true">
            <b>Statement</b>
            <b>Ledger</b>
            <b>Match</b>
          </li>
          {matches.map((match) => (
            <Pair key={match.key} of={match} reasons={reasons} />
          ))}
        </ul>
      )}
      {hasMore && (
        <button type="button" onClick={readMore}>
          Show more
        </button>
      )}
    </Card>
  )
}

function Pair({ of: { items, reason }, reasons }: { of: Match; reasons: readonly string[] }) {
  const [first] = items
  const blocks = reasons.some((each) => each.includes(`item ${first?.id} of `))
  const none = reason === null ? 'Nothing' : 'On another day'
  return (
    <li className={reason !== null ? undefined : blocks ? styles.open : styles.listed}>
      <Side name="Statement" of={items.filter(({ side }) => side === 'statement')} none={none} />
      <Side name="Ledger" of={items.filter(({ side }) => side === 'ledger')} none={none} />
      <div>
        {reason !== null ? sentence(reason) : <OpenItem of={first} blocks={blocks} />}
        {first && <Decide item={first} />}
      </div>
    </li>
  )
}

function OpenItem({ of: item, blocks }: { of: SettlementItem | undefined; blocks: boolean }) {
  if (!item) return null
  const { id, side, hint, owner, note, ageDays } = item
  return (
    <>
      <b>Open</b> {counted(ageDays, 'day')} <span className="muted">item {id}</span>
      {hint && <p>{sentence(hint)}</p>}
      {!blocks && !owner && side === 'ledger' && <p>The statement of a later day may show it</p>}
      {owner && (
        <p className="muted">
          {owner}: {note}
        </p>
      )}
    </>
  )
}

function Side({ name, of: items, none }: { name: string; of: readonly SettlementItem[]; none: string }) {
  return (
    <div className={items.length === 0 ? styles.blank : undefined}>
      <span className={styles.side}>{name}</span>
      {items.length === 0 && <span className="muted">{none}</span>}
      {items.map((item) => (
        <p key={item.id}>
          <span>
            <Description of={item} />
          </span>
          <span className="number">{amountOf(item)}</span>
        </p>
      ))}
    </div>
  )
}

function Certificates({ of: certificates }: { of: ClosingDayDetails['certificates'] }) {
  return (
    <Card title="Certificates" flush>
      <Table
        label="Certificates"
        rows={certificates}
        keyOf={({ version }) => version}
        columns={[
          { head: 'Version', cell: ({ version }) => version },
          { head: 'Closed', cell: ({ closedAt }) => <Time of={closedAt} />, wide: true, card: 'when' },
          {
            head: 'State',
            cell: ({ reopenedBecause }) => (reopenedBecause === null ? 'Valid' : `Reopened: ${reopenedBecause}`),
          },
          { head: 'SHA-256', cell: ({ sha256 }) => <span className="mono">{sha256.slice(0, 16)}…</span>, wide: true },
          { head: 'File', cell: (each) => <Download of={each} label="Download" />, card: 'amount' },
        ]}
      />
    </Card>
  )
}
