import { expect, test } from 'vitest'
import type { Database } from './database.ts'
import { openRecordIds } from './record-ids.ts'

/** A sequence that takes its time, as a database does. */
function slowSequence(): Database {
  let first = 1_000_000 - 100
  const query = async (_text: string, values: unknown[] = []) => {
    await new Promise(setImmediate)
    return Array.from({ length: Number(values[0]) }, () => {
      first += 100
      return { first }
    })
  }
  return {
    query,
    transaction: async () => Promise.reject(new Error('unused')),
    close: async () => undefined,
  } as Database
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
