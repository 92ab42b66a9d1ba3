import { useState } from 'react'
import type { ApiKey, CreateApiKeyRequest } from '../../../client/src/index.ts'
import { Checks } from '../../components/forms/checks.tsx'
import { Form } from '../../components/forms/form.tsx'
import { Dialog } from '../../components/layout/dialog.tsx'
import { useSend, useSession } from '../../data/purser.tsx'
import { Secret } from './components/secret.tsx'

export const scopes = [
  'banking:read',
  'banking:write',
  'rewards:read',
  'rewards:write',
  'events:read',
  'webhooks:write',
  'keys:write',
  'sandbox:write',
  'processor:write',
  'review:write',
  'risk:write',
] as const satisfies NonNullable<ApiKey['scopes']>

const DAY_MS = 86_400_000
const accesses = [
  { value: 'scopes', label: 'The scopes below' },
  { value: 'full', label: 'Full access' },
]
const lifetimes = [
  { value: '1', label: 'After a day' },
  { value: '7', label: 'After a week' },
  { value: '30', label: 'After 30 days' },
  { value: '90', label: 'After 90 days' },
  { value: '365', label: 'After a year' },
]

/** Creates an API key, and shows its secret. */
export function CreateKey({ close }: { close(): void }) {
  const { mutate, data, error, isPending } = useSend('createApiKey')
  const [chosen, setChosen] = useState<string[]>([])
  if (data) return <KeySecret title={`Secret of “${data.name}”`} secret={data.key} close={close} />
  const send = ({ name, access, days }: Record<string, unknown>) => {
    const body = {
      name,
      ...(access === 'scopes' && { scopes: chosen }),
      ...(days !== undefined && { expiresAt: new Date(Date.now() + Number(days) * DAY_MS).toISOString() }),
    }
    mutate({ body: body as CreateApiKeyRequest })
  }
  return (
    <Dialog title="New API key" close={close}>
      <Form
        fields={[
          { name: 'name', label: 'Name', hint: 'The app or the person that uses it' },
          { name: 'access', label: 'Access', options: accesses },
          {
            name: 'days',
            label: 'Expires',
            options: lifetimes,
            optional: true,
            initial: '',
            hint: 'Never if it is left out',
          },
        ]}
        submit="Create"
        send={send}
        busy={isPending}
        error={error}
      >
        <Checks legend="Scopes" options={scopes} chosen={chosen} set={setChosen} />
        <p className="muted">A write scope includes reading.</p>
      </Form>
    </Dialog>
  )
}

const graces = [
  { value: '0', label: 'At once' },
  { value: '3600', label: 'After an hour' },
  { value: '86400', label: 'After a day' },
  { value: '604800', label: 'After a week' },
]

/** Replaces the secret of a key. */
export function RotateKey({ apiKey, close }: { apiKey: ApiKey; close(): void }) {
  const { me, enter } = useSession()
  const { mutate, data, error, isPending } = useSend('rotateApiKey')
  const own = apiKey.id === me.key.id
  const leave = () => {
    close()
    // The console goes on with the new secret of its own key.
    if (own && data) enter(data.key)
  }
  if (data) return <KeySecret title={`New secret of “${data.name}”`} secret={data.key} close={leave} />
  const send = ({ graceSeconds }: Record<string, unknown>) =>
    mutate({ params: { apiKeyId: apiKey.id }, body: { graceSeconds: Number(graceSeconds) } })
  return (
    <Dialog title="Rotate the secret" close={close}>
      <Form
        fields={[
          {
            name: 'graceSeconds',
            label: 'The present secret ends',
            // The console itself needs the present secret until the new one is shown.
            options: own ? graces.slice(1) : graces,
            initial: '86400',
          },
        ]}
        submit="Rotate"
        send={send}
        busy={isPending}
        error={error}
      >
        <p>Name, scopes and expiry stay.</p>
      </Form>
    </Dialog>
  )
}

export function KeySecret({ title, secret, close }: { title: string; secret: string; close(): void }) {
  const isLive = useSession().me.mode === 'live'
  return (
    <Secret title={title} secret={secret} close={close}>
      {!isLive && (
        <p>
          <a href={`${location.origin}/console#key=${encodeURIComponent(secret)}`} target="_blank" rel="noreferrer">
            Open the console with this key
          </a>
        </p>
      )}
    </Secret>
  )
}
