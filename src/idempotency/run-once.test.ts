import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from '../../test/support/harness.ts'
import { type OwnServer, startOwnServer } from '../../test/support/own-server.ts'
import { ask, until } from '../../test/support/service.ts'
import { firstStatesReader } from '../bank/first-states/first-states.ts'
import type { Answer, Write } from '../base/operation.ts'
import { CommitLost, type Database, openDatabase, plainTimeouts } from '../database/database.ts'
import { migrate } from '../database/migrate.ts'
import { openSeals } from '../secrets/seals.ts'
import { openRunOnce } from './run-once.ts'

let own: OwnServer
let database: Database
/** Whether the next COMMIT is lost after it took effect. */
let loseCommit = false

beforeAll(async () => {
  own = await startOwnServer()
  database = openDatabase({ servers: [own.server], connections: 4, timeouts: plainTimeouts })
  await migrate(database, join(root, 'migrations'))
  await database.query(`insert into organisation (id, name, created_at) values (1, 'one', now())`)
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
    await loseStandby()
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

/** The connections of `application` whose commits wait for a standby. */
const waiting = (application: string) =>
  ask(own.server, `select from pg_stat_activity where wait_event = 'SyncRep' and application_name = $1`, [application])

/** Makes every later commit wait for a standby that does not exist. */
const loseStandby = () => own.set('synchronous_standby_names', 'nobody')

const findStandby = () => own.set('synchronous_standby_names', '')

describe('while commits wait for a standby that is not there', () => {
  async function expectToWait(answer: Promise<Answer>): Promise<void> {
    await until('a connection that waits', async () => (await waiting('purser')).length === 1)
    // An answer that does not wait would have come before that of another statement.
    await ask(own.server, 'select')
    expect(await Promise.race([answer, nextTurn('waits')])).toBe('waits')
  }

  test('a lost COMMIT is not answered as done before the standby has it', async () => {
    const runOnce = openRunOnce({
      database: losing(),
      seals: openSeals(database, [Buffer.alloc(32)]),
      readFirstStates: firstStatesReader(openSeals(database, [Buffer.alloc(32)])),
      waitMs: 30_000,
      settleMs: 30_000,
    })
    loseCommit = true
    const answer = runOnce.transaction(newWrite(), async () => 'made')
    await expectToWait(answer)
    await findStandby()
    expect(await answer).toEqual({ status: 201, body: '{"data":"made"}', replayed: false })
  })

  test('a replay is not answered before the standby has the answer', async () => {
    const runOnce = openRunOnce({
      database,
      seals: openSeals(database, [Buffer.alloc(32)]),
      readFirstStates: firstStatesReader(openSeals(database, [Buffer.alloc(32)])),
      waitMs: 30_000,
      settleMs: 30_000,
    })
    const write = newWrite()
    await runOnce.transaction(write, async () => 'made')
    await loseStandby()
    const again = runOnce.transaction(write, async () => 'made again')
    await expectToWait(again)
    await findStandby()
    const storedAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/)
    expect(await again).toEqual({ status: 201, body: '{"data":"made"}', replayed: true, storedAt })
  })
})
