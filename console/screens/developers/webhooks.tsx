import { useState } from 'react'
import { Link } from 'wouter'
import type { Delivery, DeliveryAttempt, WebhookEndpointWithOutcomes } from '../../../client/src/index.ts'
import { State, Status } from '../../components/display/state.tsx'
import { Time } from '../../components/display/time.tsx'
import { mono } from '../../components/layout/details.tsx'
import { DialogButton } from '../../components/layout/dialog.tsx'
import { PageTitle } from '../../components/layout/page-title.tsx'
import { defineList, ListBody, useInput } from '../../components/lists/list-screen.tsx'
import type { Column } from '../../components/lists/table.tsx'
import { link } from '../../components/records/record-link.tsx'
import { SendAgain } from '../../components/records/send-again.tsx'
import { useNextOutcome } from '../../data/deliveries.ts'
import { endpointState } from '../../data/endpoints.ts'
import type { Filter } from '../../data/filters.ts'
import { count } from '../../data/format.ts'
import { useList } from '../../data/list.ts'
import { everyMs } from '../../data/live.ts'
import { useMay } from '../../data/purser.tsx'
import { recordPath } from '../../routes.ts'
import { CreateEndpoint } from './endpoint-form.tsx'

const endpoints = defineList({
  title: 'Endpoints',
  operation: 'listWebhookEndpoints',
  type: 'webhookEndpoint',
  scope: 'webhooks:write',
  absent: 'This service has no webhooks.',
  filters: [
    {
      ...{ name: 'failing', label: 'Deliveries', options: ['true', 'false'] },
      labels: { true: 'Not accepted', false: 'Accepted' },
    },
  ],
  columns: [
    { head: 'URL', cell: ({ url }) => mono(url) },
    { head: 'State', cell: (endpoint) => <State of={endpointState(endpoint)} /> },
    { head: 'Events', cell: ({ events }) => mono(events.join(', ')), wide: true },
    { head: 'Delivered', cell: ({ lastDay }) => count(lastDay.succeeded), number: true, wide: true },
    { head: 'Retried', cell: ({ lastDay }) => toned(lastDay.retried, 'warn'), number: true, wide: true },
    { head: 'Failed', cell: ({ lastDay }) => toned(lastDay.failed, 'bad'), number: true },
  ],
  none: [
    'No endpoint yet',
    <>
      Create one for the address of your app, or forward events to it without one:{' '}
      <code>purser listen --forward-to http://127.0.0.1:3000/webhooks</code>
    </>,
  ],
})

function toned(number: number, tone: 'warn' | 'bad') {
  return number > 0 ? <span className={tone}>{count(number)}</span> : '0'
}

/** Webhook endpoints with the outcomes of the last day, and all deliveries. */
export function Webhooks() {
  const may = useMay('listWebhookEndpoints')
  const mayCreate = useMay('createWebhookEndpoint')
  const { values, set, input } = useInput(endpoints)
  const rows = useList('listWebhookEndpoints', input, { everyMs: everyMs.sent })
  return (
    <>
      <PageTitle
        title="Webhooks"
        actions={
          mayCreate && (
            <DialogButton label="New endpoint" className="primary" own>
              {(close) => <CreateEndpoint close={close} />}
            </DialogButton>
          )
        }
      />
      <ListBody
        of={endpoints}
        rows={rows}
        input={input}
        values={values}
        set={set}
        titled
        aside={<span>attempts of the last 24 hours</span>}
      />
      {may && <Deliveries endpoints={rows.rows} />}
    </>
  )
}

/** The deliveries of one event, of one endpoint, or of all. */
export const deliveries = defineList({
  title: 'Deliveries',
  operation: 'listAllDeliveries',
  type: 'delivery',
  scope: 'webhooks:write',
  columns: [
    {
      head: 'Event',
      cell: ({ id, eventType }) => (
        <Link href={recordPath('delivery', id)} data-row="" className="mono">
          {eventType}
        </Link>
      ),
    },
    { head: 'State', cell: ({ status, attempts }) => <State of={deliveryState(status, attempts)} /> },
    { head: 'Latest answer', cell: ({ attempts }) => <LatestAnswer of={attempts.at(-1)} />, wide: true },
    { head: 'Attempts', cell: ({ attempts }) => count(attempts.length), number: true, wide: true },
    { head: 'Created', cell: ({ createdAt }) => <Time of={createdAt} />, number: true, wide: true, card: 'when' },
    { head: 'Id', cell: ({ id }) => mono(id), wide: true, optional: true },
  ],
  path: () => undefined,
  none: ['No delivery yet', 'Each event that an endpoint takes makes one.'],
})

