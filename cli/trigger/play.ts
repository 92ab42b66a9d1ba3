import {
  type Event,
  type EventType,
  isProblem,
  type Me,
  type Purser,
  type PurserProblem,
} from '../../client/src/index.ts'
import { NotAllowed, Refusal } from '../../ground/failure.ts'
import type { Made, Stage } from './stage.ts'
import { type RecordName, recordNames, type Trigger } from './trigger.ts'

/** The event that a trigger led to, and the records that it made on the way. */
export interface Played {
  type: EventType
  event: string
  sequence: number
  entity: Event['entity']
  made: Made[]
  /** A secret that the service shows once. */
  secret?: string
}

/** The built-in bank writes events with the change. A connector receives them from its provider. */
const WAIT_MS = { builtin: 3_000, connector: 30_000 }

/** Plays a trigger and waits for its event. */
export async function playTrigger(type: EventType, trigger: Trigger, stage: Stage): Promise<Played> {
  const { purser } = stage
  const me = await purser.me.get()
  requireOperations(type, trigger, me)
  const [latest] = (await purser.events.list({ sort: '-sequence', limit: 1 }).page()).data
  const id = await trigger.play(stage).catch(async (error: unknown) => {
    throw isProblem(error) ? await explained(error, type, trigger, stage) : error
  })
  const waitMs = me.providers.banking === 'builtin' ? WAIT_MS.builtin : WAIT_MS.connector
  const event = await eventAfter(purser, latest?.sequence ?? 0, { type, id, waitMs })
  if (!event) {
    const already = namedRecord(trigger, stage) ? ': the record was in that state before' : ''
    throw new Refusal(`no ${type} came within ${waitMs / 1_000} seconds${already}`)
  }
  const { sequence, entity } = event
  return { type, event: event.id, sequence, entity, made: stage.made, ...(stage.secret && { secret: stage.secret }) }
}

/** Refuses before the first step, so that no half of a trigger is left behind. */
function requireOperations(type: EventType, { calls }: Trigger, { operations, mode, key }: Me): void {
  const missing = calls.filter((id) => !operations.includes(id))
  if (missing.length === 0) return
  if (mode === 'live') throw new NotAllowed(`${type} cannot be triggered: this service is live and has no sandbox`)
  const reason = key.scopes === null ? 'the service with its providers does not have' : `key ${key.id} may not call`
  throw new NotAllowed(`${type} needs operations that ${reason}: ${[...new Set(missing)].join(', ')}`)
}

async function eventAfter(
  purser: Purser,
  after: number,
  { type, id, waitMs }: { type: EventType; id: string | number | undefined; waitMs: number },
): Promise<Event | undefined> {
  const signal = AbortSignal.timeout(waitMs)
  for await (const event of purser.events.follow({ after, types: [type], signal })) {
    if (id === undefined || event.entity.id === String(id)) return event
  }
  return undefined
}

/** The record that the caller names and the trigger is about. */
function namedRecord({ takes }: Trigger, { named }: Stage): { type: RecordName; id: string } | undefined {
  const type = takes.find((each) => named[each] !== undefined)
  return type && { type, id: named[type] ?? '' }
}

/** A refusal by the state of the caller's record, with the operations that lead on from there. */
async function explained(problem: PurserProblem, type: EventType, trigger: Trigger, stage: Stage): Promise<Error> {
  const record = namedRecord(trigger, stage)
  if (!record || ![409, 422].includes(problem.status)) return problem
  const { operation, code, detail } = problem
  const { actions } = await stage.purser.lookup.get(record.type, record.id)
  const allowed = actions.filter((each) => each.allowed !== false).map((each) => each.operation)
  const before = (trigger.before ?? []).filter((id) => allowed.includes(id) && id !== operation)
  const others = allowed.filter((id) => id !== operation)
  const lead =
    before.length > 0
      ? `${before.join(' or ')} leads there.`
      : `Without ${recordNames[record.type]}, the command makes a record of its own.`
  const state = others.length > 0 ? ` In its present state ${record.type} ${record.id} takes ${others.join(', ')}.` : ''
  return new Refusal(`${type}: ${operation} is refused with ${code}: ${detail} ${lead}${state}`)
}
