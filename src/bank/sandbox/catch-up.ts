import type { Logger } from 'pino'
import { clock } from '../../base/clock.ts'
import { messageOf } from '../../base/message-of.ts'
import type { TaskLog } from '../../base/tasks/task-log.ts'
import { CommitLost, type Database, DatabaseUnavailable, LockTimeout } from '../../database/database.ts'
import { lockClocks, moveClock, organisationsWithWorkDue, pauseWithoutLimit } from '../time/clock.sql.ts'
import { type DueRun, runDue, type Timer } from '../time/due.ts'

export interface CatchUp {
  database: Database
  timers: Timer[]
  /** The last organisation that had its turn: the next call begins after it. */
  served: { organisationId: number }
  /** Knows the organisations whose work fails. */
  tasks: Pick<TaskLog, 'failed' | 'succeeded'>
}

export interface CatchUpLimits {
  /** How long the work of one organisation may take before the others have their turn. */
  organisationMs: number
  /** How long one call may take. A shutdown waits for it. */
  callMs: number
}

const LIMITS: CatchUpLimits = { organisationMs: 500, callMs: 5_000 }
/** Organisations worked for side by side. One connection holds their locks, and each takes one more of the pool's ten. */
const AT_ONCE = 4

interface DueOrganisation {
  organisationId: number
  now: string
}

/**
 * Does the work that has become due, organisation by organisation. One with a large backlog gets its share of the time,
 * and one whose work fails is logged and tried again at the next call; neither keeps the others waiting. Throws only
 * if the database is away, which stops all of them.
 */
export async function catchUp(
  { database, timers, served, tasks }: CatchUp,
  log: Pick<Logger, 'warn' | 'info'>,
  { organisationMs, callMs }: CatchUpLimits = LIMITS,
): Promise<void> {
  const endsMs = clock.elapsedMs() + callMs
  const failed = new Set<number>()
  for (let more = true; more; ) {
    more = false
    const waiting = rotated(await organisationsWithWorkDue(database), served.organisationId)
    const groups = inGroups(
      waiting.filter(({ organisationId }) => !failed.has(organisationId)),
      AT_ONCE,
    )
    for (const group of groups) {
      if (clock.elapsedMs() >= endsMs) return
      await underLocks(database, group, async (organisation) => {
        const { organisationId } = organisation
        const run = timedRun(log, organisationId, organisationMs)
        try {
          if (!(await catchUpOne(database, timers, organisation, run))) more = true
          tasks.succeeded('due-work', { organisationId })
        } catch (error) {
          if (isAway(error)) throw error
          failed.add(organisationId)
          tasks.failed('due-work', error, { organisationId })
        }
      })
      served.organisationId = group.at(-1)?.organisationId ?? 0
    }
  }
}

/** Returns false if work is left. */
function catchUpOne(
  database: Database,
  timers: Timer[],
  { organisationId, now }: DueOrganisation,
  run: DueRun,
): Promise<boolean> {
  return runDue(timers, organisationId, now, run, (at) => moveClock(database, organisationId, at))
}

/** Works for those of the organisations whose lock is free; an advance of the clock holds the others. */
async function underLocks(
  database: Database,
  group: DueOrganisation[],
  work: (organisation: DueOrganisation) => Promise<void>,
): Promise<void> {
  await database.transaction(async (transaction) => {
    const ids = group.map(({ organisationId }) => organisationId)
    const locked = await lockClocks(transaction, ids)
    await pauseWithoutLimit(transaction)
    const outcomes = await Promise.allSettled(
      group.filter(({ organisationId }) => locked.has(organisationId)).map(work),
    )
    const failure = outcomes.find((outcome) => outcome.status === 'rejected')
    if (failure) throw failure.reason
  })
}

function timedRun(log: Pick<Logger, 'warn'>, organisationId: number, ms: number): DueRun {
  const endsMs = clock.elapsedMs() + ms
  return {
    happened: () => undefined,
    putOff: ({ type, id }, error) =>
      log.warn({ organisationId, [`${type}Id`]: id, reason: messageOf(error) }, 'background task put off'),
    isOver: () => clock.elapsedMs() >= endsMs,
  }
}

/** Whether an error is the database's, and so would meet every organisation. */
function isAway(error: unknown): boolean {
  return error instanceof CommitLost || (error instanceof DatabaseUnavailable && !(error instanceof LockTimeout))
}

/** The organisations after the last one served, then those up to it. */
function rotated(organisations: DueOrganisation[], last: number): DueOrganisation[] {
  const first = organisations.findIndex(({ organisationId }) => organisationId > last)
  return first <= 0 ? organisations : [...organisations.slice(first), ...organisations.slice(0, first)]
}

function inGroups<Item>(items: Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size))
}
