import { expect, test } from 'vitest'
import { ENDED, repeat } from './repeat.ts'

test('a task that fails is reported and runs again', async () => {
  const failures: string[] = []
  let runs = 0
  const stop = repeat(
    async () => {
      runs++
      if (runs === 1) throw new Error('first')
    },
    1,
    ({ message }) => failures.push(message),
  )
  await expect.poll(() => runs).toBeGreaterThanOrEqual(3)
  await stop()
  expect(failures).toEqual(['first'])
})

test('stopping waits for the run in progress, after which there is no other', async () => {
  let runs = 0
  let finish = () => {}
  const stop = repeat(
    () => {
      runs++
      return new Promise<void>((resolve) => {
        finish = resolve
      })
    },
    1,
    () => undefined,
  )
  await expect.poll(() => runs).toBe(1)
  let stopped = false
  const stopping = stop().then(() => {
    stopped = true
  })
  await new Promise(setImmediate)
  expect(stopped).toBe(false)
  finish()
  await stopping
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(runs).toBe(1)
})

test('a run that returns ENDED is the last', async () => {
  let runs = 0
  const stop = repeat(
    async () => ++runs === 2 && ENDED,
    1,
    () => undefined,
  )
  await expect.poll(() => runs).toBe(2)
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(runs).toBe(2)
  await stop()
})
