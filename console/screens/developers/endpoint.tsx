import { useState } from 'react'
import { useLocation } from 'wouter'
import type { RecordAction, WebhookEndpointWithOutcomes } from '../../../client/src/index.ts'
import { State } from '../../components/display/state.tsx'
import { Time } from '../../components/display/time.tsx'
import { Action, Actions } from '../../components/forms/actions.tsx'
import { Form } from '../../components/forms/form.tsx'
import { Card } from '../../components/layout/card.tsx'
import { Details } from '../../components/layout/details.tsx'
import { Dialog } from '../../components/layout/dialog.tsx'
import { PageTitle } from '../../components/layout/page-title.tsx'
import { ByApi } from '../../components/records/by-api.tsx'
import { actionForms } from '../../data/actions.ts'
import { useCall, useSend } from '../../data/purser.tsx'
import { Record, targetOf } from '../record.tsx'
import { AllDeliveries } from './all-deliveries.tsx'
import { EditEndpoint, EndpointSecret } from './endpoint-form.tsx'
import { SignatureDoctor } from './signature-doctor.tsx'
import { stateOf } from './webhooks.tsx'

/** One webhook endpoint: its deliveries, its settings, and a check of signatures. */
export function Endpoint({ id }: { id: string }) {
  return (
    <Record type="webhookEndpoint" id={id}>
      {(found) => {
        const { record: endpoint, actions } = found
        return (
          <>
            <PageTitle
              name={`Webhook endpoint ${id}`}
              title={endpoint.url}
              parent={{ name: 'Webhooks', path: '/webhooks' }}
              id={id}
              actions={<EndpointActions endpoint={endpoint} actions={actions} target={targetOf(found)} />}
            >
              <State of={stateOf(endpoint)} />
            </PageTitle>
            <div className="columns">
              <div>
                <AllDeliveries endpointId={id} />
                <SignatureDoctor endpointId={id} />
                <ByApi
                  title="This endpoint by API"
                  operation="getWebhookEndpoint"
                  input={{ params: { webhookEndpointId: id } }}
                />
              </div>
              <Facts endpoint={endpoint} />
            </div>
          </>
        )
      }}
    </Record>
  )
}

const reasons = {
  Requested: 'By request',
  Gone: 'The receiver answered 410',
  Failing: 'Deliveries failed for five days',
}

function Facts({ endpoint }: { endpoint: WebhookEndpointWithOutcomes }) {
  const { description, events, status, disabledReason, createdAt, lastDay } = endpoint
  return (
    <div>
      <Card title="Details">
        <Details
          items={[
            ['Description', description],
            ['State', status],
            ['Disabled', disabledReason && reasons[disabledReason]],
            ['Created', <Time key="at" of={createdAt} />],
            [
              'Events',
              <span key="events" className="mono">
                {events.join(', ')}
              </span>,
            ],
          ]}
        />
      </Card>
      <Card title="Attempts of the last 24 hours">
        <Details
          items={[
            ['Delivered', lastDay.succeeded.toLocaleString('en-US')],
            ['Failed, to be repeated', lastDay.retried.toLocaleString('en-US')],
            ['Failed for good', lastDay.failed.toLocaleString('en-US')],
          ]}
        />
      </Card>
    </div>
  )
}

interface ActionsProps {
  endpoint: WebhookEndpointWithOutcomes
  actions: readonly RecordAction[]
  target: globalThis.Record<string, string>
}

function EndpointActions({ endpoint, actions, target }: ActionsProps) {
  const [open, setOpen] = useState<'edit' | 'recover' | 'rotate'>()
  const has = (operation: string) => actions.some((each) => each.operation === operation)
  const [, go] = useLocation()
  const close = () => setOpen(undefined)
  const change = endpoint.status === 'Enabled' ? 'Disabled' : 'Enabled'
  return (
    <>
      {has('updateWebhookEndpoint') && (
        <>
          <button type="button" onClick={() => setOpen('edit')}>
            Edit…
          </button>
          <Action
            operation="updateWebhookEndpoint"
            form={{ label: change === 'Disabled' ? 'Disable' : 'Enable', body: { status: change } }}
            target={target}
            refusal={null}
          />
        </>
      )}
      {has('rotateWebhookSecret') && (
        <button type="button" onClick={() => setOpen('rotate')}>
          Rotate the secret…
        </button>
      )}
      {has('recoverWebhookEndpoint') && (
        <button type="button" onClick={() => setOpen('recover')}>
          Send failed ones again…
        </button>
      )}
      <Actions actions={actions.filter(({ operation }) => operation !== 'deleteWebhookEndpoint')} target={target} />
      {has('deleteWebhookEndpoint') && actionForms.deleteWebhookEndpoint && (
        <Action
          operation="deleteWebhookEndpoint"
          form={actionForms.deleteWebhookEndpoint}
          target={target}
          refusal={null}
          done={() => go('/webhooks')}
        />
      )}
      {open === 'edit' && <EditEndpoint endpoint={endpoint} close={close} />}
      {open === 'rotate' && <RotateSecret id={endpoint.id} close={close} />}
      {open === 'recover' && <Recover id={endpoint.id} close={close} />}
    </>
  )
}

function RotateSecret({ id, close }: { id: string; close(): void }) {
  const { mutate, data, error, isPending } = useSend('rotateWebhookSecret')
  if (data) return <EndpointSecret title="New secret" secret={data.secret} close={close} />
  return (
    <Dialog title="Rotate the secret" close={close}>
      <Form
        fields={[]}
        submit="Rotate"
        send={() => mutate({ params: { webhookEndpointId: id } })}
        busy={isPending}
        error={error}
      >
        <p>For 24 hours, deliveries carry signatures by both the new secret and the present one.</p>
      </Form>
    </Dialog>
  )
}

const DAY_MS = 86_400_000

/** Sends the deliveries again that failed for good since a time. */
function Recover({ id, close }: { id: string; close(): void }) {
  const { mutate, error, isPending } = useSend('recoverWebhookEndpoint', close)
  const { data: clock } = useCall('getClock', {})
  const now = clock?.now ?? new Date().toISOString()
  return (
    <Dialog title="Send failed deliveries again" close={close}>
      <Form
        fields={[
          {
            name: 'since',
            label: 'Created after, in bank time',
            initial: new Date(Date.parse(now) - DAY_MS).toISOString(),
            hint: 'Deliveries that failed for good are sent again; those that succeeded are not.',
          },
        ]}
        submit="Send again"
        send={(body) => mutate({ params: { webhookEndpointId: id }, body: body as { since: string } })}
        busy={isPending}
        error={error}
      />
    </Dialog>
  )
}
