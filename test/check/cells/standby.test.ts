import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Operation } from '../../../src/base/operation.ts'
import { Standby } from '../../../src/cells/standby/standby.ts'
import { DatabaseUnavailable, LockTimeout } from '../../../src/database/database.ts'
import { openMetrics } from '../../../src/http/metrics/metrics.ts'
import { operations } from '../../../src/operations.ts'
import { ENCRYPTION_KEY } from '../../support/cells/home-cell.ts'
import { expectStandbyOfCell } from '../../support/cells/standby-of-cell.ts'
import { openTestBank, type Reply, type TestBank } from '../../support/harness.ts'
import { smallCatalogue } from '../../support/offers.ts'
import { freeze, kill, launch, type Pair, startPair, stopPair, thaw } from '../../support/postgres/pair.ts'
import { sampleRequest, urlOf } from '../../support/schemas/samples.ts'
import { administer } from '../../support/server.ts'
import {
  ask,
  endServices,
  preparedDataDir,
  runPurser,
  scratchFolder,
  startService,
  until,
} from '../../support/service.ts'
import { makeAccount, makeWorld, type World } from '../../support/world.ts'

let pair: Pair
let bank: TestBank
let standby: Standby
const metrics = openMetrics()
const lines: { level: number; msg?: string; reason?: string }[] = []
const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
beforeAll(async () => {
  // A standby that is away must hold up no COMMIT, and a clean-up of the primary must cancel no read.
  const own = { synchronous_standby_names: '', autovacuum: 'off', hot_standby_feedback: 'on' }
  pair = await startPair(await preparedDataDir(), own)
  // The bank of a test has a key of its own.
  await ask(pair.primary.server, 'delete from encryption_marker')
  const started = vi.spyOn(Standby.prototype, 'start')
  const origin = { name: 'postgres', server: pair.primary.server, drop: async () => undefined }
  bank = await openTestBank({
    on: origin,
    readServers: [pair.standby.server],
    catalogue: smallCatalogue(),
    metrics,
    log,
  })
  standby = started.mock.contexts[0] as Standby
  started.mockRestore()
  await used()
})
afterAll(async () => {
  thaw(pair.standby)
  await bank.close()
  await stopPair(pair)
  await endServices()
})

const used = () => until('the standby to be used', () => standby.ageMs() !== undefined)

/** The lines of the log about the standby. */
const said = () =>
  lines
    .filter(({ msg, level }) => level >= 30 && msg?.startsWith('the standby'))
    .map(({ msg, reason }) => (reason === undefined ? msg : `${msg?.split(':')[0]}: ${reason}`))

/** Waits until the standby has everything that the primary has. */
async function caughtUp(): Promise<void> {
  const [row] = await ask<{ position: string }>(pair.primary.server, 'select pg_current_wal_insert_lsn() as position')
  await until('the standby to catch up', async () => {
    const text = 'select pg_last_wal_replay_lsn() >= $1::pg_lsn as reached'
    return (await ask<{ reached: boolean }>(pair.standby.server, text, [row?.position]))[0]?.reached
  })
  await used()
}

/** Runs `work` while the standby replays nothing. */
async function paused<T>(work: () => Promise<T>): Promise<T> {
  await caughtUp()
  await ask(pair.standby.server, 'select pg_wal_replay_pause()')
  await until('the pause', async () => {
    const [row] = await ask<{ state: string }>(pair.standby.server, 'select pg_get_wal_replay_pause_state() as state')
    return row?.state === 'paused'
  })
  try {
    return await work()
  } finally {
    await ask(pair.standby.server, 'select pg_wal_replay_resume()')
    await caughtUp()
  }
}

const read = (path: string, headers: Record<string, string> = {}, key = bank.key) =>
  bank.call('GET', path, { headers, key })
const stale = (path: string, seconds = 60, headers: Record<string, string> = {}) =>
  read(path, { prefer: `stale=${seconds}`, ...headers })
const appliedBy = ({ headers }: Reply) => headers['preference-applied']

