import type { AchBatch } from '../../../../client/src/index.ts'
import { State } from '../../../components/display/state.tsx'
import { Time } from '../../../components/display/time.tsx'
import { Empty } from '../../../components/feedback/empty.tsx'
import type { Column } from '../../../components/lists/table.tsx'
import { useFilters } from '../../../data/filters.ts'
import { date, money } from '../../../data/format.ts'
import { useList } from '../../../data/list.ts'
import { RailsList } from './rails-list.tsx'

const types = ['payments', 'returns'] as const
const statuses = ['Clearing', 'Settled', 'Rejected'] as const

export const batchColumns: Column<AchBatch>[] = [
  { head: 'Purpose', cell: ({ description, type }) => (type === 'returns' ? 'Returns' : description) },
  { head: 'State', cell: ({ status }) => <State of={status} /> },
  { head: 'SEC', cell: ({ secCode }) => <span className="mono">{secCode}</span>, wide: true },
  { head: 'Cut-off', cell: ({ createdAt }) => <Time of={createdAt} />, number: true, wide: true },
  { head: 'Settles', cell: ({ settlementDate }) => date(settlementDate), number: true, wide: true },
  { head: 'Entries', cell: ({ entryCount }) => entryCount.toLocaleString('en-US'), number: true, wide: true },
  { head: 'Amount', cell: ({ amount, direction }) => money(direction === 'Debit' ? -amount : amount), number: true },
]

/** The batches in outgoing ACH files, newest first. */
export function AchBatches() {
  const [filters, setFilters] = useFilters(['type', 'status', 'settlementDate'])
  const list = useList('listAchBatches', {
    query: {
      limit: 100,
      ...(filters.type && { type: [filters.type as (typeof types)[number]] }),
      ...(filters.status && { status: [filters.status as (typeof statuses)[number]] }),
      ...(filters.settlementDate && { settlementDate: filters.settlementDate }),
    },
  })
  const fields = [
    { name: 'status', label: 'State', options: statuses },
    { name: 'type', label: 'Type', options: types },
    { name: 'settlementDate', label: 'Settlement day', kind: 'date' },
  ] as const
  return (
    <RailsList
      title="Batches"
      type="achBatch"
      list={list}
      columns={batchColumns}
      filters={{ values: filters, set: setFilters, fields }}
      empty={<NoBatch filtered={Object.keys(filters).length > 0} />}
    />
  )
}

function NoBatch({ filtered }: { filtered: boolean }) {
  if (filtered) return <Empty title="No batch matches" />
  return (
    <Empty title="No batch yet">
      <p>
        Payments leave in batches at a cut-off, if the service runs with <code>PURSER_ACH=windows</code>. With{' '}
        <code>instant</code> they are sent at once, without a file.
      </p>
    </Empty>
  )
}
