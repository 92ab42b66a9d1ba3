import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { sha256 } from '../../../src/base/sha256.ts'
import { openDatabase, plainTimeouts } from '../../../src/database/database.ts'
import { createServiceDatabase } from '../../support/harness.ts'
import { expectSoundLedger } from '../../support/ledger.ts'
import {
  ask,
  databaseUrl,
  endServices,
  type Service,
  type ServiceReply,
  scratchFolder,
  startService,
} from '../../support/service.ts'

const soak = Boolean(process.env.SOAK)
const PAYMENTS = soak ? 2_000 : 240
/** Requests on their way to each process at a time. */
const AT_ONCE = 60

let pair: [Service, Service]
let server: Awaited<ReturnType<typeof createServiceDatabase>>['server']
let drop: () => Promise<void>

/** Starts two services on one database, or one service of two processes, which then is both of the pair. */
async function openPair(kind: 'services' | 'processes'): Promise<void> {
  const database = await createServiceDatabase()
  server = database.server
  drop = database.drop
  const environment = {
    PURSER_DATA_DIR: join(scratchFolder(), 'data'),
    DATABASE_URL: databaseUrl(server),
    PURSER_API_KEY: 'key-of-the-first-organisation',
    PURSER_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
  }
  if (kind === 'services') pair = await Promise.all([startService(environment), startService(environment)])
  else {
    const service = await startService({ ...environment, PURSER_PROCESSES: '2' })
    pair = [service, service]
  }
}
afterEach(async () => {
  await endServices()
  await drop()
})

/** An organisation of three accounts that can pay each other and somebody at another bank. */
interface Organisation {
  key: string
  accounts: string[]
  /** One for each account, then the one at another bank. */
  externals: string[]
}

const FUNDS = 1_000_000_00

async function makeOrganisation(key: string): Promise<Organisation> {
  async function post(path: string, body: unknown) {
    const { status, text, json } = await pair[0].call('POST', path, { key, body })
    expect(status, text).toBe(201)
    return json.data
  }
  const customer = await post('/v0/sandbox/customers', { name: 'Ada Example' })
  const external = (routingNumber: string, accountNumber: string) =>
    post(`/v0/banking/customers/${customer.id}/external-accounts`, {
      type: 'Person',
      name: 'Ada Example',
      accountType: 'Checking',
      routingNumber,
      accountNumber,
    })
  const accounts: string[] = []
  const externals: string[] = []
  for (const _number of [1, 2, 3]) {
    const { id, routingNumber, accountNumber } = await post('/v0/banking/accounts', { customerId: customer.id })
    await post(`/v0/sandbox/accounts/${id}/receive-ach`, { amount: FUNDS, companyName: 'Sample Payroll' })
    accounts.push(id)
    externals.push((await external(routingNumber, accountNumber)).id)
  }
  externals.push((await external('021000021', '9876543210')).id)
  return { key, accounts, externals }
}

async function secondOrganisation(): Promise<string> {
  const key = 'key-of-the-second-organisation'
  await ask(server, `insert into organisation (id, name, created_at) values (500000, 'second', now())`)
  await ask(
    server,
    `insert into api_key (id, organisation_id, name, hash, created_at) values (500001, 500000, 'second', $1, now())`,
    [sha256(key)],
  )
  return key
}

const describeReply = ({ status, text }: ServiceReply) => (status < 300 ? String(status) : `${status} ${text}`)

test.each([
  ['two services on one database', 'services'],
  ['two processes behind one port', 'processes'],
] as const)('%s: no deadlock, no 5xx, one effect a key, across organisations', async (_title, kind) => {
  await openPair(kind)
  const organisations = [await makeOrganisation(pair[0].key), await makeOrganisation(await secondOrganisation())]
  const deadlocks = () =>
    ask<{ deadlocks: string }>(server, 'select deadlocks from pg_stat_database where datname = current_database()')
  const before = await deadlocks()

  // Neighbouring payments cross organisations and run in both directions between the same accounts.
  const payments = Array.from({ length: PAYMENTS }, (_, index) => {
    const { key, accounts, externals } = organisations[index % 2] as Organisation
    const from = Math.floor(index / 2) % 3
    const to = (from + 1 + (Math.floor(index / 6) % 3)) % 4
    return {
      key,
      path: `/v0/banking/accounts/${accounts[from]}/payments`,
      body: {
        amount: 1 + (index % 50),
        counterpartyAccountId: externals[to === from ? 3 : to],
        description: 'Both',
        originalType: 'ACH',
      },
      idempotencyKey: `payment-${index}`,
    }
  })

  const answers: [ServiceReply, ServiceReply][] = []
  let taken = 0
  async function work(): Promise<void> {
    while (taken < payments.length) {
      const index = taken++
      const { path, ...options } = payments[index] as (typeof payments)[number]
      answers[index] = await Promise.all([pair[0].call('POST', path, options), pair[1].call('POST', path, options)])
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))

  expect(answers.map((both) => both.map(describeReply).join(' and '))).toEqual(Array(PAYMENTS).fill('201 and 201'))
  for (const [one, other] of answers) {
    expect(other.text).toBe(one.text)
    expect([one, other].filter(({ headers }) => headers.get('Idempotent-Replayed') === 'true')).toHaveLength(1)
  }
  expect(await ask(server, 'select count(*)::int, count(distinct id)::int as ids from payment')).toEqual([
    { count: PAYMENTS, ids: PAYMENTS },
  ])
  const spent = payments.reduce((sum, { body }) => sum + body.amount, 0)
  const debits = await ask(server, `select sum(amount)::int as spent from transfer where source_kind = 'payment'`)
  expect(debits).toEqual([{ spent }])

  // Every payment that left the bank is returned once, whichever process gets the request.
  const outside = answers
    .map(([{ json }], index) => ({ id: json.data.id, key: payments[index]?.key ?? '', payment: json.data }))
    .filter(({ payment }) => payment.counterparty.routingNumber === '021000021')
    .slice(0, AT_ONCE)
  expect(outside.length).toBeGreaterThan(10)
  const returns = await Promise.all(
    outside.map(({ id, key }) => {
      const options = { key, body: { returnCode: 'R01' } }
      return Promise.all(pair.map((service) => service.call('POST', `/v0/sandbox/payments/${id}/return`, options)))
    }),
  )
  expect(returns.map((both) => both.map(({ status }) => status).sort())).toEqual(outside.map(() => [200, 409]))

  // There were batches of several organisations in both processes; without them the test would show nothing.
  const crossing = await ask(
    server,
    `select count(*)::int from (select from transfer group by xmin::text having count(distinct organisation_id) > 1) x`,
  )
  expect(crossing[0]?.count).toBeGreaterThan(0)
  const slots = await ask(server, `select distinct slot from account where kind = 'ach_clearing' order by slot`)
  expect(slots.length).toBeGreaterThan(1)

  const database = openDatabase({ servers: [server], connections: 1, timeouts: plainTimeouts })
  await expectSoundLedger({ database })
  await database.close()
  // A connection reports its deadlocks when it ends at the latest.
  await Promise.all(pair.map((service) => service.stop()))
  expect(await deadlocks()).toEqual(before)
})
