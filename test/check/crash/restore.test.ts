import { chmodSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EmbeddedServer, startEmbedded } from '../../../src/database/embedded/embedded.ts'
import { root } from '../../support/harness.ts'
import { backUp, writeOwned } from '../../support/postgres/base-backup.ts'
import {
  ask,
  databaseUrl,
  endServices,
  runPurser,
  type Service,
  scratchFolder,
  startService,
  until,
} from '../../support/service.ts'

/*
 * The steps of docs/operations.md for a restore to a point in time, with the settings of that page. The base backup is made
 * by the functions that pg_basebackup calls, because the npm binaries of PostgreSQL lack that program.
 */

const page = readFileSync(join(root, 'docs/operations.md'), 'utf8')
const secrets = { PURSER_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'), PURSER_API_KEY: 'key-of-the-operator' }
const servers: EmbeddedServer[] = []
let folder: string

beforeAll(() => {
  folder = scratchFolder()
  mkdirSync(join(folder, 'archive'))
  // A server that root starts runs as another user.
  chmodSync(join(folder, 'archive'), 0o777)
})
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()))
  await endServices()
})

/** The settings of a block of the page, with the folder of this test in place of `/archive`. */
function settingsOf(block: string): Record<string, string> {
  const [, lines = ''] = new RegExp(`^ *\`\`\`ini ${block}\\n([\\s\\S]*?)^ *\`\`\`$`, 'm').exec(page) ?? []
  const settings = [...lines.matchAll(/^ *(\w+) = '?(.+?)'?$/gm)]
  expect(settings.length).toBeGreaterThan(2)
  return Object.fromEntries(
    settings.map(([, name, value = '']) => [name, value.replaceAll('/archive', `${folder}/archive`)]),
  )
}

async function startServer(name: string, settings: Record<string, string>): Promise<EmbeddedServer> {
  const dataDir = join(folder, name)
  const lost = (error: Error) => {
    throw error
  }
  const server = await startEmbedded({ dataDir, say: () => undefined, lost, settings: { fsync: 'off', ...settings } })
  servers.push(server)
  return server
}

const serviceOn = (server: pg.ClientConfig) =>
  startService({ PURSER_DATA_DIR: join(folder, 'unused'), DATABASE_URL: databaseUrl(server), ...secrets })

function pay(service: Service, account: Record<string, string>, key: string) {
  const { accountId, externalAccountId: counterpartyAccountId } = account
  const body = { amount: 1_00, counterpartyAccountId, description: key, originalType: 'ACH' }
  return service.call('POST', `/v0/banking/accounts/${accountId}/payments`, { body, idempotencyKey: key })
}

async function descriptions(service: Service, { accountId }: Record<string, string>): Promise<string[]> {
  const { json } = await service.call('GET', `/v0/banking/payments?accountId=${accountId}&limit=100`)
  return json.data.map(({ description }: { description: string }) => description)
}

test('a base backup and the archived log restore the bank as it was at a point in time', async () => {
  const primary = await startServer('primary', settingsOf('archive'))
  const before = await serviceOn(primary.connection)
  const account = (await before.call('POST', '/v0/sandbox/scenarios', { body: { seed: 1 } })).json.data
  expect((await pay(before, account, 'first')).status).toBe(201)
  mkdirSync(join(folder, 'restored'))
  await backUp(primary, join(folder, 'restored/pg18'))
  const kept = await pay(before, account, 'second')
  const [now] = await ask<{ point: string }>(primary.connection, 'select clock_timestamp()::text as point')
  expect((await pay(before, account, 'third')).status).toBe(201)
  const [last] = await ask<{ segment: string }>(
    primary.connection,
    'select pg_walfile_name(pg_current_wal_lsn()) as segment, pg_switch_wal()',
  )
  await until('the log to be archived', () => readdirSync(join(folder, 'archive')).includes(last?.segment ?? '?'))
  await before.stop()
  await primary.stop()

  writeOwned(join(folder, 'restored/pg18'), 'recovery.signal', '')
  const settings = { ...settingsOf('restore'), recovery_target_time: now?.point ?? '' }
  const { connection } = await startServer('restored', settings)
  await until('the promotion', async () => {
    const [state] = await ask<{ waits: boolean }>(connection, 'select pg_is_in_recovery() as waits')
    return state?.waits === false
  })
  const environment = { DATABASE_URL: databaseUrl(connection), ...secrets }
  expect(await runPurser(['verify'], { environment })).toMatchObject({ code: 0 })

  const after = await serviceOn(connection)
  const found = await descriptions(after, account)
  expect(found).toEqual(expect.arrayContaining(['first', 'second']))
  expect(found).not.toContain('third')
  expect((await pay(after, account, 'second')).text).toBe(kept.text)
  expect((await pay(after, account, 'third')).status).toBe(201)
  expect(await runPurser(['verify'], { environment })).toMatchObject({ code: 0 })
})
