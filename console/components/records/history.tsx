import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import type {
  Delivery,
  HistoryCause,
  HistoryStep,
  LedgerTransfer,
  LedgerTransferSide,
  LookedUp,
} from '../../../client/src/index.ts'
import { amount, counted, dayTitle, words } from '../../data/format.ts'
import { useList } from '../../data/list.ts'
import { useCall, useMay } from '../../data/purser.tsx'
import { recordPath } from '../../routes.ts'
import { State, Status } from '../display/state.tsx'
import { Time } from '../display/time.tsx'
import { type Moment, TimeLine } from '../display/time-line.tsx'
import { Empty, Reading } from '../feedback/empty.tsx'
import { ProblemNote } from '../feedback/problem.tsx'
import { Create } from '../forms/actions.tsx'
import { Card } from '../layout/card.tsx'
import styles from './history.module.css'
import { link, RecordLink } from './record-link.tsx'

/** The causes of a record's states and their effects: requests, both sides of the ledger, events, files and deliveries. */
export function History({ type, id, folded }: { type: string; id: string; folded: boolean }) {
  const may = useMay('listHistory')
  const [open, setOpen] = useState(!folded)
  const params = { type: type as LookedUp['type'], id }
  const { rows, error, isPending, hasMore, readMore } = useList('listHistory', { params }, { enabled: open })
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
        <section key={day} className={styles.day} aria-label={day}>
          <h3>{day}</h3>
          <TimeLine moments={rows.filter(({ at }) => dayTitle(at) === day).map(momentOf)} show="clock" />
        </section>
      ))}
      {hasMore && (
        <button type="button" onClick={readMore}>
          Show more
        </button>
      )}
    </Card>
  )
}

function momentOf(step: HistoryStep): Moment {
  const { at, summary, cause, changes, transfers, events, deliveries, files } = step
  return {
    key: `${at} ${events[0]?.id} ${transfers?.[0]?.id}`,
    at,
    kind: transfers && transfers.length > 0 ? 'money' : 'out',
    title: (
      <>
        <b>{summary}</b> {changes.at(-1)?.status && <State of={changes.at(-1)?.status ?? ''} />}
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
              <Link key={id} href={recordPath('event', id)} className="mono">
                {type}
              </Link>
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
    <span className="muted">
      {request ? (
        <>
          <RecordLink type="request" id={request.id}>{`${request.method} ${request.path}`}</RecordLink>{' '}
          <Status of={request.status} />
          {' · '}
          {link('request', request.id, 'replay or copy')}
        </>
      ) : (
        <>
          Request <span className="mono">{requestId}</span>
        </>
      )}
      {apiKey && <> · by the key {link('apiKey', apiKey.id, `“${apiKey.name}”`)}</>}
      {idempotencyKey && (
        <>
          {' '}
          · idempotency key <span className="mono">{idempotencyKey}</span>
        </>
      )}
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
            <Figure of={amount(transfer[side].balance)} name="Balance" />
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

/** The deliveries of a step: one line if all were accepted, otherwise those that were not. */
function Deliveries({ of: deliveries }: { of: readonly Delivery[] }) {
  const accepted = deliveries.filter(({ status }) => status === 'Succeeded')
  const failing = deliveries.filter(({ status, attempts }) => status !== 'Succeeded' && attempts.length > 0)
  const waiting = deliveries.length - accepted.length - failing.length
  return (
    <>
      {failing.map((delivery) => (
        <NotAccepted key={delivery.id} of={delivery} />
      ))}
      {waiting > 0 && <span className="muted">{counted(waiting, 'delivery waits', 'deliveries wait')}</span>}
      {accepted.length > 0 && (
        <details>
          <summary className="muted">
            <span className="good">✓</span> {counted(accepted.length, 'delivery', 'deliveries')}, all accepted
          </summary>
          {accepted.map(({ id, eventType }) => (
            <div key={id}>{link('delivery', id, words(eventType.replace('.', ' ')))}</div>
          ))}
        </details>
      )}
    </>
  )
}

/** A delivery whose latest attempt was not accepted: what the endpoint answered, and when the next attempt follows. */
function NotAccepted({ of: { id, eventId, eventType, endpointId, attempts, nextAttemptAt } }: { of: Delivery }) {
  const { data: endpoint } = useCall('getWebhookEndpoint', { params: { webhookEndpointId: endpointId } })
  return (
    <section className={styles.failing} aria-label={`Delivery of ${eventType}`}>
      <div className={styles.failed}>
        <b className="bad">
          Not accepted: {counted(attempts.length, 'attempt')}
          {nextAttemptAt && (
            <>
              , next <Time of={nextAttemptAt} real />
            </>
          )}
        </b>
        <Create operation="redeliverEvent" target={{ eventId }} />
      </div>
      <div>{link('webhookEndpoint', endpointId, endpoint?.url ?? 'The endpoint')}</div>
      <div className={styles.attempts}>
        {attempts.slice(-3).map(({ at, responseStatus }) => (
          <span key={at}>
            <Status of={responseStatus} /> <Time of={at} show="clock" real />
          </span>
        ))}
      </div>
      <span className="mono muted">{eventType}</span> {link('delivery', id, 'Show what was sent')}
    </section>
  )
}
