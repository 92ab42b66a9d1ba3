import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { openDatabase, plainTimeouts } from '../../src/database/database.ts'
import { expectSoundLedger } from '../support/ledger.ts'
import { ask, connect, embeddedOf, endServices, preparedDataDir, startService, until } from '../support/service.ts'

vi.setConfig({ testTimeout: 300_000 })

const payments = process.env.SOAK ? 5_000 : 600

afterEach(endServices)

test(`a file of ${payments} payments that is killed half-way is built once, delivered once, and settles once`, async () => {
  const dataDir = await preparedDataDir()
  const settings = { PURSER_DATA_DIR: dataDir, PURSER_ACH: 'windows' }
  const service = await startService(settings)
  const server = embeddedOf(dataDir)
  const first = await payerOf(service)
  const last = await payerOf(service)
  for (const payer of [first, last]) {
    for (let left = payments / 2; left > 0; left -= 25) {
      await Promise.all(Array.from({ length: Math.min(25, left) }, () => payer.pay()))
    }
  }
  const advance = (one: typeof service) =>
    one.call('POST', '/v0/sandbox/clock/advance', { body: { by: 'P7D' }, idempotencyKey: 'over-the-cut-off' })

  // The build goes along the payments and stops at an account that somebody else keeps.
  const keeper = await connect(server)
  await keeper.query('begin')
  await keeper.query('select from account where id = $1 for update', [last.accountId])
  const lost = advance(service).catch((error: Error) => error)
  await until('the build to stand half-way', async () => {
    const [row] = await ask(server, `select count(*)::int as clearing from payment where status = 'Clearing'`)
    return row?.clearing > 0
  })
  await service.kill()
  expect(await lost).toBeInstanceOf(Error)
  await keeper.end()
  const [half] = await ask(
    server,
    `select (select count(*)::int from ach_file where state = 'building') as files,
       (select count(*)::int from payment where status = 'Pending') as pending`,
  )
  expect(half).toMatchObject({ files: 1 })
  expect(half?.pending).toBeGreaterThan(0)

  const again = await startService({ ...settings, PURSER_API_KEY: service.key })
  const { status, text } = await advance(again)
  expect(status, text).toBe(200)
  await until('the file to be delivered', async () => {
    const states = await ask(server, 'select state from ach_file')
    return states.length > 0 && states.every(({ state }) => state === 'delivered')
  })
  expect(await ask(server, 'select state, entry_count from ach_file')).toEqual([
    { state: 'delivered', entry_count: payments },
  ])
  expect(await ask(server, `select distinct status from payment where cutoff_at is not null`)).toEqual([
    { status: 'Sent' },
  ])
  const folder = join(dataDir, 'ach', 'out')
  const [organisation = ''] = readdirSync(folder)
  expect(readdirSync(join(folder, organisation))).toHaveLength(1)
  const database = openDatabase({ servers: [server], connections: 1, timeouts: plainTimeouts })
  await expectSoundLedger({ database }).finally(() => database.close())
})

/** A customer with an account that holds enough for all payments. */
async function payerOf({ call }: Awaited<ReturnType<typeof startService>>) {
  const make = async (path: string, body: unknown) => {
    const { status, text, json } = await call('POST', path, { body })
    expect(status, text).toBe(201)
    return json.data
  }
  const customer = await make('/v0/sandbox/customers', { name: 'Ada Sample' })
  const account = await make('/v0/banking/accounts', { customerId: customer.id })
  await make(`/v0/sandbox/accounts/${account.id}/receive-ach`, { amount: payments * 100, companyName: 'Payroll' })
  const external = await make(`/v0/banking/customers/${customer.id}/external-accounts`, {
    type: 'Person',
    name: 'Grace Sample',
    routingNumber: '021000021',
    accountNumber: '9876543210',
    accountType: 'Checking',
  })
  return {
    accountId: account.id as string,
    pay: () =>
      make(`/v0/banking/accounts/${account.id}/payments`, {
        amount: 100,
        counterpartyAccountId: external.id,
        description: 'Rent',
        originalType: 'ACH',
      }),
  }
}
