import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { ApiKey as Key, RecordAction } from '../../../client/src/index.ts'
import { State } from '../../components/display/state.tsx'
import { Time } from '../../components/display/time.tsx'
import { Action } from '../../components/forms/actions.tsx'
import { Card } from '../../components/layout/card.tsx'
import { Details } from '../../components/layout/details.tsx'
import { PageTitle } from '../../components/layout/page-title.tsx'
import { ByApi } from '../../components/records/by-api.tsx'
import { History } from '../../components/records/history.tsx'
import { actionForms } from '../../data/actions.ts'
import { useMay, useSession } from '../../data/purser.tsx'
import { hasScope } from '../../data/session.ts'
import { Record } from '../record.tsx'
import { Expiry } from './access.tsx'
import { RotateKey, scopes } from './key-form.tsx'

/** One API key: its scopes, its use, and its operations. */
export function ApiKey({ id }: { id: string }) {
  const { me } = useSession()
  return (
    <Record type="apiKey" id={id}>
      {({ record: key, actions }) => (
        <>
          <PageTitle
            name={`API key ${key.name}`}
            title={key.name}
            parent={{ name: 'Keys and audit', path: '/access' }}
            id={id}
            actions={<KeyActions apiKey={key} actions={actions} />}
          >
            {id === me.key.id && <span className="muted">The key of this console</span>}
            {key.expiresAt !== null && Date.parse(key.expiresAt) < Date.now() && <State of="Expired" />}
          </PageTitle>
          <div className="columns">
            <div>
              <Scopes apiKey={key} />
              <History type="apiKey" id={id} />
              <ByApi title="This key by API" operation="lookUpRecord" input={{ params: { type: 'apiKey', id } }} />
            </div>
            <Facts apiKey={key} />
          </div>
        </>
      )}
    </Record>
  )
}

function KeyActions({ apiKey, actions }: { apiKey: Key; actions: readonly RecordAction[] }) {
  const [rotating, setRotating] = useState(false)
  const [, go] = useLocation()
  const remove = actions.find(({ operation }) => operation === 'deleteApiKey')
  const form = actionForms.deleteApiKey
  return (
    <>
      {actions.some(({ operation }) => operation === 'rotateApiKey') && (
        <button type="button" onClick={() => setRotating(true)}>
          Rotate the secret…
        </button>
      )}
      {remove && form && (
        <Action
          operation="deleteApiKey"
          form={form}
          target={{ apiKeyId: apiKey.id }}
          refusal={remove.allowed === false ? remove.problem : null}
          done={() => go('/access')}
        />
      )}
      {rotating && <RotateKey apiKey={apiKey} close={() => setRotating(false)} />}
    </>
  )
}

function Facts({ apiKey }: { apiKey: Key }) {
  const mayLog = useMay('listRequests')
  const { id, createdAt, lastUsedAt } = apiKey
  return (
    <Card title="Details">
      <Details
        items={[
          [
            'Id',
            <span key="id" className="mono">
              {id}
            </span>,
          ],
          ['Created', <Time key="created" of={createdAt} real />],
          ['Expires', <Expiry key="expires" of={apiKey} />],
          ['Last used', lastUsedAt ? <Time key="used" of={lastUsedAt} real /> : 'Never'],
          [
            'Requests',
            mayLog && (
              <Link key="requests" href={`/requests?apiKeyId=${id}`}>
                Requests of this key
              </Link>
            ),
          ],
        ]}
      />
    </Card>
  )
}

const meanings: globalThis.Record<(typeof scopes)[number], string> = {
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
  return (
    <Card title="Scopes" aside={<span>{own === null ? 'no restriction' : 'a write scope includes reading'}</span>}>
      <Details
        items={scopes
          .filter((scope) => hasScope({ scopes: own }, scope))
          .map((scope) => [scope, <span key={scope}>{meanings[scope]}</span>])}
      />
    </Card>
  )
}