/** An answer of the standby. On a busy machine a look may be late, and the primary answers meanwhile. */
const fromStandby = (path: string, seconds = 60) =>
  until(`the standby to answer ${path}`, async () => {
    const reply = await stale(path, seconds)
    return appliedBy(reply) === `stale=${seconds}` && reply
  })

async function makeCard(accountId: string): Promise<Reply> {
  const body = { accountId, type: 'individualVirtualDebitCard' }
  const made = await bank.call('POST', '/v0/banking/cards', { body })
  expect(made.status, made.text).toBe(201)
  return made
}

/** The statements that operations have sent to the standby, by the method of its database. */
function watchStatements() {
  const spies = [vi.spyOn(standby.database, 'query'), vi.spyOn(standby.database, 'transaction')]
  return {
    count: () => spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0),
    restore: () => {
      for (const spy of spies) spy.mockRestore()
    },
  }
}

describe('over all operations', () => {
  let ours: World
  let theirs: World
  beforeAll(async () => {
    ours = await makeWorld(bank)
    theirs = await makeWorld(bank, bank.otherKey)
    await caughtUp()
  })

  const reads = operations.filter(({ method }) => method === 'GET')
  const isMarked = ({ fromStandby }: Operation) => fromStandby !== undefined

  test('those that may be answered by a standby are, with the same body', async () => {
    for (const operation of reads.filter(isMarked)) {
      const path = urlOf(operation.path, sampleRequest(operation, ours))
      const there = await fromStandby(path)
      const here = await read(path)
      expect([operation.id, there.status]).toEqual([operation.id, 200])
      expect([operation.id, there.text]).toEqual([operation.id, here.text])
      expect(appliedBy(here)).toBeUndefined()
      expect(there.headers.etag).toBe(here.headers.etag)
    }
  })

  test('all others never reach it, reads as well as changes', async () => {
    const statements = watchStatements()
    const spare = operations.filter(({ id }) => !/Organisation$|ApiKey$|FaultRule|advanceClock/.test(id))
    for (const operation of spare.filter((each) => !isMarked(each))) {
      const sample = sampleRequest(operation, ours)
      const headers = { prefer: 'stale=60', 'purser-position': '0' }
      const { headers: answered } = await bank.call(operation.method, urlOf(operation.path, sample), {
        headers,
        ...(sample.body && { body: sample.body }),
      })
      expect([operation.id, statements.count()]).toEqual([operation.id, 0])
      expect(answered['preference-applied']).toBeUndefined()
    }
    statements.restore()
  })

  test('one organisation never sees records of another', async () => {
    for (const operation of reads.filter(isMarked)) {
      const path = urlOf(operation.path, sampleRequest(operation, theirs))
      const there = await stale(path)
      const here = await read(path)
      expect([operation.id, there.status, there.json?.data]).toEqual([operation.id, here.status, here.json?.data])
    }
  })

  test('none that shows balances, limits, holds or keys may be answered by a standby', () => {
    const deciding =
      /^get(Account|Card|Customer)|^listAccount|^listApiKeys|^getMe$|Verification|Limits|Hold|^list(Processor|Review)/
    expect(reads.filter(isMarked).filter(({ id }) => deciding.test(id))).toEqual([])
    expect(operations.filter(isMarked).filter(({ method }) => method !== 'GET')).toEqual([])
  })
})

