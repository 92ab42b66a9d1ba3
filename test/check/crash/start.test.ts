import { spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sha256 } from '../../../src/base/sha256.ts'
import { uncheckedLaws } from '../../../src/ledger/verify.ts'
import { runCurl } from '../../support/examples/curl.ts'
import { root } from '../../support/harness.ts'
import {
  asUsersDo,
  connect,
  embeddedOf,
  endServices,
  preparedDataDir,
  type Service,
  scratchFolder,
  startService,
} from '../../support/service.ts'

describe('the first start', () => {
  // One start for all of these tests, because it takes longer than all of them.
  const environment = { PURSER_DATA_DIR: '', PURSER_DEMO: 'on' }
  let first: Service
  beforeAll(async () => {
    environment.PURSER_DATA_DIR = join(scratchFolder(), 'data')
    first = await startService(environment, { command: asUsersDo })
  })
  afterAll(endServices)

  it('makes the data folder and two secrets that only their owner may read, and says what it does', async () => {
    const { key, output, dataDir } = first
    expect(output()).toMatch(
      /^Purser \d+\.\d+\.\d+ starts in sandbox mode\n(copied PostgreSQL to .*\n)?creating the database in /,
    )
    for (const name of ['api-key', 'encryption-key']) expect(statSync(join(dataDir, name)).mode & 0o777).toBe(0o600)
    expect(readFileSync(join(dataDir, 'api-key'), 'utf8')).toBe(`${key}\n`)
    const secret = readFileSync(join(dataDir, 'encryption-key'), 'utf8').trim()
    expect(Buffer.from(secret, 'base64')).toHaveLength(32)
    expect(output()).not.toContain(secret)
  })

  it('makes a demo world with a history, prints its ids and shows them on the page', async () => {
    const [, accountId = ''] = /accountId +(\d+)/.exec(first.output()) ?? []
    const [line = ''] = /^ *curl .*$/m.exec(first.output()) ?? []
    expect(runCurl(line, dirname(first.dataDir)).json).toMatchObject({
      data: { id: accountId, status: 'Open', name: 'Ada Example' },
    })
    expect(await (await fetch(first.url)).text()).toContain(accountId)

    const read = async (path: string) => (await first.call('GET', path)).json.data
    const statements = await read(`/v0/banking/statements?accountId=${accountId}`)
    expect(statements.length).toBeGreaterThanOrEqual(2)
    const days = (instant: string) => (Date.now() - Date.parse(instant)) / 86_400_000
    const transactions = await read(`/v0/banking/transactions?accountId=${accountId}&sort=createdAt`)
    expect(Math.round(days(transactions[0].createdAt))).toBe(75)
    expect(days((await read('/v0/sandbox/clock')).now)).toBeCloseTo(0, 2)
    const [reward] = await read('/v0/rewards/rewards')
    expect(reward).toMatchObject({ state: 'PAID', userAmount: expect.any(Number) })
    for (const list of ['rewardable-transactions', 'reward-payments'])
      expect(await read(`/v0/rewards/${list}`), list).not.toEqual([])
  })

  it('keeps the key and the demo world: the next start prints the same ones, and the key still works', async () => {
    const { json } = await first.call('POST', '/v0/sandbox/customers', { body: { name: 'Ada Example' } })
    await first.stop()
    const second = await startService(environment)
    expect(second.key).toBe(first.key)
    expect(second.output()).not.toContain('creating the database')
    expect((await second.call('GET', `/v0/banking/customers/${json.data.id}`)).json).toEqual(json)
    const accountId = (output: string) => /accountId +(\d+)/.exec(output)?.[1]
    expect(accountId(first.output())).toMatch(/^\d+$/)
    expect(accountId(second.output())).toBe(accountId(first.output()))
    expect(second.output()).not.toContain('made a demo world')
  })
})

