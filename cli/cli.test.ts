import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  endServices,
  preparedDataDir,
  runPurser,
  type Service,
  scratchFolder,
  startService,
} from '../test/support/service.ts'

let service: Service
let environment: Record<string, string>

beforeAll(async () => {
  service = await startService({ PURSER_DATA_DIR: await preparedDataDir() })
  environment = { PURSER_URL: service.url, PURSER_API_KEY: service.key }
})
afterAll(endServices)

/** Runs a command and returns its lines of JSON. */
async function lines(...words: string[]) {
  const { code, stdout, stderr } = await runPurser(words, { environment })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

describe('status', () => {
  test('shows the service, the key, the clock and the laws', async () => {
    const [status] = await lines('status')
    expect(status).toMatchObject({
      address: service.url,
      version: '0.1.0',
      mode: 'sandbox',
      providers: { banking: 'builtin', rewards: 'builtin' },
      organisation: { name: 'default' },
      key: { scopes: 'all' },
      clock: { frozen: false },
      laws: { status: expect.stringMatching(/NotRun|Holds/) },
    })
  })

  test('says so where nothing runs', async () => {
    const { code, stdout, stderr } = await runPurser([
      'status',
      '--server',
      'http://127.0.0.1:1',
      '--api-key',
      'sk_12345678',
    ])
    expect({ code, stdout }).toEqual({ code: 5, stdout: '' })
    expect(stderr).toBe('purser: nothing answers at http://127.0.0.1:1: `purser start` starts the service\n')
  })

  test('says so where something else answers', async () => {
    const server = createServer((_request, response) => response.end('hello')).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const { code, stderr } = await runPurser([
      'status',
      '--server',
      `http://127.0.0.1:${port}`,
      '--api-key',
      'sk_12345678',
    ])
    server.close()
    expect({ code, stderr }).toEqual({
      code: 5,
      stderr: 'purser: getMe: the answer is not one of Purser: is this its address?\n',
    })
  })
})

describe('clock', () => {
  test('advances by a duration, to a time and to the next due thing', async () => {
    const [{ now }] = await lines('clock')
    const day = (days: number) => new Date(Date.parse(now) + days * 86_400_000).toISOString().slice(0, 10)
    expect((await lines('clock', 'advance', 'P2D'))[0].now).toContain(day(2))
    expect((await lines('clock', 'to', day(9)))[0].now).toContain(day(9))
    expect(Date.parse((await lines('clock', 'next'))[0].now)).toBeGreaterThanOrEqual(Date.parse(day(9)))
  })

  test('is refused for a time in the past', async () => {
    const { code, stdout, stderr } = await runPurser(['clock', 'to', '2001-01-01'], { environment })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^purser: \w+: .+\n$/)
  })
})

describe('a command line', () => {
  test.each([
    [['statsu'], /unknown command 'statsu'\n\(Did you mean status\?\)/],
    [['clock', 'advnce', 'P3D'], /unknown command 'advnce' \(did you mean advance\?\)/],
    [['status', '--jsno'], /unknown option '--jsno'\n\(Did you mean --json\?\)/],
    [['clock', 'advance'], /missing required argument 'duration'/],
    [['status', 'more'], /too many arguments/],
    [['status', '--server', 'ftp://x'], /not an http or https URL/],
  ])('that is wrong is refused with exit code 2: %j', async (words, message) => {
    const { code, stdout, stderr } = await runPurser(words)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(message)
    expect(stderr).toMatch(/^purser: /)
  })

  test('that names nothing or a group shows help', async () => {
    const help = await runPurser([])
    expect(help).toMatchObject({ code: 0, stderr: '' })
    expect(help.stdout).toContain('Usage: purser')
    expect((await runPurser(['--version'])).stdout).toBe('0.1.0\n')
  })

  test('with --dry-run prints a curl command without the key and sends nothing', async () => {
    const { code, stdout } = await runPurser(['clock', 'advance', "P1D'$(touch x)", '--dry-run'], { environment })
    expect(code).toBe(0)
    expect(stdout).toContain(`curl -X POST ${service.url}/v0/sandbox/clock/advance \\\n`)
    expect(stdout).toContain('-H "x-service-api-key: $PURSER_API_KEY"')
    expect(stdout).toContain(`--data-raw '{"by":"P1D'\\''$(touch x)"}'`)
    expect(stdout).not.toContain(service.key)
  })
})

describe('the key', () => {
  test('is read from the data folder of a service on this machine', async () => {
    const folder = scratchFolder()
    mkdirSync(join(folder, 'data'))
    writeFileSync(join(folder, 'data/api-key'), `${service.key}\n`)
    const there = { cwd: folder, environment: { PURSER_URL: service.url } }
    expect(await runPurser(['status'], there)).toMatchObject({ code: 0, stderr: '' })
    const other = await runPurser(['status', '--server', 'https://bank.example'], there)
    expect(other).toMatchObject({ code: 4, stderr: expect.stringContaining('no API key for https://bank.example') })
  })

  test('is named where it is missing or wrong', async () => {
    const server = { PURSER_URL: service.url }
    expect(await runPurser(['status'], { environment: server })).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('set PURSER_API_KEY or pass --api-key; data/api-key does not exist either'),
    })
    const wrong = await runPurser(['status', '--api-key', 'sk_another'], { environment: server })
    expect(wrong).toMatchObject({ code: 4, stderr: expect.stringMatching(/^purser: unauthorized: .+\n$/) })
  })
})
