import type { ClockAdvance } from '../../sandbox/advance-clock.ts'
import type { Upcoming } from '../../sandbox/get-clock.ts'

/** A change that bank time brought about. */
export type Happening = ClockAdvance['happened'][number]

/** One run through the work that is due in an organisation. */
export interface DueRun {
  /** Reports an item that was done. */
  happened(what: Happening): void
  /** Reports an item that could not be done and was put off, so that the items after it are done. */
  putOff(item: { type: string; id: string }, error: unknown): void
  /** Whether the time of this run is used up. Items that are left wait for the next run. */
  isOver(): boolean
}

/** The next item of one kind, and when in bank time it is due. */
interface Due {
  at: string
  /** Does every item of the kind that is due at this time. */
  run(run: DueRun): Promise<void>
}

/** A kind of work that comes due. It reads the next item of an organisation from the records; there is no table of jobs. */
export type Timer = (organisationId: number) => Promise<Due | undefined>

/** The next items of one kind of work, the earliest first, at most so many. An item is one thing unless it has a count. */
export type Forecast = (
  organisationId: number,
  limit: number,
) => Promise<(Omit<Upcoming, 'count'> & { count?: number })[]>

/** The next items of all kinds of work, in the order of their times. */
export async function upcomingOf(forecasts: Forecast[], organisationId: number, limit: number): Promise<Upcoming[]> {
  const all = await Promise.all(forecasts.map((forecast) => forecast(organisationId, limit)))
  return all
    .flat()
    .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
    .slice(0, limit)
    .map(({ at, type, id, count = 1 }) => ({ at, type, id, count }))
}

/**
 * Does the work of an organisation that is due by `until`, in the order of its times. `reach` is called with each time
 * before its items are done. Returns false when the run was over before the work was.
 */
export async function runDue(
  timers: Timer[],
  organisationId: number,
  until: string,
  run: DueRun,
  reach: (at: string) => Promise<void>,
): Promise<boolean> {
  let before: { timer: Timer; at: string } | undefined
  for (;;) {
    const next = await nextDue(timers, organisationId)
    if (!next || next.at > until) return true
    if (run.isOver()) return false
    // Without this check items that stay due would keep this loop, and the organisation's lock, busy for ever.
    if (before?.timer === next.timer && before.at === next.at) throw new Error(`work due at ${next.at} stays due`)
    before = next
    await reach(next.at)
    // If an item was done, another may have been added beside it, such as a payment at its cut-off.
    await next.run({
      ...run,
      happened: (what) => {
        before = undefined
        run.happened(what)
      },
    })
  }
}

async function nextDue(timers: Timer[], organisationId: number): Promise<(Due & { timer: Timer }) | undefined> {
  const all = await Promise.all(
    timers.map(async (timer) => {
      const due = await timer(organisationId)
      return due && { ...due, timer }
    }),
  )
  const [next] = all.filter((due) => due !== undefined).sort((a, b) => (a.at < b.at ? -1 : 1))
  return next
}
