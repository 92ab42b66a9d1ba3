import { useState } from 'react'
import { Link } from 'wouter'
import type { Delivery } from '../../../client/src/index.ts'
import { useFilters } from '../../data/filters.ts'
import { useList } from '../../data/list.ts'
import { useMay, useSession } from '../../data/purser.tsx'
import { Card } from '../../parts/card.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Filters } from '../../parts/filters.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { RecordLink } from '../../parts/record-link.tsx'
import { State } from '../../parts/state.tsx'
import { type Column, ListTable } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
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
      <Card title="Deliveries" aside={<SendSelected selected={selected} done={() => setSelected([])} />} flush>
        <ListTable
          label="Deliveries"
          list={endpointId === undefined ? list : { ...list, hasMore: false }}
          columns={columnsWith(selected, setSelected, endpointId === undefined)}
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

function columnsWith(
  selected: readonly string[],
  set: (selected: readonly string[]) => void,
  withEndpoint: boolean,
): Column<Delivery>[] {
  const endpoint: Column<Delivery> = {
    head: 'Endpoint',
    cell: ({ endpointId }) => <RecordLink type="webhookEndpoint" id={endpointId} />,
    wide: true,
  }
  return [
    {
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
    },
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
    ...(withEndpoint ? [endpoint] : []),
    { head: 'Created', cell: ({ createdAt }) => <Time of={createdAt} />, number: true, wide: true },
  ]
}

/** Sends the events of the selected deliveries again, one after the other. */
function SendSelected({ selected, done }: { selected: readonly string[]; done(): void }) {
  const { purser } = useSession()
  const may = useMay('redeliverEvent')
  const [error, setError] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  if (!may) return null
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
