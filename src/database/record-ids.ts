import type { Database, Queryable } from './database.ts'

/** Hands out banking ids from blocks of the one sequence, so that an id costs no round trip. */
export interface RecordIds {
  next(): Promise<number>
  /** The even one of two neighbouring ids, for the two sides of a transfer. */
  nextPair(): Promise<number>
  /** Drops the ids in memory, for use when a connection may lead to another server, whose sequence may be behind them. */
  drop(): void
}

/** The sequence's increment; even, so that a pair never spans two blocks. */
const BLOCK = 100
/** Blocks fetched at once when ids go fast. */
const MAX_BLOCKS = 64

export function openRecordIds(database: Queryable & Partial<Pick<Database, 'epoch'>>): RecordIds {
  let next = 0
  let end = 0
  let blocks: number[] = []
  let blocksToFetch = 1
  let epoch = database.epoch?.()
  let refill: Promise<void> | undefined

  function drop(): void {
    next = 0
    end = 0
    blocks = []
    epoch = database.epoch?.()
  }

  /** After a failover to a standby that was behind, the sequence gives the remaining ids out again. */
  function dropWhereConnectionWasLost(): void {
    if (database.epoch?.() !== epoch) drop()
  }

  async function fetchBlocks(): Promise<void> {
    const target = blocks
    const rows = await database.query<{ first: number }>(
      `select nextval('record_id') as first from generate_series(1, $1::int)`,
      [blocksToFetch],
    )
    // If the ids in memory were dropped during the query, these ids came from the lost connection and must not be used.
    if (target === blocks) blocks.push(...rows.map(({ first }) => first))
    blocksToFetch = Math.min(MAX_BLOCKS, blocksToFetch * 2)
  }

  async function openBlock(): Promise<void> {
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

  return {
    // Other callers may empty the block during a wait, so an id is only taken without one.
    async next() {
      dropWhereConnectionWasLost()
      while (next === end) await openBlock()
      return next++
    },
    async nextPair() {
      dropWhereConnectionWasLost()
      for (next += next % 2; next === end; next += next % 2) await openBlock()
      next += 2
      return next - 2
    },
    drop,
  }
}
