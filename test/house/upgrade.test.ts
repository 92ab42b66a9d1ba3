import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { schemaPage } from '../../scripts/schema-text.ts'
import { firstStatesReader, readFirstRows } from '../../src/bank/first-states/first-states.ts'
import { moveCopies } from '../../src/bank/first-states/move-copies.ts'
import { verifyRecords } from '../../src/bank/proof/verify-records.ts'
import type { Write } from '../../src/base/operation.ts'
import { type Database, openDatabase, plainTimeouts } from '../../src/database/database.ts'
import { unfoldedNumbers } from '../../src/database/folded.ts'
import { migrate } from '../../src/database/migrate.ts'
import { verifyChains } from '../../src/events/chain/verify-chain.ts'
import { findAnswer } from '../../src/idempotency/answers.sql.ts'
import { openedAnswer } from '../../src/idempotency/stored-answer.ts'
import { verifyLedger } from '../../src/ledger/verify.ts'
import { openSeals } from '../../src/secrets/seals.ts'
import { type BaselineRequest, baselineEnvironment, type Golden } from '../support/baseline/baseline.ts'
import { storedWithout } from '../support/baseline/copies.ts'
import { root } from '../support/harness.ts'
import { administer, databaseNamed } from '../support/server.ts'
import { databaseUrl, endServices, scratchFolder, startService } from '../support/service.ts'
import { writeBaseline } from './baseline.ts'

const folder = join(root, 'test/support/baseline')
const encryptionKey = Buffer.from(baselineEnvironment.PURSER_ENCRYPTION_KEY, 'base64')
/** The version that stored copies of payments in events and answers, and no chain of events. */
const COPIES = '0.1.0.sql'
/** Answers of the baseline are older than this. */
const KEEP_ANSWERS_MS = 86_400_000
const baselines = readdirSync(folder).filter((name) => /\.sql$/.test(name))

describe('A database of a released version', () => {
  const names: string[] = []
  afterAll(async () => {
    await endServices()
    for (const name of names) await administer(inject('server'), `drop database ${name} with (force)`)
  })

  test.runIf(process.env.BASELINE)('is written for the version in package.json', () => writeBaseline(folder))

  test('is kept for every release', () => {
    const released = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').match(/^## \d+\.\d+\.\d+/gm) ?? []
    expect(baselines.toSorted()).toEqual(released.map((heading) => `${heading.slice(3)}.sql`).toSorted())
  })

  async function newDatabase() {
    const name = `purser_upgrade_${process.pid}_${names.length}`
    await administer(inject('server'), `create database ${name}`)
    names.push(name)
    return databaseNamed(inject('server'), name)
  }
  const start = (server: Server) =>
    startService({
      PURSER_DATA_DIR: join(scratchFolder(), 'data'),
      DATABASE_URL: databaseUrl(server),
      ...baselineEnvironment,
    })

  test.each(baselines)('is upgraded from %s, with its records, laws and stored answers', async (baseline) => {
    const server = await newDatabase()
    const sql = readFileSync(join(folder, baseline), 'utf8')
    await administer(server, sql)
    const database = openDatabase({ servers: [server], connections: 2, timeouts: plainTimeouts })
    await migrate(database, join(root, 'migrations'))
    expect(await schemaPage(database)).toBe(readFileSync(join(root, 'docs/schema.md'), 'utf8'))
    expect(await verifyLedger(database)).toEqual([])
    while (!(await moveCopies(database, openSeals(database, [encryptionKey]), { pages: 5, answers: 5 })));
    const golden: Golden = JSON.parse(readFileSync(join(folder, baseline.replace('.sql', '.golden.json')), 'utf8'))
    if (baseline === COPIES) await expectMoved(database, golden)
    expect(await verifyLedger(database)).toEqual([])
    await database.close()

    const { path, key, body, answer } = requestOf(sql)
    const service = await start(server)
    const replay = await service.call('POST', path, { body, idempotencyKey: key })
    expect([replay.status, replay.text]).toEqual([201, answer])
    for (const event of golden.events) {
      expect((await service.call('GET', `/v0/events/${JSON.parse(event).data.id}`)).text).toBe(event)
    }
    const another = await service.call('POST', path, { body })
    expect(another.status).toBe(201)
    const exit = await service.stop()
    expect(exit.code).toBe(0)
    await expectProof(server, baseline)
  })

  test.each(baselines)('is upgraded from %s while clients pay', async (baseline) => {
    const server = await newDatabase()
    const sql = readFileSync(join(folder, baseline), 'utf8')
    await administer(server, sql)
    const { path, body } = requestOf(sql)
    const service = await start(server)
    const database = openDatabase({ servers: [server], connections: 1, timeouts: plainTimeouts })
    const upgraded = async () => {
      const [row] = await database.query<{ done: boolean }>(
        'select not exists (select from copy_move) and not exists (select from reseal where not done) as done',
      )
      return row?.done === true
    }
    let done = false
    const pay = async () => {
      const statuses: number[] = []
      do statuses.push((await service.call('POST', path, { body: { ...Object(body), amount: 1 } })).status)
      while (!done)
      return statuses
    }
    const clients = Promise.all(Array.from({ length: 6 }, pay))
    await expect.poll(upgraded, { timeout: 60_000 }).toBe(true)
    done = true
    expect(new Set((await clients).flat())).toEqual(new Set([201]))
    expect((await service.stop()).code).toBe(0)
    expect(await verifyLedger(database)).toEqual([])
    await database.close()
    await expectProof(server, baseline)
  })

  test('of the main branch before its steps were folded is upgraded while another process serves payments', async () => {
    const server = await newDatabase()
    const sql = readFileSync(join(folder, COPIES), 'utf8')
    await administer(server, sql)
    const { path, body } = requestOf(sql)
    const former = await start(server)
    const database = openDatabase({ servers: [server], connections: 1, timeouts: plainTimeouts })
    const migrations = () => database.query('select number, name, checksum, contract from migration order by number')
    const folded = await migrations()
    await database.query('delete from migration where number between $1 and $2', unfoldedNumbers)
    await database.query(
      `insert into migration (number, name, checksum, contract)
       values (10, '0010_inbound_faults', 'x', false), (25, '0025_first_states', 'x', true), (116, '0116_reward_reductions', 'x', false)`,
    )
    const statuses: number[] = []
    let present: Awaited<ReturnType<typeof start>> | undefined
    const pay = async () => {
      do statuses.push((await former.call('POST', path, { body: { ...Object(body), amount: 1 } })).status)
      while (!present)
    }
    const clients = Promise.all([pay(), pay(), pay()])
    present = await start(server)
    await clients
    expect(new Set(statuses)).toEqual(new Set([201]))
    expect(await migrations()).toEqual(folded)
    expect((await present.call('POST', path, { body })).status).toBe(201)
    for (const service of [former, present]) expect((await service.stop()).code).toBe(0)
    expect(await verifyLedger(database)).toEqual([])
    await database.close()
  })
})

