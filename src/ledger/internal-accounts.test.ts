import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDatabase } from '../../test/support/harness.ts'
import { type Database, openDatabase, plainTimeouts } from '../database/database.ts'
import { openRecordIds } from '../database/record-ids.ts'
import { type BatchRunner, openBatchRunner } from './batch.ts'

describe('The internal accounts of a batch runner', () => {
  let opened: Awaited<ReturnType<typeof createDatabase>>
  let database: Database
  let runner: BatchRunner

  beforeAll(async () => {
    opened = await createDatabase()
    const options = { servers: [opened.server], timeouts: plainTimeouts }
    database = openDatabase({ ...options, connections: 2 })
    await database.query(`insert into organisation (id, name, created_at) values (1, 'one', now())`)
    runner = openBatchRunner({ ...options, ids: openRecordIds(database), kinds: [] })
  })
  afterAll(async () => {
    await runner.close()
    await database.close()
    await opened.drop()
  })

  test('are looked up again after a lost connection, because the next server may not have them', async () => {
    const first = await runner.internalAccount(1, 'ach_clearing')
    expect(await runner.internalAccount(1, 'ach_clearing')).toBe(first)
    // Simulates a failover to a server to which the account was not replicated yet.
    await database.query('delete from account where id = $1', [first])
    await database.query(
      `select pg_terminate_backend(l.pid) from pg_locks l
       where l.locktype = 'advisory' and l.database = (select oid from pg_database where datname = current_database())`,
    )
    await expect.poll(() => runner.internalAccount(1, 'ach_clearing').catch(() => first)).not.toBe(first)
    const [account] = await database.query(`select kind, balance from account where id < 0`)
    expect(account).toEqual({ kind: 'ach_clearing', balance: 0 })
  })
})
