import { useState } from 'react'
import type { LoggedRequestDetail } from '../../../client/src/index.ts'
import { refusalToReplay } from '../../data/developers/exchange.ts'
import { type Answer, newKey, replay } from '../../data/developers/replay.ts'
import { useCall } from '../../data/purser.tsx'
import { Status } from '../display/state.tsx'
import { Reading } from '../feedback/empty.tsx'
import { ProblemNote } from '../feedback/problem.tsx'
import { link } from './record-link.tsx'

export interface Replaying {
  answer: Answer | undefined
  error: unknown
  busy: boolean
  send(idempotencyKey: string | undefined): void
}

/** Sends a logged request again and keeps its answer. */
export function useReplay(logged: LoggedRequestDetail | undefined): Replaying {
  const [answer, setAnswer] = useState<Answer>()
  const [error, setError] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const send = (idempotencyKey: string | undefined) => {
    if (!logged) return
    setBusy(true)
    setError(undefined)
    replay(logged, idempotencyKey)
      .then(setAnswer, setError)
      .finally(() => setBusy(false))
  }
  return { answer, error, busy, send }
}

/** Buttons that send the request again. A request that writes has one effect per idempotency key. */
export function Replays({ logged, busy, send }: { logged: LoggedRequestDetail } & Replaying) {
  const reason = refusalToReplay(logged)
  if (reason) return <span className="muted">Not repeatable: {reason}</span>
  const { method, idempotencyKey } = logged
  const ways: (readonly [label: string, key: () => string | undefined])[] =
    method !== 'POST'
      ? [['Replay', () => undefined]]
      : [
          ...(idempotencyKey === null ? [] : [['Replay with the same key', () => idempotencyKey] as const]),
          ['Replay with a new key', newKey],
        ]
  return ways.map(([label, key]) => (
    <button key={label} type="button" disabled={busy} onClick={() => send(key())}>
      {label}
    </button>
  ))
}

/** The outcome of a replay in words. */
export function replayText({ replayed, status, idempotencyKey }: Answer): string {
  if (replayed) return 'The service repeated the answer of the first request and changed nothing.'
  const done = status < 400 ? 'carried out again' : 'refused'
  return `The request was ${done}${idempotencyKey ? `, sent with the key ${idempotencyKey}` : ''}.`
}

/** The content of a dialog that sends a request of the log again. */
export function ReplayRequest({ id }: { id: string }) {
  const { data: logged, error } = useCall('getRequest', { params: { id } })
  const again = useReplay(logged)
  if (!logged) return error ? <ProblemNote error={error} /> : <Reading />
  return (
    <div className="stack">
      <p>With the same idempotency key nothing is done twice. With a new one the request is carried out once more.</p>
      <div className="row">
        <Replays logged={logged} {...again} />
      </div>
      <ProblemNote error={again.error} />
      {again.answer && (
        <p role="status">
          <Status of={again.answer.status} /> {replayText(again.answer)}
        </p>
      )}
      {link('request', id, 'The request with its answer')}
    </div>
  )
}
