import type { Database } from './database.ts'

/** Hands out banking ids from blocks of the one sequence, so that an id costs no round trip. */
export interface RecordIds {
  next(): Promise<number>
}

const BLOCK = 100

export function openRecordIds(database: Database): RecordIds {
  let next = 0
  let end = 0
  let refill: Promise<void> | undefined

  async function fetchBlock(): Promise<void> {
    const [row] = await database.query<{ first: number }>(`select nextval('record_id') as first`)
    next = row?.first ?? 0
    end = next + BLOCK
  }

  return {
    async next() {
      while (next === end) {
        refill ??= fetchBlock().finally(() => {
          refill = undefined
        })
        await refill
      }
      return next++
    },
  }
}
