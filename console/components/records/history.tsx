import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import {
  type Delivery,
  type HistoryCause,
  type HistoryStep,
  type LedgerTransfer,
  type LedgerTransferSide,
  type LookedUp,
  type OperationId,
  operations,
} from '../../../client/src/index.ts'
import { snippet } from '../../../ground/snippets.ts'
import { inputOf } from '../../data/developers/exchange.ts'
import { amount, count, counted, dayTitle, words } from '../../data/format.ts'
import { useList } from '../../data/list.ts'
import { useCall, useMay, useSession } from '../../data/purser.tsx'
import { recordPath } from '../../routes.ts'
import { Copy } from '../display/copy.tsx'
import { State, Status } from '../display/state.tsx'
import { Time } from '../display/time.tsx'
import { type Moment, TimeLine } from '../display/time-line.tsx'
import { Empty, Reading } from '../feedback/empty.tsx'
import { ProblemNote } from '../feedback/problem.tsx'
import { Card } from '../layout/card.tsx'
import { DialogButton } from '../layout/dialog.tsx'
import styles from './history.module.css'
import { link, RecordLink } from './record-link.tsx'
import { ReplayRequest } from './replay.tsx'
import { SendAgain } from './send-again.tsx'

/** The causes of a record's states and their effects: requests, both sides of the ledger, events, files and deliveries. */
export function History({ type, id, folded }: { type: string; id: string; folded: boolean }) {
  const may = useMay('listHistory')
  const [open, setOpen] = useState(!folded)
  const params = { type: type as LookedUp['type'], id }
  const { rows: read, error, isPending, hasMore, readMore } = useList('listHistory', { params }, { enabled: open })
  // The reason of the state may have read it.
  const rows = open ? read : []
  if (!may) {
    return (
      <Card title="History">
        <p className="muted">
          The key may not read events. It needs the scope <code>events:read</code>.
        </p>
      </Card>
    )
  }
  const days = [...new Set(rows.map(({ at }) => dayTitle(at)))]
  return (
    <Card title="History" aside={<span>newest last</span>}>
      {!open && (
        <button type="button" onClick={() => setOpen(true)}>
          Show the history
        </button>
      )}
      <ProblemNote error={error} />
      {open && isPending && !error && <Reading />}
      {open && !isPending && !error && rows.length === 0 && <Empty title="No event is about this record" />}
      {days.map((day) => (
        <section key={day} className={`${styles.day} ${styles.history}`} aria-label={day}>
          <h3>{day}</h3>
          <TimeLine moments={rows.filter(({ at }) => dayTitle(at) === day).map(momentOf)} show="clock" />
        </section>
      ))}
      {open && hasMore && (
        <button type="button" onClick={readMore}>
          Show more
        </button>
      )}
    </Card>
  )
}

const failed = new Set(['Returned', 'Rejected', 'Declined', 'Denied', 'Stopped'])

function momentOf(step: HistoryStep): Moment {
  const { at, summary, cause, changes, transfers, events, deliveries, files } = step
  const status = changes.at(-1)?.status
  return {
    key: `${at} ${events[0]?.id} ${transfers?.[0]?.id}`,
    at,
    kind: status && failed.has(status) ? 'wrong' : transfers && transfers.length > 0 ? 'money' : 'out',
    title: (
      <>
        <b>{summary}</b>{' '}
        {status && !summary.toLowerCase().includes(words(status).toLowerCase()) && <State of={status} />}
      </>
    ),
    more: (
      <div className={styles.step}>
        <Cause cause={cause} />
        {files.map(({ id, name, direction }) => (
          <span key={id}>
            {direction === 'Outgoing' ? 'Left with the file' : 'Came back with the file'} {link('achFile', id, name)}
          </span>
        ))}
        {transfers?.map((transfer) => (
          <Sides key={transfer.id} transfer={transfer} />
        ))}
        {events.length > 0 && (
          <span className={styles.events}>
            {events.map(({ id, type }) => (
              <span key={id}>
                <Link href={recordPath('event', id)} className="mono">
                  {type}
                </Link>{' '}
                <small className="muted">#{id.split('_')[2]}</small>
              </span>
            ))}
          </span>
        )}
        {deliveries && deliveries.length > 0 && <Deliveries of={deliveries} />}
      </div>
    ),
  }
}

/** The request behind a step with its key, or the bank. */
function Cause({ cause: { requestId, idempotencyKey, apiKey, request } }: { cause: HistoryCause }) {
  if (requestId === null) return <span className="muted">By the bank itself</span>
  return (
    <>
      <span className="muted">
        {request ? (
          <>
            <RecordLink type="request" id={request.id}>
              <span className="mono">{`${request.method} ${request.path}`}</span>
            </RecordLink>{' '}
            <Status of={request.status} />
          </>
        ) : (
          <>
            Request <span className="mono">{requestId}</span>
          </>
        )}
        {apiKey && (
          <> by {apiKey.personId ? apiKey.name : <>the key {link('apiKey', apiKey.id, `“${apiKey.name}”`)}</>}</>
        )}
      </span>
      {idempotencyKey && (
        <span className="muted">
          Idempotency key <span className="mono">{idempotencyKey}</span>
        </span>
      )}
      {request && <RequestAgain id={request.id} />}
    </>
  )
}