/** A delivery whose latest attempt was not accepted fails, although it is repeated. */
export function deliveryState(status: string, attempts: readonly DeliveryAttempt[]): string {
  return status === 'Pending' && attempts.length > 0 ? 'Failing' : status
}

/** The status of an attempt, or the reason why there was no answer. */
function LatestAnswer({ of: attempt }: { of: DeliveryAttempt | undefined }) {
  if (!attempt) return <span className="muted">No attempt yet</span>
  return (
    <>
      <Status of={attempt.responseStatus} />{' '}
      {attempt.responseStatus === null && <span className="muted">{attempt.error}</span>}
    </>
  )
}

/** The number of deliveries that the screen of an endpoint shows. */
const SHOWN = 25

interface DeliveriesProps {
  endpointId?: string
  /** The endpoints to choose from. */
  endpoints?: readonly WebhookEndpointWithOutcomes[]
}

/**
 * Deliveries to all endpoints, newest first, or the newest ones to one endpoint. Those that are selected can be sent
 * again.
 */
export function Deliveries({ endpointId, endpoints: known = [] }: DeliveriesProps) {
  const may = useMay('listAllDeliveries')
  const maySend = useMay('redeliverDelivery')
  const [selected, setSelected] = useState<readonly string[]>([])
  const { rows: types } = useList('listEventTypes')
  const names = types.map(({ type }) => type)
  const urls = Object.fromEntries(known.map(({ id, url }) => [id, url]))
  const filters: Filter[] = [
    {
      ...{ name: 'status', label: 'State', options: ['Succeeded', 'Pending', 'Failed'] },
      labels: { Pending: 'Failing or waiting', Failed: 'Failed for good' },
    },
    { name: 'eventType', label: 'Type of event', options: names, labels: sameNames(names) },
    ...(endpointId === undefined
      ? [{ name: 'endpointId', label: 'Endpoint', options: Object.keys(urls), labels: urls }]
      : []),
  ]
  const endpoint: Column<Delivery> = {
    head: 'Endpoint',
    cell: (delivery) => link('webhookEndpoint', delivery.endpointId, urls[delivery.endpointId]),
    wide: 'widest',
  }
  const columns = endpointId === undefined ? deliveries.columns.toSpliced(1, 0, endpoint) : deliveries.columns
  const query = { sort: '-createdAt', limit: endpointId ? SHOWN : 100 } as const
  const list = { ...deliveries, columns, filters, query }
  const { values, set, input } = useInput({ ...list, query: { ...list.query, ...(endpointId && { endpointId }) } })
  const rows = useList('listAllDeliveries', input, { everyMs: useNextOutcome() })
  if (!may) return null
  return (
    <>
      <ListBody
        of={list}
        rows={endpointId === undefined ? rows : { ...rows, hasMore: false }}
        input={input}
        values={values}
        set={set}
        before={maySend ? [selection(selected, setSelected)] : []}
        titled
        aside={
          <SendAgain
            of={selected}
            label={selected.length > 0 ? `Send ${count(selected.length)} again` : 'Send again'}
            done={() => setSelected([])}
          />
        }
      />
      {endpointId !== undefined && rows.hasMore && (
        <p>
          <Link href={`/webhooks?endpointId=${endpointId}`}>All deliveries to this endpoint</Link>
        </p>
      )}
    </>
  )
}

/** Names of the interface that are shown as they are. */
export function sameNames(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, name]))
}

function selection(selected: readonly string[], set: (selected: readonly string[]) => void): Column<Delivery> {
  return {
    head: 'Send',
    control: true,
    cell: ({ id, eventType }) => (
      <input
        type="checkbox"
        aria-label={`Select ${eventType} ${id}`}
        // A test is no event of the feed and cannot be sent again.
        disabled={eventType === 'webhookEndpoint.test'}
        checked={selected.includes(id)}
        onChange={({ target }) => set(target.checked ? [...selected, id] : selected.filter((each) => each !== id))}
      />
    ),
  }
}
