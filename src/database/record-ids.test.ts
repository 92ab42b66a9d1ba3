import { expect, test } from 'vitest'
import type { Database } from './database.ts'
import { openRecordIds } from './record-ids.ts'

/** A sequence that takes its time, as a database does. */
function slowSequence() {
  let first = 1_000_000 - 100
  const query = async (_text: string, values: unknown[] = []) => {
    await new Promise(setImmediate)
    return Array.from({ length: Number(values[0]) }, () => {
      first += 100
      return { first }
    })
  }
  let epoch = 0
  return {
    query: query as Database['query'],
    epoch: () => epoch,
    /** Fails over to a server whose sequence is so far behind. */
    failOver: (behind: number) => {
      epoch++
      first -= behind
    },
  }
}

test('two processes never hand out the same id, however many callers wait for a block', async () => {
  const sequence = slowSequence()
  const processes = [openRecordIds(sequence), openRecordIds(sequence)]
  const singles = processes.flatMap((ids) => Array.from({ length: 2_000 }, () => ids.next()))
  const pairs = processes.flatMap((ids) => Array.from({ length: 2_000 }, () => ids.nextPair()))
  const taken = [...(await Promise.all(singles)), ...(await Promise.all(pairs)).flatMap((even) => [even, even + 1])]
  expect(new Set(taken).size).toBe(taken.length)
  expect((await Promise.all(pairs)).filter((id) => id % 2 === 1)).toEqual([])
  expect(Math.min(...taken)).toBe(1_000_000)
})

test('ids in memory are dropped when a connection was lost, because the next server may give them out again', async () => {
  const sequence = slowSequence()
  const ids = openRecordIds(sequence)
  const before = await Promise.all(Array.from({ length: 450 }, () => ids.next()))
  sequence.failOver(100)
  const after = await ids.next()
  expect(before).not.toContain(after)
  expect(after % 100).toBe(0)
  expect(await ids.nextPair()).toBe(after + 2)
})

test('ids that arrive after they were dropped are not handed out', async () => {
  const sequence = slowSequence()
  const ids = openRecordIds(sequence)
  const early = ids.next()
  ids.drop()
  const late = ids.next()
  expect([await early, await late].sort()).toEqual([1_000_100, 1_000_101])
})
