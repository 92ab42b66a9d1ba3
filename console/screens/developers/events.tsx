import type { Event, EventFilter, FollowOptions } from '../../../client/src/index.ts'
import { Time } from '../../components/display/time.tsx'
import { Empty } from '../../components/feedback/empty.tsx'
import { Unavailable } from '../../components/feedback/unavailable.tsx'
import { Card } from '../../components/layout/card.tsx'
import { PageTitle } from '../../components/layout/page-title.tsx'
import { Tabs } from '../../components/layout/tabs.tsx'
import { Filters } from '../../components/lists/filters.tsx'
import { type Column, ListTable } from '../../components/lists/table.tsx'
import { type FilterValues, useFilters } from '../../data/filters.ts'
import { words } from '../../data/format.ts'
import { useList } from '../../data/list.ts'
import { useMay, useSession } from '../../data/purser.tsx'
import { following, type Tail, useTail } from '../../data/tail.ts'
import { recordPath } from '../../routes.ts'
import { TailControl } from './components/tail-control.tsx'
import { EventCatalogue } from './event-catalogue.tsx'

const LIMIT = 200
const views = ['Feed', 'Catalogue'] as const

const eventColumns: Column<Event>[] = [
  { head: 'Type', cell: ({ type }) => <span className="mono">{type}</span> },
  { head: 'Record', cell: ({ entity }) => `${words(entity.type)} ${entity.id}` },
  { head: 'Version', cell: ({ entity }) => entity.version, number: true, wide: true },
  { head: 'Number', cell: ({ sequence }) => `#${sequence}`, number: true, wide: true },
  { head: 'Bank time', cell: ({ timestamp }) => <Time of={timestamp} />, number: true, wide: true },
]

/** The feed of events as they come, and the catalogue of their types. */
export function Events() {
  const may = useMay('listEvents')
  const [filters, setFilters] = useFilters(['view', 'type', 'entityType', 'entityId', 'requestId'])
  const { view, ...feed } = filters
  const chosen = view === 'catalogue' ? 'Catalogue' : 'Feed'
  const tabs = (
    <Tabs
      label="View"
      names={views}
      chosen={chosen}
      choose={(name) => setFilters(name === 'Catalogue' ? { view: 'catalogue' } : {})}
    />
  )
  if (chosen === 'Catalogue') {
    return (
      <>
        <PageTitle title="Events">{tabs}</PageTitle>
        <EventCatalogue filters={feed} set={(values) => setFilters({ ...values, view: 'catalogue' })} />
      </>
    )
  }
  if (may) return <Feed filters={feed} set={setFilters} tabs={tabs} />
  return (
    <>
      <PageTitle title="Events">{tabs}</PageTitle>
      <Unavailable title="Events" scope="events:read">
        This service has no feed of events.
      </Unavailable>
    </>
  )
}

interface FeedProps {
  filters: FilterValues
  set(values: FilterValues): void
  tabs: React.ReactNode
}

function Feed({ filters, set, tabs }: FeedProps) {
  const tail = useFeed(filters)
  const { rows: types } = useList('listEventTypes')
  const kinds = [...new Set(types.map(({ type }) => type.slice(0, type.indexOf('.'))))]
  const choices = kinds.flatMap((kind) => [
    `${kind}.*`,
    ...types.map(({ type }) => type).filter((type) => type.startsWith(`${kind}.`)),
  ])
  return (
    <>
      <PageTitle title="Events" actions={<TailControl tail={tail} />}>
        {tabs}
      </PageTitle>
      <Filters
        values={filters}
        set={set}
        fields={[
          {
            name: 'type',
            label: 'Type',
            options: choices,
            labels: Object.fromEntries(choices.map((each) => [each, each])),
          },
          { name: 'entityType', label: 'Kind of record', options: kinds },
          { name: 'entityId', label: 'Record' },
          { name: 'requestId', label: 'Request id' },
        ]}
      />
      <Card title="Events" flush bare>
        <ListTable
          label="Events"
          list={tail}
          columns={eventColumns}
          keyOf={({ id }) => id}
          path={({ id }) => recordPath('event', id)}
          empty={
            <Empty title={Object.keys(filters).length > 0 ? 'No event matches' : 'Nothing has happened yet'}>
              <p>Every change makes an event. Create a scenario to see some, or call createScenario.</p>
            </Empty>
          }
        />
      </Card>
    </>
  )
}

/** The events that match, newest first, and those that come. */
function useFeed({ type, ...rest }: FilterValues): Tail<Event> {
  const { purser } = useSession()
  const types = type ? [type as EventFilter] : undefined
  return useTail<Event>(
    'listEvents',
    { query: { ...rest, ...(types && { type: types }), sort: '-sequence', limit: LIMIT } },
    following((after, signal) => {
      const options = { ...rest, ...(types && { types }), after, signal } as FollowOptions<EventFilter>
      return purser.events.follow(options) as AsyncGenerator<Event>
    }),
  )
}
