import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkArchive, type Manifest } from '../../../src/operator/archive/manifest.ts'
import { openTestBank, type TestBank } from '../../support/harness.ts'
import { connect, databaseUrl, launchPurser, runPurser, scratchFolder, until } from '../../support/service.ts'
import { makeWorld } from '../../support/world.ts'

let bank: TestBank

beforeAll(async () => {
  bank = await openTestBank()
  // The first organisation has events without transfers, the second one has both.
  expect((await bank.call('POST', '/v0/sandbox/customers', { body: { name: 'Ada Example' } })).status).toBe(201)
  await makeWorld(bank, bank.otherKey)
})
afterAll(() => bank.close())

function filesOf(folder: string): Manifest['files'] {
  const path = join(folder, 'manifest.json')
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Manifest).files : []
}

test('purser archive that is killed after its first file is continued by the next run', async () => {
  const environment = {
    DATABASE_URL: databaseUrl(bank.server),
    PURSER_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
  }
  const before = new Date().toISOString()
  const killed = join(scratchFolder(), 'killed')
  const whole = join(scratchFolder(), 'whole')
  const words = (folder: string) => ['archive', '--before', before, '--to', folder]

  const locker = await connect(bank.server)
  await locker.query('begin')
  await locker.query('lock table transfer in access exclusive mode')
  const process = launchPurser(words(killed), { environment })
  await until('the first file', () => filesOf(killed).length > 0)
  await process.kill()
  await locker.query('rollback')
  await locker.end()
  expect(filesOf(killed)).toHaveLength(1)
  expect((await checkArchive(killed)).faults).toEqual([
    'the archive is not complete: run the command that writes it again',
  ])

  for (const folder of [killed, whole]) {
    const { code, stderr } = await runPurser(words(folder), { environment })
    expect(code, stderr).toBe(0)
    expect((await checkArchive(folder)).faults).toEqual([])
  }
  expect(filesOf(killed).length).toBeGreaterThan(2)
  expect(filesOf(killed)).toEqual(filesOf(whole))
})
