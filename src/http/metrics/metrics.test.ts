import { EventEmitter, once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { makePayer, pay } from '../../../test/support/ledger.ts'
import { openDatabase, plainTimeouts } from '../../database/database.ts'
import { type Metrics, openMetrics } from './metrics.ts'
import { serveMetrics } from './metrics-server.ts'

let bank: TestBank
let metrics: Metrics
beforeAll(async () => {
  metrics = openMetrics()
  bank = await openTestBank({ metrics, lane: { observe: metrics.laneBatch } })
})
afterAll(() => bank.close())

/** The value of a line of the exposition, by its name and labels. */
async function lineValue(line: string): Promise<number | undefined> {
  const found = (await metrics.text()).split('\n').find((text) => text.startsWith(`${line} `))
  return found === undefined ? undefined : Number(found.slice(line.length + 1))
}

const requestsOf = (operation: string, status: number) =>
  lineValue(`purser_http_request_duration_seconds_count{operation="${operation}",status="${status}"}`)

describe('metrics', () => {
  test('show how long requests take, by operation and status', async () => {
    for (let count = 0; count < 3; count++) await bank.call('GET', '/v0/banking/accounts')
    await bank.call('GET', '/v0/banking/accounts?limit=0')
    await bank.call('GET', '/v0/banking/accounts', { key: null })
    await bank.call('HEAD', '/v0/banking/accounts')
    await bank.call('GET', '/livez')
    expect([await requestsOf('listAccounts', 200), await requestsOf('listAccounts', 400)]).toEqual([4, 1])
    expect(await requestsOf('listAccounts', 401)).toBe(1)
    const sum = await lineValue('purser_http_request_duration_seconds_sum{operation="listAccounts",status="200"}')
    expect(sum).toBeGreaterThan(0)
    expect(sum).toBeLessThan(60)
  })

  test('show how many commands the lane takes at once, and how long they waited', async () => {
    const ada = await makePayer(bank, 50_00)
    const before = (await lineValue('purser_lane_batch_commands_sum')) ?? 0
    await Promise.all(Array.from({ length: 10 }, () => pay(bank, ada)))
    expect((await lineValue('purser_lane_batch_commands_sum')) ?? 0).toBe(before + 10)
    const batches = await lineValue('purser_lane_batch_commands_count')
    expect(batches).toBe(await lineValue('purser_lane_wait_seconds_count'))
    const waited = (await lineValue('purser_lane_wait_seconds_sum')) ?? -1
    expect(waited >= 0 && waited < 60).toBe(true)
  })

  test('show the connections to the database, those in use, and the callers that wait for one', async () => {
    const { database } = bank
    const of = (name: string, pool: string) => lineValue(`purser_database_${name}{pool="${pool}"}`)
    expect(await of('connections_max', 'requests')).toBe(10)
    expect(await of('connections_open', 'lane')).toBeGreaterThan(0)
    const gate = new EventEmitter()
    const opened = once(gate, 'open')
    const held = Array.from({ length: 12 }, () => database.transaction(() => opened))
    await expect.poll(() => of('connections_in_use', 'requests')).toBe(10)
    expect(await of('connections_open', 'requests')).toBe(10)
    expect(await of('waiting_callers', 'requests')).toBeGreaterThanOrEqual(2)
    gate.emit('open')
    await Promise.all(held)
    await expect.poll(() => of('connections_in_use', 'requests')).toBe(0)
    expect(await of('waiting_callers', 'requests')).toBe(0)
    expect([await of('connects_failed_total', 'requests'), await of('connects_failed_total', 'lane')]).toEqual([0, 0])
  })

  test('show connections that are lost, and failed attempts to connect', async () => {
    const { database } = bank
    const lost = 'purser_database_connections_lost_total{pool="requests"}'
    const before = (await lineValue(lost)) ?? 0
    await database.query('select pg_terminate_backend(pg_backend_pid())').catch(() => undefined)
    await expect.poll(() => lineValue(lost)).toBeGreaterThan(before)
    const nowhere = openDatabase({ servers: [{ host: '127.0.0.1', port: 1 }], connections: 1, timeouts: plainTimeouts })
    await expect(nowhere.query('select 1')).rejects.toThrow('no connection')
    expect(nowhere.connections()).toMatchObject({ open: 0, inUse: 0, waiting: 0, failed: 1 })
    await nowhere.close()
  })

  test('show the commands that wait for the lane, and the age of its batch', async () => {
    const ada = await makePayer(bank, 50_00)
    const [waiting, age] = ['purser_lane_waiting_commands', 'purser_lane_batch_age_seconds']
    expect([await lineValue(waiting), await lineValue(age)]).toEqual([0, 0])
    const gate = new EventEmitter()
    const [locked, opened] = [once(gate, 'locked'), once(gate, 'open')]
    const lock = bank.database.transaction(async (transaction) => {
      await transaction.query('select from account where id = $1 for update', [ada.accountId], 'once')
      gate.emit('locked')
      await opened
    })
    await locked
    const paid = pay(bank, ada)
    await expect.poll(() => lineValue(age)).toBeGreaterThan(0)
    await expect.poll(() => lineValue(waiting)).toBe(1)
    gate.emit('open')
    await Promise.all([lock, paid])
    expect([await lineValue(waiting), await lineValue(age)]).toEqual([0, 0])
  })

  test('show events and their deliveries', async () => {
    metrics.eventLag(1.5)
    metrics.delivery('succeeded')
    metrics.delivery('succeeded')
    metrics.delivery('failed')
    expect(await lineValue('purser_event_lag_seconds')).toBe(1.5)
    expect(await lineValue('purser_webhook_deliveries_total{outcome="succeeded"}')).toBe(2)
    expect(await lineValue('purser_webhook_deliveries_total{outcome="failed"}')).toBe(1)
  })

  test('show the questions to a hook', async () => {
    metrics.hook('decision', 'answered', 0.02)
    metrics.hook('decision', 'late', 1.5)
    const answered = 'purser_hook_duration_seconds_bucket{le="0.025",hook="decision",outcome="answered"}'
    expect(await lineValue(answered)).toBe(1)
    expect(await lineValue('purser_hook_duration_seconds_count{hook="decision",outcome="late"}')).toBe(1)
  })

  test('show the memory of the process', async () => {
    expect(await lineValue('process_resident_memory_bytes')).toBeGreaterThan(0)
  })

  test('have a page of their own on a port of their own, and nothing beside it', async () => {
    const { url, close } = await serveMetrics(metrics, { port: 0, host: '127.0.0.1' })
    try {
      const reply = await fetch(url)
      expect([reply.status, reply.headers.get('content-type')]).toEqual([200, metrics.contentType])
      expect(await reply.text()).toContain('# TYPE purser_http_request_duration_seconds histogram')
      const head = await fetch(`${url}?x=1`, { method: 'HEAD' })
      expect([head.status, await head.text()]).toEqual([200, ''])
      const posted = await fetch(url, { method: 'POST' })
      expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
      expect((await fetch(url.replace('/metrics', '/'))).status).toBe(404)
      expect((await bank.call('GET', '/metrics')).status).toBe(404)
    } finally {
      await close()
    }
  })

  test('say which port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => other.once('listening', resolve))
    const { port } = other.address() as AddressInfo
    await expect(serveMetrics(metrics, { port, host: '127.0.0.1' })).rejects.toThrow(
      `127.0.0.1:${port} is in use: stop the other process or set PURSER_METRICS_PORT`,
    )
    await new Promise((resolve) => other.close(resolve))
  })
})