describe('while the standby is behind', () => {
  test('a caller who allows it reads the former state, and one who does not the new one', async () => {
    const accountId = await makeAccount(bank)
    await paused(async () => {
      const { json } = await makeCard(accountId)
      const path = `/v0/banking/cards?accountId=${accountId}`
      expect((await fromStandby(path)).json.data).toEqual([])
      expect((await read(path)).json.data).toEqual([expect.objectContaining({ id: json.data.id })])
    })
  })

  test('a caller reads its own writes by the position of their answers', async () => {
    const accountId = await makeAccount(bank)
    const path = `/v0/banking/cards?accountId=${accountId}`
    await paused(async () => {
      const { headers } = await makeCard(accountId)
      const position = { 'purser-position': String(headers['purser-position']) }
      for (const reply of [await stale(path, 60, position), await read(path, position)]) {
        expect(reply.json.data).toHaveLength(1)
        expect(appliedBy(reply)).toBeUndefined()
      }
      const before = { 'purser-position': String(Number(headers['purser-position']) - 1) }
      await until('the standby to answer', async () => (await read(path, before)).json.data.length === 0)
    })
    const statements = watchStatements()
    const [event] = (await read('/v0/events?sort=-sequence&limit=1')).json.data
    await until('the standby to answer', async () => {
      expect((await read(path, { 'purser-position': String(event.sequence) })).json.data).toHaveLength(1)
      return statements.count() > 0
    })
    statements.restore()
  })

  test('a state that is older than the caller allows is not read', async () => {
    const accountId = await makeAccount(bank)
    const path = `/v0/banking/cards?accountId=${accountId}`
    await paused(async () => {
      await makeCard(accountId)
      await until('an age of more than a second', () => (standby.ageMs() ?? 0) > 1_050)
      const young = await stale(path, 1)
      expect([young.json.data.length, appliedBy(young)]).toEqual([1, undefined])
      expect((await fromStandby(path)).json.data).toEqual([])
    })
    expect(appliedBy(await stale(path, 0))).toBeUndefined()
  })

  test('a record or a position in the feed that it does not know yet is answered by the primary', async () => {
    const accountId = await makeAccount(bank)
    await paused(async () => {
      const body = { amount: 5_00, companyName: 'Sample Payroll' }
      const received = await bank.call('POST', `/v0/sandbox/accounts/${accountId}/receive-ach`, { body })
      const { id } = received.json.data
      expect(await stale(`/v0/banking/transactions/${id}?accountId=${accountId}`)).toMatchObject({ status: 200 })
      const position = Number(received.headers['purser-position'])
      expect(await stale(`/v0/events?after=${position}`)).toMatchObject({ status: 200, json: { data: [] } })
      const before = await fromStandby('/v0/events?sort=-sequence&limit=1')
      expect(before.json.data[0].sequence).toBeLessThan(position)
      for (const query of [`after=${before.json.data[0].sequence}&wait=5`, 'after=latest']) {
        const reply = await stale(`/v0/events?${query}`)
        expect([query, reply.status, appliedBy(reply)]).toEqual([query, 200, undefined])
      }
    })
  })

  test('an organisation that has arrived from another cell is read there when all of it is there', async () => {
    await caughtUp()
    const { id } = (await read('/v0/me')).json.data.organisation
    const moved = async () => {
      await ask(pair.primary.server, 'update organisation set epoch = epoch + 1 where id = $1', [id])
      bank.keys.forgetOrganisation(Number(id))
    }
    await fromStandby('/v0/banking/cards')
    await paused(async () => {
      await moved()
      expect(appliedBy(await stale('/v0/banking/cards'))).toBeUndefined()
    })
    await fromStandby('/v0/banking/cards')
  })

  test('a cursor of either server works at the other', async () => {
    const accountId = await makeAccount(bank)
    const made = [await makeCard(accountId), await makeCard(accountId), await makeCard(accountId)]
    await caughtUp()
    const ids = made.map(({ json }) => json.data.id).toReversed()
    const start = `/v0/banking/cards?accountId=${accountId}&limit=1`
    for (const turns of [
      [stale, read, stale],
      [read, stale, read],
    ]) {
      const seen: string[] = []
      let path: string | undefined = start
      for (const turn of turns) {
        const reply: Reply = await turn(path ?? '')
        seen.push(...reply.json.data.map((card: { id: string }) => card.id))
        path = /<([^>]+)>/.exec(String(reply.headers.link))?.[1]
      }
      expect(seen).toEqual(ids)
    }
  })
})

