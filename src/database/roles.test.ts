import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openTestBank, root, type TestBank } from '../../test/support/harness.ts'
import { makeSandboxOrganisation } from '../../test/support/organisations.ts'
import { administer, asRole, databaseNamed } from '../../test/support/server.ts'
import { makeCustomer, makeWorld } from '../../test/support/world.ts'
import { eraseCustomer } from '../bank/erasure/erase.ts'
import { loadSamples } from '../bank/offers/catalogue.ts'
import { sweepOrganisations } from '../bank/organisations/sweep.ts'
import { parseConfig } from '../config.ts'
import { verifyLedger } from '../ledger/verify.ts'
import { openRetention } from '../retention/retention.ts'
import { type Database, openDatabase, plainTimeouts } from './database.ts'
import { grantService } from './grants.ts'
import { migrate } from './migrate.ts'

const server = inject('server')
const suffix = `_${process.pid}`
const [ownerRole, serviceRole, name] = [`purser_owner${suffix}`, `purser_service${suffix}`, `purser${suffix}`]
const ownServer = asRole(databaseNamed(server, name), ownerRole, 'change-this')
const serviceServer = asRole(databaseNamed(server, name), serviceRole, 'change-this-too')
const open = (as: typeof ownServer) => openDatabase({ servers: [as], connections: 2, timeouts: plainTimeouts })

let owner: Database
let bank: TestBank

/** The statements of the page on operations, under names of this run. */
function documented(): string[] {
  const page = readFileSync(join(root, 'docs/operations.md'), 'utf8')
  const [, block = ''] = /```sql\n(create role purser_owner[^`]*)```/.exec(page) ?? []
  return block
    .replaceAll('purser_owner', ownerRole)
    .replaceAll('purser_service', serviceRole)
    .replace('database purser ', `database ${name} `)
    .split(';')
    .filter((statement) => statement.trim() !== '')
}

beforeAll(async () => {
  for (const statement of documented()) await administer(server, statement)
  owner = open(ownServer)
})
afterAll(async () => {
  await bank?.close()
  await owner?.close()
  await administer(server, `drop database ${name} with (force)`)
  for (const role of [serviceRole, ownerRole]) await administer(server, `drop role ${role}`)
})

describe('a service whose role owns nothing', () => {
  test('refuses to start on tables that only their owner can make', async () => {
    const database = open(serviceServer)
    const folder = join(root, 'migrations')
    await expect(migrate(database, folder)).rejects.toThrow(/run purser migrate with the URL of their owner/)
    expect(await migrate(owner, folder)).toBeGreaterThan(0)
    await expect(grantService(owner, ownerRole)).rejects.toThrow('owns the tables')
    await expect(grantService(owner, 'nobody-like-this')).rejects.toThrow('there is no role')
    await grantService(owner, serviceRole)
    await grantService(owner, serviceRole)
    expect(await migrate(database, folder)).toBe(0)
    await database.close()
  })

  test('makes payments, deletes old rows and sweeps ended organisations', async () => {
    bank = await openTestBank({ on: { name, server: serviceServer, drop: async () => undefined } })
    await makeWorld(bank)
    const { id, key } = await makeSandboxOrganisation(bank)
    await makeWorld(bank, key)
    await bank.call('DELETE', '/v0/sandbox/organisations/current', { key })
    await sweepOrganisations(bank, { graceMs: 0, callMs: 60_000 })
    const left = await owner.query(`select from transfer where organisation_id = $1::bigint`, [id])
    expect(left).toEqual([])

    const { prune } = openRetention({
      database: bank.database,
      keep: parseConfig({ PURSER_KEEP_EVENTS: 'P7D' }).keep,
      failed: (error) => {
        throw error
      },
      limits: { kindMs: 10_000, pause: 0, restMs: 1 },
    })
    await prune()
    await owner.query(`update retention_mark set marked_at = marked_at - interval '8 days'`)
    const count = async () =>
      (await owner.query<{ count: number }>(`select count(*) as count from event_page`))[0]?.count
    const before = (await count()) ?? 0
    await prune()
    expect(await count()).toBeLessThan(before)
    expect(await verifyLedger(bank.database)).toEqual([])
  })

  test('fills the catalogue of a sandbox', async () => {
    expect(await loadSamples(bank.database, join(root, 'assets'))).toMatchObject({ offers: 15_885 })
  })

  test.each([
    'alter table transfer disable trigger all',
    'alter table event_page disable trigger event_page_kept',
    'drop trigger transfer_keeps on transfer',
    'update transfer set amount = amount + 1',
    'delete from transfer',
    'delete from event_page',
    'delete from event_link',
    'update event_link set link = digest',
    'update event_page set events = events',
    'update customer_key set data_key = null',
    'delete from customer_key',
    'delete from denied_request',
    'truncate transfer',
    'truncate event_page',
    'truncate answer',
    "set session_replication_role = 'replica'",
    "insert into retention_mark values ('events', 1, '2000-01-01', 1000000)",
    "update retention set keep = '0'",
    'delete from migration',
    'create table event (id int)',
    'drop function refuse_change cascade',
    "create or replace function refuse_change() returns trigger language plpgsql as 'begin return null; end'",
    `set role ${ownerRole}`,
  ])('cannot run %s', async (statement) => {
    await expect(bank.database.query(statement, [], 'once')).rejects.toThrow(
      /permission denied|must be owner|must be able to/,
    )
  })

  test('cannot erase a customer, as the owner can', async () => {
    const id = Number(await makeCustomer(bank))
    await expect(eraseCustomer(bank.database, id, { early: true })).rejects.toThrow('may not erase')
    await expect(bank.database.query(`update customer_key set erased_at = now()`)).rejects.toThrow('check constraint')
    expect(await eraseCustomer(owner, id, { early: true })).toMatchObject({ erased: true })
  })

  test('cannot lead a function of the owner to tables of its own', async () => {
    await bank.database.transaction(async (transaction) => {
      const run = (text: string) => transaction.query(text, [], 'once')
      await run(`create temporary table retention as select 'denials' as kind, interval '1 day' as keep`)
      await run(`create temporary table retention_mark as
        select 'denials' as kind, 0::bigint as organisation_id, now() - interval '9 days' as marked_at, 5::bigint as position`)
      const rows = await transaction.query(`select expired_position('denials', 0) as position`, [], 'once')
      expect(rows).toEqual([{ position: 0 }])
    })
  })
})
