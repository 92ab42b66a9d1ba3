import { mkdirSync, readdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { openDatabase, plainTimeouts } from '../../../src/database/database.ts'
import { expectSoundLedger } from '../../support/ledger.ts'
import { incomingFile, returnOf } from '../../support/rails/incoming.ts'
import { type Place, prepareStops, stands, stopAt } from '../../support/rails/stop-at.ts'
import {
  ask,
  embeddedOf,
  endServices,
  gone,
  launchPurser,
  postmasterOf,
  preparedDataDir,
  type Service,
  startService,
  until,
} from '../../support/service.ts'

const isLong = Boolean(process.env.SOAK)
/** More than the intake applies at a time; in a long run also more than two commands of a build. */
const payments = isLong ? 1_200 : 260
/** More than a reversal of a file takes back at a time. */
const REVERSED = 120

type Victim = 'service' | 'database'
interface Step {
  name: string
  place: Place
  victim: Victim
  /** Steps of a long run only. */
  long?: true
}

const file = (state: string): Place => ({ table: 'ach_file', column: 'state', value: state })
const payment = (status: string): Place => ({ table: 'payment', column: 'status', value: status })
/** In a long run, others are in the file by then. */
const LAST_AMOUNT = 101
const lastPayment: Place = { table: 'payment', column: 'amount', value: String(LAST_AMOUNT) }
/** Two lines a return, after the two headers. */
const lastLine: Place = { table: 'ach_received_entry', column: 'line', value: String(2 * payments + 1) }

const outgoing: Step[] = [
  { name: 'the last payments come into the file', place: lastPayment, victim: 'service' },
  { name: 'the file is built', place: file('built'), victim: 'database' },
  { name: 'the file is about to get its name', place: file('delivering'), victim: 'service', long: true },
  { name: 'the file has its name', place: file('delivered'), victim: 'service' },
]
const settlement: Step[] = [{ name: 'payments are sent', place: payment('Sent'), victim: 'database', long: true }]
const incoming: Step[] = [
  { name: 'a file is taken', place: file('taken'), victim: 'service', long: true },
  { name: 'its last entry is applied', place: lastLine, victim: 'database' },
  { name: 'all its entries are applied', place: file('applied'), victim: 'service' },
]
const other: Record<Victim, Victim> = { service: 'database', database: 'service' }

afterEach(endServices)

/** In a long run each step meets a kill of the service and one of the database. */
for (const swapped of isLong ? [false, true] : [false]) {
  const stepsOf = (steps: Step[]) =>
    steps
      .filter(({ long }) => isLong || !long)
      .map((step) => (swapped ? { ...step, victim: other[step.victim] } : step))
  const shown = [outgoing, settlement, incoming].flatMap(stepsOf).map(({ name, victim }) => `${victim} when ${name}`)

  test(`kills around each step leave one file, one delivery and one effect an entry: ${shown.join(', ')}`, async () => {
    const dataDir = await preparedDataDir()
    const life = await begin(dataDir)
    await advanceThrough(life, 'PT15H', stepsOf(outgoing))
    await until('the file to be delivered', async () => (await states(life, 'out')).join() === 'delivered')
    expect(await statuses(life)).toEqual([{ status: 'Clearing', count: payments }])
    expect(readdirSync(join(dataDir, 'ach', 'out', life.organisation))).toEqual([
      expect.stringMatching(/^\d{8}-\d{4}-\w+-A\.ach$/),
    ])

    await advanceThrough(life, 'P3D', stepsOf(settlement))
    expect(await statuses(life)).toEqual([{ status: 'Sent', count: payments }])

    await send(life, 'A', 'returns.ach')
    await killAt(life, stepsOf(incoming), async () => undefined)
    await until('the file to be applied', async () => (await states(life, 'in')).join() === 'applied')
    await expectReturnedOnce(life)

    // The same bytes once more, and the same entries in another file.
    await send(life, 'A', 'again.ach')
    await send(life, 'B', 'others.ach')
    await until('both files to be taken', () => folderOf(life, 'done').length === 3)
    expect(await states(life, 'in')).toEqual(['applied', 'applied'])
    await expectReturnedOnce(life)
    const database = openDatabase({ servers: [embeddedOf(dataDir)], connections: 1, timeouts: plainTimeouts })
    await expectSoundLedger({ database }).finally(() => database.close())
  })
}

test('a reversal of a file that is killed and repeated takes back each payment once', async () => {
  const dataDir = await preparedDataDir()
  const life = await begin(dataDir, REVERSED)
  const server = embeddedOf(dataDir)
  await advanceThrough(life, 'PT15H', [])
  await until('the file to be delivered', async () => (await states(life, 'out')).join() === 'delivered')
  const [file] = await ask<{ id: string }>(server, `select id from ach_file where direction = 'out'`)
  const words = ['ach', 'reverse', String(file?.id), '--reason', 'Duplicate', '--json']
  const reversals = async () =>
    (
      await ask<{ reversed: string }>(
        server,
        `select link ->> 'paymentId' as reversed from payment where link ->> 'kind' = 'Reversal'`,
      )
    ).map(({ reversed }) => reversed)

  await stopAt(server, lastPayment)
  const killed = launchPurser(words, { environment: life.settings })
  await until('the command to stand at the last payment', () => stands(server))
  await killed.kill()
  await stopAt(server, undefined)
  const before = await reversals()
  expect(before.length).toBeGreaterThanOrEqual(100)
  expect(before.length).toBeLessThan(REVERSED)

  for (const reversed of [REVERSED - before.length, 0]) {
    const { stdout } = await launchPurser(words, { environment: life.settings }).exited
    expect(JSON.parse(stdout)).toMatchObject({ reversed })
  }
  const after = await reversals()
  expect(after).toHaveLength(REVERSED)
  expect(new Set(after).size).toBe(REVERSED)
  const database = openDatabase({ servers: [server], connections: 1, timeouts: plainTimeouts })
  await expectSoundLedger({ database }).finally(() => database.close())
})

interface Life {
  dataDir: string
  service: Service
  organisation: string
  settings: Record<string, string> & { PURSER_DATA_DIR: string }
}

/** A service with pending payments, whose clock stands at a Monday morning. */
async function begin(dataDir: string, count = payments): Promise<Life> {
  const settings = { PURSER_DATA_DIR: dataDir, PURSER_ACH: 'windows' }
  const service = await startService(settings)
  const server = embeddedOf(dataDir)
  await prepareStops(server)
  const [row] = await ask<{ id: string }>(
    server,
    `update organisation set clock_offset = '2030-02-04T13:00:00Z' - clock_timestamp() returning id`,
  )
  const payer = await payerOf(service, count)
  for (let left = count - 1; left > 0; left -= 25) {
    await Promise.all(Array.from({ length: Math.min(25, left) }, () => payer.pay(100)))
  }
  await payer.pay(LAST_AMOUNT)
  return { dataDir, service, organisation: String(row?.id), settings: { ...settings, PURSER_API_KEY: service.key } }
}

/** Advances the clock, with kills at the steps on the way. */
async function advanceThrough(life: Life, by: string, steps: Step[]): Promise<void> {
  const advance = () =>
    life.service.call('POST', '/v0/sandbox/clock/advance', { body: { by }, idempotencyKey: `by-${by}` })
  await killAt(life, steps, advance)
  const { status, text } = await advance()
  expect(status, text).toBe(200)
}

/** Kills the service or its database at each of the steps. `work` leads to them, and may fail. */
async function killAt(life: Life, steps: Step[], work: () => Promise<unknown>): Promise<void> {
  const server = embeddedOf(life.dataDir)
  await stopAt(server, steps[0]?.place)
  for (const [at, { name, victim }] of steps.entries()) {
    const lost = work().catch(() => undefined)
    await until(`the service to stand where ${name}`, () => stands(server))
    const next = steps[at + 1]?.place
    if (victim === 'service') {
      await life.service.kill()
      await stopAt(server, next)
      life.service = await startService(life.settings)
    } else {
      const postmaster = postmasterOf(life.dataDir) ?? 0
      process.kill(postmaster, 'SIGKILL')
      await gone(postmaster)
      await until('the database to be back', async () => {
        await stopAt(server, next)
        return true
      })
    }
    await lost
  }
}

/** The states of the outgoing files, or of those that the test sends. */
const states = async ({ dataDir }: Life, direction: string) => {
  const rows = await ask<{ state: string }>(
    embeddedOf(dataDir),
    `select state from ach_file where direction = $1 and (direction = 'out' or name = any($2)) order by id`,
    [direction, names],
  )
  return rows.map(({ state }) => state)
}
const names = ['returns.ach', 'again.ach', 'others.ach']

const statuses = ({ dataDir }: Life) =>
  ask(
    embeddedOf(dataDir),
    `select status, count(*)::int as count from payment where cutoff_at is not null group by status`,
  )

const folderOf = ({ dataDir, organisation }: Life, name: string) =>
  readdirSync(join(dataDir, 'ach', 'in', organisation, name))

/** Puts a file into the incoming folder that returns every payment. */
async function send({ dataDir, organisation }: Life, modifier: string, name: string): Promise<void> {
  const sent = await ask<{ trace: string; amount: string }>(
    embeddedOf(dataDir),
    `select trace_number as trace, amount from payment where trace_number is not null order by trace_number`,
  )
  const entries = sent.map(({ trace, amount }, index) =>
    returnOf({ traceNumber: trace, amount: Number(amount) }, { sequence: index + 1 }),
  )
  const folder = join(dataDir, 'ach', 'in', organisation)
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `.${name}`)
  writeFileSync(path, incomingFile({ entries, settlesOn: '2030-02-07', modifier }))
  utimesSync(path, 0, 0)
  renameSync(path, join(folder, name))
}

