import type { Delivery, DeliveryAttempt } from '../../../client/src/index.ts'
import { State, Status } from '../../components/display/state.tsx'
import { Time } from '../../components/display/time.tsx'
import type { Column } from '../../components/lists/table.tsx'

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
