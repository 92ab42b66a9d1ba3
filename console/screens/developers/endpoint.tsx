import type { WebhookEndpointWithOutcomes } from '../../../client/src/index.ts'
import { Action, SendForm } from '../../components/forms/actions.tsx'
import { Form } from '../../components/forms/form.tsx'
import { Card } from '../../components/layout/card.tsx'
import { Details, mono } from '../../components/layout/details.tsx'
import { Dialog, DialogButton } from '../../components/layout/dialog.tsx'
import { recordScreen } from '../../components/records/record-page.tsx'
import { endpointState } from '../../data/endpoints.ts'
import { count } from '../../data/format.ts'
import { useCall, useSend } from '../../data/purser.tsx'
import { EditEndpoint, EndpointSecret } from './endpoint-form.tsx'
import { SignatureDoctor } from './signature-doctor.tsx'
import { Deliveries } from './webhooks.tsx'

/** One webhook endpoint: its deliveries, its settings, and a check of signatures. */
export const Endpoint = recordScreen('webhookEndpoint', ({ id, record: endpoint }) => {
  const { url, description, events, status, disabledReason, lastDay } = endpoint
  return {
    name: `Webhook endpoint ${id}`,
    title: url,
    state: endpointState(endpoint),
    own: {
      updateWebhookEndpoint: () => <Update endpoint={endpoint} />,
      rotateWebhookSecret: () => (
        <DialogButton label="Rotate the secret…" own>
          {(close) => <RotateSecret id={id} close={close} />}
        </DialogButton>
      ),
      recoverWebhookEndpoint: () => (
        <DialogButton label="Send failed ones again…" title="Send failed deliveries again">
          {(close) => <Recover id={id} close={close} />}
        </DialogButton>
      ),
    },
    main: (
      <>
        <Deliveries endpointId={id} />
        <SignatureDoctor endpointId={id} />
      </>
    ),
    history: false,
    details: {
      Description: description,
      State: status,
      Disabled: disabledReason && reasons[disabledReason],
      Events: mono(events.join(', ')),
    },
    side: (
      <Card title="Attempts of the last 24 hours">
        <Details
          of={{
            Delivered: count(lastDay.succeeded),
            'Failed, to be repeated': count(lastDay.retried),
            'Failed for good': count(lastDay.failed),
          }}
        />
      </Card>
    ),
    without: 'all',
  }
})

const reasons = {
  Requested: 'By request',
  Gone: 'The receiver answered 410',
  Failing: 'Deliveries failed for five days',
}

function Update({ endpoint }: { endpoint: WebhookEndpointWithOutcomes }) {
  const change = endpoint.status === 'Enabled' ? 'Disabled' : 'Enabled'
  return (
    <span className="row">
      <DialogButton label="Edit…" title="Edit the endpoint" wide>
        {(close) => <EditEndpoint endpoint={endpoint} close={close} />}
      </DialogButton>
      <Action
        operation="updateWebhookEndpoint"
        form={{ label: change === 'Disabled' ? 'Disable' : 'Enable', body: { status: change } }}
        target={{ webhookEndpointId: endpoint.id }}
      />
    </span>
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
  const { data: clock } = useCall('getClock', {})
  const now = clock?.now ?? new Date().toISOString()
  return (
    <SendForm
      operation="recoverWebhookEndpoint"
      submit="Send again"
      input={(body) => ({ params: { webhookEndpointId: id }, body })}
      done={close}
      fields={[
        {
          name: 'since',
          label: 'Created after, in bank time',
          initial: new Date(Date.parse(now) - DAY_MS).toISOString(),
          hint: 'Deliveries that failed for good are sent again; those that succeeded are not.',
        },
      ]}
    />
  )
}
