import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { inTurns } from './in-turns.ts'

test('items with one key run in their order, others beside them', async () => {
  const done: string[] = []
  await inTurns(
    ['a1', 'b1', 'a2', 'a3', 'b2'],
    ([key]) => key,
    async (item) => {
      await sleep(item === 'a1' ? 30 : 1)
      done.push(item)
    },
  )
  expect(done.filter((item) => item.startsWith('a'))).toEqual(['a1', 'a2', 'a3'])
  expect(done.slice(0, 2)).toEqual(['b1', 'b2'])
})

test('a failure leaves out the items behind it, and the others end', async () => {
  const done: string[] = []
  const running = inTurns(
    ['a1', 'a2', 'b1', 'b2'],
    ([key]) => key,
    async (item) => {
      await sleep(1)
      if (item === 'a1') throw new Error('broken')
      done.push(item)
    },
  )
  await expect(running).rejects.toThrow('broken')
  expect(done).toEqual(['b1', 'b2'])
})
