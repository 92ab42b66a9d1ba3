import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../test/support/harness.ts'
import { openPooler, type Pooler } from '../../test/support/postgres/pooler.ts'
import { StartupError } from '../base/startup-error.ts'
import { openDatabase, plainTimeouts } from './database.ts'
import { requireSessions } from './sessions.ts'

let place: TestDatabase
let pooler: Pooler
beforeAll(async () => {
  place = await createDatabase()
  pooler = await openPooler(place.server)
})
afterAll(async () => {
  await pooler.close()
  await place.drop()
})

test('a server whose connections are sessions is accepted, also while others use it', async () => {
  await Promise.all(Array.from({ length: 3 }, () => requireSessions([place.server])))
})

test('a pooler that lends connections for one transaction is refused, at every try', async () => {
  for (let attempt = 0; attempt < 3; attempt++) {
    const refused = await requireSessions([pooler.server]).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(StartupError)
    expect(String(refused)).toContain('pool_mode = session')
  }
})

test('a pooler behind which another client has prepared the same name is refused', async () => {
  const other = openDatabase({ servers: [pooler.server], connections: 1, timeouts: plainTimeouts })
  await other.transaction(async (transaction) => transaction.query('select 1'))
  await expect(requireSessions([pooler.server])).rejects.toThrow('pool_mode = session')
  await other.close()
})
