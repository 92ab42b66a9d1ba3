import type { Event as PurserEvent } from '../../../client/src/index.ts'
import { Copy } from '../../components/display/copy.tsx'
import { Time } from '../../components/display/time.tsx'
import { Empty, Reading } from '../../components/feedback/empty.tsx'
import { ProblemNote } from '../../components/feedback/problem.tsx'
import { Actions } from '../../components/forms/actions.tsx'
import { Card } from '../../components/layout/card.tsx'
import { Details } from '../../components/layout/details.tsx'
import { PageTitle } from '../../components/layout/page-title.tsx'
import { ListTable, Table } from '../../components/lists/table.tsx'
import { ByApi } from '../../components/records/by-api.tsx'
import { RecordLink } from '../../components/records/record-link.tsx'
import { Related } from '../../components/records/related.tsx'
import { type Change, diffOf } from '../../data/developers/diff.ts'
import { words } from '../../data/format.ts'
import { useList } from '../../data/list.ts'
import { useMay } from '../../data/purser.tsx'
import { recordPath } from '../../routes.ts'
import { Record, targetOf } from '../record.tsx'
import { Json } from './components/json.tsx'
import { deliveryColumns } from './deliveries.tsx'

/** One event: its data, the changes since the version before, its request and its deliveries. */
export function Event({ id }: { id: string }) {
  return (
    <Record type="event" id={id}>
      {(found) => {
        const { record: event, related, actions } = found
        const text = JSON.stringify(event.data)
        return (
          <>
            <PageTitle
              name={`Event ${event.type}`}
              title={event.type}
              parent={{ name: 'Events', path: '/events' }}
              id={id}
              actions={<Actions actions={actions} target={targetOf(found)} />}
            >
              <span>
                of <RecordLink type={event.entity.type} id={event.entity.id} />
              </span>
            </PageTitle>
            <div className="columns">
              <div>
                <Changes event={event} />
                <Card title="Data" aside={<Copy text={text} />}>
                  <Json text={text} label="Data of the event" />
                </Card>
                <Deliveries eventId={id} />
                <ByApi title="This event by API" operation="getEvent" input={{ params: { eventId: id } }} />
              </div>
              <div>
                <Facts event={event} />
                <Related related={related} />
              </div>
            </div>
          </>
        )
      }}
    </Record>
  )
}

function Facts({ event }: { event: PurserEvent }) {
  const { sequence, entity, timestamp, apiVersion, request } = event
  return (
    <Card title="Details">
      <Details
        items={[
          ['Number', `#${sequence}`],
          [words(entity.type), <RecordLink key="record" type={entity.type} id={entity.id} />],
          ['Version', entity.version],
          ['Bank time', <Time key="at" of={timestamp} />],
          ['Version of the interface', apiVersion],
          ['Caused by', <Cause key="request" requestId={request.id} />],
          [
            'Idempotency key',
            request.idempotencyKey && (
              <span key="key" className="mono">
                {request.idempotencyKey}
              </span>
            ),
          ],
        ]}
      />
    </Card>
  )
}

/** The request that caused an event, with a link if the log still has it. */
function Cause({ requestId }: { requestId: string | null }) {
  const { rows } = useList(
    'listRequests',
    { query: { requestId: requestId ?? '', limit: 1 } },
    { enabled: requestId !== null },
  )
  if (requestId === null) return 'The bank, by itself'
  const entry = rows[0]
  if (!entry) return <span className="mono">{requestId}</span>
  return (
    <RecordLink type="request" id={entry.id}>
      {entry.operation}
    </RecordLink>
  )
}

/** The members that changed since the event before about the same record. */
function Changes({ event }: { event: PurserEvent }) {
  const { type, id } = event.entity
  const { rows, error, isPending } = useList('listEvents', {
    query: { entityType: type as 'payment', entityId: id, before: event.sequence, sort: '-sequence', limit: 1 },
  })
  const before = rows[0]
  if (isPending) return <Reading />
  if (!before) return <ProblemNote error={error} />
  const changes = diffOf(before.data, event.data)
  return (
    <Card
      title={`Changes since version ${before.entity.version}`}
      aside={
        <RecordLink type="event" id={before.id}>
          {before.type}
        </RecordLink>
      }
      flush
    >
      {changes.length === 0 ? (
        <Empty title="The data is the same" />
      ) : (
        <Table
          label="Changed members"
          rows={changes}
          keyOf={({ path }) => path}
          columns={[
            { head: 'Member', cell: ({ path }: Change) => <code>{path}</code> },
            { head: 'Before', cell: ({ before: value }) => <Value of={value} tone="bad" /> },
            { head: 'After', cell: ({ after: value }) => <Value of={value} tone="good" /> },
          ]}
        />
      )}
    </Card>
  )
}

function Value({ of: value, tone }: { of: unknown; tone: 'good' | 'bad' }) {
  if (value === undefined) return <span className="muted">absent</span>
  const text = JSON.stringify(value)
  return (
    <span className={`mono ${tone}`} title={text}>
      {text}
    </span>
  )
}

function Deliveries({ eventId }: { eventId: string }) {
  const may = useMay('listAllDeliveries')
  const list = useList('listAllDeliveries', { query: { eventId, limit: 50 } }, { everyMs: 5_000 })
  if (!may) return null
  return (
    <Card title="Deliveries" flush>
      <ListTable
        label="Deliveries of this event"
        list={list}
        columns={deliveryColumns}
        keyOf={({ id }) => id}
        path={({ id }) => recordPath('delivery', id)}
        empty={<Empty title="No webhook endpoint takes this type of event" />}
      />
    </Card>
  )
}
