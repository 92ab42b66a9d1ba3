import type { ReactNode } from 'react'
import type { Event, EventFilter, FollowOptions } from '../../../client/src/index.ts'
import { PageTitle } from '../../components/layout/page-title.tsx'
import { Tabs } from '../../components/layout/tabs.tsx'
import { ListBody } from '../../components/lists/list-screen.tsx'
import { type Filter, type FilterValues, useFilters } from '../../data/filters.ts'
import { words } from '../../data/format.ts'
import { useList } from '../../data/list.ts'
import { useSession } from '../../data/purser.tsx'
import { following, type Tail, useTail } from '../../data/tail.ts'
import { TailControl } from './components/tail-control.tsx'
import { EventCatalogue } from './event-catalogue.tsx'
import { events } from './event-list.tsx'
import { sameNames } from './webhooks.tsx'

const views = ['Feed', 'Catalogue'] as const

/** The feed of events as they come, and the catalogue of their types. */
export function Events() {
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
  if (chosen === 'Feed') return <Feed values={feed} set={setFilters} tabs={tabs} />
  return (
    <>
      <PageTitle title="Events">{tabs}</PageTitle>
      <EventCatalogue filters={feed} set={(values) => setFilters({ ...values, view: 'catalogue' })} />
    </>
  )
}

interface FeedProps {
  values: FilterValues
  set(values: FilterValues): void
  tabs: ReactNode
}

function Feed({ values, set, tabs }: FeedProps) {
  const tail = useFeed(values)
  const { rows: types } = useList('listEventTypes')
  const kinds = [...new Set(types.map(({ type }) => type.slice(0, type.indexOf('.'))))]
  const choices = kinds.flatMap((kind) => [
    `${kind}.*`,
    ...types.map(({ type }) => type).filter((type) => type.startsWith(`${kind}.`)),
  ])
  const filters: Filter[] = [
    { name: 'type', label: 'Type', options: choices, labels: sameNames(choices) },
    { name: 'entityType', label: 'Kind of record', options: kinds },
    values.entityType
      ? { name: 'entityId', label: words(values.entityType), pick: values.entityType }
      : { name: 'entityId', label: 'Id of the record' },
    { name: 'requestId', label: 'Request id' },
  ]
  return (
    <>
      <PageTitle title="Events" actions={<TailControl tail={tail} />}>
        {tabs}
      </PageTitle>
      <ListBody of={{ ...events, filters }} rows={tail} input={inputOf(values)} values={values} set={set} />
    </>
  )
}

function inputOf({ type, ...rest }: FilterValues) {
  return { query: { ...rest, ...(type && { type: [type as EventFilter] }), ...events.query } }
}

/** The events that match, newest first, and those that come. */
function useFeed(values: FilterValues): Tail<Event> {
  const { purser } = useSession()
  const { type, ...rest } = values
  return useTail<Event>(
    'listEvents',
    inputOf(values),
    following((after, signal) => {
      const options = { ...rest, ...(type && { types: [type] }), after, signal } as FollowOptions<EventFilter>
      return purser.events.follow(options) as AsyncGenerator<Event>
    }),
  )
}
