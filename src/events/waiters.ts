import { Problem } from '../base/problem.ts'
import { lets, type TypeFilter } from './event-filter.ts'
import type { EventRange } from './events.sql.ts'

/** The long polls that wait for an event. They hold no connection: a few statements look for all of them together. */
export interface Waiters {
  /** The number of hints so far. Take it before reading events: a hint that comes later ends the wait at once. */
  mark(): number
  /**
   * Waits for an event after `from` that the filter lets through. Answers the number to read from once there is one;
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
  /** What `mark` answered before the events up to `from` were read. */
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
  const waiting = new Map<number, Set<Waiter>>()
  let size = 0
  let hints = 0
  let looking = false
  let released = false
  let poll: NodeJS.Timeout | undefined

  async function lookForAll(): Promise<void> {
    looking = true
    try {
      for (let seen = -1; seen !== hints && size > 0; ) {
        seen = hints
        const counters = await countersOf([...waiting.keys()])
        // An organisation for which it fails does not keep the others waiting.
        await Promise.allSettled(counters.map(({ organisationId, sequence }) => wake(organisationId, sequence)))
      }
    } catch {
      // The database is away. The next poll looks again, and a request for events answers 503.
    } finally {
      looking = false
    }
  }

  /** Ends the waits of one organisation for which there is an event up to this number, and moves the others on. */
  async function wake(organisationId: number, sequence: number): Promise<void> {
    const behind = [...(waiting.get(organisationId) ?? [])].filter(({ from }) => from < sequence)
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

  function look(): void {
    hints++
    if (size > 0 && !looking) void lookForAll()
  }

  function enter(organisationId: number, waiter: Waiter): void {
    const others = waiting.get(organisationId) ?? new Set()
    waiting.set(organisationId, others.add(waiter))
    size++
    poll ??= setInterval(look, pollMs)
  }

  function leave(organisationId: number, waiter: Waiter): void {
    const others = waiting.get(organisationId)
    if (!others?.delete(waiter)) return
    if (others.size === 0) waiting.delete(organisationId)
    size--
    if (size > 0) return
    clearInterval(poll)
    poll = undefined
  }

  return {
    mark: () => hints,

    async wait({ organisationId, from, filter, mark, ms, gone }) {
      if (released || gone.aborted) return undefined
      // As many places as are left free: however many organisations fill theirs, the next one finds room.
      if ((waiting.get(organisationId)?.size ?? 0) >= most - size) {
        throw new Problem('unavailable', { headers: { 'Retry-After': '1' } })
      }
      return new Promise((resolve) => {
        const giveUp = () => waiter.end(undefined)
        const waiter: Waiter = {
          from,
          filter,
          end(readFrom) {
            clearTimeout(timer)
            gone.removeEventListener('abort', giveUp)
            leave(organisationId, waiter)
            resolve(readFrom)
          },
        }
        const timer = setTimeout(giveUp, ms)
        gone.addEventListener('abort', giveUp)
        enter(organisationId, waiter)
        if (mark !== hints) look()
      })
    },

    look,

    release() {
      released = true
      for (const others of [...waiting.values()]) for (const waiter of [...others]) waiter.end(undefined)
    },
  }
}
