import { useState } from 'react'
import type { WebhookEndpointWithOutcomes } from '../../../client/src/index.ts'
import { State } from '../../components/display/state.tsx'
import { Empty } from '../../components/feedback/empty.tsx'
import { Unavailable } from '../../components/feedback/unavailable.tsx'
import { Card } from '../../components/layout/card.tsx'
import { PageTitle } from '../../components/layout/page-title.tsx'
import { type Column, ListTable } from '../../components/lists/table.tsx'
import { useList } from '../../data/list.ts'
import { useMay } from '../../data/purser.tsx'
import { recordPath } from '../../routes.ts'
import { AllDeliveries } from './all-deliveries.tsx'
import { CreateEndpoint } from './endpoint-form.tsx'

const columns: Column<WebhookEndpointWithOutcomes>[] = [
  { head: 'URL', cell: ({ url }) => <span className="mono">{url}</span> },
  { head: 'State', cell: (endpoint) => <State of={stateOf(endpoint)} /> },
  { head: 'Events', cell: ({ events }) => <span className="mono">{events.join(', ')}</span>, wide: true },
  { head: 'Delivered', cell: ({ lastDay }) => counted(lastDay.succeeded), number: true, wide: true },
  { head: 'Retried', cell: ({ lastDay }) => counted(lastDay.retried, 'warn'), number: true, wide: true },
  { head: 'Failed', cell: ({ lastDay }) => counted(lastDay.failed, 'bad'), number: true },
]

/** Webhook endpoints with the outcomes of the last day, and all deliveries. */
export function Webhooks() {
  const may = useMay('listWebhookEndpoints')
  const mayCreate = useMay('createWebhookEndpoint')
  const [creating, setCreating] = useState(false)
  const list = useList('listWebhookEndpoints', { query: { sort: '-createdAt', limit: 100 } }, { everyMs: 5_000 })
  return (
    <>
      <PageTitle
        title="Webhooks"
        actions={
          mayCreate && (
            <button type="button" className="primary" onClick={() => setCreating(true)}>
              New endpoint
            </button>
          )
        }
      />
      {creating && <CreateEndpoint close={() => setCreating(false)} />}
      {may ? (
        <>
          <Card title="Endpoints" aside={<span>attempts of the last 24 hours</span>} flush>
            <ListTable
              label="Webhook endpoints"
              list={list}
              columns={columns}
              keyOf={({ id }) => id}
              path={({ id }) => recordPath('webhookEndpoint', id)}
              empty={
                <Empty title="No endpoint yet">
                  <p>Create one for the address of your app, or forward events to it without one:</p>
                  <pre>purser listen --forward-to http://127.0.0.1:3000/webhooks</pre>
                </Empty>
              }
            />
          </Card>
          <AllDeliveries />
        </>
      ) : (
        <Unavailable title="Webhooks" scope="webhooks:write">
          This service has no webhooks.
        </Unavailable>
      )}
    </>
  )
}

/** An endpoint that takes nothing at the moment is failing, although its deliveries are still repeated. */
export function stateOf({ status, lastDay }: WebhookEndpointWithOutcomes): string {
  if (status === 'Disabled') return 'Disabled'
  if (lastDay.failed > 0 || (lastDay.retried > 0 && lastDay.succeeded === 0)) return 'Failing'
  return lastDay.retried > 0 ? 'Retrying' : 'Enabled'
}

function counted(count: number, tone?: 'warn' | 'bad') {
  const text = count.toLocaleString('en-US')
  return count > 0 && tone ? <span className={tone}>{text}</span> : text
}
