import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, type TestContext, test } from 'vitest'
import {
  CommitLost,
  type Database,
  DatabaseUnavailable,
  openDatabase,
  plainTimeouts,
} from '../../../src/database/database.ts'
import { openListener } from '../../../src/database/listen.ts'
import { openReadiness } from '../../../src/database/readiness.ts'
import { openWriteWatch } from '../../../src/database/write-watch.ts'
import { createDatabase } from '../../support/harness.ts'
import { type OwnServer, startOwnServer } from '../../support/own-server.ts'
import { openProxy } from '../../support/proxy.ts'

function open({ onTestFinished }: TestContext, ...servers: Parameters<typeof openDatabase>[0]['servers']): Database {
  const database = openDatabase({ servers, connections: 4, timeouts: plainTimeouts })
  onTestFinished(() => database.close())
  return database
}

/** Limits are tested with several times their value: the machine may be busy. */
const failed = async (work: Promise<unknown>, ms: number) =>
  Promise.race([work.catch((error: unknown) => error), sleep(ms).then(() => `no answer within ${ms} ms`)])

// The tests wait for time limits most of the time, so those that share no server run at once.
describe.concurrent('a server that hangs', () => {
  let own: OwnServer
  beforeAll(async () => {
    own = await startOwnServer()
  })
  afterEach(() => own.thaw())
  afterAll(() => own.stop())

  test.sequential('fails statements and COMMITs under way, and serves again once it is back', async (context) => {
    const database = open(context, own.server)
    await database.query('create table if not exists note (id int)')
    const epoch = database.epoch()
    let reached = 0
    let bothReached: () => void = () => undefined
    const frozen = new Promise<void>((resolve) => {
      bothReached = resolve
    }).then(() => own.freeze())
    const reach = () => {
      if (++reached === 2) bothReached()
    }
    const commit = database.transaction(async (transaction) => {
      await transaction.query('insert into note values (1)')
      reach()
      await frozen
    })
    const statement = database.transaction(async (transaction) => {
      reach()
      await frozen
      await transaction.query('insert into note values (2)')
    })
    await frozen
    const outcomes = await Promise.all([failed(commit, 25_000), failed(statement, 25_000)])
    expect(outcomes).toEqual([expect.any(CommitLost), expect.any(DatabaseUnavailable)])
    expect(await failed(database.query('select 1'), 25_000)).toBeInstanceOf(DatabaseUnavailable)
    expect(database.epoch()).toBeGreaterThan(epoch)
    own.thaw()
    await context.expect
      .poll(() => database.query('select 1 as one').catch(() => []), { timeout: 20_000 })
      .toEqual([{ one: 1 }])
  })

  test.sequential('gives way to another server that takes writes', async (context) => {
    const other = await createDatabase()
    context.onTestFinished(other.drop)
    const database = open(context, own.server, other.server)
    await database.query('select 1')
    await own.freeze()
    const held = failed(database.query('create table written ()'), 25_000)
    await context.expect
      .poll(() => database.query('create table if not exists written ()').catch(() => 'not yet'), { timeout: 25_000 })
      .toEqual([])
    expect(await held).toBeInstanceOf(DatabaseUnavailable)
  })

  test.sequential('is reported as not ready in time, and does not hold up the end of the service', async (context) => {
    const database = open(context, own.server)
    const writes = openWriteWatch({ servers: [own.server], oldestMs: () => 0 })
    context.onTestFinished(() => writes.close())
    const ready = openReadiness(database, writes)
    await ready()
    await own.freeze()
    const answers = await Promise.all(Array.from({ length: 20 }, () => failed(ready(), 25_000)))
    expect(answers).toEqual(Array(20).fill(expect.any(DatabaseUnavailable)))
    expect(await failed(database.close(), 25_000)).toBeUndefined()
  })
})

describe.concurrent('connections that the network has lost', () => {
  test('are given up, while new connections to the same server work', async (context) => {
    const { server, drop } = await createDatabase()
    context.onTestFinished(drop)
    const proxy = await openProxy(server)
    context.onTestFinished(() => proxy.close())
    const database = open(context, proxy.server)
    await Promise.all(Array.from({ length: 4 }, () => database.query('select pg_sleep(0.1)')))
    proxy.swallow()
    proxy.accept()
    const lost = await failed(database.query('select 1'), 25_000)
    expect(lost).toBeInstanceOf(DatabaseUnavailable)
    await context.expect
      .poll(() => database.query('select 1 as one').catch(() => []), { timeout: 25_000 })
      .toEqual([{ one: 1 }])
  })

  test('do not take along a statement that is merely slow', async (context) => {
    const { server, drop } = await createDatabase()
    context.onTestFinished(drop)
    const database = open(context, server)
    expect(await database.query('select 1 as one, pg_sleep(8)')).toMatchObject([{ one: 1 }])
  })

  test('are noticed by a listener, which connects again', async (context) => {
    const { server, drop } = await createDatabase()
    context.onTestFinished(drop)
    const proxy = await openProxy(server)
    context.onTestFinished(() => proxy.close())
    let heard = 0
    const listener = openListener({
      servers: [proxy.server],
      channel: 'news',
      heard: () => heard++,
      retryMs: 20,
      heartbeatMs: 100,
    })
    context.onTestFinished(() => listener.close())
    await context.expect.poll(() => heard).toBe(1)
    proxy.swallow()
    proxy.accept()
    await context.expect.poll(() => heard, { timeout: 25_000 }).toBe(2)
  })
})

test('a caller who comes while an attempt to connect fails gets an attempt of its own', async (context) => {
  const { server, drop } = await createDatabase()
  context.onTestFinished(drop)
  const proxy = await openProxy(server)
  context.onTestFinished(() => proxy.close())
  const attempts: Socket[] = []
  let isBack = false
  const door = createServer((client) => {
    if (!isBack) return void attempts.push(client)
    const { host = '', port = 0 } = proxy.server
    const upstream = connect(Number(port), host)
    client.pipe(upstream).pipe(client)
    for (const socket of [client, upstream]) socket.on('error', () => undefined)
  }).listen(0, '127.0.0.1')
  context.onTestFinished(() => void door.close())
  await once(door, 'listening')
  const { port } = door.address() as AddressInfo
  const database = open(context, { ...proxy.server, host: '127.0.0.1', port })
  // A first failure, after which one attempt at a time is made.
  const first = failed(database.query('select 1'), 20_000)
  await expect.poll(() => attempts.length).toBe(1)
  attempts[0]?.destroy()
  expect(await first).toBeInstanceOf(DatabaseUnavailable)
  // For a moment after a failure callers are refused at once, without an attempt.
  const attempted = once(door, 'connection')
  let second: Promise<unknown>
  do {
    second = failed(database.query('select 1'), 20_000)
    await Promise.race([second, attempted])
    await nextTurn()
  } while (attempts.length === 1)
  expect(attempts).toHaveLength(2)
  isBack = true
  const third = database.query('select 3 as three')
  attempts[1]?.destroy()
  expect(await second).toBeInstanceOf(DatabaseUnavailable)
  expect(await third).toEqual([{ three: 3 }])
})