describe('headers', () => {
  test('every answer to a write has a position that includes it', async () => {
    const head = async () => (await read('/v0/events?sort=-sequence&limit=1')).json.data[0].sequence
    const accountId = await makeAccount(bank)
    const card = await makeCard(accountId)
    expect(Number(card.headers['purser-position'])).toBe(await head())
    const body = { accountId, type: 'individualVirtualDebitCard' }
    const keyed = { body, headers: { 'idempotency-key': 'a-card' } }
    await bank.call('POST', '/v0/banking/cards', keyed)
    await makeCard(accountId)
    const replayed = await bank.call('POST', '/v0/banking/cards', keyed)
    expect(replayed.headers['idempotent-replayed']).toBe('true')
    expect(Number(replayed.headers['purser-position'])).toBe(await head())
    const advanced = await bank.call('POST', '/v0/sandbox/clock/advance', { body: { by: 'PT1S' } })
    expect([advanced.status, Number(advanced.headers['purser-position'])]).toEqual([200, await head()])
    const unknown = { accountId: '1', counterpartyAccountId: '1', originalType: 'ACH', amount: 1, description: 'Rent' }
    const batch = await bank.call('POST', '/v0/banking/payments/batch', { body: { payments: [unknown] } })
    expect([batch.status, Number(batch.headers['purser-position'])]).toEqual([200, await head()])
    expect((await read('/v0/banking/cards')).headers['purser-position']).toBeUndefined()
  })

  test('a preference that is malformed is ignored, and a position that is malformed refused', async () => {
    for (const prefer of ['stale', 'stale=', 'stale=-1', 'stale=1.5', 'stale=abc', 'stale=1e3', 'x="stale=5"']) {
      const reply = await read('/v0/banking/cards', { prefer })
      expect([prefer, reply.status, appliedBy(reply)]).toEqual([prefer, 200, undefined])
    }
    for (const position of ['', '-1', '1.5', 'x', '9007199254740993', '1, 2']) {
      const reply = await stale('/v0/banking/cards', 60, { 'purser-position': position })
      expect([position, reply.status, reply.json.errors]).toEqual([
        position,
        400,
        [expect.objectContaining({ parameter: 'Purser-Position', code: 'bad_format' })],
      ])
    }
  })
})

