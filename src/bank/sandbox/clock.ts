import type { Logger } from 'pino'
import { LAST_INSTANT } from '../../base/clock.ts'
import { concurrencyLimit } from '../../base/concurrency-limit.ts'
import type { Write } from '../../base/operation.ts'
import { invalidRequest, Problem } from '../../base/problem.ts'
import { Failures } from '../../base/tasks/failures.ts'
import { openTaskLog, type TaskLog } from '../../base/tasks/task-log.ts'
import type { Database, Queryable } from '../../database/database.ts'
import type { AdvanceClockInput, ClockAdvance } from '../../sandbox/advance-clock.ts'
import type { Simulations } from '../../sandbox/sandbox.ts'
import { deliveryId } from '../../webhooks/deliveries/delivery.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import {
  bankTime,
  type ClockTarget,
  clockLock,
  clockTarget,
  findAdvance,
  moveClock,
  pauseWithoutLimit,
  pendingDeliveries,
  readClock,
  recordAdvance,
} from '../time/clock.sql.ts'
import { type DueRun, type Forecast, type Happening, runDue, type Timer, upcomingOf } from '../time/due.ts'
import { catchUp } from './catch-up.ts'

export interface BankClock extends Pick<Simulations, 'getClock' | 'advanceClock'> {
  /** Does the work that has become due in every organisation; failures are logged for each. */
  catchUp(log: Pick<Logger, 'warn' | 'info'>, tasks?: TaskLog): Promise<void>
}

/** The operations that read and move bank time, over the kinds of work that it brings. */
export function clockOf(
  { database, runOnce }: Pick<BankParts, 'database' | 'runOnce'>,
  timers: Timer[],
  forecasts: Forecast[],
): BankClock {
  const inTurn = concurrencyLimit({ total: MAX_ADVANCING, perOrganisation: 1 })
  const [served, failures] = [{ organisationId: 0 }, new Failures()]
  return {
    getClock: async ({ organisationId }) => ({
      ...(await readClock(database, organisationId)),
      upcoming: await upcomingOf(forecasts, organisationId, MAX_UPCOMING),
    }),
    advanceClock: (write, input) =>
      inTurn(write.caller.organisationId, () =>
        runOnce.transaction(write, (transaction) =>
          advanceClock({ database, timers, forecasts }, transaction, write, input),
        ),
      ),
    catchUp: (log, tasks = openTaskLog(log, failures)) => catchUp({ database, timers, served, tasks }, log),
  }
}

const DELIVERED = 'webhook.delivered'

/** The pending webhooks, whose retries follow bank time: those of an endpoint together. */
export function deliveryForecastOf({ database }: Pick<BankParts, 'database'>): Forecast {
  return async (organisationId, limit) =>
    (await pendingDeliveries(database, organisationId, limit)).map(({ id, endpointId, dueAt, count }) => ({
      at: dueAt,
      type: DELIVERED,
      id: deliveryId(endpointId, id),
      count,
    }))
}

const MAX_UPCOMING = 20
const MAX_SHOWN = 1_000
/** An advance holds one connection while its work takes others: if advances held all ten, none could go on. */
const MAX_ADVANCING = 3

/** Moves bank time to a time, and on the way does all that becomes due, each item at its own time. */
async function advanceClock(
  { database, timers, forecasts }: { database: Database; timers: Timer[]; forecasts: Forecast[] },
  transaction: Queryable,
  { caller, key }: Write<ClockAdvance>,
  input: AdvanceClockInput,
): Promise<ClockAdvance> {
  const { organisationId } = caller
  // The same key with another input is another attempt.
  const attempt = Buffer.concat([key.hash, key.fingerprint])
  await clockLock(transaction, organisationId)
  await pauseWithoutLimit(transaction)
  const target =
    (await findAdvance(transaction, organisationId, attempt)) ??
    ('toNext' in input
      ? await nextTarget(database, forecasts, organisationId)
      : await newTarget(database, organisationId, input))
  await recordAdvance(database, organisationId, target, attempt)
  const { happened, run, total } = shownRun()
  await runDue(timers, organisationId, target, run, (at) => moveClock(database, organisationId, at))
  await moveClock(database, organisationId, target)
  return { now: await bankTime(database, organisationId), happened, total: total() }
}

/** A run to its end, which keeps the first changes to show them, and counts all. */
function shownRun(): { run: DueRun; happened: Happening[]; total(): number } {
  const happened: Happening[] = []
  let total = 0
  const run: DueRun = {
    happened: (what) => {
      total++
      if (happened.length < MAX_SHOWN) happened.push(what)
    },
    putOff: () => undefined,
    isOver: () => false,
  }
  return { run, happened, total: () => total }
}

/**
 * The time of the next item that is not due yet. Those that are due are done on the way, as are deliveries: the retries of an
 * endpoint that fails would hide all that the bank does.
 */
async function nextTarget(database: Database, forecasts: Forecast[], organisationId: number): Promise<string> {
  const now = await bankTime(database, organisationId)
  for (let limit = MAX_UPCOMING; ; limit *= 10) {
    const upcoming = await upcomingOf(forecasts, organisationId, limit)
    const next = upcoming.find(({ at, type }) => at > now && type !== DELIVERED)
    if (next) return next.at
    if (upcoming.length < limit) throw new Problem('nothing_upcoming')
  }
}

async function newTarget(
  database: Database,
  organisationId: number,
  input: Exclude<AdvanceClockInput, { toNext: true }>,
): Promise<string> {
  const now = await bankTime(database, organisationId)
  const target = await clockTarget(database, now, 'to' in input ? { ...input, by: null } : { ...input, to: null })
  if (!target.isForward) throw new Problem('clock_not_forward')
  const message = rangeFault(target)
  if (message === undefined) return target.to
  throw invalidRequest([{ pointer: 'to' in input ? '/to' : '/by', code: 'out_of_range', message }])
}

function rangeFault({ isTooFar, isPastEnd }: ClockTarget): string | undefined {
  if (isTooFar) return 'the clock advances by at most 400 days a call'
  return isPastEnd ? `bank time ends at ${LAST_INSTANT}` : undefined
}
