import { type LoggedRequest, operations } from '../../../client/src/index.ts'
import { Status } from '../../components/display/state.tsx'
import { Time } from '../../components/display/time.tsx'
import { Empty } from '../../components/feedback/empty.tsx'
import { Unavailable } from '../../components/feedback/unavailable.tsx'
import { Card } from '../../components/layout/card.tsx'
import { PageTitle } from '../../components/layout/page-title.tsx'
import { Filters } from '../../components/lists/filters.tsx'
import { type Column, ListTable, Table } from '../../components/lists/table.tsx'
import { groupsOf } from '../../data/developers/traffic.ts'
import { useFilters } from '../../data/filters.ts'
import { useList } from '../../data/list.ts'
import { useMay, useSession } from '../../data/purser.tsx'
import { following, type Tail, useTail } from '../../data/tail.ts'
import { RequestRate } from '../../pictures/request-rate.tsx'
import { recordPath } from '../../routes.ts'
import { TailControl } from './components/tail-control.tsx'

const LIMIT = 1_000
/** More groups would push the log off the screen. */
const SHOWN_GROUPS = 4
const operationIds = Object.keys(operations)

const requestColumns: Column<LoggedRequest>[] = [
  {
    head: 'Request',
    cell: ({ method, path }) => (
      <span className="mono">
        {method} {path.replace(/^\/v0/, '')}
      </span>
    ),
  },
  { head: 'Status', cell: ({ status }) => <Status of={status} /> },
  { head: 'Operation', cell: ({ operation }) => operation, wide: true },
  { head: 'Code', cell: ({ code }) => code && <code>{code}</code>, wide: true },
  {
    head: 'Idempotency key',
    cell: ({ idempotencyKey, replayed }) => (
      <>
        <span className="mono">{idempotencyKey}</span> {replayed && <span className="muted">replayed</span>}
      </>
    ),
    wide: true,
  },
  { head: 'ms', cell: ({ ms }) => ms.toFixed(1), number: true, wide: true },
  { head: 'At', cell: ({ at }) => <Time of={at} exact real />, number: true, wide: true },
]

/** The requests of the organisation as they come. */
export function Requests() {
  const may = useMay('listRequests')
  if (may) return <RequestLog />
  return (
    <>
      <PageTitle title="Requests" />
      <Unavailable title="Requests" scope="events:read">
        Only a sandbox keeps a log of requests.
      </Unavailable>
    </>
  )
}

function RequestLog() {
  const [filters, setFilters] = useFilters(['status', 'operation', 'code', 'idempotencyKey', 'apiKeyId'])
  const tail = useRequests(filters)
  const keys = useList('listApiKeys', { query: { limit: 100 } })
  return (
    <>
      <PageTitle title="Requests" actions={<TailControl tail={tail} />} />
      <Filters
        values={filters}
        set={setFilters}
        fields={[
          { name: 'status', label: 'Status', options: ['2xx', '4xx', '5xx'] },
          { name: 'operation', label: 'Operation', suggestions: operationIds },
          { name: 'code', label: 'Code', suggestions: [...new Set(tail.rows.flatMap(({ code }) => code ?? []))] },
          { name: 'idempotencyKey', label: 'Idempotency key' },
          keys.rows.length > 0
            ? {
                name: 'apiKeyId',
                label: 'API key',
                options: keys.rows.map(({ id }) => id),
                labels: Object.fromEntries(keys.rows.map(({ id, name }) => [id, name])),
              }
            : { name: 'apiKeyId', label: 'API key' },
        ]}
      />
      <div className="halves">
        <RequestRate requests={tail.rows} />
        <Refusals requests={tail.rows} />
      </div>
      <RequestTable tail={tail} filtered={Object.keys(filters).length > 0} />
    </>
  )
}

function RequestTable({ tail, filtered }: { tail: Tail<LoggedRequest>; filtered: boolean }) {
  return (
    <Card title="Log" aside={<span>newest first · requests of the console are left out</span>} flush>
      <ListTable
        label="Requests"
        list={tail}
        columns={requestColumns}
        keyOf={({ id }) => id}
        path={({ id }) => recordPath('request', id)}
        empty={
          filtered ? (
            <Empty title="No request matches" />
          ) : (
            <Empty title="No request yet">
              <p>Send one, and it appears here:</p>
              <pre>{`curl ${location.origin}/v0/me \\\n  -H "X-Service-API-Key: $PURSER_API_KEY"`}</pre>
            </Empty>
          )
        }
      />
    </Card>
  )
}

/** Refused requests by operation and code. */
function Refusals({ requests }: { requests: readonly LoggedRequest[] }) {
  const groups = groupsOf(requests)
  return (
    <Card title="Refusals by operation and code" flush>
      {groups.length === 0 ? (
        <Empty title="No request was refused" />
      ) : (
        <Table
          label="Refusals by operation and code"
          rows={groups.slice(0, SHOWN_GROUPS)}
          keyOf={({ key }) => key}
          path={({ operation, code }) => `/requests?operation=${operation}&code=${code}`}
          columns={[
            { head: 'Code', cell: ({ code }) => <code>{code}</code> },
            { head: 'Operation', cell: ({ operation }) => operation },
            { head: 'Count', cell: ({ count }) => count, number: true },
          ]}
        />
      )}
    </Card>
  )
}

/** The requests that match, newest first, and those that come. */
function useRequests(filters: Record<string, string>): Tail<LoggedRequest> {
  const { purser } = useSession()
  return useTail(
    'listRequests',
    { query: { ...filters, sort: '-sequence', limit: LIMIT } },
    following((after, signal) => purser.requests.follow({ ...filters, after, signal })),
  )
}
