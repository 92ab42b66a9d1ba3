import { expect, test } from 'vitest'
import { deferred } from '../../test/support/deferred.ts'
import { inTurns } from './in-turns.ts'

test('items with one key run in their order, others beside them', async () => {
  const done: string[] = []
  const othersDone = deferred()
  await inTurns(
    ['a1', 'b1', 'a2', 'a3', 'b2'],
    ([key]) => key,
    async (item) => {
      if (item === 'a1') await othersDone.promise
      done.push(item)
      if (item === 'b2') othersDone.resolve()
    },
  )
  expect(done).toEqual(['b1', 'b2', 'a1', 'a2', 'a3'])
})

test('a failure leaves out the items behind it, and the others end', async () => {
  const done: string[] = []
  const failed = deferred()
  const running = inTurns(
    ['a1', 'a2', 'b1', 'b2'],
    ([key]) => key,
    async (item) => {
      if (item === 'a1') {
        failed.resolve()
        throw new Error('broken')
      }
      await failed.promise
      done.push(item)
    },
  )
  await expect(running).rejects.toThrow('broken')
  expect(done).toEqual(['b1', 'b2'])
})
