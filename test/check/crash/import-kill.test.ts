import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, openTestBank, type TestBank, type TestDatabase } from '../../support/harness.ts'
import { operate } from '../../support/run/command-line.ts'
import { connect, databaseUrl, launchPurser, runPurser, scratchFolder, until } from '../../support/service.ts'

let bank: TestBank
let target: TestDatabase

beforeAll(async () => {
  bank = await openTestBank({ own: true })
  target = await createDatabase()
})
afterAll(async () => {
  await bank.close()
  await target.drop()
})

const environmentOf = (server: TestDatabase['server']) => ({
  DATABASE_URL: databaseUrl(server),
  PURSER_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
  PURSER_ROUTING_NUMBER: '812345678',
})

/** Kills a command at its first transfer, which waits for a lock. */
async function killedAtTransfers(words: string[], server: TestDatabase['server']): Promise<void> {
  const locker = await connect(server)
  await locker.query('begin')
  await locker.query('lock table transfer in access exclusive mode')
  const command = launchPurser(words, { environment: environmentOf(server) })
  const ended = command.exited.then(({ code, stderr }) => {
    throw new Error(`the command ended with ${code}: ${stderr}`)
  })
  // In a transaction the server shows its sessions as they were at first.
  const watcher = await connect(server)
  const waits = until('the first transfer', async () => {
    const { rows } = await watcher.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like 'insert into transfer%'`,
    )
    return rows.length > 0
  })
  await Promise.race([waits, ended])
  ended.catch(() => undefined)
  await command.kill()
  await watcher.end()
  await locker.query('rollback')
  await locker.end()
}

async function runs(words: string[], server: TestDatabase['server']): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await runPurser(words, { environment: environmentOf(server) })
  expect(code, stderr).toBe(0)
  return JSON.parse(stdout)
}

const verified = (server: TestDatabase['server']) => runPurser(['verify'], { environment: environmentOf(server) })

test('an import of an archive that is killed leaves nothing, and the next one imports all of it once', async () => {
  await bank.call('POST', '/v0/sandbox/scenarios', { body: { seed: 7 } })
  // The background work of a service does so.
  await bank.database.query('update reseal set done = true')
  await bank.database.query('delete from copy_move')
  const folder = scratchFolder()
  const secret = join(folder, 'secret.txt')
  const archive = join(folder, 'first.age')
  const [{ recipient }] = (await operate(['keys', 'identity', secret], {})) as [{ recipient: string }]
  await operate(
    ['export', 'organisation', 'first', '--to', archive, '--recipient', recipient],
    environmentOf(bank.server),
  )
  const words = ['import', archive, '--identity', secret]
  await killedAtTransfers(words, target.server)
  const { code } = await verified(target.server)
  expect(code).toBe(0)
  expect(await runs(words, target.server)).toMatchObject({ state: 'imported' })
  expect(await runs(words, target.server)).toMatchObject({ state: 'known' })
  expect((await verified(target.server)).code).toBe(0)
})

test('an import from files that is killed leaves nothing, and the next one imports all of it once', async () => {
  const folder = join(scratchFolder(), 'former')
  mkdirSync(folder)
  const days = Array.from({ length: 28 }, (_, day) => `A-1,2025-01-${String(day + 1).padStart(2, '0')}T12:00:00Z,100`)
  writeFileSync(join(folder, 'customers.csv'), 'id,name,createdAt\nC-1,Ada Example,2025-01-01\n')
  writeFileSync(join(folder, 'accounts.csv'), 'id,customerId,openedAt,balance\nA-1,C-1,2025-01-01,2800\n')
  writeFileSync(join(folder, 'history.csv'), ['accountId,at,amount', ...days].join('\n'))
  await bank.makeKey('Former', null)
  const words = ['import', folder, '--organisation', 'Former']
  await killedAtTransfers(words, bank.server)
  expect(await operate(['organisations', 'former-ids', 'Former'], environmentOf(bank.server))).toEqual([])
  expect(await runs(words, bank.server)).toMatchObject({ state: 'imported' })
  expect(await runs(words, bank.server)).toMatchObject({ state: 'known' })
  expect(await operate(['organisations', 'former-ids', 'Former'], environmentOf(bank.server))).toHaveLength(2)
  expect((await verified(bank.server)).code).toBe(0)
})
