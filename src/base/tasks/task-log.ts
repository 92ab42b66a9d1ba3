import type { Logger } from 'pino'
import { clock } from '../clock.ts'
import { messageOf } from '../message-of.ts'
import { Failures } from './failures.ts'

/** The log of tasks that run again and again: a line when one begins to fail, and a line when it works again. */
export interface TaskLog {
  /** A task runs again and again from now on. */
  begun(task: string): void
  /** Members of `about` name what the task works on, such as an organisation; each has its own failures. */
  failed(task: string, error: unknown, about?: Record<string, unknown>): void
  succeeded(task: string, about?: Record<string, unknown>): void
  /** A task has nothing left to do. */
  ended(task: string): void
  states(): TaskState[]
}

/** How a task is doing, for metrics. */
export interface TaskState {
  task: string
  /** Since the end of its last run without a failure, or since it began. */
  idleSeconds: number
  /** For how long it, or a part of its work, has failed without success in between; 0 while it works. */
  failingSeconds: number
}

export function openTaskLog(log: Pick<Logger, 'warn' | 'info'>, failures = new Failures()): TaskLog {
  const worked = new Map<string, number>()
  return {
    begun: (task) => void worked.set(task, clock.elapsedMs()),
    failed(task, error, about) {
      const streak = failures.failed(nameOf(task, about))
      if (!streak) return
      const line = { task, ...about, reason: messageOf(error) }
      if (streak.failures === 1) log.warn(line, 'background task failed')
      else log.warn({ ...line, ...streak }, 'background task still fails')
    },
    succeeded(task, about) {
      if (!about && worked.has(task)) worked.set(task, clock.elapsedMs())
      const streak = failures.succeeded(nameOf(task, about))
      if (streak) log.info({ task, ...about, ...streak }, 'background task works again')
    },
    ended: (task) => void worked.delete(task),
    states: () => [...worked].map(([task, sinceMs]) => stateOf(task, sinceMs, failures)),
  }
}

function stateOf(task: string, sinceMs: number, failures: Failures): TaskState {
  const idleSeconds = (clock.elapsedMs() - sinceMs) / 1_000
  return {
    task,
    idleSeconds,
    failingSeconds: failures.longest((name) => name === task || name.startsWith(`${task} {`)),
  }
}

function nameOf(task: string, about: Record<string, unknown> | undefined): string {
  return about ? `${task} ${JSON.stringify(about)}` : task
}
