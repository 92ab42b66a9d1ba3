import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { runHere } from '../../support/examples/command.ts'
import { createDatabase, createServiceDatabase, root } from '../../support/harness.ts'
import { slowRequest } from '../../support/processes/slow-request.ts'
import { administer, databaseNamed } from '../../support/server.ts'
import {
  ask,
  asUsersDo,
  databaseUrl,
  type Exit,
  endServices,
  gone,
  isPostgres,
  launchService,
  postmasterOf,
  preparedDataDir,
  type Service,
  scratchFolder,
  startService,
  until,
} from '../../support/service.ts'

const encryptionKey = Buffer.alloc(32, 7).toString('base64')
const liveKey = 'a-key-of-20-or-more-characters'

let scratch: string
let dataDir: string
const drops: (() => Promise<void>)[] = []

beforeEach(() => {
  scratch = scratchFolder()
  dataDir = join(scratch, 'data')
})
afterEach(async () => {
  await endServices()
  for (const drop of drops.splice(0)) await drop()
})

describe('a start that cannot succeed ends with exit code 1 and one clear line', () => {
  it('when the port is in use, and leaves no database server behind', async () => {
    const holder = createServer()
    await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve))
    const { port } = holder.address() as { port: number }
    try {
      dataDir = await preparedDataDir()
      const log = join(dataDir, 'postgres.log')
      rmSync(log)
      const { exited } = launchService({ PURSER_DATA_DIR: dataDir, PORT: String(port) })
      expect(oneLine(await exited)).toBe(`127.0.0.1:${port} is in use: stop the other process or set PORT (--port)`)
      expect(readFileSync(log, 'utf8')).toContain('ready to accept connections')
      expect(postmasterOf(dataDir)).toBeUndefined()
    } finally {
      holder.close()
    }
  })

  it('when the port of a first start is in use, before a database is created', async () => {
    const holder = createServer()
    await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve))
    const { port } = holder.address() as { port: number }
    try {
      dataDir = join(scratch, 'data')
      const { exited } = launchService({ PURSER_DATA_DIR: dataDir, PORT: String(port) })
      expect(oneLine(await exited)).toContain(`127.0.0.1:${port} is in use`)
      expect(existsSync(dataDir)).toBe(false)
    } finally {
      holder.close()
    }
  })

  it.runIf(process.platform === 'linux')(
    'when the data folder cannot be created, which /proc says in an odd way',
    async () => {
      const { exited } = launchService({ PURSER_DATA_DIR: '/proc/x/data' })
      expect(oneLine(await exited)).toMatch(/^the database cannot be kept in \/proc\/x\/data: ENOENT/)
    },
  )

  it('when another service holds the data folder, which goes on', async () => {
    dataDir = await preparedDataDir()
    const holder = await startService({ PURSER_DATA_DIR: dataDir })
    const { exited } = launchService({ PURSER_DATA_DIR: dataDir })
    expect(oneLine(await exited)).toContain(`${dataDir} is in use by another Purser (process ${holder.pid})`)
    expect((await createCustomer(holder)).status).toBe(201)
  })

  it('when the database cannot be reached, without its password', async () => {
    const { exited } = launchService({
      PURSER_DATA_DIR: dataDir,
      DATABASE_URL: 'postgres://purser:hunter2@127.0.0.1:1/bank',
      PURSER_DATABASE_WAIT: 'PT1S',
      PURSER_ENCRYPTION_KEY: encryptionKey,
    })
    const exit = await exited
    expect(oneLine(exit)).toMatch(/no connection to the database: .*127\.0\.0\.1:1/)
    expect(exit.stdout + exit.stderr).not.toContain('hunter2')
  })

  it('when the database is newer than the code', async () => {
    const environment = await onDatabase()
    await ask(
      { connectionString: environment.DATABASE_URL },
      `insert into migration (number, name, checksum, contract) values (9999, '9999_from_the_future', '', true)`,
    )
    const { exited } = launchService(environment)
    expect(oneLine(await exited)).toContain('the database is newer than this version of Purser')
  })

  it('when the encryption key is another than the one of the first start', async () => {
    const environment = await onDatabase()
    const first = await startService(environment)
    const { json } = await createCustomer(first)
    const token = await first.call('POST', `/v0/banking/customers/${json.data.id}/token-verifications`)
    const { stdout } = await first.stop()
    expect(stdout).not.toContain(token.json.data.verificationToken)

    const { exited } = launchService({
      ...environment,
      PURSER_ENCRYPTION_KEY: Buffer.alloc(32, 8).toString('base64'),
    })
    expect(oneLine(await exited)).toBe(
      'the database was sealed with another encryption key: set PURSER_ENCRYPTION_KEY to the key of its first start, or of its last rotation',
    )
    const third = await startService(environment)
    expect((await third.call('GET', `/v0/banking/customers/${json.data.id}`)).status).toBe(200)
  })

  it('when the configuration has faults: all of them, a line each', async () => {
    const { exited } = launchService({
      PURSER_DATA_DIR: dataDir,
      PORT: 'http',
      PURSER_MODE: 'production',
      PURSER_API_KEY: 'secret',
      PURSER_DEMO: 'maybe',
      PURSER_ROUTING_NUMBER: '12',
      PURSER_OVERDRAFT: '-1',
      PURSER_ENCRYPTION_KEY: 'too-short',
      DATABASE_URL: 'mysql://localhost/bank',
      LOG_LEVEL: 'loud',
    })
    const { code, stdout, stderr } = await exited
    expect(code).toBe(1)
    const [first, ...faults] = stderr.trimEnd().split('\n')
    expect(first).toBe('purser: the configuration has faults:')
    expect(faults.map((line) => line.trim().split(' ')[0]).sort()).toEqual([
      'DATABASE_URL',
      'LOG_LEVEL',
      'PORT',
      'PURSER_API_KEY',
      'PURSER_DEMO',
      'PURSER_ENCRYPTION_KEY',
      'PURSER_MODE',
      'PURSER_OVERDRAFT',
      'PURSER_ROUTING_NUMBER',
    ])
    expect(stdout + stderr).not.toMatch(/secret|too-short/)
    expect(existsSync(dataDir)).toBe(false)
  })
})

