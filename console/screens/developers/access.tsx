import { useState } from 'react'
import type { ApiKey } from '../../../client/src/index.ts'
import { Time } from '../../components/display/time.tsx'
import { Empty } from '../../components/feedback/empty.tsx'
import { Unavailable } from '../../components/feedback/unavailable.tsx'
import { Card } from '../../components/layout/card.tsx'
import { PageTitle } from '../../components/layout/page-title.tsx'
import { type Column, ListTable } from '../../components/lists/table.tsx'
import { useList } from '../../data/list.ts'
import { useMay, useSession } from '../../data/purser.tsx'
import { hasScope } from '../../data/session.ts'
import { recordPath } from '../../routes.ts'
import { AuditLog } from './audit-log.tsx'
import { CreateKey } from './key-form.tsx'

/** The columns of the matrix: an area, and the scopes that open it. */
const areas = [
  ['Banking', 'banking:read', 'banking:write'],
  ['Rewards', 'rewards:read', 'rewards:write'],
  ['Events', 'events:read', undefined],
  ['Webhooks', undefined, 'webhooks:write'],
  ['Keys', undefined, 'keys:write'],
  ['Sandbox', undefined, 'sandbox:write'],
  ['Processor', undefined, 'processor:write'],
  ['Review', undefined, 'review:write'],
  ['Risk', undefined, 'risk:write'],
] as const

/** API keys with the scopes of each, and the log of changes. */
export function Access() {
  const may = useMay('listApiKeys')
  const mayCreate = useMay('createApiKey')
  const { me } = useSession()
  const [creating, setCreating] = useState(false)
  const list = useList('listApiKeys', { query: { sort: '-createdAt', limit: 100 } }, { everyMs: 30_000 })
  return (
    <>
      <PageTitle
        title="Keys and audit"
        actions={
          mayCreate && (
            <button type="button" className="primary" onClick={() => setCreating(true)}>
              New API key
            </button>
          )
        }
      />
      {creating && <CreateKey close={() => setCreating(false)} />}
      {may ? (
        <>
          <Card title="API keys" aside={<span>scopes of each key</span>} flush>
            <ListTable
              label="API keys by scope"
              list={list}
              columns={columnsFor(me.key.id)}
              keyOf={({ id }) => id}
              path={({ id }) => recordPath('apiKey', id)}
              empty={<Empty title="No API key" />}
            />
          </Card>
          <AuditLog />
        </>
      ) : (
        <Unavailable title="Keys and audit" scope="keys:write">
          This service has no keys to manage.
        </Unavailable>
      )}
    </>
  )
}

function columnsFor(ownId: string): Column<ApiKey>[] {
  return [
    {
      head: 'Name',
      cell: ({ id, name }) => (
        <>
          {name} {id === ownId && <b>this key</b>}
        </>
      ),
    },
    ...areas.map(([head, read, write]) => ({
      head,
      cell: ({ scopes }: ApiKey) => <Right scopes={scopes} read={read} write={write} />,
      wide: true,
    })),
    { head: 'Expires', cell: (key) => <Expiry of={key} />, number: true, wide: true },
    {
      head: 'Last used',
      cell: ({ lastUsedAt }) => (lastUsedAt ? <Time of={lastUsedAt} real /> : <span className="muted">Never</span>),
      number: true,
    },
  ]
}

type Scope = NonNullable<ApiKey['scopes']>[number]

function Right({
  scopes,
  read,
  write,
}: {
  scopes: ApiKey['scopes']
  read?: Scope | undefined
  write?: Scope | undefined
}) {
  const has = (scope: Scope | undefined) => scope !== undefined && hasScope({ scopes }, scope)
  if (has(write)) return 'Write'
  return has(read) ? 'Read' : <span className="muted">None</span>
}

export function Expiry({ of: { expiresAt } }: { of: ApiKey }) {
  if (expiresAt === null) return <span className="muted">Never</span>
  return (
    <span className={Date.parse(expiresAt) < Date.now() ? 'bad' : undefined}>
      <Time of={expiresAt} real />
    </span>
  )
}
