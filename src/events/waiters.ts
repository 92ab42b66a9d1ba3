import { Problem } from '../base/problem.ts'
import { retryAfter } from '../base/retry-after.ts'

/** Those who wait for an event. They hold no connection: one statement looks for all of them at a time. */
export interface Waiters {
  /** To be taken before looking for events oneself: a hint that comes after it is not missed. */
  mark(): number
  /** True once there are events after `from`; false when the time is over, the caller gone, or the service stops. */
  wait(wish: Wish): Promise<boolean>
  /** Something has happened: looks whether it is what somebody waits for. */
  look(): void
  release(): void
}

interface Wish {
  organisationId: number
  from: number
  mark: number
  ms: number
  /** Aborted when the caller has gone. */
  gone: AbortSignal
}

interface Waiter {
  from: number
  end(more: boolean): void
}

export interface WaitersOptions {
  /** How far the events of these organisations have come. */
  countersOf(organisationIds: number[]): Promise<{ organisationId: number; sequence: number }[]>
  most: number
  /** Hints may be lost; so often it is looked without one. */
  pollMs: number
}

export function openWaiters({ countersOf, most, pollMs }: WaitersOptions): Waiters {
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
        for (const { organisationId, sequence } of await countersOf([...waiting.keys()])) {
          for (const waiter of waiting.get(organisationId) ?? []) if (sequence > waiter.from) waiter.end(true)
        }
      }
    } catch {
      // The database is away: the next poll looks again, and who asks for events then is told.
    } finally {
      looking = false
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

    async wait({ organisationId, from, mark, ms, gone }) {
      if (released || gone.aborted) return false
      if (size >= most || (waiting.get(organisationId)?.size ?? 0) >= most / 2) {
        throw new Problem('unavailable', { headers: retryAfter(1) })
      }
      return new Promise((resolve) => {
        const giveUp = () => waiter.end(false)
        const waiter: Waiter = {
          from,
          end(more) {
            clearTimeout(timer)
            gone.removeEventListener('abort', giveUp)
            leave(organisationId, waiter)
            resolve(more)
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
      for (const others of [...waiting.values()]) for (const waiter of [...others]) waiter.end(false)
    },
  }
}