describe('live mode', () => {
  it('prints the console without a key, has no invented offers, but knows where ZIP codes lie', async () => {
    const live = {
      ...(await onDatabase(createDatabase)),
      PURSER_MODE: 'live',
      PURSER_ACH: 'instant',
      PURSER_API_KEY: liveKey,
    }
    const { call, url, printed, output } = await startService(live)
    const nothingLeaves =
      'PURSER_ACH=instant in live mode: payments to other banks are booked as Sent, and no money leaves'
    expect(output()).toContain(`warning: ${nothingLeaves}`)
    expect(output()).toMatch(new RegExp(`^{"level":40,.*${nothingLeaves}`, 'm'))
    const [lines] = await printed(/listening on .*\nconsole at .*\n/)
    expect(lines).toBe(`listening on ${url}\nconsole at ${url}/console\n`)
    const { json } = await call('GET', '/v0/rewards/reward-offers/national-reward-offers?userId=1&page=0')
    expect(json).toEqual({ data: { nationalRewardOffers: [], nextPage: null } })
    expect((await call('GET', '/v0/rewards/zip-codes/90210')).json.data.city).toBe('Beverly Hills')
  })

  it('requires a database, the encryption key and a long API key, and says so at once', async () => {
    const bare = launchService({ PURSER_DATA_DIR: dataDir, PURSER_MODE: 'live', PURSER_ACH: 'instant' })
    const { code, stderr } = await bare.exited
    expect(code).toBe(1)
    expect(stderr).toContain('DATABASE_URL is required in live mode')

    const { DATABASE_URL } = await onDatabase()
    const short = launchService({
      PURSER_DATA_DIR: dataDir,
      PURSER_MODE: 'live',
      PURSER_ACH: 'instant',
      DATABASE_URL,
      PURSER_API_KEY: liveKey.slice(0, 19),
    })
    const exit = await short.exited
    expect(exit.code).toBe(1)
    expect(exit.stderr).toContain('PURSER_ENCRYPTION_KEY is required with DATABASE_URL')
    expect(exit.stderr).toContain('PURSER_API_KEY must be 20 to 512 visible ASCII characters')
    expect(exit.stderr).not.toContain('    at ')
  })

  it('and a sandbox do not start on a database of the other, and leave it as it is', async () => {
    const own = { ...(await onDatabase()), PURSER_API_KEY: liveKey }
    const live = { ...own, PURSER_MODE: 'live', PURSER_ACH: 'instant' }
    const bank = await startService(live)
    await bank.stop()
    const records = 'select (select count(*) from customer) as customers, (select count(*) from offer) as offers'
    const before = await ask({ connectionString: own.DATABASE_URL }, records)
    expect(oneLine(await launchService(own).exited)).toContain(
      'the database is that of a live bank: set PURSER_MODE (--mode) to live, or name another database',
    )
    expect(await ask({ connectionString: own.DATABASE_URL }, records)).toEqual(before)
    const again = await startService(live)
    expect((await again.call('GET', '/v0/banking/accounts')).status).toBe(200)

    const other = { ...(await onDatabase()), PURSER_API_KEY: liveKey }
    const sandbox = await startService({ ...other, PURSER_DEMO: 'off' })
    await sandbox.stop()
    expect(oneLine(await launchService({ ...other, PURSER_MODE: 'live', PURSER_ACH: 'instant' }).exited)).toContain(
      'the database is that of a sandbox: a live bank needs one of its own',
    )
  })

  it('refuses to start where no key exists, and needs none in the environment where one does', async () => {
    const live = { ...(await onDatabase()), PURSER_MODE: 'live', PURSER_ACH: 'instant' }
    const { exited } = launchService(live)
    expect(oneLine(await exited)).toContain('there is no API key yet: set PURSER_API_KEY')

    const first = await startService({ ...live, PURSER_API_KEY: liveKey })
    expect((await first.call('GET', '/v0/banking/accounts')).status).toBe(200)
    await first.stop()
    const second = launchService(live)
    const [, url] = await second.printed(/listening on (http:\/\/\S+)\n/)
    const headers = { 'X-Service-API-Key': liveKey }
    expect((await fetch(`${url}/v0/banking/accounts`, { headers })).status).toBe(200)
  })

  it('refuses to start with rules about second signatures while there is no person', async () => {
    const own = { ...(await onDatabase()), PURSER_TWO_SIGNATURES: 'limits', PURSER_DEMO: 'off' }
    const { exited } = launchService(own)
    expect(oneLine(await exited)).toContain('PURSER_TWO_SIGNATURES asks a second person, and there is none')
    const invited = await runHere(['people', 'invite', 'Ada Example', '--role', 'risk'], own)
    expect(invited.code, invited.errors).toBe(0)
    const service = await startService(own)
    expect((await service.call('GET', '/v0/proposals')).json.data).toEqual([])
  })

  it('starts with a warning after a request deleted the key of the environment', async () => {
    const live = { ...(await onDatabase()), PURSER_MODE: 'live', PURSER_ACH: 'instant', PURSER_API_KEY: liveKey }
    const first = await startService(live)
    const { key: other } = (await first.call('POST', '/v0/api-keys', { body: { name: 'Other' } })).json.data
    const [configured] = (await first.call('GET', '/v0/api-keys?sort=createdAt')).json.data
    expect((await first.call('DELETE', `/v0/api-keys/${configured.id}`, { key: other })).status).toBe(204)
    await first.stop()
    const second = await startService(live)
    expect(second.output()).toContain('warning: the key in PURSER_API_KEY was revoked')
    expect((await second.call('GET', '/v0/banking/accounts', { key: other })).status).toBe(200)
    expect((await second.call('GET', '/v0/banking/accounts')).status).toBe(401)
  })

  it('limits, measures on a port of its own, and notes the use of a key at its end', async () => {
    const live = { ...(await onDatabase()), PURSER_MODE: 'live', PURSER_ACH: 'instant', PURSER_API_KEY: liveKey }
    const service = await startService({ ...live, PURSER_METRICS_PORT: '0', PURSER_RATE_LIMIT_READS: '3' })
    const { status, headers } = await service.call('GET', '/v0/banking/accounts')
    expect([status, headers.get('ratelimit-policy')]).toEqual([200, '"reads";q=6;w=2'])
    const [, metrics = ''] = await service.printed(/metrics at (http:\/\/\S+)\n/)
    const text = await (await fetch(metrics)).text()
    expect(text).toContain('purser_http_request_duration_seconds_count{operation="listAccounts",status="200"} 1')
    await service.stop()
    const [row] = await ask<{ used: boolean }>(
      { connectionString: live.DATABASE_URL },
      'select last_used_at is not null as used from api_key',
    )
    expect(row?.used).toBe(true)
    await expect(fetch(metrics)).rejects.toThrow()
  })

  it('has no sandbox routes, prints no secret and writes nothing to the disk', async () => {
    const live = { ...(await onDatabase()), PURSER_MODE: 'live', PURSER_ACH: 'instant', PURSER_API_KEY: liveKey }
    const service = await startService(live)
    const reply = await createCustomer(service)
    expect(reply).toMatchObject({ status: 404, json: { code: 'route_not_found' } })
    const document = await (await fetch(`${service.url}/openapi.json`)).text()
    expect(document).not.toContain('/v0/sandbox')
    const { code, stdout, stderr } = await service.stop()
    expect(code).toBe(0)
    expect(stderr).toBe('')
    for (const secret of [liveKey, encryptionKey, live.DATABASE_URL]) expect(stdout).not.toContain(secret)
    expect(existsSync(dataDir)).toBe(false)
  })
})

