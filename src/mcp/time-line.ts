import type { Event } from '../events/event.ts'
import type { HistoryStep } from '../tools/history-step.ts'
import type { AnyLookedUp } from '../tools/looked-up.ts'
import type { Input } from './call-operation.ts'
import type { Session } from './session.ts'

interface TimeLine {
  /** A step is a request, or an act of the bank itself, with all that followed from it. */
  steps: HistoryStep[]
  /** The input that gets the next steps from `listHistory`. */
  next?: Input | undefined
  /** The parts that could not be read, with the reason. */
  missing: string[]
}

/** The steps of a record, oldest first; of an event, a delivery and a request, those of the record that they are about. */
export async function timeLineOf(session: Session, found: AnyLookedUp): Promise<TimeLine> {
  const missing: string[] = []
  const read = async (id: string, input: Input) => {
    const operation = session.operations.find((one) => one.id === id)
    if (!operation) return undefined
    const answered = await session.call(operation, input, { unlogged: true })
    if (answered.status === 200) return answered
    missing.push(`${id}: ${answered.status} ${(answered.content as { code?: string } | null)?.code ?? ''}`)
    return undefined
  }
  const eventQuery = eventOf(found)
  const [event] = eventQuery ? (((await read('listEvents', eventQuery))?.content ?? []) as Event[]) : []
  const named = event?.entity ?? found
  if (!event && eventQuery) return { steps: [], missing }
  const answered = missing.length > 0 ? undefined : await read('listHistory', { type: named.type, id: named.id })
  return { steps: (answered?.content ?? []) as HistoryStep[], next: answered?.next, missing }
}

/** The query of the event that leads to the record; undefined if the record itself has the history. */
function eventOf({ type, record }: AnyLookedUp): Input | undefined {
  if (type === 'event') return { after: record.sequence - 1, limit: 1 }
  if (type === 'request') return { requestId: record.requestId, limit: 1 }
  if (type === 'delivery') return { after: Number(record.eventId.split('_')[2]) - 1, limit: 1 }
  return undefined
}
