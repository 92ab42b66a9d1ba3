import type { Event as PurserEvent } from '../../../client/src/index.ts'
import { Copy } from '../../components/display/copy.tsx'
import { Time } from '../../components/display/time.tsx'
import { Empty, Reading } from '../../components/feedback/empty.tsx'
import { ProblemNote } from '../../components/feedback/problem.tsx'
import { Card } from '../../components/layout/card.tsx'
import { mono } from '../../components/layout/details.tsx'
import { ShortList } from '../../components/lists/list-screen.tsx'
import { Table } from '../../components/lists/table.tsx'
import { link, RecordLink } from '../../components/records/record-link.tsx'
import { recordScreen } from '../../components/records/record-page.tsx'
import { type Change, diffOf } from '../../data/developers/diff.ts'
import { count, words } from '../../data/format.ts'
import { useList } from '../../data/list.ts'
import { Json } from './components/json.tsx'
import { deliveries } from './webhooks.tsx'

/** One event: its data, the changes since the version before, its request and its deliveries. */
export const Event = recordScreen('event', ({ id, record: event }) => {
  const { type, entity, sequence, timestamp, apiVersion, request } = event
  const text = JSON.stringify(event.data)
  return {
    name: `Event ${type}`,
    title: type,
    beside: <>of {link(entity.type, entity.id)}</>,
    main: (
      <>
        <Changes event={event} />
        <Card title="Data" aside={<Copy text={text} />}>
          <Json text={text} label="Data of the event" />
        </Card>
        <ShortList
          of={deliveries}
          where={{ eventId: id }}
          columns={['Event', 'State', 'Latest answer', 'Attempts', 'Created']}
          none="No webhook endpoint takes this type of event."
          shown={50}
        />
      </>
    ),
    history: false,
    details: {
      Number: `#${count(sequence)}`,
      [words(entity.type)]: link(entity.type, entity.id),
      Version: entity.version,
      'Bank time': <Time of={timestamp} />,
      'Version of the interface': apiVersion,
      'Caused by': <Cause requestId={request.id} />,
      'Idempotency key': request.idempotencyKey && mono(request.idempotencyKey),
    },
  }
})

/** The request that caused an event, with a link if the log still has it. */
function Cause({ requestId }: { requestId: string | null }) {
  const { rows } = useList(
    'listRequests',
    { query: { requestId: requestId ?? '', limit: 1 } },
    { enabled: requestId !== null },
  )
  if (requestId === null) return 'The bank, by itself'
  const entry = rows[0]
  return entry ? link('request', entry.id, entry.operation) : mono(requestId)
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
