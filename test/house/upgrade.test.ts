import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, inject, test, vi } from 'vitest'
import { schemaPage } from '../../scripts/schema-text.ts'
import { openDatabase, plainTimeouts } from '../../src/database/database.ts'
import { migrate } from '../../src/database/migrate.ts'
import { verifyLedger } from '../../src/ledger/verify.ts'
import { type BaselineRequest, baselineEnvironment } from '../support/baseline/baseline.ts'
import { root } from '../support/harness.ts'
import { administer, databaseNamed } from '../support/server.ts'
import { databaseUrl, endServices, scratchFolder, startService } from '../support/service.ts'

vi.setConfig({ testTimeout: 120_000 })

const folder = join(root, 'test/support/baseline')
const baselines = readdirSync(folder).filter((name) => /\.sql$/.test(name))

describe('A database of a released version', () => {
  const names: string[] = []
  afterAll(async () => {
    await endServices()
    for (const name of names) await administer(inject('server'), `drop database ${name} with (force)`)
  })

  test('is kept for every release', () => {
    expect(baselines).toContain('0.1.0.sql')
  })

  test.each(baselines)('is upgraded from %s, with its records, laws and stored answers', async (baseline) => {
    const name = `purser_upgrade_${process.pid}_${names.length}`
    await administer(inject('server'), `create database ${name}`)
    names.push(name)
    const server = databaseNamed(inject('server'), name)
    const sql = readFileSync(join(folder, baseline), 'utf8')
    await administer(server, sql)
    const database = openDatabase({ servers: [server], connections: 2, timeouts: plainTimeouts })
    await migrate(database, join(root, 'migrations'))
    expect(await schemaPage(database)).toBe(readFileSync(join(root, 'docs/schema.md'), 'utf8'))
    expect(await verifyLedger(database)).toEqual([])
    await database.close()

    const { path, key, body, answer } = JSON.parse(sql.split('\n')[1]?.slice(3) ?? '') as BaselineRequest
    const service = await startService({
      PURSER_DATA_DIR: join(scratchFolder(), 'data'),
      DATABASE_URL: databaseUrl(server),
      ...baselineEnvironment,
    })
    const replay = await service.call('POST', path, { body, idempotencyKey: key })
    expect([replay.status, replay.text]).toEqual([201, answer])
    const another = await service.call('POST', path, { body })
    expect(another.status).toBe(201)
    const exit = await service.stop()
    expect(exit.code).toBe(0)
  })
})