type Server = ReturnType<typeof databaseNamed>

function requestOf(sql: string): BaselineRequest {
  return JSON.parse(sql.split('\n')[1]?.slice(3) ?? '')
}

/** Records are as their events show them, and the chain holds from its begin on: the first event, or the first transaction after the upgrade of a version without chains. */
async function expectProof(server: Server, baseline: string): Promise<void> {
  const database = openDatabase({ servers: [server], connections: 1, timeouts: plainTimeouts })
  const reports = await verifyChains(database, { readRows: readFirstRows })
  const breaches = await verifyRecords(database, { encryptionKeys: [encryptionKey], keepAnswersMs: KEEP_ANSWERS_MS })
  await database.close()
  expect(breaches).toEqual([])
  expect(reports.flatMap(({ breaches }) => breaches)).toEqual([])
  const [chain = { from: null, head: 0 }] = reports.filter(({ from }) => from !== null)
  const from = chain.from ?? 0
  expect(baseline === COPIES ? from > 1 : from === 1).toBe(true)
  expect(chain.head).toBeGreaterThan(from)
}

/** Every payment of the baseline has lost its copies, and every answer is read as it was stored. */
async function expectMoved(database: Database, { events, answers }: Golden): Promise<void> {
  const payments = events.filter((event) => event.includes('"type":"payment.created"')).length
  const returned = events.filter((event) => event.includes('"type":"payment.returned"')).length
  expect(await storedWithout(database)).toEqual({ events: 2 * payments + returned, answers: payments + returned })
  const parts = {
    seals: openSeals(database, [encryptionKey]),
    readFirstStates: firstStatesReader(openSeals(database, [encryptionKey])),
  }
  const [{ id } = { id: 0 }] = await database.query<{ id: number }>(`select distinct organisation_id as id from answer`)
  for (const { hash, status, body } of answers) {
    const write = {
      caller: { organisationId: id, keyId: 0 },
      key: { hash: Buffer.from(hash, 'hex') },
      render: (_data: never, json?: string) => ({ status: 0, body: `{"data":${json}}`, replayed: false }),
    } as Write<never>
    const stored = await findAnswer(database, write)
    expect(stored && (await openedAnswer(database, parts, write, stored))).toEqual({ status, body, replayed: false })
  }
}
