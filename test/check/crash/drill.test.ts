import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EmbeddedServer, startEmbedded } from '../../../src/database/embedded/embedded.ts'
import { backUp } from '../../support/postgres/base-backup.ts'
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

/** A bank with an archive, of which backups are made while it runs. */

const secrets = { PURSER_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'), PURSER_API_KEY: 'key-of-the-operator' }
let folder: string
let primary: EmbeddedServer
let service: Service
let account: { accountId: string; externalAccountId: string }

beforeAll(async () => {
  folder = scratchFolder()
  for (const name of ['archive', 'backups']) {
    mkdirSync(join(folder, name))
    // A server that root starts runs as another user.
    chmodSync(join(folder, name), 0o777)
  }
  const archive = join(folder, 'archive')
  primary = await startEmbedded({
    dataDir: join(folder, 'primary'),
    say: () => undefined,
    lost: (error) => {
      throw error
    },
    settings: { fsync: 'off', wal_level: 'replica', archive_mode: 'on', archive_command: `cp %p ${archive}/%f` },
  })
  service = await startService({
    ...{ PURSER_DATA_DIR: join(folder, 'unused'), DATABASE_URL: databaseUrl(primary.connection), ...secrets },
  })
  account = (await service.call('POST', '/v0/sandbox/scenarios', { body: { seed: 1 } })).json.data
})
afterAll(async () => {
  await primary?.stop()
  await endServices()
})

async function drill(...words: string[]) {
  const environment = {
    DATABASE_URL: databaseUrl(primary.connection),
    ...secrets,
    PURSER_DATA_DIR: join(folder, 'unused'),
  }
  const { code, stdout, stderr } = await runPurser(['drill', 'restore', ...words, '--json'], { environment })
  return { code, stderr, report: stdout.startsWith('{') ? JSON.parse(stdout) : undefined }
}

function pay(description: string) {
  const { accountId, externalAccountId: counterpartyAccountId } = account
  const body = { amount: 1_00, counterpartyAccountId, description, originalType: 'ACH' }
  return service.call('POST', `/v0/banking/accounts/${accountId}/payments`, { body })
}

/** Ends the segment of the log, and waits until it is archived. */
async function archived(): Promise<void> {
  const [last] = await ask<{ segment: string }>(
    primary.connection,
    'select pg_walfile_name(pg_current_wal_lsn()) as segment, pg_switch_wal()',
  )
  await until('the log to be archived', () => readdirSync(join(folder, 'archive')).includes(last?.segment ?? '?'))
}

const backups = () => join(folder, 'backups')
const archive = () => join(folder, 'archive')

test('a backup is restored beside the running bank and proven, to the end of the log and to a point in time', async () => {
  await backUp(primary, join(backups(), 'monday'))
  expect((await pay('second')).status).toBe(201)
  const [now] = await ask<{ point: string }>(
    primary.connection,
    `select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as point`,
  )
  expect((await pay('third')).status).toBe(201)
  await archived()
  const before = readdirSync(archive())
  const into = join(folder, 'beside')
  const all = await drill(backups(), '--archive', archive(), '--into', into)
  expect(all, all.stderr).toMatchObject({
    code: 0,
    report: {
      ...{ backup: join(backups(), 'monday'), files: null, laws: [], chain: { breaches: 0 }, faults: [], kept: null },
      seconds: { copy: expect.any(Number), recovery: expect.any(Number), proof: expect.any(Number) },
    },
  })
  expect(all.report.restored).toEqual(all.report.running)
  const earlier = await drill(backups(), '--archive', archive(), '--until', now?.point ?? '', '--migrate')
  expect(earlier, earlier.stderr).toMatchObject({ code: 0, report: { migrations: 0, faults: [] } })
  expect(earlier.report.restored.payments).toBe(earlier.report.running.payments - 1)
  // The restored server has archived nothing, and nothing is left of it.
  expect(readdirSync(archive())).toEqual(before)
  expect(existsSync(into)).toBe(false)
  expect((await pay('fourth')).status).toBe(201)
})

test('a backup whose files, books or key are not right fails the drill', async () => {
  await ask(primary.connection, `update account set balance = balance + 1 where id = ${Number(account.accountId)}`)
  // The end of a backup waits until its log is archived.
  await backUp(primary, join(backups(), 'tuesday'))
  const into = join(folder, 'copy')
  const broken = await drill(backups(), '--archive', archive(), '--into', into, '--keep')
  expect(broken).toMatchObject({ code: 1, report: { backup: join(backups(), 'tuesday'), kept: into } })
  expect(broken.report.faults[0]).toMatch(/^broken: /)
  expect(existsSync(join(into, 'pg18/PG_VERSION'))).toBe(true)
  expect((await drill(backups(), '--into', into)).stderr).toContain('is not empty')

  const version = join(backups(), 'tuesday/PG_VERSION')
  const bytes = readFileSync(version)
  const file = { Path: 'PG_VERSION', Size: bytes.length, 'Checksum-Algorithm': 'SHA256' }
  const manifest = (Checksum: string) =>
    writeFileSync(join(backups(), 'tuesday/backup_manifest'), JSON.stringify({ Files: [{ ...file, Checksum }] }))
  manifest('0'.repeat(64))
  expect((await drill(backups())).stderr).toContain('PG_VERSION is not as the backup wrote it')
  manifest(createHash('sha256').update(bytes).digest('hex'))
  const environment = {
    DATABASE_URL: databaseUrl(primary.connection),
    PURSER_ENCRYPTION_KEY: Buffer.alloc(32, 8).toString('base64'),
  }
  const other = await runPurser(['drill', 'restore', backups(), '--archive', archive()], { environment })
  expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining('sealed with another encryption key') })

  expect((await drill(archive())).stderr).toContain('holds no base backup')
  expect(await drill(backups(), '--until', '2027-01-31T12:00:00Z')).toMatchObject({ code: 2 })
})
