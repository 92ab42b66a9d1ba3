import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it, type TestContext } from 'vitest'
import { type OwnServer, startOwnServer } from '../../support/own-server.ts'
import { type DatabaseProxy, openProxy } from '../../support/proxy.ts'
import {
  databaseUrl,
  endServices,
  preparedDataDir,
  type Service,
  type ServiceReply,
  scratchFolder,
  startService,
  until,
} from '../../support/service.ts'

afterAll(endServices)

/** A service on a database server of its own, which the test may freeze or cut off. */
interface Setup {
  own: OwnServer
  proxy: DatabaseProxy
  service: Service
  createAccount(): Promise<ServiceReply>
  /** A write of the ledger, which has connections of its own. */
  receive(): Promise<ServiceReply>
}

async function setUp({ onTestFinished }: TestContext): Promise<Setup> {
  const dataDir = await preparedDataDir()
  const own = await startOwnServer(dataDir)
  onTestFinished(() => own.stop())
  const proxy = await openProxy(own.server)
  onTestFinished(() => proxy.close())
  const service = await startService({
    PURSER_DATA_DIR: join(scratchFolder(), 'data'),
    DATABASE_URL: databaseUrl(proxy.server),
    PURSER_API_KEY: 'key-of-the-service',
    PURSER_ENCRYPTION_KEY: readFileSync(join(dataDir, 'encryption-key'), 'utf8').trim(),
  })
  onTestFinished(async () => void (await service.kill()))
  const { json } = await service.call('POST', '/v0/sandbox/customers', { body: { name: 'Ada Example' } })
  const createAccount = () => service.call('POST', '/v0/banking/accounts', { body: { customerId: json.data.id } })
  const path = `/v0/sandbox/accounts/${(await createAccount()).json.data.id}/receive-ach`
  const receive = () => service.call('POST', path, { body: { amount: 100, companyName: 'Sample Payroll' } })
  return { own, proxy, service, createAccount, receive }
}

/** The lines that the log of a service has about a background task. */
function linesOf(service: Service, task: string): { msg: string }[] {
  const lines = service.output().split('\n')
  return lines.filter((line) => line.includes(`"task":"${task}"`)).map((line) => JSON.parse(line))
}

interface Outage {
  begin(setup: Setup): Promise<void>
  end(setup: Setup): void
}

const outages: [string, Outage][] = [
  ['is frozen', { begin: ({ own }) => own.freeze(), end: ({ own }) => own.thaw() }],
  ['is cut off by the network', { begin: async ({ proxy }) => proxy.swallow(), end: ({ proxy }) => proxy.accept() }],
]

// The tests wait for time limits most of the time, so they run at once.
describe.concurrent.each(outages)('while the database %s', (_name, { begin, end }) => {
  it('the service stays alive, refuses requests with 503, and writes again by itself when it is back', async (context) => {
    const setup = await setUp(context)
    const { service, createAccount, receive } = setup
    await begin(setup)
    const tool = { name: 'inspect', arguments: { id: '1000001' } }
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: tool }
    const agent = service.call('POST', '/mcp', { body })
    // All are answered before the database is back.
    const [live, ready, ...refused] = await Promise.all([
      service.call('GET', '/livez'),
      service.call('GET', '/readyz'),
      receive(),
      createAccount(),
      service.call('GET', '/v0/banking/accounts'),
    ])
    expect([live.status, ready.status]).toEqual([200, 503])
    const { status, json } = await agent
    expect(status === 503 ? json.code : json.result.structuredContent.code).toBe('unavailable')
    const later = await Promise.all([receive(), createAccount()])
    for (const reply of [...refused, ...later]) {
      expect([reply.status, reply.headers.get('Retry-After')]).toEqual([503, expect.stringMatching(/^\d+$/)])
      expect(['unavailable', 'outcome_unknown']).toContain(reply.json.code)
    }
    const lines = () => linesOf(service, 'due-work')
    await until('a line of the failure', async () => lines().some(({ msg }) => msg === 'background task failed'))
    end(setup)
    await until('a write', async () => (await createAccount()).status === 201)
    await until('a write of the ledger', async () => (await receive()).status === 201)
    await until('readiness', async () => (await service.call('GET', '/readyz')).status === 200)
    await until('a line of the recovery', async () => lines().some(({ msg }) => msg === 'background task works again'))
    expect(lines().filter(({ msg }) => msg === 'background task failed')).toHaveLength(1)
    expect(service.output()).toMatch(/"organisationId":\d+,"reason":"[^"]+","msg":"request refused: not available"/)
  })
})

it.concurrent('SIGTERM ends the service in order while its database is frozen', async (context) => {
  const { own, service, createAccount } = await setUp(context)
  await own.freeze()
  expect((await createAccount()).status).toBe(503)
  expect(await service.stop()).toMatchObject({ code: 0, stderr: '' })
})
