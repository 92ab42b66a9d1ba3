import { Problem } from '../base/problem.ts'
import { retryAfter } from '../base/retry-after.ts'
import { lets, type TypeFilter } from './event-filter.ts'
import type { EventRange } from './events.sql.ts'

/** The long polls that wait for an event. They hold no connection: a few statements look for all of them together. */
export interface Waiters {
  /** The number of hints so far. Take it before reading events: a hint that comes later ends the wait at once. */
  mark(): number
  /**
   * Waits for an event after `from` that the filter lets through. Returns the number to read from once there is one;
   * undefined when the time is over, the caller is gone, or the service stops.
   */
  wait(request: WaitRequest): Promise<number | undefined>
  /** Takes a hint that there are new events, and looks whether a long poll waits for them. */
  look(): void
  release(): void
}

interface WaitRequest {
  organisationId: number
  from: number
  filter: TypeFilter | null
  /** The answer of `mark` before the events up to `from` were read. */
  mark: number
  ms: number
  /** Aborted when the caller has gone. */
  gone: AbortSignal
}

interface Waiter {
  from: number
  filter: TypeFilter | null
  end(from: number | undefined): void
}

export interface WaitersOptions {
  /** The number of the latest event of each of these organisations. */
  countersOf(organisationIds: number[]): Promise<{ organisationId: number; sequence: number }[]>
  /** The types of some events of one organisation. */
  typesOf(range: EventRange): Promise<string[]>
  /** Maximum number of events to look at for the filtered long polls of one organisation; past it they read themselves. */
  maxGap: number
  most: number
  /** Time between two looks without a hint, because hints may be lost. */
  pollMs: number
}

export function openWaiters({ countersOf, typesOf, maxGap, most, pollMs }: WaitersOptions): Waiters {
  const list = openWaitingList()
  let hints = 0
  let looking = false
  let released = false
  let poll: NodeJS.Timeout | undefined

  async function lookForAll(): Promise<void> {
    looking = true
    try {
      for (let seen = -1; seen !== hints && list.size() > 0; ) {
        seen = hints
        const counters = await countersOf(list.organisationIds())
        // An organisation for which it fails does not keep the others waiting.
        await Promise.allSettled(
          counters.map((counter) => wake(list.of(counter.organisationId), counter, { typesOf, maxGap })),
        )
      }
    } catch {
      // The database is away. The next poll looks again, and a request for events answers 503.
    } finally {
      looking = false
    }
  }

  function look(): void {
    hints++
    if (list.size() > 0 && !looking) void lookForAll()
  }

  function start({ organisationId, from, filter, mark, ms, gone }: WaitRequest): Promise<number | undefined> {
    return new Promise((resolve) => {
      const giveUp = () => waiter.end(undefined)
      const waiter: Waiter = {
        from,
        filter,
        end(readFrom) {
          clearTimeout(timer)
          gone.removeEventListener('abort', giveUp)
          list.remove(organisationId, waiter)
          if (list.size() === 0) {
            clearInterval(poll)
            poll = undefined
          }
          resolve(readFrom)
        },
      }
      const timer = setTimeout(giveUp, ms)
      gone.addEventListener('abort', giveUp)
      list.add(organisationId, waiter)
      poll ??= setInterval(look, pollMs)
      if (mark !== hints) look()
    })
  }

  return {
    mark: () => hints,

    async wait(request) {
      if (released || request.gone.aborted) return undefined
      // As many places as are left free: however many organisations fill theirs, the next one finds room.
      if (list.of(request.organisationId).length >= most - list.size()) {
        throw new Problem('unavailable', { headers: retryAfter(1), reason: 'too many requests wait for events' })
      }
      return start(request)
    },

    look,

    release() {
      released = true
      for (const organisationId of list.organisationIds()) for (const { end } of list.of(organisationId)) end(undefined)
    },
  }
}

/** Ends the waits of one organisation for which there is an event up to this number, and moves the others on. */
async function wake(
  waiters: Waiter[],
  { organisationId, sequence }: { organisationId: number; sequence: number },
  { typesOf, maxGap }: Pick<WaitersOptions, 'typesOf' | 'maxGap'>,
): Promise<void> {
  const behind = waiters.filter(({ from }) => from < sequence)
  for (const { filter, from, end } of behind) if (filter === null) end(from)
  const filtered = behind.filter(({ filter }) => filter !== null)
  if (filtered.length === 0) return
  const after = Math.min(...filtered.map(({ from }) => from))
  const types = sequence - after > maxGap ? undefined : await typesOf({ organisationId, after, upTo: sequence })
  for (const waiter of filtered) {
    const { filter, from } = waiter
    if (!types || (filter && types.some((type) => lets(filter, type)))) waiter.end(from)
    else waiter.from = sequence
  }
}

/** The waiters of each organisation, and how many there are in all. */
function openWaitingList() {
  const waiting = new Map<number, Set<Waiter>>()
  let size = 0
  return {
    size: () => size,
    organisationIds: () => [...waiting.keys()],
    of: (organisationId: number) => [...(waiting.get(organisationId) ?? [])],

    add(organisationId: number, waiter: Waiter): void {
      const others = waiting.get(organisationId) ?? new Set()
      waiting.set(organisationId, others.add(waiter))
      size++
    },

    remove(organisationId: number, waiter: Waiter): void {
      const others = waiting.get(organisationId)
      if (!others?.delete(waiter)) return
      if (others.size === 0) waiting.delete(organisationId)
      size--
    },
  }
}
