import type { ApiKey, AuditEntry } from '../../../client/src/index.ts'
import { State } from '../../components/display/state.tsx'
import { Time } from '../../components/display/time.tsx'
import { DialogButton } from '../../components/layout/dialog.tsx'
import { PageTitle } from '../../components/layout/page-title.tsx'
import { defineList, ListBody, useInput } from '../../components/lists/list-screen.tsx'
import { link } from '../../components/records/record-link.tsx'
import { days } from '../../data/filters.ts'
import { count, words } from '../../data/format.ts'
import { useList } from '../../data/list.ts'
import { everyMs } from '../../data/live.ts'
import { useManagesPeople } from '../../data/people/members.ts'
import { useMay, useSession } from '../../data/purser.tsx'
import { hasScope } from '../../data/session.ts'
import { recordPath } from '../../routes.ts'
import { CreateKey } from './key-form.tsx'
import { accessTabs } from './people/person.tsx'

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

const keys = defineList({
  title: 'API keys',
  operation: 'listApiKeys',
  type: 'apiKey',
  scope: 'keys:write',
  absent: 'This service has no keys to manage.',
  columns: [
    { head: 'Name', cell: (key) => <KeyName of={key} /> },
    ...areas.map(([head, read, write], at) => ({
      head,
      cell: ({ scopes }: ApiKey) => <Right scopes={scopes} read={read} write={write} />,
      wide: at < 4 || ('widest' as const),
    })),
    { head: 'Expires', cell: (key) => <Expiry of={key} />, number: true, wide: true },
    {
      head: 'Last used',
      cell: ({ lastUsedAt }) => (lastUsedAt ? <Time of={lastUsedAt} real /> : <span className="muted">Never</span>),
      number: true,
    },
  ],
  none: ['No API key'],
})

/** API keys with the scopes of each, and the log of changes. */
export function Access() {
  const may = useMay('listApiKeys')
  const mayAudit = useMay('listAuditLog')
  const mayCreate = useMay('createApiKey')
  const manages = useManagesPeople()
  const { input } = useInput(keys)
  const rows = useList('listApiKeys', input, { everyMs: everyMs.outside })
  return (
    <>
      <PageTitle
        title="Keys and audit"
        {...(manages && { tabs: accessTabs })}
        actions={
          mayCreate && (
            <DialogButton label="New API key" className="primary" own>
              {(close) => <CreateKey close={close} />}
            </DialogButton>
          )
        }
      />
      {(may || !mayAudit) && <ListBody of={keys} rows={rows} input={input} values={{}} set={() => undefined} titled />}
      {mayAudit && <AuditLog />}
    </>
  )
}

function KeyName({ of: { id, name } }: { of: ApiKey }) {
  const { me } = useSession()
  return (
    <>
      {name} {id === me.key.id && <b>this key</b>}
    </>
  )
}

type Scope = NonNullable<ApiKey['scopes']>[number]

interface RightProps {
  scopes: ApiKey['scopes']
  read?: Scope | undefined
  write?: Scope | undefined
}

function Right({ scopes, read, write }: RightProps) {
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

const audit = defineList({
  title: 'Audit log',
  operation: 'listAuditLog',
  query: { limit: 100 },
  filters: [
    ...days,
    { name: 'outcome', label: 'Outcome', options: ['Done', 'Denied'] },
    { name: 'action', label: 'Action' },
    { name: 'actor', label: 'By' },
    { name: 'recordId', label: 'Id of the record' },
  ],
  columns: [
    { head: 'Action', cell: ({ action }) => <span title={action}>{words(action)}</span> },
    { head: 'By', cell: ({ actor }) => <Actor of={actor} /> },
    { head: 'Outcome', cell: (entry) => <Outcome of={entry} />, wide: true },
    {
      head: 'Record',
      cell: ({ record }) => record && link(record.type, record.id, `${words(record.type)} ${record.id}`),
      wide: true,
    },
    { head: 'Reason', cell: ({ reason }) => reason, wide: true, optional: true },
    { head: 'Created', cell: ({ at }) => <Time of={at} />, number: true, wide: true, card: 'when' },
  ],
  keyOf: ({ eventId, at, requestId, action }) => eventId ?? `${at} ${requestId} ${action}`,
  path: ({ eventId }) => (eventId === null ? undefined : recordPath('event', eventId)),
  none: ['Nothing has happened yet'],
})

/** Changes with who made them, and denied requests, newest first. */
function AuditLog() {
  const { values, set, input } = useInput(audit)
  const list = useList('listAuditLog', input)
  return <ListBody of={audit} rows={list} input={input} values={values} set={set} titled />
}

function Actor({ of: { type, name, session } }: { of: AuditEntry['actor'] }) {
  if (!session) return name ?? (type === 'operator' ? 'The operator' : 'The bank, by itself')
  return <span title={`Session ${session.id ?? 'refused'} from ${session.address}`}>{name}</span>
}

function Outcome({ of: { outcome, denial } }: { of: AuditEntry }) {
  if (!denial) return <State of={outcome} />
  const { code, path, address, unwritten } = denial
  return (
    <>
      <State of={outcome} />{' '}
      <span className="muted" title={`${path} from ${address}`}>
        <code>{code}</code>
        {unwritten > 0 && ` and ${count(unwritten)} more`}
      </span>
    </>
  )
}
