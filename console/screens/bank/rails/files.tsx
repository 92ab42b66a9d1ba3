import type { AchFile } from '../../../../client/src/index.ts'
import { State } from '../../../components/display/state.tsx'
import { Time } from '../../../components/display/time.tsx'
import { Empty } from '../../../components/feedback/empty.tsx'
import type { Column } from '../../../components/lists/table.tsx'
import { useFilters } from '../../../data/filters.ts'
import { money } from '../../../data/format.ts'
import { useList } from '../../../data/list.ts'
import { RailsList } from './rails-list.tsx'

const directions = ['Outgoing', 'Incoming'] as const

const columns: Column<AchFile>[] = [
  { head: 'Name', cell: ({ name }) => <span className="mono">{name}</span> },
  { head: 'Direction', cell: ({ direction }) => direction, wide: true },
  { head: 'State', cell: ({ status }) => <State of={status} /> },
  { head: 'Time', cell: ({ createdAt }) => <Time of={createdAt} />, number: true, wide: true },
  { head: 'Entries', cell: ({ entryCount }) => entryCount.toLocaleString('en-US'), number: true, wide: true },
  { head: 'Credits', cell: ({ credits }) => money(credits), number: true, wide: true },
  { head: 'Debits', cell: ({ debits }) => money(debits), number: true, wide: true },
]

/** The ACH files of a sandbox, newest first. */
export function AchFiles() {
  const [filters, setFilters] = useFilters(['direction'])
  const list = useList('listAchFiles', {
    query: { limit: 100, ...(filters.direction && { direction: [filters.direction as (typeof directions)[number]] }) },
  })
  const fields = [{ name: 'direction', label: 'Direction', options: directions }]
  return (
    <RailsList
      title="Files"
      type="achFile"
      list={list}
      columns={columns}
      filters={{ values: filters, set: setFilters, fields }}
      empty={
        <Empty title="No file yet">
          <p>
            A file leaves at a cut-off with pending payments, if the service runs with <code>PURSER_ACH=windows</code>.
            Advance the clock to pass a cut-off.
          </p>
        </Empty>
      }
    />
  )
}
