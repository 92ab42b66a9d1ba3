import { afterAll, beforeAll, expect, test } from 'vitest'
import { start } from '../../../src/cells/commands/move.ts'
import { verifyLedger } from '../../../src/ledger/verify.ts'
import { openRetention } from '../../../src/retention/retention.ts'
import { advanceTo, recurring } from '../../support/bank/recurring.ts'
import { commandParts } from '../../support/cells/moves.ts'
import { type Cell, configOf, startTwoCells, type TwoCells } from '../../support/cells/two-cells.ts'
import { makeEndpoint, openConsumer } from '../../support/consumer.ts'
import type { TestBank } from '../../support/harness.ts'
import { makePayer, pay } from '../../support/ledger.ts'
import { until } from '../../support/service.ts'

/** Rows of an organisation that moved have numbers of another cell's range: larger ones, or smaller ones. */

let cells: TwoCells
beforeAll(async () => {
  cells = await startTwoCells({ webhooks: {} })
})
afterAll(() => cells?.stop())

function move(name: string, to: string): Promise<void> {
  return start(commandParts(cells), { name, to, reach: undefined })
}

/** Lets some time pass in a cell for what has its age by marks, and deletes what may go. */
async function prune({ database }: Cell, age: string): Promise<void> {
  await database.query('select mark_retention()')
  await database.query('update retention_mark set marked_at = marked_at - $1::interval', [age])
  const failed = (error: Error) => {
    throw error
  }
  const { keep } = configOf(cells)
  await openRetention({ database, keep, failed, limits: { kindMs: 10_000, restMs: 1 } }).prune()
}

async function deny({ bank }: Cell, key: string): Promise<void> {
  await until(
    'the key to be known',
    async () => (await bank.call('GET', '/v0/banking/customers', { key })).status === 403,
  )
  await bank.denials.save()
}

/** The numbers of the rows of an organisation that have an age by marks. */
async function numbersIn({ database }: Cell, table: string, name: string): Promise<number[]> {
  const rows = await database.query<{ id: number }>(
    `select r.id from ${table} r join organisation o on o.id = r.organisation_id where o.name = $1::text order by r.id`,
    [name],
    'once',
  )
  return rows.map(({ id }) => id)
}

test('rows that have moved are kept for their time, and not for ever', async () => {
  const { home, east } = cells
  const consumer = await openConsumer()
  const key = await home.bank.makeKey('Acme', null)
  const narrow = await home.bank.makeKey('Acme', ['events:read'])
  const { id } = await makeEndpoint(home.bank, consumer.url, ['*'], key)
  const deliver = async ({ bank, database }: Cell, count: number) => {
    await bank.call('POST', `/v0/webhook-endpoints/${id}/test`, { key })
    const pending = `select from webhook_delivery where endpoint_id = $1::bigint and status = 'Pending'`
    // An attempt is recorded after the consumer has answered.
    await until('the delivery', async () => {
      return consumer.received.length >= count && (await database.query(pending, [id])).length === 0
    })
  }
  const rows = async (cell: Cell) => ({
    denials: (await numbersIn(cell, 'denied_request', 'Acme')).length,
    deliveries: (await numbersIn(cell, 'webhook_delivery', 'Acme')).length,
  })
  // The other cell has given out larger numbers, long ago.
  const stranger = await east.bank.makeKey('second', ['events:read'])
  await deny(east, stranger)
  await east.database.query(`select nextval('webhook_delivery_id_seq')`)
  await prune(east, '500 days')
  await deny(home, narrow)
  await deliver(home, 1)
  const before = await rows(home)
  expect(before.denials).toBeGreaterThan(0)
  expect(before.deliveries).toBeGreaterThan(0)

  await move('Acme', 'east')
  await prune(east, '29 days')
  expect(await rows(east)).toEqual(before)
  await prune(east, '2 days')
  expect(await rows(east)).toEqual({ ...before, deliveries: 0 })
  await deny(east, narrow)
  await deliver(east, 2)
  const brought = await rows(east)
  expect(brought.denials).toBeGreaterThan(before.denials)

  await move('Acme', 'home')
  expect(await rows(home)).toEqual(brought)
  await prune(home, '500 days')
  // The marks of the larger numbers are no age of the smaller ones that come after them.
  await deny(home, narrow)
  await deliver(home, 3)
  await prune(home, '1 day')
  const left = [
    ...(await numbersIn(home, 'denied_request', 'Acme')),
    ...(await numbersIn(home, 'webhook_delivery', 'Acme')),
  ]
  expect(left.length).toBeGreaterThan(1)
  expect(left.filter((number) => number >= 10 ** 14)).toEqual([])
  await consumer.close()
})