/** Sends the request of a step again, or copies it. */
function RequestAgain({ id }: { id: string }) {
  const { purser } = useSession()
  const logged = () => purser.requests.get(id)
  // Most readers need no test: what writes it is loaded when they ask for one.
  const asTest = async () => (await import('../../data/developers/test-snippet.ts')).testSnippet(await logged())
  const asCurl = async () => {
    const request = await logged()
    return snippet('curl', operations[request.operation as OperationId], inputOf(request), location.origin)
  }
  return (
    <span className={styles.acts}>
      <DialogButton label="Replay…" title="Replay the request">
        {() => <ReplayRequest id={id} />}
      </DialogButton>
      <Copy text={asTest} button>
        Copy as test
      </Copy>
      <Copy text={asCurl} button>
        Copy as curl
      </Copy>
    </span>
  )
}

/** Both sides of a transfer. */
export function Sides({ transfer }: { transfer: LedgerTransfer }) {
  return (
    <table className={styles.sides} aria-label={`Sides of transfer ${transfer.id}`}>
      <thead>
        <tr>
          <th scope="col">Account</th>
          <Figure of="Debit, $" head />
          <Figure of="Credit, $" head />
          <Figure of="Balance after" head />
        </tr>
      </thead>
      <tbody>
        {(['debit', 'credit'] as const).map((side) => (
          <tr key={side}>
            <td>
              <AccountName side={transfer[side]} />
            </td>
            <Figure of={side === 'debit' && amount(transfer.amount)} name="Debit" />
            <Figure of={side === 'credit' && amount(transfer.amount)} name="Credit" />
            <Figure of={amount(transfer[side].balance)} name="Balance after" />
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Figure({ of: text, head = false, name }: { of: ReactNode; head?: boolean; name?: string }) {
  if (head) {
    return (
      <th scope="col" className="number">
        {text}
      </th>
    )
  }
  return (
    <td className="number" data-name={name}>
      {text}
    </td>
  )
}

function AccountName({ side: { kind, accountId, name } }: { side: LedgerTransferSide }) {
  return kind === 'deposit' ? link('account', accountId, name) : name
}

/** The deliveries of a step: one line if all were accepted, and the endpoints that did not accept theirs. */
function Deliveries({ of: deliveries }: { of: readonly Delivery[] }) {
  const accepted = deliveries.filter(({ status }) => status === 'Succeeded')
  const failing = deliveries.filter(({ status, attempts }) => status !== 'Succeeded' && attempts.length > 0)
  const waiting = deliveries.length - accepted.length - failing.length
  const endpoints = [...new Set(failing.map(({ endpointId }) => endpointId))]
  return (
    <>
      {endpoints.length > 1 && (
        <span>
          <SendAgain
            of={failing.map(({ id }) => id)}
            label={`Send again to all ${count(endpoints.length)} endpoints`}
          />
        </span>
      )}
      {endpoints.map((id) => (
        <NotAccepted key={id} endpointId={id} of={failing.filter(({ endpointId }) => endpointId === id)} />
      ))}
      {waiting > 0 && <span className="muted">{counted(waiting, 'delivery waits', 'deliveries wait')}</span>}
      {accepted.length > 0 && (
        <details className={styles.deliveries}>
          <summary className="muted">
            <span className="good">✓</span>{' '}
            {counted(
              accepted.length,
              failing.length > 0 ? 'other delivery' : 'delivery',
              `${failing.length > 0 ? 'other ' : ''}deliveries`,
            )}
            , all accepted
          </summary>
          <ul>
            {accepted.map(({ id, eventType, attempts }) => (
              <li key={id}>
                {link('delivery', id, eventType)}
                {attempts.slice(-1).map(({ at, responseStatus }) => (
                  <span key={at}>
                    <Status of={responseStatus} /> <Time of={at} show="clock" real />
                  </span>
                ))}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}

/** The deliveries to an endpoint whose latest attempts were not accepted: what it answered, and when the next attempt follows. */
function NotAccepted({ endpointId, of: deliveries }: { endpointId: string; of: readonly Delivery[] }) {
  const { data: endpoint } = useCall('getWebhookEndpoint', { params: { webhookEndpointId: endpointId } })
  const attempts = deliveries.flatMap((each) => each.attempts).sort((one, other) => (one.at < other.at ? -1 : 1))
  const next = deliveries.flatMap(({ nextAttemptAt }) => nextAttemptAt ?? []).sort()[0]
  return (
    <section className={styles.failing} aria-label="Deliveries that were not accepted">
      <div className={styles.failed}>
        <b className="bad">
          1 endpoint failing: {counted(attempts.length, 'attempt')}
          {next && (
            <>
              , next <Time of={next} />
            </>
          )}
        </b>
        <SendAgain of={deliveries.map(({ id }) => id)} className="link" />
      </div>
      {link('webhookEndpoint', endpointId, <span className="mono">{endpoint?.url ?? 'The endpoint'}</span>)}
      <div className={styles.attempts}>
        {attempts.slice(-3).map(({ at, responseStatus }) => (
          <span key={at}>
            <Status of={responseStatus} /> <Time of={at} show="clock" real />
          </span>
        ))}
      </div>
      <span>
        {deliveries.map(({ id, eventType }, index) => (
          <span key={id}>
            {index > 0 && ' · '}
            {link('delivery', id, `Sent: ${eventType}`)}
          </span>
        ))}
      </span>
    </section>
  )
}