describe('two services', () => {
  it('that start at the same moment on one empty database both come up', async () => {
    const server = inject('server')
    const name = `purser_empty_${process.pid}`
    await administer(server, `create database ${name}`)
    drops.push(() => administer(server, `drop database ${name} with (force)`))
    const environment = {
      PURSER_DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl(databaseNamed(server, name)),
      PURSER_ENCRYPTION_KEY: encryptionKey,
      PURSER_API_KEY: 'a key of both'.replaceAll(' ', '-'),
    }
    const pair = await Promise.all([startService(environment), startService(environment)])
    const made = await createCustomer(pair[0])
    expect(made.status).toBe(201)
    expect((await pair[1].call('GET', `/v0/banking/customers/${made.json.data.id}`)).json).toEqual(made.json)
  })
})

describe('a signal', () => {
  it('SIGTERM ends the service after the requests it accepted, and its database server after them', async () => {
    dataDir = await preparedDataDir()
    const service = await startService({ PURSER_DATA_DIR: dataDir })
    const postmaster = postmasterOf(dataDir) ?? 0
    const slow = await slowRequest(service)

    const exited = service.stop('SIGTERM')
    await until('the service not to be ready', async () => {
      const status = await fetch(`${service.url}/readyz`).then(
        (response) => response.status,
        () => 'refused',
      )
      return status === 503 || status === 'refused'
    })
    expect(isPostgres(postmaster)).toBe(true)
    await slow.release()
    expect(await slow.answer).toMatchObject({ status: 200, json: { data: { status: 'Closed' } } })

    const { code, stdout, stderr } = await exited
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(logLines(stdout)).toContainEqual(expect.objectContaining({ path: slow.path, status: 200 }))
    expect(isPostgres(postmaster)).toBe(false)
  })

  it('SIGTERM or SIGINT, to `npm start` alone or to its process group, ends everything in order with exit code 0', async () => {
    dataDir = await preparedDataDir()
    const ways = [
      ['npm alone', 'SIGTERM'],
      ['npm alone', 'SIGINT'],
      ['the group', 'SIGTERM'],
      ['the group', 'SIGINT'],
    ] as const
    for (const [target, signal] of ways) {
      const service = await startService({ PURSER_DATA_DIR: dataDir }, { command: ['npm', 'start'] })
      const postmaster = postmasterOf(dataDir) ?? 0
      const slow = await slowRequest(service)
      const exited = target === 'npm alone' ? service.stop(signal) : service.signalGroup(signal)
      await service.printed(new RegExp(`${signal}: finishing the requests in progress`))
      await slow.release()
      expect((await slow.answer).status, `${signal} to ${target}`).toBe(200)
      const { code, stdout, stderr } = await exited
      expect({ code, stderr }, `${signal} to ${target}`).toEqual({ code: 0, stderr: '' })
      expect(stdout).toMatch(/\nstopped\n/)
      expect(isPostgres(postmaster)).toBe(false)
    }
  })

  it('a second SIGTERM, or the same Ctrl-C from the terminal and from npm, does not cut the shutdown short', async () => {
    dataDir = await preparedDataDir()
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const service = await startService({ PURSER_DATA_DIR: dataDir })
      const slow = await slowRequest(service)
      const exited = service.stop(signal)
      await service.printed(new RegExp(`${signal}: finishing the requests in progress`))
      void service.stop(signal)
      await slow.release()
      expect((await slow.answer).status).toBe(200)
      const { code, stdout } = await exited
      expect(code).toBe(0)
      expect(stdout).toMatch(/\nstopped\n/)
    }
  })

  it.runIf(existsSync(`/proc/self/task/${process.pid}/children`))(
    'ends a process that has not begun to start with exit code 0, too',
    async () => {
      for (const signal of ['SIGTERM', 'SIGINT'] as const) {
        rmSync(join(root, 'dist/main.js.inputs.json'), { force: true })
        const starting = launchService({ PURSER_DATA_DIR: dataDir }, { command: asUsersDo })
        await until('bin/run.js to call esbuild', () => hasChild(starting.pid))
        const { code, stderr } = await starting.signalGroup(signal)
        expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      }
    },
  )

  it('in the middle of the first start leaves no database server behind', async () => {
    const starting = launchService({ PURSER_DATA_DIR: dataDir })
    const postmaster = await until('the database server', () => postmasterOf(dataDir))
    expect((await starting.stop('SIGTERM')).code).toBe(0)
    await gone(postmaster)
    const again = await startService({ PURSER_DATA_DIR: dataDir })
    expect((await createCustomer(again)).status).toBe(201)
  })
})