test('lists are in the order of creation, and the laws hold since a time, after moves to larger and to smaller numbers', async () => {
  const key = await cells.home.bank.makeKey('Listed', null)
  const at = ({ bank }: Cell): TestBank => {
    const call: typeof bank.call = (method, path, options) => bank.call(method, path, { key, ...options })
    return { ...bank, key, call }
  }
  const payer = await makePayer(at(cells.home), 1_000)
  const made: string[] = []
  const payOne = async (cell: Cell) => {
    await until('the key to be known', async () => (await at(cell).call('GET', '/v0/banking/payments')).status === 200)
    const { status, text, json } = await pay(at(cell), payer, { amount: 1 })
    expect(status, text).toBe(201)
    made.unshift(json.data.id)
  }
  await payOne(cells.home)
  const since = new Date().toISOString()
  for (const [to, cell] of [
    ['east', cells.east],
    ['home', cells.home],
  ] as const) {
    await move('Listed', to)
    await payOne(cell)
    await payOne(cell)
    for (const options of [{}, { since }]) expect(await verifyLedger(cell.database, options)).toEqual([])
  }
  expect(new Set(made.map((id) => Number(id) >= 10 ** 14)).size).toBe(2)
  const listed: string[] = []
  for (let path: string | undefined = '/v0/banking/payments?limit=2'; path; ) {
    const { json, headers } = await at(cells.home).call('GET', path)
    listed.push(...json.data.map(({ id }: { id: string }) => id))
    path = /<([^>]*)>; rel="next"/.exec(String(headers.link ?? ''))?.[1]
  }
  expect(listed).toEqual(made)
})

test('a recurring payment goes on in the cell that its organisation has moved to', async () => {
  const { home, east } = cells
  const key = await home.bank.makeKey('Landlady', null)
  const at = ({ bank }: Cell): TestBank => ({
    ...bank,
    key,
    call: (method, path, options) => bank.call(method, path, { ...options, key }),
  })
  const payer = await makePayer(at(home), 1_000_00)
  const { now } = (await at(home).call('GET', '/v0/sandbox/clock')).json.data
  const dayAfter = (days: number) => new Date(Date.parse(now) + days * 86_400_000).toISOString().slice(0, 10)
  const plan = await recurring(at(home), payer, {
    interval: 'Weekly',
    startDate: dayAfter(2),
    onClosedDay: 'AsItComes',
  })
  await advanceTo(at(home), dayAfter(11))
  await move('Landlady', 'east')
  await until('the key to be known', async () => (await at(east).call('GET', '/v0/banking/customers')).status === 200)
  await advanceTo(at(east), dayAfter(25))
  const { json: runs } = await at(east).call('GET', `/v0/banking/recurring-payments/${plan.id}/runs?sort=createdAt`)
  expect(runs.data.map(({ dueDate, status }: Record<string, string>) => [dueDate, status])).toEqual(
    [2, 9, 16, 23].map((days) => [dayAfter(days), 'Succeeded']),
  )
  const { json: payments } = await at(east).call('GET', `/v0/banking/payments?recurringPaymentId=${plan.id}`)
  expect(new Set(payments.data.map(({ id }: { id: string }) => id))).toEqual(
    new Set(runs.data.map(({ paymentId }: { paymentId: string }) => paymentId)),
  )
  expect((await at(east).call('GET', `/v0/banking/accounts/${payer.accountId}`)).json.data.balance).toBe(920_00)
})
