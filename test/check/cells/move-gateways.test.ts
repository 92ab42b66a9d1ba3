import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { start } from '../../../src/cells/commands/move.ts'
import { isConverting } from '../../../src/cells/move/rows.sql.ts'
import { type Database, openDatabase, plainTimeouts, serversOf } from '../../../src/database/database.ts'
import { type Gateways, openGateways } from '../../support/cells/gateways.ts'
import { commandParts } from '../../support/cells/moves.ts'
import { followFeed, startPayments } from '../../support/cells/routed.ts'
import { type CellServer, startTwoServers, type TwoServers } from '../../support/cells/two-servers.ts'
import { type Consumer, makeEndpoint, openConsumer } from '../../support/consumer.ts'
import { expectSoundLedger, makePayer, type Payer, pay } from '../../support/ledger.ts'
import { endServices, runPurser, type Service, scratchFolder, startService, until } from '../../support/service.ts'

const soak = Boolean(process.env.SOAK)

let servers: TwoServers
let services: [Service, Service]
let gateways: Gateways
let payer: Payer
let consumer: Consumer
const dead = new Set<Service>()

beforeAll(async () => {
  ;[servers, consumer] = await Promise.all([startTwoServers(), openConsumer()])
  services = await Promise.all([startGateway({ PURSER_PROCESSES: '2' }), startGateway()])
  await until('the cell to join', async () => {
    const states = await Promise.all(services.map((service) => service.call('GET', '/readyz', { key: null })))
    return states.every(({ json }) => json.cells.east === 'ready')
  })
  // A new database is asked once whether it has rows of a former version; until then nothing moves.
  await until('the conversion to be over', async () => {
    const states = await Promise.all([servers.home, servers.east].map((cell) => inDatabase(cell, isConverting)))
    return !states.includes(true)
  })
  const { environment } = servers
  const made = await runPurser(['keys', 'create', '--organisation', 'Acme'], { environment })
  gateways = openGateways(services, JSON.parse(made.stdout).key, (service) => dead.has(service))
  payer = await makePayer(gateways.bank, 90_000_000)
})
afterAll(async () => {
  await endServices()
  await consumer?.close()
  await servers?.stop()
})

function startGateway(own: Record<string, string> = {}): Promise<Service> {
  return startService({
    ...servers.environment,
    ...own,
    PURSER_DATA_DIR: scratchFolder(),
    PURSER_API_KEY: 'the-first-key-of-the-service',
    // The lease of a killed process ends after four times the time-out.
    PURSER_WEBHOOK_TIMEOUT: 'PT1S',
    PURSER_WEBHOOK_RETRIES: Array(20).fill('PT0S').join(),
    LOG_LEVEL: 'warn',
  })
}

function move(to: string, reached?: Parameters<typeof start>[2]): Promise<void> {
  return start(commandParts(servers), { name: 'Acme', to, reach: undefined }, reached)
}

const payOne = (key: string) => pay(gateways.bank, payer, { amount: 1 }, { headers: { 'idempotency-key': key } })

async function inDatabase<T>({ url }: CellServer, work: (database: Database) => Promise<T>): Promise<T> {
  const database = openDatabase({ servers: serversOf(url), connections: 1, timeouts: plainTimeouts })
  return work(database).finally(() => database.close())
}

function paymentsIn(cell: CellServer): Promise<string[]> {
  return inDatabase(cell, async (database) => {
    await expectSoundLedger({ database })
    const rows = await database.query<{ id: number }>(
      `select p.id from payment p join organisation o on o.id = p.organisation_id where o.name = 'Acme'`,
    )
    return rows.map(({ id }) => String(id)).sort()
  })
}

/** Reads the account again and again: a read is never refused for longer than a moment. */
function startReads() {
  let [reads, stopped] = [0, false]
  const run = async () => {
    for (; !stopped; reads++) {
      await gateways.bank.call('GET', `/v0/banking/accounts/${payer.accountId}`)
      await sleep(50)
    }
  }
  const running = run()
  return {
    count: () => reads,
    stop: async () => {
      stopped = true
      await running
    },
  }
}

test('an organisation moves between two servers behind two gateways: one has two processes, the other is killed', async () => {
  await makeEndpoint(gateways.bank, consumer.url, ['payment.created'], gateways.key)
  const feed = followFeed(gateways)
  const load = startPayments(gateways, (_, key) => payOne(key), { clients: 3, restMs: 80 })
  const reads = startReads()
  await until('some payments', () => load.paid.size > 10)
  const [early] = load.paid
  const page = await gateways.bank.call('GET', '/v0/banking/payments?limit=5')
  const next = new URL(/<([^>]*)>; rel="next"/.exec(String(page.headers.link))?.[1] ?? '', 'http://purser')

  const [, victim] = services
  for (let made = 0; made < (soak ? 20 : 2); made++) {
    const before = load.paid.size
    await move(made % 2 === 0 ? 'east' : 'home', async (step) => {
      if (step !== 'caught up' || made !== 1) return
      dead.add(victim)
      await victim.kill()
    })
    await until('payments after the move', () => load.paid.size > before + 10)
    // The answer of an earlier request, and the rest of a list, are found in the other cell.
    const again = await payOne(early?.[0] ?? '')
    expect([again.json.data.id, again.headers['idempotent-replayed']]).toEqual([early?.[1], 'true'])
    const rest = await gateways.bank.call('GET', `${next.pathname}${next.search}`)
    expect(rest.json.data).toHaveLength(5)
  }
  await load.stop()
  await reads.stop()

  const paid = [...load.paid.values()].sort()
  expect(await paymentsIn(servers.home)).toEqual(paid)
  expect(await paymentsIn(servers.east)).toEqual([])
  const created = () => feed.events.filter(({ type }) => type === 'payment.created').map(({ entityId }) => entityId)
  await until('the feed', () => created().length >= paid.length)
  await feed.stop()
  expect(created().sort()).toEqual(paid)
  expect(feed.events.map(({ sequence }) => sequence)).toEqual(feed.events.map((_, place) => place + 1))
  const delivered = () => new Set(consumer.received.map(({ event }) => event.data.id))
  await until('webhooks', () => delivered().size >= paid.length)
  expect([...delivered()].sort()).toEqual(paid)
  expect(gateways.wrong).toEqual([])
  expect(gateways.refused()).toBeGreaterThan(0)
  expect(reads.count()).toBeGreaterThan(10)
  expect(services.map((service) => service.errors())).toEqual(['', ''])
  // Both processes of the first gateway have taken payments.
  const [first] = services
  const taken = await first.call('GET', '/v0/requests?limit=1000&operation=createPayment', { key: gateways.key })
  expect(new Set(taken.json.data.map(({ id }: { id: string }) => id.split('_').at(-1))).size).toBe(2)
})