describe('a database that goes away', () => {
  it('comes back without a restart of the service: 503 meanwhile, then everything as before', async () => {
    dataDir = await preparedDataDir()
    const service = await startService({ PURSER_DATA_DIR: dataDir })
    const { json } = await createCustomer(service)
    const path = `/v0/banking/customers/${json.data.id}`
    for (let round = 0; round < 2; round++) {
      const postmaster = postmasterOf(dataDir) ?? 0
      process.kill(postmaster, 'SIGKILL')
      await until('the database to be back', async () => {
        const replies = [await service.call('GET', path), await createCustomer(service)]
        for (const reply of replies.filter(({ status }) => status > 201)) {
          expect(reply).toMatchObject({ status: 503, json: { code: 'unavailable', status: 503 } })
          expect(Number(reply.headers.get('Retry-After'))).toBeGreaterThan(0)
        }
        return replies.every(({ status }) => status < 300) && postmasterOf(dataDir) !== postmaster
      })
      expect((await service.call('GET', path)).json).toEqual(json)
      expect((await fetch(`${service.url}/readyz`)).status).toBe(200)
    }
    expect(service.errors()).toBe('')
  })

  it('makes the service alive but not ready', async () => {
    const environment = await onDatabase()
    const service = await startService(environment)
    const name = databaseOf(environment.DATABASE_URL)
    const server = inject('server')
    const cut = `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`
    await administer(server, `alter database ${name} with allow_connections false`)
    await administer(server, cut)
    await until('503', async () => (await fetch(`${service.url}/readyz`)).status === 503)
    expect((await fetch(`${service.url}/livez`)).status).toBe(200)
    expect(await service.call('GET', '/v0/banking/accounts')).toMatchObject({
      status: 503,
      json: { code: 'unavailable' },
    })
    await administer(server, `alter database ${name} with allow_connections true`)
    await until('200', async () => (await fetch(`${service.url}/readyz`)).status === 200)
    expect((await service.call('GET', '/v0/banking/accounts')).status).toBe(200)
  })
})

