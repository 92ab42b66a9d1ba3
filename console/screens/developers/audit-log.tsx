import type { AuditEntry } from '../../../client/src/index.ts'
import { State } from '../../components/display/state.tsx'
import { Time } from '../../components/display/time.tsx'
import { Empty } from '../../components/feedback/empty.tsx'
import { Card } from '../../components/layout/card.tsx'
import { Filters } from '../../components/lists/filters.tsx'
import { type Column, ListTable } from '../../components/lists/table.tsx'
import { RecordLink } from '../../components/records/record-link.tsx'
import { type FilterValues, useFilters } from '../../data/filters.ts'
import { words } from '../../data/format.ts'
import { useList } from '../../data/list.ts'
import { useMay } from '../../data/purser.tsx'
import { recordPath } from '../../routes.ts'

const columns: Column<AuditEntry>[] = [
  { head: 'Action', cell: ({ action }) => <span className="mono">{action}</span> },
  { head: 'By', cell: ({ actor }) => actor.name ?? 'The bank, by itself' },
  { head: 'Outcome', cell: (entry) => <Outcome of={entry} />, wide: true },
  { head: 'Record', cell: ({ record }) => record && <Changed record={record} />, wide: true },
  { head: 'Bank time', cell: ({ at }) => <Time of={at} />, number: true, wide: true },
]

/** Changes with the key that made them, and denied requests, newest first. */
export function AuditLog() {
  const may = useMay('listAuditLog')
  const [filters, setFilters] = useFilters(['since', 'until', 'outcome', 'action', 'key'])
  const { since, until } = filters
  const list = useList('listAuditLog', {
    query: {
      limit: 100,
      ...(since && { since: `${since}T00:00:00.000Z` }),
      ...(until && { until: `${until}T23:59:59.999Z` }),
    },
  })
  if (!may) return null
  return (
    <>
      <Filters
        values={filters}
        set={setFilters}
        fields={[
          { name: 'since', label: 'From', kind: 'date' },
          { name: 'until', label: 'To', kind: 'date' },
          { name: 'outcome', label: 'Outcome', options: ['Done', 'Denied'] },
          { name: 'action', label: 'Action' },
          { name: 'key', label: 'API key' },
        ]}
      />
      <Card title="Audit log" aside={<span>newest first</span>} flush>
        <ListTable
          label="Audit log"
          list={{ ...list, rows: list.rows.filter((entry) => matches(entry, filters)) }}
          columns={columns}
          keyOf={({ eventId, at, requestId, action }) => eventId ?? `${at} ${requestId} ${action}`}
          path={({ eventId }) => (eventId === null ? undefined : recordPath('event', eventId))}
          empty={<Empty title={list.hasMore ? 'No entry matches so far' : 'No entry matches'} />}
        />
      </Card>
    </>
  )
}

/** The log is filtered by time by the service, and otherwise here; it reads on until the screen is full. */
function matches({ outcome, action, actor }: AuditEntry, filters: FilterValues): boolean {
  const key = filters.key?.toLowerCase()
  return (
    (!filters.outcome || outcome === filters.outcome) &&
    (!filters.action || action.toLowerCase().includes(filters.action.toLowerCase())) &&
    (!key || actor.id === key || (actor.name ?? '').toLowerCase().includes(key))
  )
}

function Outcome({ of: { outcome, denial } }: { of: AuditEntry }) {
  if (!denial) return <State of={outcome} />
  const { code, path, address, unwritten } = denial
  return (
    <>
      <State of={outcome} />{' '}
      <span className="muted" title={`${path} from ${address}`}>
        <code>{code}</code>
        {unwritten > 0 && ` and ${unwritten} more`}
      </span>
    </>
  )
}

function Changed({ record: { type, id } }: { record: NonNullable<AuditEntry['record']> }) {
  return (
    <RecordLink type={type} id={id}>
      {words(type)} {id}
    </RecordLink>
  )
}
