import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type OwnServer, startOwnServer } from '../../test/support/own-server.ts'
import { DatabaseUnavailable, openDatabase, plainTimeouts } from './database.ts'
import { openReadiness } from './readiness.ts'
import { openWriteWatch, type WriteWatch } from './write-watch.ts'

let own: OwnServer
let writes: WriteWatch
let oldestMs = 0
beforeAll(async () => {
  own = await startOwnServer()
  writes = openWriteWatch({ servers: [own.server], oldestMs: () => oldestMs })
})
afterEach(() => own.set('synchronous_standby_names', ''))
afterAll(async () => {
  await writes.close()
  await own.stop()
})

test('a server whose standby is away is not ready, refuses writes, and takes them again once it need not wait', async () => {
  const database = openDatabase({ servers: [own.server], connections: 1, timeouts: plainTimeouts })
  const ready = openReadiness(database, writes)
  await ready()
  writes.requireWrites()
  await own.set('synchronous_standby_names', '*')
  oldestMs = 2_000
  await expect(ready()).rejects.toBeInstanceOf(DatabaseUnavailable)
  await expect.poll(() => refusalOf(writes)).toContain('holds up every COMMIT')
  // Reads go on: the server itself is well.
  expect(await database.query('select 1 as one')).toEqual([{ one: 1 }])
  oldestMs = 0
  await own.set('synchronous_standby_names', '')
  await expect.poll(() => refusalOf(writes)).toBeUndefined()
  await ready()
  await database.close()
})

test('a server that answers COMMIT is not blamed for work that is slow', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] })
  const watch = openWriteWatch({ servers: [own.server], oldestMs: () => 60_000 })
  try {
    // Five seconds of looks, with an answer to each.
    for (let look = 0; look < 20; look++) {
      vi.advanceTimersByTime(250)
      expect(refusalOf(watch)).toBeUndefined()
      await watch.probe()
      expect(refusalOf(watch)).toBeUndefined()
    }
  } finally {
    vi.useRealTimers()
    await watch.close()
  }
})

function refusalOf({ requireWrites }: WriteWatch): string | undefined {
  try {
    requireWrites()
    return undefined
  } catch (error) {
    return String(error)
  }
}
