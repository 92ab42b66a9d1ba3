import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../test/support/harness.ts'
import { ask, databaseUrl } from '../../test/support/service.ts'
import { parseConfig } from '../config.ts'
import { type Database, openDatabase, plainTimeouts } from '../database/database.ts'
import { requireCellConnections } from './connections.ts'

let databases: [TestDatabase, TestDatabase]
let home: Database
beforeAll(async () => {
  databases = [await createDatabase(), await createDatabase()]
  home = openDatabase({ servers: [databases[0].server], connections: 1, timeouts: plainTimeouts })
})
afterAll(async () => {
  await home.close()
  for (const { drop } of databases) await drop()
})

const check = (processes: number, cell = databaseUrl(databases[1].server)) =>
  requireCellConnections(
    parseConfig({
      DATABASE_URL: databaseUrl(databases[0].server),
      PURSER_CELL_EAST: cell,
      PURSER_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
      PURSER_PROCESSES: String(processes),
    }),
    home,
  )

test('processes need connections to every cell', async () => {
  await ask(databases[1].server, `alter database ${databases[1].name} connection limit 39`)
  await expect(check(2)).rejects.toThrow(
    'PURSER_PROCESSES=2 needs 40 connections, 16 for each process, and the database of the cell east allows 39: raise max_connections, or set PURSER_PROCESSES to 1',
  )
  await ask(databases[1].server, `alter database ${databases[1].name} connection limit 40`)
  await check(2)
})

test('cells on one server need its connections together', async () => {
  await expect(check(64)).rejects.toThrow('needs 2056 connections, 32 for each process, and the database allows')
})

test('a further cell that is away holds up no start', async () => {
  await check(2, 'postgres://nobody@127.0.0.1:9/none')
})
