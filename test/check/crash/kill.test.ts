import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createServiceDatabase } from '../../support/harness.ts'
import { type Attempt, type KillLoopResult, runKillLoop } from '../../support/kill-loop.ts'
import {
  ask,
  databaseUrl,
  embeddedOf,
  endServices,
  isPostgres,
  postmasterOf,
  preparedDataDir,
  type Service,
  scratchFolder,
  startService,
  until,
} from '../../support/service.ts'

/** The soak kills twenty times in each way while 200 accounts are made. */
const rounds = process.env.SOAK ? 20 : 0
const serviceKills = rounds || 4
const databaseKills = rounds || 2
const accounts = rounds ? rounds * 10 : 60

afterEach(endServices)

describe('one Idempotency-Key has one effect', () => {
  let dataDir: string
  let service: Service
  let customerId: string

  beforeEach(async () => {
    dataDir = await preparedDataDir()
    service = await startService({ PURSER_DATA_DIR: dataDir })
    customerId = await createCustomer(service)
  })

  async function send(_index: number, idempotencyKey: string): Promise<Attempt> {
    const { status, text, headers } = await service.call('POST', '/v0/banking/accounts', {
      body: { customerId },
      idempotencyKey,
    })
    return { status, text, replayed: headers.get('Idempotent-Replayed') === 'true' }
  }

  async function expectOneAccountEach({ first, again, refused }: KillLoopResult): Promise<void> {
    expect(refused).toEqual([])
    expect(first).toHaveLength(accounts)
    expect(again).toEqual(first.map((text) => ({ status: 201, text, replayed: true })))
    const made = first.map((text) => JSON.parse(text).data.id).sort()
    expect(await listedIds(service, customerId)).toEqual(made)
    const [row] = await ask(embeddedOf(dataDir), 'select count(*)::int from account where customer_id = $1', [
      customerId,
    ])
    expect(row).toEqual({ count: accounts })
  }

  it(`while the service is killed ${serviceKills} times and started again on its data`, async () => {
    const result = await runKillLoop({
      requests: accounts,
      kills: serviceKills,
      send,
      kill: async () => {
        await service.kill()
        service = await startService({ PURSER_DATA_DIR: dataDir })
      },
    })
    expect(result.retries).toBeGreaterThanOrEqual(serviceKills)
    await expectOneAccountEach(result)
  })

  it(`while the database server is killed ${databaseKills} times and the service stays up`, async () => {
    const loop = runKillLoop({
      requests: accounts,
      kills: databaseKills,
      send,
      kill: async () => {
        const postmaster = await until('a database server', () => {
          const pid = postmasterOf(dataDir)
          return pid !== undefined && isPostgres(pid) && pid
        })
        process.kill(postmaster, 'SIGKILL')
        await until('the database server to be back', async () => {
          await ask(embeddedOf(dataDir), 'select 1')
          return postmasterOf(dataDir) !== postmaster
        })
      },
    })
    const result = await Promise.race([loop, service.exited.then(({ stderr }) => Promise.reject(new Error(stderr)))])
    await expectOneAccountEach(result)
    expect(service.errors()).toBe('')
  })
})

describe('40 parallel requests with one Idempotency-Key, spread over two processes on one database', () => {
  let pair: [Service, Service]
  let drop: () => Promise<void>

  beforeEach(async () => {
    const database = await createServiceDatabase()
    drop = database.drop
    const environment = {
      PURSER_DATA_DIR: join(scratchFolder(), 'data'),
      DATABASE_URL: databaseUrl(database.server),
      PURSER_API_KEY: 'key-of-both-processes',
      PURSER_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
    }
    pair = await Promise.all([startService(environment), startService(environment)])
  })
  afterEach(async () => {
    await endServices()
    await drop()
  })

  function fortyTimes(path: string, body: unknown) {
    return Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        pair[index % 2 === 0 ? 0 : 1].call('POST', path, { body, idempotencyKey: `one-key-for-${path}` }),
      ),
    )
  }

  it('make one account and answer 201 with the same bytes', async () => {
    const customerId = await createCustomer(pair[0])
    const replies = await fortyTimes('/v0/banking/accounts', { customerId })
    expect(replies.map(({ status }) => status)).toEqual(Array(40).fill(201))
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
    expect(replies.filter(({ headers }) => headers.get('Idempotent-Replayed') !== 'true')).toHaveLength(1)
    expect(await listedIds(pair[1], customerId)).toEqual([replies[0]?.json.data.id])
  })

  it('close an account once and answer 200 with the same bytes', async () => {
    const customerId = await createCustomer(pair[0])
    const { json } = await pair[0].call('POST', '/v0/banking/accounts', { body: { customerId } })
    const replies = await fortyTimes(`/v0/banking/accounts/${json.data.id}/close`, { reason: 'ByCustomer' })
    expect(replies.map(({ status }) => status)).toEqual(Array(40).fill(200))
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
    expect(replies[0]?.json.data.status).toBe('Closed')
  })
})

async function createCustomer(service: Service): Promise<string> {
  const { status, json } = await service.call('POST', '/v0/sandbox/customers', { body: { name: 'Ada Example' } })
  expect(status).toBe(201)
  return json.data.id
}

/** Every account of the customer, page by page. */
async function listedIds(service: Service, customerId: string): Promise<string[]> {
  const ids: string[] = []
  let next: string | undefined = `/v0/banking/accounts?customerId=${customerId}&limit=25`
  while (next) {
    const { status, json, headers } = await service.call('GET', next)
    expect(status).toBe(200)
    ids.push(...json.data.map(({ id }: { id: string }) => id))
    next = /<([^>]+)>; rel="next"/.exec(headers.get('Link') ?? '')?.[1]
  }
  return ids.sort()
}
