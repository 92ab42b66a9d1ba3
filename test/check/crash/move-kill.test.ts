import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, inject, test } from 'vitest'
import { openDatabase, plainTimeouts } from '../../../src/database/database.ts'
import { migrate } from '../../../src/database/migrate.ts'
import { baselineEnvironment, type Golden } from '../../support/baseline/baseline.ts'
import { storedWithout } from '../../support/baseline/copies.ts'
import { root } from '../../support/harness.ts'
import { expectSoundLedger } from '../../support/ledger.ts'
import { administer, databaseNamed } from '../../support/server.ts'
import { ask, connect, databaseUrl, endServices, scratchFolder, startService, until } from '../../support/service.ts'

const folder = join(root, 'test/support/baseline')
const name = `purser_move_kill_${process.pid}`

afterAll(async () => {
  await endServices()
  await administer(inject('server'), `drop database if exists ${name} with (force)`)
})

test('the removal of copies that is killed half-way goes on after a restart, and every event stays as it was', async () => {
  const golden: Golden = JSON.parse(readFileSync(join(folder, '0.1.0.golden.json'), 'utf8'))
  await administer(inject('server'), `create database ${name}`)
  const server = databaseNamed(inject('server'), name)
  await administer(server, readFileSync(join(folder, '0.1.0.sql'), 'utf8'))
  const database = openDatabase({ servers: [server], connections: 2, timeouts: plainTimeouts })
  await migrate(database, join(root, 'migrations'))
  const environment = { DATABASE_URL: databaseUrl(server), ...baselineEnvironment }
  const begin = () => startService({ PURSER_DATA_DIR: join(scratchFolder(), 'data'), ...environment })

  // A step waits for a row that somebody else keeps: the last one that loses a copy.
  const keeper = await connect(server)
  await keeper.query('begin')
  await keeper.query(
    `select from event_page where last = (
       select max(last) from event_page where events like '%payment.created%') for update`,
  )
  const service = await begin()
  await until('the removal to stand half-way', async () => {
    const [row] = await ask(
      server,
      `select exists (select from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and query like '%update event_page%') as waits`,
    )
    return row?.waits
  })
  await service.kill()
  await keeper.end()
  expect((await storedWithout(database)).events).toBeLessThan(10)

  const again = await begin()
  await until('the removal to be completed', async () => {
    const [row] = await ask(server, 'select not exists (select from copy_move) as done')
    return row?.done
  })
  expect((await storedWithout(database)).events).toBe(10)
  for (const event of golden.events) {
    expect((await again.call('GET', `/v0/events/${JSON.parse(event).data.id}`)).text).toBe(event)
  }
  await expectSoundLedger({ database })
  await database.close()
})
