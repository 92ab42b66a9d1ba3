import type { Database, Queryable } from './database.ts'

/** Hands out banking ids from blocks of the one sequence, so that an id costs no round trip. */
export interface RecordIds {
  /** The next id; without a promise if one is in memory, as nearly always. */
  next(): number | Promise<number>
  /** The even one of two neighbouring ids, for the two sides of a transfer. */
  nextPair(): number | Promise<number>
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

  /** Opens the next block in memory, if the last one is used up; false if there is none. */
  function hasIds(): boolean {
    if (next !== end) return true
    const first = blocks.shift()
    if (first === undefined) return false
    next = first
    end = first + BLOCK
    return true
  }

  function fetched(): Promise<void> {
    refill ??= fetchBlocks().finally(() => {
      refill = undefined
    })
    return refill
  }

  /** Takes an id once there are some. Other callers may take them all first, so that this may take several rounds. */
  async function whenFetched(take: () => number | undefined): Promise<number> {
    for (;;) {
      await fetched()
      const taken = take()
      if (taken !== undefined) return taken
    }
  }

  function takeOne(): number | undefined {
    dropWhereConnectionWasLost()
    return hasIds() ? next++ : undefined
  }

  function takePair(): number | undefined {
    dropWhereConnectionWasLost()
    next += next % 2
    if (!hasIds()) return undefined
    next += 2
    return next - 2
  }

  return { next: () => takeOne() ?? whenFetched(takeOne), nextPair: () => takePair() ?? whenFetched(takePair), drop }
}
