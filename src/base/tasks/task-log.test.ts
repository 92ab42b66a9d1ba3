import { pino } from 'pino'
import { afterEach, expect, test, vi } from 'vitest'
import { openTaskLog } from './task-log.ts'

afterEach(() => {
  vi.useRealTimers()
})

function logged() {
  const lines: Record<string, unknown>[] = []
  const log = pino({ base: null, timestamp: false }, { write: (line) => void lines.push(JSON.parse(line)) })
  return { lines, tasks: openTaskLog(log) }
}

test('an outage has a line when a task begins to fail, and one with the count when it works again', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const { lines, tasks } = logged()
  tasks.succeeded('returns')
  for (let failure = 0; failure < 200; failure++) {
    tasks.failed('returns', new Error('the server does not answer'))
    vi.advanceTimersByTime(1_000)
  }
  tasks.succeeded('returns')
  tasks.succeeded('returns')
  expect(lines).toEqual([
    { level: 40, task: 'returns', reason: 'the server does not answer', msg: 'background task failed' },
    { level: 30, task: 'returns', failures: 200, seconds: 200, msg: 'background task works again' },
  ])
})

test('a task that goes on failing is named again every five minutes, with the latest reason', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const { lines, tasks } = logged()
  tasks.failed('returns', new Error('first'))
  vi.advanceTimersByTime(299_999)
  tasks.failed('returns', new Error('second'))
  vi.advanceTimersByTime(1)
  tasks.failed('returns', new Error('third'))
  tasks.failed('returns', new Error('fourth'))
  expect(lines.slice(1)).toEqual([
    {
      level: 40,
      task: 'returns',
      reason: 'third',
      failures: 3,
      seconds: 300,
      msg: 'background task still fails',
    },
  ])
})

test('tasks, and the things that one task works on, fail independently', () => {
  const { lines, tasks } = logged()
  tasks.failed('retention', new Error('locked'), { kind: 'claims' })
  tasks.failed('retention', new Error('locked'), { kind: 'events' })
  tasks.succeeded('retention', { kind: 'events' })
  tasks.succeeded('retention')
  expect(lines).toMatchObject([
    { kind: 'claims', msg: 'background task failed' },
    { kind: 'events', msg: 'background task failed' },
    { kind: 'events', failures: 1, msg: 'background task works again' },
  ])
})
