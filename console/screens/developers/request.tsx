import { useState } from 'react'
import {
  type Event,
  type LoggedRequestDetail,
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
import { Details } from '../../components/layout/details.tsx'
import { PageTitle } from '../../components/layout/page-title.tsx'
import { Tabs } from '../../components/layout/tabs.tsx'
import { Table } from '../../components/lists/table.tsx'
import { RecordLink } from '../../components/records/record-link.tsx'
import { Related } from '../../components/records/related.tsx'
import { inputOf, refusalToReplay } from '../../data/developers/exchange.ts'
import { type Answer, newKey, replay } from '../../data/developers/replay.ts'
import { testSnippet } from '../../data/developers/test-snippet.ts'
import { words } from '../../data/format.ts'
import { useList } from '../../data/list.ts'
import { recordPath } from '../../routes.ts'
import { Record } from '../record.tsx'
import { Message } from './components/message.tsx'

/** One request with its answer and its effects; sends it again, and writes it as a text to paste. */
export function Request({ id }: { id: string }) {
  return (
    <Record type="request" id={id}>
      {({ record, related }) => <Exchange logged={record} related={related} />}
    </Record>
  )
}

function Exchange({ logged, related }: { logged: LoggedRequestDetail; related: readonly RelatedRecord[] }) {
  const { id, operation, method, path, query, status, code } = logged
  const again = useReplay(logged)
  const { rows: events } = useList(
    'listEvents',
    { query: { requestId: logged.requestId, limit: 100 } },
    { enabled: logged.events.length > 0 },
  )
  const caused = events.filter((event) => logged.events.includes(event.id))
  return (
    <>
      <PageTitle
        name={`Request ${operation}`}
        title={operation}
        parent={{ name: 'Requests', path: '/requests' }}
        id={id}
        actions={<Replays logged={logged} {...again} />}
      >
        <Status of={status} /> {code && <code>{code}</code>}
      </PageTitle>
      <ProblemNote error={again.error} />
      <div className="columns">
        <div>
          {again.answer && <NewAnswer answer={again.answer} logged={logged} />}
          <Message
            title="Request"
            aside={
              <span className="mono">
                {method} {path}
                {query && `?${query}`}
              </span>
            }
            message={logged.request}
          />
          {!again.answer && <Message title="Answer" aside={<Status of={status} />} message={logged.response} />}
          <Caused events={caused} />
          <CopyAs logged={logged} />
        </div>
        <div>
          <Facts logged={logged} />
          <Related related={withEntities(related, caused)} />
        </div>
      </div>
    </>
  )
}

/** The records of the events beside those that the service links. Events and the key are shown elsewhere. */
function withEntities(related: readonly RelatedRecord[], events: readonly Event[]): RelatedRecord[] {
  const records = events.map(({ entity: { type, id } }) => ({ relation: type, type, id }) as RelatedRecord)
  const all = [...related.filter(({ type }) => type !== 'event' && type !== 'apiKey'), ...records]
  return [...new Map(all.map((each) => [`${each.type} ${each.id}`, each])).values()]
}

function Facts({ logged }: { logged: LoggedRequestDetail }) {
  const { at, ms, apiKeyId, idempotencyKey, replayed, requestId } = logged
  const mono = (text: string) => <span className="mono">{text}</span>
  return (
    <Card title="Details">
      <Details
        items={[
          ['Arrived', <Time key="at" of={at} real />],
          ['Answered after', `${ms.toFixed(1)} ms`],
          ['API key', <RecordLink key="key" type="apiKey" id={apiKeyId} />],
          ['Idempotency key', idempotencyKey === null ? 'None' : mono(idempotencyKey)],
          ['Answer', replayed ? 'That of the first request with this key' : undefined],
          ['Request id', mono(requestId)],
        ]}
      />
    </Card>
  )
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
        columns={[
          { head: 'Type', cell: ({ type }) => <span className="mono">{type}</span> },
          { head: 'Record', cell: ({ entity }) => `${words(entity.type)} ${entity.id}` },
          { head: 'Number', cell: ({ sequence }) => `#${sequence}`, number: true, wide: true },
          { head: 'Bank time', cell: ({ timestamp }) => <Time of={timestamp} exact />, number: true, wide: true },
        ]}
      />
    </Card>
  )
}

interface Replaying {
  answer: Answer | undefined
  error: unknown
  busy: boolean
  send(idempotencyKey: string | undefined): void
}

function useReplay(logged: LoggedRequestDetail): Replaying {
  const [answer, setAnswer] = useState<Answer>()
  const [error, setError] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const send = (idempotencyKey: string | undefined) => {
    setBusy(true)
    setError(undefined)
    replay(logged, idempotencyKey)
      .then(setAnswer, setError)
      .finally(() => setBusy(false))
  }
  return { answer, error, busy, send }
}

/** Sends the request again. A request that writes has one effect per idempotency key. */
function Replays({ logged, busy, send }: { logged: LoggedRequestDetail } & Replaying) {
  const reason = refusalToReplay(logged)
  if (reason) return <span className="muted">Not repeatable: {reason}</span>
  const { method, idempotencyKey } = logged
  if (method !== 'POST') {
    return (
      <button type="button" disabled={busy} onClick={() => send(undefined)}>
        Replay
      </button>
    )
  }
  return (
    <>
      {idempotencyKey !== null && (
        <button type="button" disabled={busy} onClick={() => send(idempotencyKey)}>
          Replay with the same key
        </button>
      )}
      <button type="button" disabled={busy} onClick={() => send(newKey())}>
        Replay with a new key
      </button>
    </>
  )
}

/** The answer to the replay beside the one before. */
function NewAnswer({ answer, logged }: { answer: Answer; logged: LoggedRequestDetail }) {
  const { status, ms, replayed, requestId, idempotencyKey } = answer
  const { rows } = useList(
    'listRequests',
    { query: { requestId: requestId ?? '', limit: 1 } },
    { enabled: requestId !== undefined, everyMs: 2_000 },
  )
  const entry = rows[0]
  return (
    <>
      <p role="status" className="row" style={{ marginBottom: 12 }}>
        {replayed
          ? 'The service repeated the answer of the first request and changed nothing.'
          : `The request was ${status < 400 ? 'carried out again' : 'refused'}${idempotencyKey ? `, sent with the key ${idempotencyKey}` : ''}.`}
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
