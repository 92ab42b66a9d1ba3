import { Link } from 'wouter'
import type { ApiKey as Key } from '../../../client/src/index.ts'
import { Time } from '../../components/display/time.tsx'
import { Card } from '../../components/layout/card.tsx'
import { Details } from '../../components/layout/details.tsx'
import { DialogButton } from '../../components/layout/dialog.tsx'
import { recordScreen } from '../../components/records/record-page.tsx'
import { useMay, useSession } from '../../data/purser.tsx'
import { hasScope } from '../../data/session.ts'
import { Expiry } from './access.tsx'
import { RotateKey, scopes } from './key-form.tsx'

/** One API key: its scopes, its use, and its operations. */
export const ApiKey = recordScreen('apiKey', ({ id, record: key }) => ({
  name: `API key ${key.name}`,
  title: key.name,
  beside: <OwnKey id={id} />,
  state: key.expiresAt !== null && Date.parse(key.expiresAt) < Date.now() ? 'Expired' : undefined,
  own: {
    rotateApiKey: () => (
      <DialogButton label="Rotate the secret…" own>
        {(close) => <RotateKey apiKey={key} close={close} />}
      </DialogButton>
    ),
  },
  main: <Scopes apiKey={key} />,
  details: {
    Expires: <Expiry of={key} />,
    'Last used': key.lastUsedAt ? <Time of={key.lastUsedAt} real /> : 'Never',
    Requests: <RequestsLink id={id} />,
  },
  without: 'all',
}))

function OwnKey({ id }: { id: string }) {
  return id === useSession().me.key.id && <span className="muted">The key of this console</span>
}

function RequestsLink({ id }: { id: string }) {
  const may = useMay('listRequests')
  return may ? <Link href={`/requests?apiKeyId=${id}`}>Requests of this key</Link> : 'Not logged'
}

const meanings: Record<(typeof scopes)[number], string> = {
  'banking:read': 'Reads accounts, payments, cards, customers and the ledger',
  'banking:write': 'Changes them',
  'rewards:read': 'Reads offers and rewards',
  'rewards:write': 'Changes users, cards and purchases of rewards',
  'events:read': 'Reads events and the log of requests',
  'webhooks:write': 'Manages webhook endpoints and deliveries',
  'keys:write': 'Manages API keys and reads the audit log',
  'sandbox:write': 'Runs simulations, the clock and fault rules',
  'processor:write': 'Acts as the card processor; a key has it only by name',
  'review:write': 'Reviews applications and payments; a key has it only by name',
  'risk:write': 'Sets limits, freezes and holds as the bank; in live mode a key has it only by name',
}

function Scopes({ apiKey: { scopes: own } }: { apiKey: Key }) {
  const shown = scopes.filter((scope) => hasScope({ scopes: own }, scope))
  return (
    <Card title="Scopes" aside={<span>{own === null ? 'no restriction' : 'a write scope includes reading'}</span>}>
      <Details of={Object.fromEntries(shown.map((scope) => [scope, meanings[scope]]))} />
    </Card>
  )
}
