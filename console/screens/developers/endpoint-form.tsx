import { useState } from 'react'
import type { CreateWebhookEndpointRequest, WebhookEndpointWithOutcomes } from '../../../client/src/index.ts'
import { Checks } from '../../components/forms/checks.tsx'
import { type Field, Form } from '../../components/forms/form.tsx'
import { Dialog } from '../../components/layout/dialog.tsx'
import { useList } from '../../data/list.ts'
import { useSend } from '../../data/purser.tsx'
import { Secret } from './components/secret.tsx'

/** Creates a webhook endpoint, and shows its secret. */
export function CreateEndpoint({ close }: { close(): void }) {
  const { mutate, data, error, isPending } = useSend('createWebhookEndpoint')
  if (data) return <EndpointSecret title="Secret of the new endpoint" secret={data.secret} close={close} />
  return (
    <Dialog title="New endpoint" close={close} wide>
      <EndpointForm submit="Create" send={(body) => mutate({ body })} busy={isPending} error={error} />
    </Dialog>
  )
}

/** Changes address, events and description of a webhook endpoint. */
export function EditEndpoint({ endpoint, close }: { endpoint: WebhookEndpointWithOutcomes; close(): void }) {
  const { mutate, error, isPending } = useSend('updateWebhookEndpoint', close)
  const send = ({ description, ...body }: CreateWebhookEndpointRequest) =>
    mutate({ params: { webhookEndpointId: endpoint.id }, body: { ...body, description: description ?? null } })
  return <EndpointForm endpoint={endpoint} submit="Save" send={send} busy={isPending} error={error} />
}

export function EndpointSecret({ title, secret, close }: { title: string; secret: string; close(): void }) {
  return (
    <Secret title={title} secret={secret} close={close}>
      <p className="muted">
        Give it to the receiver, which verifies each delivery with <code>purser.webhooks.unwrap</code>.
      </p>
    </Secret>
  )
}

interface FormProps {
  endpoint?: WebhookEndpointWithOutcomes
  submit: string
  send(body: CreateWebhookEndpointRequest): void
  busy: boolean
  error: unknown
}

function EndpointForm({ endpoint, submit, send, busy, error }: FormProps) {
  const { rows: types } = useList('listEventTypes')
  const kinds = ['*', ...new Set(types.map(({ type }) => `${type.slice(0, type.indexOf('.'))}.*`))]
  const [chosen, setChosen] = useState<string[]>(endpoint?.events.filter(isKind) ?? ['*'])
  const fields: Field[] = [
    { name: 'url', label: 'URL', initial: endpoint?.url ?? 'http://127.0.0.1:3000/webhooks' },
    { name: 'description', label: 'Description', initial: endpoint?.description ?? '', optional: true },
    {
      name: 'types',
      label: 'Single types',
      initial: endpoint?.events.filter((each) => !isKind(each)).join(' ') ?? '',
      optional: true,
      hint: 'With spaces between them, such as payment.returned account.closed',
    },
  ]
  const handle = ({ types: single, ...rest }: Record<string, unknown>) => {
    const events = [...chosen, ...String(single ?? '').split(/[\s,]+/)].filter(Boolean)
    send({ ...rest, events } as CreateWebhookEndpointRequest)
  }
  return (
    <Form fields={fields} submit={submit} send={handle} busy={busy} error={error}>
      <Checks legend="Events (* for all of them)" options={kinds} chosen={chosen} set={setChosen} />
    </Form>
  )
}

function isKind(filter: string): boolean {
  return filter.endsWith('*')
}
