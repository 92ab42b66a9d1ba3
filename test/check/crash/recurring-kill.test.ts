import { afterEach, expect, test } from 'vitest'
import { choicesOfTest } from '../../support/random.ts'
import {
  ask,
  embeddedOf,
  endServices,
  preparedDataDir,
  type Service,
  startService,
  until,
} from '../../support/service.ts'

const KILLS = process.env.SOAK ? 20 : 3
const PLANS = 20
/** Each kill comes in three weeks of its own. */
const WEEKS = 3 * (KILLS + 1)
const RUNS = PLANS * WEEKS

afterEach(endServices)

/** An account whose weekly payments begin tomorrow. */
async function makePlans({ call }: Service): Promise<{ accountId: string; dayAfter(days: number): string }> {
  const made = async (path: string, body: unknown) => {
    const { status, text, json } = await call('POST', path, { body })
    expect(status, text).toBe(201)
    return json.data
  }
  const { id: customerId } = await made('/v0/sandbox/customers', { name: 'Ada Example' })
  const { id: accountId } = await made('/v0/banking/accounts', { customerId })
  await made(`/v0/sandbox/accounts/${accountId}/receive-ach`, { amount: RUNS * 1_00, companyName: 'Payroll' })
  const { id: toAccountId } = await made('/v0/banking/accounts', { customerId })
  const { now } = (await call('GET', '/v0/sandbox/clock')).json.data
  const dayAfter = (days: number) => new Date(Date.parse(now) + days * 86_400_000).toISOString().slice(0, 10)
  const plan = { type: 'bookPayment', accountId, toAccountId, amount: 1_00, description: 'Savings', count: WEEKS }
  for (let number = 0; number < PLANS; number++)
    await made('/v0/banking/recurring-payments', { ...plan, interval: 'Weekly', startDate: dayAfter(2) })
  return { accountId, dayAfter }
}

test(`each due date has one run and one payment, though the service is killed ${KILLS} times`, async () => {
  const { below } = choicesOfTest()
  const dataDir = await preparedDataDir()
  let service = await startService({ PURSER_DATA_DIR: dataDir })
  const { accountId, dayAfter } = await makePlans(service)
  const runsMade = async () => {
    const [row] = await ask(embeddedOf(dataDir), 'select count(*)::int from recurring_payment_run', [])
    return (row as { count: number }).count
  }
  for (let kill = 0; kill < KILLS; kill++) {
    const least = 3 * PLANS * kill + below(2 * PLANS)
    const body = { to: dayAfter(21 * (kill + 1)) }
    const advance = service.call('POST', '/v0/sandbox/clock/advance', { body }).catch(() => undefined)
    await until('runs to be made', async () => (await runsMade()) > least)
    await service.kill()
    await advance
    service = await startService({ PURSER_DATA_DIR: dataDir })
  }
  expect(
    (await service.call('POST', '/v0/sandbox/clock/advance', { body: { to: dayAfter(WEEKS * 7 + 5) } })).status,
  ).toBe(200)
  const [made] = await ask(
    embeddedOf(dataDir),
    `select count(*)::int as runs, count(distinct payment_id)::int as payments, count(distinct (recurring_payment_id, due_date))::int as dates,
       (select count(*)::int from payment where recurring_payment_id is not null) as made
     from recurring_payment_run where status = 'Succeeded'`,
    [],
  )
  expect(made).toEqual({ runs: RUNS, payments: RUNS, dates: RUNS, made: RUNS })
  expect((await service.call('GET', `/v0/banking/accounts/${accountId}`)).json.data.balance).toBe(0)
  const { status, json } = await service.call('POST', '/v0/ledger/verification')
  expect([status, json.data.status]).toEqual([200, 'Holds'])
})
