import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Purser } from '../../../client/src/index.ts'
import type { Finding } from '../../../ground/finding.ts'
import {
  endServices,
  preparedDataDir,
  runPurser,
  type Service,
  scratchFolder,
  startService,
} from '../../support/service.ts'

let service: Service
let environment: Record<string, string>

beforeAll(async () => {
  const dataDir = await preparedDataDir()
  service = await startService({ PURSER_DATA_DIR: dataDir, PURSER_REVEIW: 'manual' })
  environment = { PURSER_DATA_DIR: dataDir, PURSER_URL: service.url, PURSER_API_KEY: service.key }
})
afterAll(endServices)

async function doctor(changed: Record<string, string> = {}) {
  const { code, stdout } = await runPurser(['doctor'], { environment: { ...environment, ...changed } })
  const found = stdout
    .trimEnd()
    .split('\n')
    .map((line): Finding => JSON.parse(line))
  return { code, of: (check: string) => found.filter((each) => each.check === check), found }
}

test('finds nothing on a healthy service', async () => {
  const { code, found } = await doctor()
  expect(found.map(({ check, status }) => `${check} ${status}`)).toEqual([
    ...['node ok', 'settings ok', 'data folder ok', 'database ok', 'ACH files ok', 'exceptions ok'],
    ...['reviews ok', 'service ok', 'time ok', 'key ok', 'version ok', 'bank time ok', 'webhooks ok', 'laws ok'],
  ])
  expect(found.find(({ check }) => check === 'database')?.detail).toMatch(/^PostgreSQL 18\.\d+.*, durable, at most \d+/)
  expect(code).toBe(0)
})

test('names settings that are invalid or misspelt', async () => {
  const { code, of } = await doctor({ PURSER_APIKEY: 'x', PURSER_OVERDRAFT: 'much' })
  expect(code).toBe(1)
  expect(of('settings')).toEqual([
    expect.objectContaining({
      status: 'warning',
      detail: 'PURSER_APIKEY is not a setting and has no effect',
      next: 'Set PURSER_API_KEY instead',
    }),
    expect.objectContaining({ status: 'failed', detail: expect.stringMatching(/^PURSER_OVERDRAFT must be /) }),
  ])
})

test('a service that starts with a misspelt setting says so', () => {
  expect(service.output()).toContain('warning: PURSER_REVEIW is not a setting and has no effect\n')
})

test('says the next step if nothing runs and no bank exists', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await new Promise((closed) => server.close(closed))
  const none = join(scratchFolder(), 'none')
  const { code, of } = await doctor({ PURSER_URL: url, PURSER_DATA_DIR: none })
  expect(code).toBe(1)
  expect(existsSync(none)).toBe(false)
  expect(of('database')).toMatchObject([{ status: 'ok', next: 'purser start' }])
  expect(of('service')).toMatchObject([
    {
      status: 'failed',
      detail: `nothing answers at ${url} (ECONNREFUSED)`,
      next: expect.stringMatching(/^purser start/),
    },
  ])
  expect(of('key')).toEqual([])
})

test('looks at the port of the service, unless an address is given', async () => {
  const { port } = new URL(service.url)
  const own = await doctor({ PURSER_URL: '', PORT: port, HOST: '0.0.0.0' })
  expect(own.of('service')).toMatchObject([{ status: 'ok', detail: `ready at http://127.0.0.1:${port}` }])
  expect(own.of('database')).toMatchObject([{ status: 'ok' }])
  expect((await doctor({ PORT: '1' })).of('service')).toMatchObject([{ detail: `ready at ${service.url}` }])
})

test('names a cell that the service cannot reach', async () => {
  const cells = { home: 'ready', east: 'away' }
  const server = createServer((_request, response) => response.end(JSON.stringify({ status: 'ready', cells })))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { of } = await doctor({ PURSER_URL: url })
  server.close()
  expect(of('service')).toMatchObject([
    { status: 'warning', detail: `ready at ${url}, but without the cell east`, next: expect.stringContaining('503') },
  ])
})

test('recognises another program at the address', async () => {
  const server = createServer((_request, response) => response.writeHead(404).end('no')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { code, of } = await doctor({ PURSER_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
  server.close()
  expect(code).toBe(1)
  expect(of('service')[0]?.detail).toMatch(/is not Purser: \/readyz answers 404$/)
})

test('shows why a service is not ready, and does not blame the key', async () => {
  const detail = 'The service is temporarily unavailable.'
  const problem = JSON.stringify({ status: 503, code: 'unavailable', title: 'Unavailable', detail })
  const server = createServer((_request, response) =>
    response.writeHead(503, { 'content-type': 'application/problem+json', 'retry-after': '0' }).end(problem),
  ).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { code, of } = await doctor({ PURSER_URL: url })
  server.close()
  expect(code).toBe(1)
  expect(of('service')).toMatchObject([{ status: 'failed', detail: `${url} is not ready: ${detail}` }])
  expect(of('key')).toEqual([])
})

test('reports a key that is refused, and a database that cannot be reached', async () => {
  const refused = await doctor({ PURSER_API_KEY: 'sk_unknown_1234567' })
  expect(refused.code).toBe(1)
  expect(refused.of('key')).toMatchObject([{ status: 'failed', detail: expect.stringMatching(/^unauthorized: /) }])
  const none = await doctor({ PURSER_API_KEY: '', PURSER_DATA_DIR: scratchFolder() })
  expect(none.code).toBe(1)
  expect(none.of('key')).toMatchObject([{ status: 'failed', detail: expect.stringMatching(/^no API key for /) }])
  const cut = await doctor({
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    PURSER_ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
  })
  expect(cut.of('database')).toMatchObject([{ status: 'failed', next: expect.stringMatching(/DATABASE_URL/) }])
})

test('reports webhook endpoints whose receiver fails', async () => {
  const server = createServer((_request, response) => response.writeHead(500).end()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const purser = new Purser({ url: service.url, apiKey: service.key })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`
  const endpoint = await purser.webhookEndpoints.create({ url, events: ['*'] })
  await purser.sandbox.customers.create({ name: 'Ada Example' })
  await expect
    .poll(async () => (await doctor()).of('webhooks'), { timeout: 60_000, interval: 500 })
    .toMatchObject([
      {
        status: 'warning',
        detail: expect.stringMatching(/: (1 failed attempt|\d+ failed attempts) in the last day$/),
        next: expect.stringContaining(endpoint.id),
      },
    ])
  server.close()
})

test.skipIf(process.getuid?.() === 0)('names a data folder that cannot be written', async () => {
  const folder = join(scratchFolder(), 'locked')
  mkdirSync(folder)
  chmodSync(folder, 0o500)
  const { of } = await doctor({ PURSER_DATA_DIR: folder })
  expect(of('data folder')).toMatchObject([{ status: 'failed', next: expect.stringContaining('PURSER_DATA_DIR') }])
})
