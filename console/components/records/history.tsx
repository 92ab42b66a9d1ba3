import { useState } from 'react'
import { Link } from 'wouter'
import type { LedgerTransfer, LedgerTransferSide } from '../../../client/src/index.ts'
import { amount } from '../../data/format.ts'
import { type Step, useHistory } from '../../data/history.ts'
import { useMay } from '../../data/purser.tsx'
import { recordPath } from '../../routes.ts'
import { Status } from '../display/state.tsx'
import { type Moment, TimeLine } from '../display/time-line.tsx'
import { Empty, Reading } from '../feedback/empty.tsx'
import { ProblemNote } from '../feedback/problem.tsx'
import { Card } from '../layout/card.tsx'
import styles from './history.module.css'
import { RecordLink } from './record-link.tsx'

/** The causes of a record's states and their effects: requests, both sides of the ledger, events and deliveries. */
export function History({ type, id, folded }: { type: string; id: string; folded: boolean }) {
  const may = useMay('listEvents')
  const [open, setOpen] = useState(!folded)
  const { data, error, isPending } = useHistory(type, id, open)
  if (!may) return <HistoryClosed />
  return (
    <Card title="History" aside={<span>newest last</span>}>
      {!open && (
        <button type="button" onClick={() => setOpen(true)}>
          Show the history
        </button>
      )}
      <ProblemNote error={error} />
      {open && isPending && !error && <Reading />}
      {data?.length === 0 && <Empty title="No event is about this record" />}
      {data && data.length > 0 && <TimeLine moments={data.flatMap(momentsOf)} />}
    </Card>
  )
}

function HistoryClosed() {
  return (
    <Card title="History">
      <p className="muted">
        The key may not read events. It needs the scope <code>events:read</code>.
      </p>
    </Card>
  )
}

function momentsOf(step: Step): Moment[] {
  return [
    ...causeOf(step),
    ...step.transfers.map(transferMoment),
    ...eventMoment(step),
    ...step.deliveries.map(deliveryMoment),
  ]
}

function causeOf({ requestId, requests, transfers, events }: Step): Moment[] {
  // A transfer is booked before its events are emitted.
  const at = transfers[0]?.createdAt ?? events[0]?.timestamp ?? null
  if (requestId === null) return [{ key: `bank ${at}`, title: <b>The bank, by itself</b>, at }]
  if (requests.length === 0) {
    return [
      {
        key: requestId,
        title: (
          <>
            <b>Request</b> <span className="mono">{requestId}</span>
          </>
        ),
        at,
      },
    ]
  }
  return requests.map(({ id, method, path, status, ms, idempotencyKey, replayed }) => ({
    key: id,
    title: (
      <>
        <b>Request</b>{' '}
        <Link href={recordPath('request', id)} className="mono">
          {method} {path}
        </Link>{' '}
        <Status of={status} /> <span className="muted">{ms.toFixed(1)} ms</span>
      </>
    ),
    at,
    more: (
      <span className="muted">
        {idempotencyKey ? (
          <>
            Idempotency key <span className="mono">{idempotencyKey}</span>
          </>
        ) : (
          'Without an idempotency key'
        )}
        {replayed && ', replayed'}
      </span>
    ),
  }))
}

function transferMoment(transfer: LedgerTransfer): Moment {
  return {
    key: `transfer ${transfer.id}`,
    kind: 'money',
    at: transfer.createdAt,
    title: (
      <>
        <b>Ledger transfer</b> <span className="mono">{transfer.id}</span>
      </>
    ),
    more: <Sides transfer={transfer} />,
  }
}

/** Both sides of a transfer. */
export function Sides({ transfer }: { transfer: LedgerTransfer }) {
  return (
    <table className={styles.sides} aria-label={`Sides of transfer ${transfer.id}`}>
      <thead>
        <tr>
          <th scope="col">Account</th>
          <th scope="col" className="number">
            Debit
          </th>
          <th scope="col" className="number">
            Credit
          </th>
          <th scope="col" className="number">
            Balance after
          </th>
        </tr>
      </thead>
      <tbody>
        {(['debit', 'credit'] as const).map((side) => (
          <tr key={side}>
            <td>
              <AccountName side={transfer[side]} />
            </td>
            <td className="number">{side === 'debit' && amount(transfer.amount)}</td>
            <td className="number">{side === 'credit' && amount(transfer.amount)}</td>
            <td className="number">{amount(transfer[side].balance)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function AccountName({ side: { kind, accountId, name } }: { side: LedgerTransferSide }) {
  if (kind !== 'deposit') return name
  return (
    <RecordLink type="account" id={accountId}>
      {name}
    </RecordLink>
  )
}

function eventMoment({ events, others }: Step): Moment[] {
  if (events.length === 0) return []
  return [
    {
      key: `events ${events[0]?.id}`,
      at: events[0]?.timestamp ?? null,
      title: (
        <>
          <b>{events.length === 1 ? 'Event' : 'Events'}</b>{' '}
          {events.map(({ id, type, sequence }, at) => (
            <span key={id}>
              {at > 0 && ', '}
              <Link href={recordPath('event', id)} className="mono">
                {type}
              </Link>{' '}
              #{sequence}
            </span>
          ))}
          {others > 0 && <span className="muted"> and {others} of other records</span>}
        </>
      ),
    },
  ]
}

function deliveryMoment(delivery: Step['deliveries'][number]): Moment {
  const { id, status, eventType, attempts, endpointId } = delivery
  const last = attempts.at(-1)
  return {
    key: `delivery ${id}`,
    kind: 'out',
    at: last?.at ?? null,
    real: true,
    title: (
      <>
        <b>{status === 'Succeeded' ? 'Delivered' : status === 'Failed' ? 'Not delivered' : 'Delivery waits'}</b>{' '}
        <span className="mono">{eventType}</span> to <RecordLink type="webhookEndpoint" id={endpointId} />{' '}
        {attempts.slice(-5).map((attempt) => (
          <span key={attempt.at}>
            <Status of={attempt.responseStatus} />{' '}
          </span>
        ))}
      </>
    ),
    more: (
      <span className="muted">
        {attempts.length === 1 ? 'One attempt' : `${attempts.length} attempts`} ·{' '}
        <Link href={recordPath('delivery', id)}>Show what was sent</Link>
      </span>
    ),
  }
}
