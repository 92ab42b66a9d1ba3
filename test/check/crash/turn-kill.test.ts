import { afterEach, expect, test } from 'vitest'
import { createWorld } from '../../../bench/world.ts'
import { openDatabase, plainTimeouts } from '../../../src/database/database.ts'
import { storedEncryptionKey } from '../../../src/secrets/secret-file.ts'
import { expectSoundLedger } from '../../support/ledger.ts'
import {
  ask,
  connect,
  embeddedOf,
  endServices,
  preparedDataDir,
  type Service,
  startService,
  until,
} from '../../support/service.ts'

const accounts = process.env.SOAK ? 100_000 : 2_500

afterEach(endServices)

test(`a month's turn for ${accounts} accounts that is killed half-way is completed once after a restart`, async () => {
  const dataDir = await preparedDataDir()
  const service = await startService({ PURSER_DATA_DIR: dataDir })
  const server = embeddedOf(dataDir)
  const { host = '', port = 0, user = '' } = server
  const connection = { host, port, user, database: 'postgres' }
  const encryptionKeys = [await storedEncryptionKey(dataDir)]
  const { firstAccount, organisationId } = await createWorld({ connection, dataDir, encryptionKeys }, accounts)
  const { now } = await clockOf(service)
  const month = now.slice(0, 7)
  const to = new Date(Date.UTC(Number(now.slice(0, 4)), Number(now.slice(5, 7)), 3)).toISOString()
  const advance = (one: Service) =>
    one.call('POST', '/v0/sandbox/clock/advance', { body: { to }, idempotencyKey: 'over-the-month' })

  // The turn goes along the accounts and stops at one that somebody else keeps.
  const keeper = await connect(server)
  await keeper.query('begin')
  await keeper.query('select from account where id = $1 for update', [firstAccount + Math.floor(accounts / 2)])
  const lost = advance(service).catch((error: Error) => error)
  await until('the turn to stand half-way', async () => {
    const [row] = await ask(
      server,
      `select (select count(*)::int from statement) as made, exists (select from pg_stat_activity
         where wait_event_type = 'Lock' and query like '%for no key update%') as waits`,
    )
    return row?.waits && row.made > 0 && row.made < accounts
  })
  const half = await statements()
  await service.kill()
  expect(await lost).toBeInstanceOf(Error)
  await keeper.end()
  expect(half.length).toBeGreaterThan(0)
  expect(half.length).toBeLessThan(accounts)

  const again = await startService({ PURSER_DATA_DIR: dataDir, PURSER_API_KEY: service.key })
  await until('the turn to be completed', async () => {
    const [row] = await ask(server, 'select statements_from from organisation where id = $1', [organisationId])
    return row?.statements_from !== null
  })
  const all = await statements()
  const made = new Map(all.map(({ id, account_id }) => [account_id, id]))
  expect(all).toHaveLength(accounts)
  expect([...made.keys()]).toEqual(Array.from({ length: accounts }, (_, number) => String(firstAccount + number)))
  expect(half.filter(({ id, account_id }) => made.get(account_id) !== id)).toEqual([])

  // The advance that was cut off goes on to where it was to go, and makes no statement anew.
  const { status, text, json } = await advance(again)
  expect(status, text).toBe(200)
  expect(json.data).toMatchObject({ happened: [], total: 0 })
  expect((await clockOf(again)).now >= to).toBe(true)
  expect(await statements()).toEqual(all)
  const database = openDatabase({ servers: [server], connections: 1, timeouts: plainTimeouts })
  await expectSoundLedger({ database }).finally(() => database.close())

  function statements() {
    return ask<{ id: string; account_id: string }>(
      server,
      'select id, account_id from statement where period = $1 order by account_id',
      [month],
    )
  }
})

async function clockOf(service: Service): Promise<{ now: string }> {
  return (await service.call('GET', '/v0/sandbox/clock')).json.data
}
