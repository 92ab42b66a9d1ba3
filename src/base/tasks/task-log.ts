import type { Logger } from 'pino'
import { messageOf } from '../message-of.ts'
import { Failures } from './failures.ts'

/** The log of tasks that run again and again: a line when one begins to fail, and a line when it works again. */
export interface TaskLog {
  /** Members of `about` name what the task works on, such as an organisation; each has its own failures. */
  failed(task: string, error: unknown, about?: Record<string, unknown>): void
  succeeded(task: string, about?: Record<string, unknown>): void
}

export function openTaskLog(log: Pick<Logger, 'warn' | 'info'>, failures = new Failures()): TaskLog {
  return {
    failed(task, error, about) {
      const streak = failures.failed(nameOf(task, about))
      if (!streak) return
      const line = { task, ...about, reason: messageOf(error) }
      if (streak.failures === 1) log.warn(line, 'background task failed')
      else log.warn({ ...line, ...streak }, 'background task still fails')
    },
    succeeded(task, about) {
      const streak = failures.succeeded(nameOf(task, about))
      if (streak) log.info({ task, ...about, ...streak }, 'background task works again')
    },
  }
}

function nameOf(task: string, about: Record<string, unknown> | undefined): string {
  return about ? `${task} ${JSON.stringify(about)}` : task
}
