import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bankingDaysAfter, daysAfter, easternOf } from '../../../src/rails/ach/calendar.ts'
import { openTestBank, type TestBank } from '../../support/harness.ts'
import { expectSoundLedger } from '../../support/ledger.ts'
import { incomingFile } from '../../support/rails/incoming.ts'
import {
  type Month,
  modelAdvance,
  modelCancel,
  modelPayment,
  modelReceived,
  modelReturn,
  modelReturnReceived,
  newMonth,
} from '../../support/rails/month-model.ts'
import { railSettings } from '../../support/rails/settings.ts'
import { seedOfTest } from '../../support/random.ts'

const soak = Boolean(process.env.SOAK)
const runs = soak ? 12 : 1
const steps = soak ? 50 : 25

/** Each run has its own: the laws are checked on all records after each step. */
let bank: TestBank
let rails: ReturnType<typeof railSettings>

const numbers = [
  ...['1234567890', '9990000001', '9990000003', '9990000010', '9990000099', '9991000002', '9991000007', '9991000031'],
  ...['9992000001', '9992000002', '9992000003', '9992000004', '9992000005', '9992000006', '9992000007'],
  ...['9992000009', '9992000013', '9992000008'],
]
const amount = fc.integer({ min: 1, max: 300_00 })
const account = fc.constantFrom(0, 1)
const pick = fc.nat(100)
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      ...{ type: fc.constant('pay' as const), account, amount, number: fc.constantFrom(...numbers) },
      ...{ sameDay: fc.boolean(), direction: fc.constantFrom('Credit' as const, 'Debit' as const) },
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('cancel' as const), pick }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('return' as const), pick }) },
  {
    weight: 4,
    arbitrary: fc.record({
      ...{ type: fc.constant('receive' as const), account, amount },
      // Days from now to the settlement, and the codes of the entries in their order.
      ...{
        days: fc.constantFrom(-1, 0, 1, 2),
        codes: fc.array(fc.constantFrom(22, 27), { minLength: 1, maxLength: 4 }),
      },
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      ...{ type: fc.constant('receiveAch' as const), account, amount },
      direction: fc.constantFrom('Credit' as const, 'Debit' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('returnReceived' as const), pick }) },
  {
    weight: 5,
    arbitrary: fc.record({ type: fc.constant('advance' as const), hours: fc.integer({ min: 1, max: 60 }) }),
  },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** An organisation with two accounts, and the model of it. */
interface World {
  key: string
  organisationId: number
  customerId: string
  accounts: { id: string; accountNumber: string }[]
  month: Month
  sequence: number
}

async function newWorld(now: string): Promise<World> {
  const made = await bank.call('POST', '/v0/sandbox/organisations', { body: { now, frozen: true } })
  expect(made.status, made.text).toBe(201)
  const { id, apiKey } = made.json.data
  const call = async (path: string, body: unknown) => {
    const { status, text, json } = await bank.call('POST', path, { key: apiKey.secret ?? apiKey.key, body })
    expect(status, text).toBe(201)
    return json.data
  }
  const customer = await call('/v0/sandbox/customers', { name: 'Ada Sample' })
  const accounts = []
  for (let left = 2; left > 0; left--) accounts.push(await call('/v0/banking/accounts', { customerId: customer.id }))
  const world = { organisationId: Number(id), customerId: customer.id, accounts, sequence: 0 }
  return { ...world, key: apiKey.secret ?? apiKey.key, month: newMonth(now, 2) }
}

const ask = (world: World, method: string, path: string, body?: unknown) =>
  bank.call(method, path, { key: world.key, ...(body !== undefined && { body }) })

/** Does a step in the bank and in the model, and compares their answers. */
async function take(world: World, each: Step): Promise<void> {
  const { month } = world
  switch (each.type) {
    case 'pay':
      return payStep(world, each)
    case 'cancel': {
      const payment = month.payments[each.pick % (month.payments.length || 1)]
      if (!payment) return
      const { json } = await ask(world, 'POST', `/v0/banking/payments/${payment.id}/cancel`)
      expect(json.code ?? json.data.status).toBe(modelCancel(month, payment))
      return
    }
    case 'return': {
      const payment = month.payments[each.pick % (month.payments.length || 1)]
      if (!payment) return
      const { json } = await ask(world, 'POST', `/v0/sandbox/payments/${payment.id}/return`, { returnCode: 'R02' })
      expect(json.code ?? json.data.status).toBe(modelReturn(month, payment, 'R02'))
      return
    }
    case 'receive':
      return receiveStep(world, each)
    case 'receiveAch':
      return receiveAchStep(world, each)
    case 'returnReceived': {
      const received = month.received[each.pick % (month.received.length || 1)]
      if (!received) return
      const returnCode = received.direction === 'Credit' ? 'R23' : 'R10'
      const path = `/v0/banking/received-payments/${received.id}/return`
      const { json } = await ask(world, 'POST', path, { returnCode })
      expect(json.code ?? json.data.status).toBe(modelReturnReceived(month, received, returnCode))
      return
    }
    case 'advance':
      return advanceStep(world, `PT${each.hours}H`)
  }
}

async function payStep(world: World, { account, amount, number, sameDay, direction }: Extract<Step, { type: 'pay' }>) {
  const { month, customerId, accounts } = world
  const external = await ask(world, 'POST', `/v0/banking/customers/${customerId}/external-accounts`, {
    ...{ type: 'Person', name: 'Grace Sample', routingNumber: '021000021', accountNumber: number },
    accountType: 'Checking',
  })
  if (direction === 'Debit') await makeDebitable(world, external.json.data.id)
  const { json } = await ask(world, 'POST', `/v0/banking/accounts/${accounts[account]?.id}/payments`, {
    ...{ amount, counterpartyAccountId: external.json.data.id, description: 'Rent', originalType: 'ACH', sameDay },
    direction,
  })
  if (direction === 'Credit' && amount > (month.balances[account] ?? 0)) expect(json.code).toBe('insufficient_funds')
  else modelPayment(month, { id: json.data.id, account, amount, number, sameDay, direction })
}

/** Lets money be collected from an external account. */
async function makeDebitable(world: World, id: string): Promise<void> {
  const path = `/v0/banking/external-accounts/${id}`
  const mandate = { authorization: 'Written', textVersion: '1', authorizedAt: '2025-11-03', address: 'Boston' }
  expect((await ask(world, 'PUT', `${path}/mandate`, mandate)).status).toBe(200)
  expect((await ask(world, 'POST', `${path}/attest`, { reference: 'case 7' })).status).toBe(200)
}

async function receiveStep(world: World, { account, amount, days, codes }: Extract<Step, { type: 'receive' }>) {
  const { month, accounts, organisationId } = world
  const settlesOn = bankingDaysAfter(daysAfter(easternOf(month.now).day, days), 0)
  const { accountNumber = '' } = accounts[account] ?? {}
  const entries = codes.map((code) => ({ sequence: ++world.sequence, code, amount, accountNumber }))
  const time = `${String(world.sequence % 24).padStart(2, '0')}:${String(world.sequence % 60).padStart(2, '0')}`
  const bytes = incomingFile({ entries, settlesOn, header: { createdAt: time, reference: String(world.sequence) } })
  expect(await bank.takeFile({ name: 'in.ach', bytes, organisationId })).toMatchObject({ state: 'applied' })
  const ids = await bank.database.query<{ id: number }>(
    `select r.id from received_payment r join ach_received_entry e on e.received_payment_id = r.id
     where r.file_id = (select max(id) from ach_file where organisation_id = $1::bigint and direction = 'in') order by r.line`,
    [organisationId],
  )
  for (const [index, code] of codes.entries()) {
    const direction = code === 22 ? 'Credit' : 'Debit'
    modelReceived(month, { id: String(ids[index]?.id), account, direction, amount, settlesOn })
  }
}

async function receiveAchStep(
  world: World,
  { account, amount, direction }: Extract<Step, { type: 'receiveAch' }>,
): Promise<void> {
  const { month, accounts } = world
  const path = `/v0/sandbox/accounts/${accounts[account]?.id}/receive-ach`
  const { json } = await ask(world, 'POST', path, { amount, direction, companyName: 'Payroll' })
  const balance = month.balances[account] ?? 0
  if (direction === 'Debit' && balance < amount) {
    expect(json.code).toBe('insufficient_funds')
    return
  }
  month.balances[account] = balance + (direction === 'Credit' ? amount : -amount)
  expect(json.data.balance).toBe(month.balances[account])
}

async function advanceStep({ month, ...world }: World, by: string): Promise<void> {
  const { status, text, json } = await ask({ month, ...world }, 'POST', '/v0/sandbox/clock/advance', { by })
  expect(status, text).toBe(200)
  modelAdvance(month, json.data.now)
}

/** The bank is as the model says, and its laws hold. */
async function compare(world: World): Promise<void> {
  const { month, accounts, organisationId } = world
  await expectSoundLedger(bank)
  const shown = await Promise.all(accounts.map(({ id }) => ask(world, 'GET', `/v0/banking/accounts/${id}`)))
  expect(shown.map(({ json }) => json.data.balance)).toEqual(month.balances)
  const payments = await bank.database.query(
    `select id::text, status, return_code as code from payment where organisation_id = $1::bigint order by id`,
    [organisationId],
  )
  expect(payments).toEqual(
    month.payments.map(({ id, status, returnCode }) => ({ id, status, code: returnCode ?? null })),
  )
  const received = await bank.database.query(
    `select id::text, status, return_code as code from received_payment
     where id = any($1::bigint[]) order by array_position($1::bigint[], id)`,
    [month.received.map(({ id }) => Number(id))],
  )
  expect(received).toEqual(
    month.received.map(({ id, status, returnCode }) => ({ id, status, code: returnCode ?? null })),
  )
  const exceptions = await bank.database.query<{ kind: string }>(
    'select kind from ach_exception where organisation_id = $1::bigint order by kind',
    [organisationId],
  )
  expect(exceptions.map(({ kind }) => kind)).toEqual(month.exceptions.toSorted())
}

async function reconcile(world: World, from: string, to: string): Promise<void> {
  for (let day = from; day <= to; day = daysAfter(day, 1)) {
    const { json } = await ask(world, 'GET', `/v0/banking/ach-reconciliation?date=${day}`)
    expect(json.data.difference, day).toBe(0)
  }
}

test.each([
  ['March, with the clocks set forward', '2031-03-03T13:00:00.000Z'],
  ['November, with the clocks set back and two holidays', '2030-11-01T13:00:00.000Z'],
])('a month of bank time is as the model says: %s', async (_title, start) => {
  const property = fc
    .asyncProperty(fc.array(step, { minLength: steps, maxLength: steps }), async (drawn) => {
      const world = await newWorld(start)
      await receiveAchStep(world, { type: 'receiveAch', account: 0, amount: 500_00, direction: 'Credit' })
      // Every number of an account once, so that a small run has every answer, too.
      for (const number of numbers) {
        for (const direction of ['Credit', 'Debit'] as const) {
          const sameDay = number.endsWith('3')
          await payStep(world, { type: 'pay', account: 0, amount: 1_00, number, sameDay, direction })
        }
      }
      for (const each of drawn) {
        await take(world, each)
        await compare(world)
        const { day } = easternOf(world.month.now)
        await reconcile(world, day, day)
      }
      await advanceStep(world, 'P31D')
      await compare(world)
      await advanceStep(world, 'P31D')
      await compare(world)
      const first = easternOf(start).day
      await reconcile(world, daysAfter(first, -4), easternOf(world.month.now).day)
    })
    .beforeEach(async () => {
      rails = railSettings()
      bank = await openTestBank({ ach: rails.settings })
    })
    .afterEach(async () => {
      await bank.close()
      rails.remove()
    })
  await fc.assert(property, { seed: seedOfTest(), numRuns: runs })
})
