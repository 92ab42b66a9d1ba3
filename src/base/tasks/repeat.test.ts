import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { deferred } from '../../../test/support/deferred.ts'
import { ENDED, repeat } from './repeat.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

test('a task that fails is reported and runs again', async () => {
  const failures: string[] = []
  let runs = 0
  const stop = repeat(
    async () => {
      runs++
      if (runs === 1) throw new Error('first')
    },
    10,
    ({ message }) => failures.push(message),
  )
  await vi.advanceTimersByTimeAsync(30)
  expect(runs).toBe(3)
  await stop()
  expect(failures).toEqual(['first'])
})

test('stopping waits for the run in progress, after which there is no other', async () => {
  let runs = 0
  const end = deferred()
  const stop = repeat(
    () => {
      runs++
      return end.promise
    },
    10,
    () => undefined,
  )
  await vi.advanceTimersByTimeAsync(10)
  expect(runs).toBe(1)
  let stopped = false
  const stopping = stop().then(() => {
    stopped = true
  })
  await vi.advanceTimersByTimeAsync(100)
  expect(stopped).toBe(false)
  end.resolve()
  await stopping
  await vi.advanceTimersByTimeAsync(100)
  expect(runs).toBe(1)
})

test('a run that returns ENDED is the last', async () => {
  let runs = 0
  const stop = repeat(
    async () => ++runs === 2 && ENDED,
    10,
    () => undefined,
  )
  await vi.advanceTimersByTimeAsync(100)
  expect(runs).toBe(2)
  await stop()
})
