import { useState } from 'react'
import {
  type Event,
  type LoggedRequestDetail,
  type LookedUp,
  type OperationId,
  operations,
  type RelatedRecord,
} from '../../../client/src/index.ts'
import { languages, snippet } from '../../../ground/snippets.ts'
import { Copy } from '../../components/display/copy.tsx'
import { Status } from '../../components/display/state.tsx'
import { Time } from '../../components/display/time.tsx'
import { ProblemNote } from '../../components/feedback/problem.tsx'
import { Card } from '../../components/layout/card.tsx'
import { mono } from '../../components/layout/details.tsx'
import { Tabs } from '../../components/layout/tabs.tsx'
import { Table } from '../../components/lists/table.tsx'
import { link, RecordLink } from '../../components/records/record-link.tsx'
import { Record, RecordPage } from '../../components/records/record-page.tsx'
import { Replays, replayText, useReplay } from '../../components/records/replay.tsx'
import { inputOf } from '../../data/developers/exchange.ts'
import type { Answer } from '../../data/developers/replay.ts'
import { testSnippet } from '../../data/developers/test-snippet.ts'
import { useList } from '../../data/list.ts'
import { recordPath } from '../../routes.ts'
import { Message } from './components/message.tsx'
import { events as eventList } from './event-list.tsx'

/** One request with its answer and its effects; sends it again, and writes it as a text to paste. */
export function Request({ id }: { id: string }) {
  return (
    <Record type="request" id={id}>
      {(found) => <Exchange found={found} />}
    </Record>
  )
}

type Found = Extract<LookedUp, { type: 'request' }>

function Exchange({ found }: { found: Found }) {
  const { record: logged, related } = found
  const { operation, method, path, query, status, code } = logged
  const again = useReplay(logged)
  const { rows: events } = useList(
    'listEvents',
    { query: { requestId: logged.requestId, limit: 100 } },
    { enabled: logged.events.length > 0 },
  )
  const caused = events.filter((event) => logged.events.includes(event.id))
  return (
    <RecordPage
      found={{ ...found, related: withEntities(related, caused), actions: [] }}
      parts={{
        name: `Request ${operation}`,
        title: operation,
        beside: (
          <>
            <Status of={status} /> {code && <code>{code}</code>}
          </>
        ),
        buttons: <Replays logged={logged} {...again} />,
        first: <ProblemNote error={again.error} />,
        main: (
          <>
            {again.answer && <NewAnswer answer={again.answer} logged={logged} />}
            <Message
              title="Request"
              aside={mono(`${method} ${path}${query ? `?${query}` : ''}`)}
              message={logged.request}
            />
            {!again.answer && <Message title="Answer" aside={<Status of={status} />} message={logged.response} />}
            <Caused events={caused} />
            <CopyAs logged={logged} />
          </>
        ),
        history: false,
        details: {
          Arrived: <Time of={logged.at} real />,
          'Answered after': `${logged.ms.toFixed(1)} ms`,
          'API key': link('apiKey', logged.apiKeyId),
          'Idempotency key': logged.idempotencyKey === null ? 'None' : mono(logged.idempotencyKey),
          Answer: logged.replayed && 'That of the first request with this key',
          'Request id': mono(logged.requestId),
        },
      }}
    />
  )
}

/** The records of the events beside those that the service links. Events and the key are shown elsewhere. */
function withEntities(related: readonly RelatedRecord[], events: readonly Event[]): RelatedRecord[] {
  const records = events.map(({ entity: { type, id } }) => ({ relation: type, type, id }) as RelatedRecord)
  const all = [...related.filter(({ type }) => type !== 'event' && type !== 'apiKey'), ...records]
  return [...new Map(all.map((each) => [`${each.type} ${each.id}`, each])).values()]
}

function Caused({ events }: { events: readonly Event[] }) {
  if (events.length === 0) return null
  return (
    <Card title={events.length === 1 ? 'Event that it caused' : 'Events that it caused'} flush>
      <Table
        label="Events that it caused"
        rows={events}
        keyOf={({ id }) => id}
        path={({ id }) => recordPath('event', id)}
        columns={eventList.columns.filter(({ head, optional }) => !optional && head !== 'Version')}
      />
    </Card>
  )
}

/** The answer to the replay beside the one before. */
function NewAnswer({ answer, logged }: { answer: Answer; logged: LoggedRequestDetail }) {
  const { status, ms, requestId } = answer
  const { rows } = useList(
    'listRequests',
    { query: { requestId: requestId ?? '', limit: 1 } },
    { enabled: requestId !== undefined },
  )
  const entry = rows[0]
  return (
    <>
      <p role="status" className="row" style={{ marginBottom: 12 }}>
        {replayText(answer)}
        {entry && (
          <RecordLink type="request" id={entry.id}>
            Open the new request
          </RecordLink>
        )}
      </p>
      <div className="halves">
        <Message title="First answer" aside={<Status of={logged.status} />} message={logged.response} />
        <Message
          title="New answer"
          aside={
            <>
              <Status of={status} /> <span>{ms.toFixed(0)} ms</span>
            </>
          }
          message={answer}
        />
      </div>
    </>
  )
}

const forms = [...languages, 'Vitest'] as const
type Form = (typeof forms)[number]

/** The request as a text to paste. */
function CopyAs({ logged }: { logged: LoggedRequestDetail }) {
  const [form, setForm] = useState<Form>('curl')
  const text =
    form === 'Vitest'
      ? testSnippet(logged)
      : snippet(form, operations[logged.operation as OperationId], inputOf(logged), location.origin)
  return (
    <Card
      title="Copy as"
      aside={
        <span className="row">
          <Tabs label="Form" names={forms} chosen={form} choose={(name) => setForm(name)} />
          <Copy text={text} />
        </span>
      }
    >
      <pre>{text}</pre>
      {form === 'Vitest' && (
        <p className="muted" style={{ marginTop: 12 }}>
          The test starts a bank of its own with purser/testing. Ids are those of a new scenario; add the steps that
          bring its records into the state that you test.
        </p>
      )}
    </Card>
  )
}
