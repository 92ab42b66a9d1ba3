import type { Queryable } from './database.ts'

/** Hands out banking ids from blocks of the one sequence, so that an id costs no round trip. */
export interface RecordIds {
  next(): Promise<number>
  /** The even one of two neighbouring ids, for the two sides of a transfer. */
  nextPair(): Promise<number>
}

/** As much as the sequence grows by at a time; even, so that a pair never straddles two blocks. */
const BLOCK = 100
/** Blocks fetched at once when ids go fast. */
const MAX_BLOCKS = 64

export function openRecordIds(database: Queryable): RecordIds {
  let next = 0
  let end = 0
  const blocks: number[] = []
  let fetched = 1
  let refill: Promise<void> | undefined

  async function fetchBlocks(): Promise<void> {
    const rows = await database.query<{ first: number }>(
      `select nextval('record_id') as first from generate_series(1, $1::int)`,
      [fetched],
    )
    blocks.push(...rows.map(({ first }) => first))
    fetched = Math.min(MAX_BLOCKS, fetched * 2)
  }

  async function open(): Promise<void> {
    while (next === end) {
      const first = blocks.shift()
      if (first !== undefined) {
        next = first
        end = first + BLOCK
        return
      }
      refill ??= fetchBlocks().finally(() => {
        refill = undefined
      })
      await refill
    }
  }

  return {
    // After a wait others may have emptied the block again: only what is seen without a pause may be taken.
    async next() {
      while (next === end) await open()
      return next++
    },
    async nextPair() {
      for (next += next % 2; next === end; next += next % 2) await open()
      next += 2
      return next - 2
    },
  }
}
