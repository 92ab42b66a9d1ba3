import { useState } from 'react'
import { Link } from 'wouter'
import type { Delivery } from '../../../client/src/index.ts'
import { State } from '../../components/display/state.tsx'
import { Time } from '../../components/display/time.tsx'
import { Empty } from '../../components/feedback/empty.tsx'
import { ProblemNote } from '../../components/feedback/problem.tsx'
import { Card } from '../../components/layout/card.tsx'
import { Filters } from '../../components/lists/filters.tsx'
import { type Column, ListTable } from '../../components/lists/table.tsx'
import { RecordLink } from '../../components/records/record-link.tsx'
import { useFilters } from '../../data/filters.ts'
import { useList } from '../../data/list.ts'
import { useMay, useSession } from '../../data/purser.tsx'
import { recordPath } from '../../routes.ts'
import styles from './all-deliveries.module.css'
import { LatestAnswer } from './deliveries.tsx'

const statuses = ['Pending', 'Succeeded', 'Failed'] as const

/** The number of deliveries that the screen of an endpoint shows. */
const SHOWN = 25

/**
 * Deliveries to all endpoints, newest first, or the newest ones to one endpoint. Those that are selected can be sent
 * again.
 */
export function AllDeliveries({ endpointId }: { endpointId?: string }) {
  const may = useMay('listAllDeliveries')
  const maySend = useMay('redeliverEvent')
  const [filters, setFilters] = useFilters(['status', 'eventType', 'endpointId'])
  const only = endpointId ?? filters.endpointId
  const [selected, setSelected] = useState<readonly string[]>([])
  const { rows: types } = useList('listEventTypes')
  const list = useList(
    'listAllDeliveries',
    {
      query: {
        sort: '-createdAt',
        limit: endpointId === undefined ? 100 : SHOWN,
        ...(only && { endpointId: only }),
        ...(filters.status && { status: filters.status as (typeof statuses)[number] }),
        ...(filters.eventType && { eventType: filters.eventType as 'payment.*' }),
      },
    },
    { everyMs: 3_000 },
  )
  if (!may) return null
  const names = types.map(({ type }) => type)
  return (
    <>
      <Filters
        values={filters}
        set={setFilters}
        fields={[
          { name: 'status', label: 'State', options: statuses },
          {
            name: 'eventType',
            label: 'Type of event',
            options: names,
            labels: Object.fromEntries(names.map((name) => [name, name])),
          },
          ...(endpointId === undefined ? [{ name: 'endpointId', label: 'Endpoint' }] : []),
        ]}
      />
      <Card
        title="Deliveries"
        aside={maySend && <SendSelected selected={selected} done={() => setSelected([])} />}
        flush
      >
        <ListTable
          label="Deliveries"
          list={endpointId === undefined ? list : { ...list, hasMore: false }}
          columns={[
            ...(maySend ? [selection(selected, setSelected)] : []),
            ...columns.filter(({ head }) => endpointId === undefined || head !== 'Endpoint'),
          ]}
          keyOf={({ id }) => id}
          empty={
            <Empty title={Object.keys(filters).length > 0 ? 'No delivery matches' : 'No delivery yet'}>
              <p>Each event that an endpoint takes makes one.</p>
            </Empty>
          }
        />
        {endpointId !== undefined && list.hasMore && (
          <p className={styles.more}>
            <Link href={`/webhooks?endpointId=${endpointId}`}>All deliveries to this endpoint</Link>
          </p>
        )}
      </Card>
    </>
  )
}

function selection(selected: readonly string[], set: (selected: readonly string[]) => void): Column<Delivery> {
  return {
    head: 'Send',
    cell: ({ id, eventId, eventType }) => (
      <input
        type="checkbox"
        aria-label={`Select ${eventType} ${id}`}
        // A test is no event of the feed and cannot be sent again.
        disabled={eventType === 'webhookEndpoint.test'}
        checked={selected.includes(eventId)}
        onChange={({ target }) =>
          set(target.checked ? [...selected, eventId] : selected.filter((each) => each !== eventId))
        }
      />
    ),
  }
}

const columns: Column<Delivery>[] = [
  {
    head: 'Event',
    cell: ({ id, eventType }) => (
      <Link href={recordPath('delivery', id)} data-row="" className="mono">
        {eventType}
      </Link>
    ),
  },
  { head: 'State', cell: ({ status }) => <State of={status} /> },
  { head: 'Latest answer', cell: ({ attempts }) => <LatestAnswer of={attempts.at(-1)} />, wide: true },
  { head: 'Attempts', cell: ({ attempts }) => attempts.length, number: true, wide: true },
  {
    head: 'Endpoint',
    cell: ({ endpointId }) => <RecordLink type="webhookEndpoint" id={endpointId} />,
    wide: true,
  },
  { head: 'Created', cell: ({ createdAt }) => <Time of={createdAt} />, number: true, wide: true },
]

/** Sends the events of the selected deliveries again, one after the other. */
function SendSelected({ selected, done }: { selected: readonly string[]; done(): void }) {
  const { purser } = useSession()
  const [error, setError] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const send = async () => {
    setBusy(true)
    setError(undefined)
    try {
      for (const eventId of new Set(selected)) await purser.events.redeliver(eventId)
      done()
    } catch (fault) {
      setError(fault)
    } finally {
      setBusy(false)
    }
  }
  return (
    <span className="row">
      <ProblemNote error={error} />
      <button
        type="button"
        disabled={busy || selected.length === 0}
        title="An event goes to every endpoint that takes it"
        onClick={send}
      >
        {busy ? 'Sending…' : selected.length > 0 ? `Send ${new Set(selected).size} again` : 'Send again'}
      </button>
    </span>
  )
}
