import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from '../../test/support/harness.ts'
import { type OwnServer, startOwnServer } from '../../test/support/own-server.ts'
import type { Answer, Write } from '../base/operation.ts'
import { CommitLost, type Database, openDatabase, plainTimeouts } from '../database/database.ts'
import { migrate } from '../database/migrate.ts'
import { openSeal } from '../secrets/seal.ts'
import { openRunOnce } from './run-once.ts'

let own: OwnServer
let database: Database
/** Whether the next COMMIT is lost after it took effect. */
let loseCommit = false

beforeAll(async () => {
  own = await startOwnServer()
  database = openDatabase({ servers: [own.server], connections: 4, timeouts: plainTimeouts })
  await migrate(database, join(root, 'migrations'))
})
afterAll(async () => {
  await database.close()
  await own.stop()
})

const losing = (): Database => ({
  ...database,
  transaction: async (work, options) => {
    const result = await database.transaction(work, options)
    if (!loseCommit) return result
    loseCommit = false
    // From here on the server waits for a standby, and none is there.
    await own.set('synchronous_standby_names', 'nobody')
    throw new CommitLost('COMMIT was not answered')
  },
})

function newWrite(): Write<string> {
  return {
    caller: { organisationId: 1, keyId: 0 },
    requestId: null,
    key: { text: null, hash: randomBytes(32), fingerprint: Buffer.alloc(32), fromCaller: true },
    render: (data) => ({ status: 201, body: JSON.stringify({ data }), replayed: false }),
  }
}

describe('while commits wait for a standby that is not there', () => {
  const outcomeOf = async (answer: Promise<Answer>): Promise<unknown> =>
    Promise.race([answer, sleep(1_000).then(() => 'waits')])

  test('a lost COMMIT is not answered as done before the standby has it', async () => {
    const runOnce = openRunOnce({
      database: losing(),
      seal: openSeal(Buffer.alloc(32)),
      waitMs: 30_000,
      settleMs: 30_000,
    })
    loseCommit = true
    const answer = runOnce.transaction(newWrite(), async () => 'made')
    await expect.poll(() => loseCommit).toBe(false)
    expect(await outcomeOf(answer)).toBe('waits')
    await own.set('synchronous_standby_names', '')
    expect(await answer).toEqual({ status: 201, body: '{"data":"made"}', replayed: false })
  })

  test('a replay is not answered before the standby has the answer', async () => {
    const runOnce = openRunOnce({ database, seal: openSeal(Buffer.alloc(32)), waitMs: 30_000, settleMs: 30_000 })
    const write = newWrite()
    await runOnce.transaction(write, async () => 'made')
    await own.set('synchronous_standby_names', 'nobody')
    await sleep(500)
    const again = runOnce.transaction(write, async () => 'made again')
    expect(await outcomeOf(again)).toBe('waits')
    await own.set('synchronous_standby_names', '')
    expect(await again).toEqual({ status: 201, body: '{"data":"made"}', replayed: true })
  })
})