describe('a standby that fails', () => {
  const path = '/v0/banking/cards'

  /** Why the first of these servers is not used as the standby of a primary. */
  async function reasons(servers: Pair['primary']['server'][], primary = pair.primary.server) {
    const other = new Standby({ servers, primary: [primary] })
    const found: string[] = []
    other.start((change) => found.push(change.used ? 'used' : change.reason))
    await until('a reason', () => found.length > 0)
    expect(other.visit()).toBeUndefined()
    await expect(other.database.query('select 1')).rejects.toBeInstanceOf(DatabaseUnavailable)
    await other.close()
    return found[0]
  }

  async function answersFromPrimary(): Promise<void> {
    const replies = await Promise.all(Array.from({ length: 20 }, () => stale(path)))
    for (const reply of replies) expect([reply.status, appliedBy(reply)]).toEqual([200, undefined])
  }

  /** How many reads went to the primary without a try of the standby. */
  const untried = async () =>
    Number(/^purser_standby_reads_total\{outcome="away"\} (\d+)$/m.exec(await metrics.text())?.[1] ?? 0)

  test('a read that the replay cancels is answered by the primary, and the standby is used further', async () => {
    const visit = standby.visit()
    await ask(pair.standby.server, `alter system set max_standby_streaming_delay = '0'`)
    await ask(pair.standby.server, 'select pg_reload_conf()')
    const slow = visit
      ?.run(() => visit.database.query('select pg_sleep(20) from card limit 1'))
      .catch((reason: unknown) => reason)
    await until('the read', async () => {
      const text = `select count(*)::int as count from pg_stat_activity where query like 'select pg_sleep%' and state = 'active'`
      return (await ask<{ count: number }>(pair.standby.server, text))[0]?.count === 1
    })
    await ask(pair.primary.server, 'begin; lock table card in access exclusive mode; commit')
    const error = await slow
    expect(error).toBeInstanceOf(LockTimeout)
    expect((error as Error).message).toMatch(/conflict with recovery/)
    await until('the same server to be used', () => standby.visit() === visit)
    await ask(pair.standby.server, 'alter system reset max_standby_streaming_delay')
    await ask(pair.standby.server, 'select pg_reload_conf()')
  })

  test('one that hangs is left alone, and used again when it answers', async () => {
    await caughtUp()
    await fromStandby(path)
    await freeze(pair.standby)
    await answersFromPrimary()
    await until('the standby to be left', () => standby.ageMs() === undefined)
    const before = await untried()
    await answersFromPrimary()
    expect(await untried()).toBe(before + 20)
    thaw(pair.standby)
    await used()
    await fromStandby(path)
    expect(said()).toContain('the standby is not used: the standby did not answer within 1000 ms')
    expect(said().at(-1)).toBe('the standby answers reads')
  })

  test('one that is killed is left alone, and used again when it is back', async () => {
    await kill(pair.standby)
    await answersFromPrimary()
    expect(await metrics.text()).toMatch(/purser_standby_ready 0/)
    await launch(pair.standby, pair.primary)
    await caughtUp()
    await fromStandby(path)
    const text = await metrics.text()
    expect(text).toMatch(/purser_standby_ready 1/)
    expect(text).toMatch(/purser_standby_lag_seconds 0\.\d+/)
    for (const outcome of ['answered', 'behind', 'away']) {
      expect(text).toMatch(new RegExp(`purser_standby_reads_total\\{outcome="${outcome}"\\} [1-9]`))
    }
  })

  test('a service starts while it is away, and uses it when it is there', async () => {
    await kill(pair.standby)
    const { host, port } = pair.standby.proxy.server
    const primary = pair.primary.proxy.server
    const environment = {
      PURSER_DATA_DIR: join(scratchFolder(), 'data'),
      DATABASE_URL: `postgres://purser@${primary.host}:${primary.port}/postgres`,
      PURSER_READ_URL: `postgres://purser@127.0.0.1:1,${host}:${port}/postgres`,
      PURSER_API_KEY: 'key-of-the-service',
      PURSER_ENCRYPTION_KEY: ENCRYPTION_KEY.toString('base64'),
    }
    const service = await startService(environment)
    const listed = () =>
      fetch(service.url + path, { headers: { 'x-service-api-key': service.key, prefer: 'stale=60' } })
    expect((await service.call('GET', '/readyz')).status).toBe(200)
    const before = await listed()
    expect([before.status, before.headers.get('preference-applied')]).toEqual([200, null])
    await until('a line of the log', () => service.output().includes('the standby is not used'))
    await launch(pair.standby, pair.primary)
    await until('the standby to answer', async () => (await listed()).headers.get('preference-applied') === 'stale=60')
    const doctor = await runPurser(['doctor'], { environment: { ...environment, PURSER_URL: service.url } })
    expect(doctor.stdout).toContain('"check":"standby","status":"ok"')
    expect((await service.stop()).code).toBe(0)
    await used()
  })

  test('a further cell has a standby of its own, and that of another cell or of a copy is not used', async () => {
    await caughtUp()
    const east = await expectStandbyOfCell(pair)
    await administer(pair.primary.server, `create database another template ${east}`)
    await caughtUp()
    const inEast = { ...pair.primary.server, database: east }
    expect(await reasons([{ ...pair.standby.server, database: 'another' }], inEast)).toMatch(
      /^the server has another database, which is no copy of that of the primary$/,
    )
  })

  test('a primary, and a server with another database, are not used', async () => {
    expect(await reasons([pair.primary.server])).toMatch(/^the server takes writes: it is a primary, not a standby$/)
    expect(await reasons([{ ...pair.standby.server, database: 'template1' }])).toMatch(
      /^the server has no tables of Purser: it has another database, or is far behind the primary$/,
    )
  })

  test('one that is promoted is not used any more, and nothing is written into it', async () => {
    await caughtUp()
    const [before] = await ask(pair.primary.server, 'select count(*) from database_history')
    await ask(pair.standby.server, 'select pg_promote()')
    await until('the standby to be left', () => standby.ageMs() === undefined)
    await answersFromPrimary()
    const [after] = await ask(pair.standby.server, 'select count(*) from database_history')
    expect(after).toEqual(before)
    expect(said()).toContain('the standby is not used: the server takes writes: it is a primary, not a standby')
  })
})