describe('a start', () => {
  // One start for all of these tests.
  let service: Service
  beforeAll(async () => {
    service = await startService({ PURSER_DATA_DIR: await preparedDataDir() })
  })
  afterAll(endServices)

  it('prints the console, the base URL, the docs, the place of the data, the key, and a curl that works as printed', async () => {
    const { url, key, output } = service
    expect(output()).toContain(`\n\n  Console    ${url}/console#key=${encodeURIComponent(key)}\n  Base URL   ${url}\n`)
    expect(output()).toContain(`Docs       ${url}/docs\n`)
    expect(output()).toContain(`Data       ${join(service.dataDir, 'pg18')}\n`)
    expect(output()).toContain(`API key    ${key}\n`)
    expect(await fetch(`${url}/docs`)).toMatchObject({ status: 200, url: `${url}/console/reference` })

    const [line = ''] = /^ *curl .*$/m.exec(output()) ?? []
    const { json } = runCurl(line, dirname(service.dataDir))
    expect(json).toEqual({ data: [] })
  })

  it('lets npm run demo play its story and print a receipt, and the laws of the ledger hold', async () => {
    const { url } = service
    const script = (...words: string[]) =>
      spawnSync(process.execPath, words, {
        cwd: root,
        env: { PATH: process.env.PATH, PORT: new URL(url).port, PURSER_DATA_DIR: service.dataDir },
        encoding: 'utf8',
      })
    const { status, stdout, stderr } = script('bin/run.js', 'scripts/demo.ts')
    expect(status, stderr).toBe(0)
    expect(stdout).toMatch(/Cash back\n/)
    expect(stdout).toMatch(/Cash back taken back\n/)
    expect(stdout).toMatch(/balance \$2,\d{3}\.\d\d, available/)
    const verified = script('bin/purser.js', 'verify')
    expect(verified.stderr).toMatch(/\nevery law of the ledger holds\n$/)
    const laws = verified.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    // The last two are the chain of events, and the records that are compared with them.
    expect(laws).toHaveLength(uncheckedLaws().length + 2)
    expect(laws.every(({ holds }) => holds === true)).toBe(true)
    const ranged = script('bin/purser.js', 'verify', '--since', '2001-01-01')
    expect(ranged.stderr).toMatch(
      /\nevery law of the ledger holds for [1-9]\d* transfers since 2001-01-01T00:00:00.000Z\n$/,
    )
  })

  it('puts nothing of the key into the database but its hash', async () => {
    await service.call('POST', '/v0/sandbox/customers', { body: { name: 'Ada Example' } })
    // One connection for all tables: the embedded server has few.
    const client = await connect(embeddedOf(service.dataDir))
    const lines: unknown[] = []
    try {
      const tables = await client.query<{ name: string }>(
        `select quote_ident(table_name) as name from information_schema.tables where table_schema = 'public'`,
      )
      for (const { name } of tables.rows) lines.push((await client.query(`select t::text as line from ${name} t`)).rows)
    } finally {
      await client.end()
    }
    const everything = JSON.stringify(lines)
    expect(everything).toContain(sha256(service.key).toString('hex'))
    expect(everything).not.toContain(service.key)
    expect(everything).not.toContain(Buffer.from(service.key).toString('hex'))
  })
})

it('adds the demo records to a bank that ran without them, and does not move its clock', async () => {
  const dataDir = await preparedDataDir()
  const before = await startService({ PURSER_DATA_DIR: dataDir })
  await before.call('POST', '/v0/sandbox/clock/advance', { body: { by: 'P10D' } })
  await before.stop()
  const after = await startService({ PURSER_DATA_DIR: dataDir, PURSER_DEMO: 'on' })
  expect(after.output()).toMatch(/accountId +\d+/)
  const { now } = (await after.call('GET', '/v0/sandbox/clock')).json.data
  expect((Date.parse(now) - Date.now()) / 86_400_000).toBeCloseTo(10, 1)
  await endServices()
})
