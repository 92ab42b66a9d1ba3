import type { Delivery, DeliveryAttempt } from '../../../client/src/index.ts'
import { State, Status } from '../../parts/state.tsx'
import type { Column } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'

/** The columns of deliveries of one event. */
export const deliveryColumns: Column<Delivery>[] = [
  { head: 'Delivery', cell: ({ id }) => <span className="mono">{id}</span> },
  { head: 'State', cell: ({ status }) => <State of={status} /> },
  { head: 'Latest answer', cell: ({ attempts }) => <LatestAnswer of={attempts.at(-1)} /> },
  { head: 'Attempts', cell: ({ attempts }) => attempts.length, number: true, wide: true },
  { head: 'Created', cell: ({ createdAt }) => <Time of={createdAt} />, number: true, wide: true },
]

/** The status of an attempt, or the reason why there was no answer. */
export function LatestAnswer({ of: attempt }: { of: DeliveryAttempt | undefined }) {
  if (!attempt) return <span className="muted">No attempt yet</span>
  return (
    <>
      <Status of={attempt.responseStatus} />{' '}
      {attempt.responseStatus === null && <span className="muted">{attempt.error}</span>}
    </>
  )
}