/** Each payment was in the file, sent and returned once, with its events; and each entry has one effect. */
async function expectReturnedOnce(life: Life): Promise<void> {
  const server = embeddedOf(life.dataDir)
  expect(await statuses(life)).toEqual([{ status: 'Returned', count: payments }])
  expect(
    await ask(
      server,
      `select type, count(*)::int as count, count(distinct entity_id)::int as records from event
       where type in ('payment.clearing', 'payment.sent', 'payment.returned') group by type order by type`,
    ),
  ).toEqual(
    ['payment.clearing', 'payment.returned', 'payment.sent'].map((type) => ({
      ...{ type, count: payments, records: payments },
    })),
  )
  expect(
    await ask(
      server,
      `select (select count(*)::int from ach_entry) as sent, (select entry_count from ach_file where direction = 'out') as counted,
         (select count(*)::int from ach_received_entry where kind = 'return' and outcome = 'applied') as applied,
         (select count(*)::int from transfer where source_kind = 'payment_return') as refunds,
         (select count(*)::int from transfer where source_kind = 'ach_settlement') as settlements`,
    ),
  ).toEqual([{ sent: payments, counted: payments, applied: payments, refunds: payments, settlements: 1 }])
}

/** A customer with an account that holds enough for all payments. */
async function payerOf({ call }: Service, count: number) {
  const make = async (path: string, body: unknown) => {
    const { status, text, json } = await call('POST', path, { body })
    expect(status, text).toBe(201)
    return json.data
  }
  const customer = await make('/v0/sandbox/customers', { name: 'Ada Sample' })
  const account = await make('/v0/banking/accounts', { customerId: customer.id })
  await make(`/v0/sandbox/accounts/${account.id}/receive-ach`, {
    amount: count * LAST_AMOUNT,
    companyName: 'Payroll',
  })
  const external = await make(`/v0/banking/customers/${customer.id}/external-accounts`, {
    type: 'Person',
    name: 'Grace Sample',
    routingNumber: '021000021',
    accountNumber: '9876543210',
    accountType: 'Checking',
  })
  return {
    pay: (amount: number) =>
      make(`/v0/banking/accounts/${account.id}/payments`, {
        amount,
        counterpartyAccountId: external.id,
        description: 'Rent',
        originalType: 'ACH',
      }),
  }
}
