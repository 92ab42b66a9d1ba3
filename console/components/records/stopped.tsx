import type { ReactNode } from 'react'
import type { HistoryStep, LookedUp } from '../../../client/src/index.ts'
import { useList } from '../../data/list.ts'
import { Time } from '../display/time.tsx'
import { Reason } from '../feedback/reason.tsx'

interface Props {
  type: LookedUp['type']
  id: string
  /** The state that the record has. */
  status: string
  tone: 'bad' | 'warn'
  /** The meaning of the state; the reason follows it. */
  title: string
  next?: ReactNode
  actions?: ReactNode
}

/** First on the screen of a record that is stopped or waits: what that means, why, who did it and when, and the next step. */
export function Stopped({ type, id, status, tone, title, next, actions }: Props) {
  const { rows } = useList('listHistory', { params: { type, id } })
  const enters = ({ changes }: HistoryStep) =>
    changes.find((change) => change.status === status && change.before !== status)
  const step = rows.findLast((each) => enters(each) !== undefined)
  const reason = step && enters(step)?.reason
  return (
    <Reason tone={tone} title={reason ? `${title}: ${reason}` : title} next={next} actions={actions}>
      {step && (
        <>
          {authorOf(step)}, <Time of={step.at} />
        </>
      )}
    </Reason>
  )
}

function authorOf({ cause: { type, apiKey } }: HistoryStep): string {
  if (type === 'bank') return 'By the bank itself'
  if (!apiKey) return 'By a request'
  return apiKey.personId ? `By ${apiKey.name}` : `By the key “${apiKey.name}”`
}
