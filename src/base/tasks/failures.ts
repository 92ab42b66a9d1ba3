import { clock } from '../clock.ts'

/** How long after a report the next one follows while a task fails. */
const REMIND_MS = 5 * 60_000
/** How long a streak counts after its last failure: another process may have done the work since. */
const RECENT_MS = 2 * 60_000

interface Streak {
  failures: number
  sinceMs: number
  reportedMs: number
  lastMs: number
}

/** Failures of one task in a row. */
export interface FailureStreak {
  failures: number
  seconds: number
}

/**
 * Counts the failures in a row of tasks that are repeated every second, so that the log of an outage has a line for its
 * begin and one for its end.
 */
export class Failures {
  readonly #streaks = new Map<string, Streak>()

  /** Counts a failure. Returns the streak if it should be reported: at its begin, and every five minutes. */
  failed(task: string): FailureStreak | undefined {
    const nowMs = clock.elapsedMs()
    const streak = this.#streaks.get(task)
    if (!streak) {
      this.#streaks.set(task, { failures: 1, sinceMs: nowMs, reportedMs: nowMs, lastMs: nowMs })
      return { failures: 1, seconds: 0 }
    }
    streak.failures++
    streak.lastMs = nowMs
    if (nowMs - streak.reportedMs < REMIND_MS) return undefined
    streak.reportedMs = nowMs
    return shown(streak, nowMs)
  }

  /** The seconds for which the longest streak among some tasks lasts; 0 without one. */
  longest(isOne: (task: string) => boolean): number {
    const nowMs = clock.elapsedMs()
    const recent = [...this.#streaks].filter(([task, { lastMs }]) => isOne(task) && nowMs - lastMs < RECENT_MS)
    return Math.max(0, ...recent.map(([, { sinceMs }]) => (nowMs - sinceMs) / 1_000))
  }

  /** Ends the streak of a task. Returns it; undefined if the task had not failed. */
  succeeded(task: string): FailureStreak | undefined {
    const streak = this.#streaks.get(task)
    if (!streak) return undefined
    this.#streaks.delete(task)
    return shown(streak, clock.elapsedMs())
  }
}

function shown({ failures, sinceMs }: Streak, nowMs: number): FailureStreak {
  return { failures, seconds: Math.round((nowMs - sinceMs) / 1_000) }
}
