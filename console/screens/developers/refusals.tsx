import { Link } from 'wouter'
import type { LoggedRequest } from '../../../client/src/index.ts'
import { Time } from '../../components/display/time.tsx'
import { Empty } from '../../components/feedback/empty.tsx'
import { Card } from '../../components/layout/card.tsx'
import { type Column, Table } from '../../components/lists/table.tsx'
import { groupsOf, type RefusalGroup } from '../../data/developers/traffic.ts'
import { count, words } from '../../data/format.ts'
import styles from './refusals.module.css'

const columns: Column<RefusalGroup>[] = [
  { head: 'Code', cell: ({ code }) => <code>{code}</code> },
  { head: 'Operation', cell: ({ operation }) => operation },
  { head: 'Latest', cell: ({ last }) => <Time of={last.at} real />, number: true, wide: true, card: 'when' },
  { head: 'Count', cell: (group) => count(group.count), number: true },
]

interface Props {
  requests: readonly LoggedRequest[]
  shown: number
}

/** Refused requests by operation and code. */
export function Refusals({ requests: rows, shown }: Props) {
  const groups = groupsOf(rows)
  return (
    <Card title="Refusals by operation and code" flush>
      {groups.length === 0 ? (
        <Empty title="No request was refused" />
      ) : (
        <Table
          label="Refusals by operation and code"
          rows={groups.slice(0, shown)}
          keyOf={({ key }) => key}
          path={({ operation, code }) => `/requests?operation=${operation}&code=${code}`}
          columns={columns}
        />
      )}
    </Card>
  )
}

/** Refused requests by code as a picture: the most frequent first. */
export function RefusalBars({ requests: rows, shown }: Props) {
  const codes = new Map<string, number>()
  for (const { code, count: times } of groupsOf(rows)) codes.set(code, (codes.get(code) ?? 0) + times)
  const most = [...codes].sort(([, one], [, other]) => other - one).slice(0, shown)
  const top = most[0]?.[1] ?? 0
  return (
    <Card
      title="Refused requests"
      {...(top > 0 && { aside: <Link href="/requests?status=4xx">All {count(rows.length)}</Link> })}
    >
      {top === 0 ? (
        <p className="muted">No request was refused.</p>
      ) : (
        <ul className={styles.bars}>
          {most.map(([code, times]) => (
            <li key={code}>
              <Link href={`/requests?code=${code}`}>{words(code)}</Link>
              <span className="number">{count(times)}</span>
              <div aria-hidden="true">
                <div style={{ width: `${(100 * times) / top}%` }} />
              </div>
              <code>{code}</code>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
