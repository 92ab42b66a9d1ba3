import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../test/support/harness.ts'
import { makePayer, pay } from '../../test/support/ledger.ts'
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

  test('show events and their deliveries', async () => {
    metrics.eventLag(1.5)
    metrics.delivery('succeeded')
    metrics.delivery('succeeded')
    metrics.delivery('failed')
    expect(await lineValue('purser_event_lag_seconds')).toBe(1.5)
    expect(await lineValue('purser_webhook_deliveries_total{outcome="succeeded"}')).toBe(2)
    expect(await lineValue('purser_webhook_deliveries_total{outcome="failed"}')).toBe(1)
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
