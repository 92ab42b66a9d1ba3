// The plain way: one statement for each look-up, or one for all look-ups that wait.
// What it cost: with all in one statement, 12 % fewer reads at 64 connections and 5 % fewer at 128.
// The test that compares: coalesce.test.ts checks that every look-up gets the row of its own key.
import { type Context, context } from '@opentelemetry/api'

/**
 * Combines concurrent look-ups by key into one statement. While a statement is on its way, look-ups queue; the next
 * statement takes half of the queued and just answered callers together, so that the database works for one half while
 * the service answers the other. A look-up is part of the next statement or of the one after it.
 */
export function coalesce<Key, Row>(
  keyOf: (row: Row) => Key,
  findMany: (keys: Key[]) => Promise<Row[]>,
): (key: Key) => Promise<Row | undefined> {
  const queue: LookUp<Key, Row>[] = []
  let running = false
  let lastAnswered = 0

  async function runQueue(): Promise<void> {
    running = true
    while (queue.length > 0) {
      await new Promise<void>(setImmediate)
      const lookUps = queue.splice(0, Math.ceil((queue.length + lastAnswered) / 2))
      await findTogether(lookUps)
      lastAnswered = lookUps.length
    }
    running = false
  }

  async function findTogether(lookUps: LookUp<Key, Row>[]): Promise<void> {
    try {
      const keys = lookUps.map(({ key }) => key)
      // The statement belongs to the trace of a caller that waits for it, not to the one that started the queue.
      const found = await context.with(lookUps[0]?.trace ?? context.active(), () => findMany(keys))
      const rows = new Map(found.map((row) => [keyOf(row), row]))
      for (const { key, resolve } of lookUps) resolve(rows.get(key))
    } catch (error) {
      for (const { reject } of lookUps) reject(error)
    }
  }

  return (key) =>
    new Promise((resolve, reject) => {
      queue.push({ key, resolve, reject, trace: context.active() })
      if (!running) void runQueue()
    })
}

interface LookUp<Key, Row> {
  key: Key
  resolve(row: Row | undefined): void
  reject(reason: unknown): void
  trace: Context
}
