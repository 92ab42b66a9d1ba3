import { type LoggedRequest, operations } from '../../../client/src/index.ts'
import { Status } from '../../components/display/state.tsx'
import { Time } from '../../components/display/time.tsx'
import { mono } from '../../components/layout/details.tsx'
import { PageTitle } from '../../components/layout/page-title.tsx'
import { defineList, ListBody } from '../../components/lists/list-screen.tsx'
import { type Filter, useFilters } from '../../data/filters.ts'
import { useList } from '../../data/list.ts'
import { useMay, useSession } from '../../data/purser.tsx'
import { following, useTail } from '../../data/tail.ts'
import { RequestRate } from '../../pictures/request-rate.tsx'
import { TailControl } from './components/tail-control.tsx'
import { Refusals } from './refusals.tsx'

const LIMIT = 1_000
/** More groups would push the log off the screen. */
const SHOWN_GROUPS = 4
const operationIds = Object.keys(operations)

const requests = defineList({
  title: 'Requests',
  operation: 'listRequests',
  type: 'request',
  query: { sort: '-sequence', limit: LIMIT },
  scope: 'events:read',
  absent: 'Only a sandbox keeps a log of requests.',
  columns: [
    {
      head: 'Request',
      cell: ({ method, path }) => mono(`${method} ${path.replace(/^\/v0/, '')}`),
    },
    { head: 'Status', cell: ({ status }) => <Status of={status} /> },
    { head: 'Operation', cell: ({ operation }) => operation, wide: true },
    { head: 'Code', cell: ({ code }) => code && <code>{code}</code>, wide: true },
    {
      head: 'Idempotency key',
      cell: ({ idempotencyKey, replayed }) => (
        <>
          {mono(idempotencyKey)} {replayed && <span className="muted">replayed</span>}
        </>
      ),
      wide: true,
      optional: true,
    },
    { head: 'ms', cell: ({ ms }) => ms.toFixed(1), number: true, wide: true },
    { head: 'At', cell: ({ at }) => <Time of={at} show="exact" real />, number: true, wide: true, card: 'when' },
  ],
  none: [
    'No request yet',
    <>
      Send one, and it appears here:{' '}
      <code>{`curl ${location.origin}/v0/me -H "X-Service-API-Key: $PURSER_API_KEY"`}</code>
    </>,
  ],
})

/** The requests of the organisation as they come. */
export function Requests() {
  const may = useMay('listRequests')
  const { purser } = useSession()
  const [values, set] = useFilters(['status', 'operation', 'code', 'idempotencyKey', 'apiKeyId'])
  const input = { query: { ...values, ...requests.query } }
  const tail = useTail(
    'listRequests',
    input,
    following<LoggedRequest>((after, signal) => purser.requests.follow({ ...values, after, signal })),
  )
  const { rows: keys } = useList('listApiKeys', { query: { limit: 100 } })
  const names = Object.fromEntries(keys.map(({ id, name }) => [id, name]))
  const filters: Filter[] = [
    { name: 'status', label: 'Status', options: ['2xx', '4xx', '5xx'] },
    { name: 'operation', label: 'Operation', suggestions: operationIds },
    { name: 'code', label: 'Code', suggestions: [...new Set(tail.rows.flatMap(({ code }) => code ?? []))] },
    { name: 'idempotencyKey', label: 'Idempotency key' },
    { name: 'apiKeyId', label: 'API key', ...(keys.length > 0 && { options: Object.keys(names), labels: names }) },
  ]
  return (
    <>
      <PageTitle title="Requests" actions={may && <TailControl tail={tail} />} />
      <ListBody
        of={{ ...requests, filters }}
        rows={tail}
        input={input}
        values={values}
        set={set}
        titled
        aside={<span>newest first · requests of the console are left out</span>}
      >
        <div className="halves">
          <RequestRate requests={tail.rows} />
          <Refusals requests={tail.rows} shown={SHOWN_GROUPS} />
        </div>
      </ListBody>
    </>
  )
}