describe('the log', () => {
  it('has one JSON line a request, with neither key nor query', async () => {
    dataDir = await preparedDataDir()
    const service = await startService({ PURSER_DATA_DIR: dataDir })
    const reply = await service.call('GET', '/v0/banking/accounts?customerId=1234567&limit=5')
    const refused = await service.call('GET', '/v0/banking/accounts', { key: 'somebody-elses-key' })
    const { stdout } = await service.stop()
    const line = (status: number, requestId: string | null) => ({
      level: 30,
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      method: 'GET',
      path: '/v0/banking/accounts',
      status,
      ms: expect.any(Number),
      requestId,
    })
    expect(logLines(stdout)).toEqual([
      line(200, reply.headers.get('X-Request-Id')),
      line(401, refused.headers.get('X-Request-Id')),
    ])
    const logged = stdout.split('\n').filter((text) => text.startsWith('{'))
    expect(logged.join('\n')).not.toMatch(new RegExp(`${service.key}|somebody-elses-key|1234567|limit`))
  })
})

/** An environment on a migrated database of its own: a small catalogue keeps the start from filling the whole one. */
async function onDatabase(make = createServiceDatabase) {
  const { server, drop } = await make()
  drops.push(drop)
  return { PURSER_DATA_DIR: dataDir, DATABASE_URL: databaseUrl(server), PURSER_ENCRYPTION_KEY: encryptionKey }
}

function databaseOf(url: string): string {
  const { database } = new pg.Client(url)
  return database ?? ''
}

function createCustomer(service: Service) {
  return service.call('POST', '/v0/sandbox/customers', { body: { name: 'Ada Example' } })
}

/** Whether a process has started another one. */
function hasChild(pid: number): boolean {
  const threads = `/proc/${pid}/task`
  return readdirSync(threads).some((thread) => readFileSync(join(threads, thread, 'children'), 'utf8') !== '')
}

function logLines(stdout: string): unknown[] {
  return stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
}

/** The one line that a fault printed on stderr, without a stack, with exit code 1. */
function oneLine({ code, stdout, stderr }: Exit): string {
  expect({ code, lines: stderr.split('\n').length }, stderr).toEqual({ code: 1, lines: 2 })
  expect(stdout + stderr).not.toContain('    at ')
  const [, line = ''] = /^purser: (.*)\n$/.exec(stderr) ?? []
  return line
}
