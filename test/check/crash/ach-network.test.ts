import { spawnSync } from 'node:child_process'
import { afterEach, expect, test } from 'vitest'
import { openDatabase, plainTimeouts } from '../../../src/database/database.ts'
import { daysAfter } from '../../../src/rails/ach/calendar.ts'
import { root } from '../../support/harness.ts'
import { expectSoundLedger } from '../../support/ledger.ts'
import {
  ask,
  connect,
  embeddedOf,
  endServices,
  gone,
  postmasterOf,
  preparedDataDir,
  startService,
  until,
} from '../../support/service.ts'

const payments = process.env.SOAK ? 500 : 20

afterEach(endServices)

test(`the answer of other banks to ${payments} payments of which service and database are killed half-way has one effect an entry`, async () => {
  const dataDir = await preparedDataDir()
  const settings = { PURSER_DATA_DIR: dataDir, PURSER_ACH: 'windows' }
  const service = await startService(settings)
  let server = embeddedOf(dataDir)
  const { status: played, stderr } = spawnSync(process.execPath, ['bin/run.js', 'scripts/demo.ts'], {
    ...{ cwd: root, encoding: 'utf8' },
    env: { PATH: process.env.PATH, PORT: new URL(service.url).port, PURSER_DATA_DIR: dataDir, PURSER_ACH: 'windows' },
  })
  expect(played, stderr).toBe(0)
  // In the morning in New York, so that no cut-off comes between two payments.
  const { json: clock } = await service.call('GET', '/v0/sandbox/clock')
  const morning = `${daysAfter(clock.data.now.slice(0, 10), 1)}T12:00:00Z`
  expect((await service.call('POST', '/v0/sandbox/clock/advance', { body: { to: morning } })).status).toBe(200)
  const first = await payerOf(service)
  const last = await payerOf(service)
  let settles = ''
  for (const payer of [first, last]) {
    for (let left = payments / 2; left > 0; left--) settles = (await payer.pay()).expectedCompletionDate
  }
  const settled = await service.call('POST', '/v0/sandbox/clock/advance', { body: { to: `${settles}T14:00:00Z` } })
  const { now } = settled.json.data
  const [due] = await ask(server, 'select max(answer_at) as at from ach_file')
  expect(Date.parse(due?.at)).toBeGreaterThan(Date.parse(now))
  const advance = (one: typeof service) =>
    one.call('POST', '/v0/sandbox/clock/advance', { body: { by: 'P7D' }, idempotencyKey: 'over-the-answer' })

  // The answer returns the payments of one account and stops at the other, which somebody else keeps.
  const keeper = await connect(server)
  keeper.on('error', () => undefined)
  await keeper.query('begin')
  await keeper.query('select from account where id = $1 for update', [last.accountId])
  const lost = advance(service).catch((error: Error) => error)
  const returned = async () => {
    const [row] = await ask(server, `select count(*)::int as count from payment where return_code = 'R04'`)
    return row?.count
  }
  await until('the answer to stand half-way', async () => (await returned()) === payments / 2)
  const postmaster = postmasterOf(dataDir)
  const died = service.kill()
  if (postmaster === undefined) throw new Error('there is no database server')
  process.kill(postmaster, 'SIGKILL')
  await Promise.all([died, gone(postmaster)])
  expect(await lost).toBeInstanceOf(Error)

  const again = await startService({ ...settings, PURSER_API_KEY: service.key })
  server = embeddedOf(dataDir)
  const { status, text } = await advance(again)
  expect(status, text).toBe(200)
  expect(await returned()).toBe(payments)
  for (const { accountId } of [first, last]) {
    const { json: account } = await again.call('GET', `/v0/banking/accounts/${accountId}`)
    expect(account.data.balance).toBe(payments * 100)
  }
  expect(
    await ask(
      server,
      `select f.state, f.entry_count, count(e.*)::int as entries from ach_file f join ach_received_entry e on e.file_id = f.id
       where e.kind = 'return' and f.name like '%answer%' group by f.id`,
    ),
  ).toEqual([{ state: 'applied', entry_count: payments, entries: payments }])
  const database = openDatabase({ servers: [server], connections: 1, timeouts: plainTimeouts })
  await expectSoundLedger({ database }).finally(() => database.close())
})

/** A customer with an account, which pays to an account that the other bank does not know. */
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
    ...{ type: 'Person', name: 'Grace Sample', routingNumber: '021000021', accountNumber: '9990000004' },
    accountType: 'Checking',
  })
  return {
    accountId: account.id as string,
    pay: () =>
      make(`/v0/banking/accounts/${account.id}/payments`, {
        ...{ amount: 100, counterpartyAccountId: external.id, description: 'Rent', originalType: 'ACH' },
      }),
  }
}
