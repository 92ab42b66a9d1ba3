import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { accountOf, expectSoundLedger, makePayer, type Payer, pay } from '../../../test/support/ledger.ts'
import { incomingFile } from '../../../test/support/rails/incoming.ts'
import { railSettings } from '../../../test/support/rails/settings.ts'
import { openRecordIds } from '../../database/record-ids.ts'
import { openRunOnce } from '../../idempotency/run-once.ts'
import { type Lane, openLane } from '../../ledger/lane.ts'
import { firstStatesReader } from '../first-states/first-states.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import { bankKinds } from '../records/kinds.ts'
import type { DueRun, Timer } from '../time/due.ts'
import { cutoffTimerOf } from './build-file.ts'
import { deliveryOf } from './delivery.ts'
import { receivedTimerOf } from './incoming/received.ts'
import { railFrom } from './rail.ts'
import { settlementTimerOf } from './settlement.ts'

const { settings, remove } = railSettings()
const run: DueRun = { happened: () => undefined, putOff: () => undefined, isOver: () => false }
/** The processes that do the same work at the same time. */
const PROCESSES = 3

let bank: TestBank
let payer: Payer
let organisationId: number
let lanes: Lane[]
let processes: BankParts[]
beforeAll(async () => {
  bank = await openTestBank({ ach: settings })
  const [own] = await bank.database.query<{ id: number }>(
    // A Monday, 08:00 in New York.
    `update organisation set clock_offset = '2030-02-04T13:00:00Z' - clock_timestamp() where name = 'first' returning id`,
  )
  organisationId = own?.id ?? 0
  payer = await makePayer(bank, 1_000_00)
  const { database, seals, server } = bank
  const ids = openRecordIds(database)
  lanes = Array.from({ length: PROCESSES }, () => openLane({ servers: [server], ids, kinds: bankKinds }))
  const runOnce = openRunOnce({
    ...{ database, seals, readFirstStates: firstStatesReader(seals), waitMs: 2_000, settleMs: 1_000 },
  })
  processes = lanes.map((lane) => ({
    ...{ database, ids, lane, runOnce, seals, mode: 'sandbox', routingNumber: '812345678', payoutDelayMs: 0 },
    debits: { clearingDays: 3, earlyAvailability: 0, blockOnReturn: false },
    verificationDays: 10,
    recurringOverdue: 'all',
    ...{
      overdraftCents: 0,
      reviewFirstPayment: false,
      ach: settings,
      rails: { ACH: railFrom(settings) },
      review: 'automatic',
    },
  }))
})
afterAll(async () => {
  await Promise.all(lanes.map((lane) => lane.close()))
  await bank.close()
  remove()
})

/** Lets all processes do the work that is due next. Each has read it before one has done it. */
async function runTogether(timerOf: (bank: BankParts) => Timer): Promise<void> {
  const due = await Promise.all(processes.map((each) => timerOf(each)(organisationId)))
  expect(due.every((each) => each !== undefined)).toBe(true)
  await Promise.all(due.map((each) => each?.run(run)))
}

async function advance(by: string) {
  const { status, text } = await bank.call('POST', '/v0/sandbox/clock/advance', { body: { by } })
  expect(status, text).toBe(200)
}

test('a batch that another process has settled meanwhile is settled, and that is no error', async () => {
  const { json } = await pay(bank, payer, { amount: 20_00 })
  await advance('PT15H')
  await runTogether(settlementTimerOf)
  const { data } = (await bank.call('GET', `/v0/banking/payments/${json.data.id}`)).json
  expect(data.status).toBe('Sent')
  const transfers = await bank.database.query(`select from transfer where source_kind = 'ach_settlement'`)
  expect(transfers).toHaveLength(1)
  await expectSoundLedger(bank)
})

test('the same for received payments, also of an account that nobody has, and for their returns', async () => {
  const { accountNumber, balance } = await accountOf(bank, payer.accountId)
  const entries = [
    { sequence: 1, code: 22, amount: 7_00, accountNumber },
    { sequence: 2, code: 22, amount: 8_00, accountNumber: '40400404' },
    { sequence: 3, code: 22, amount: 9_00, accountNumber: '40400405' },
  ]
  const bytes = incomingFile({ entries, settlesOn: '2030-02-06' })
  expect(await bank.takeFile({ name: 'in.ach', bytes })).toMatchObject({ state: 'applied', exceptions: 0 })
  await runTogether(receivedTimerOf)
  expect((await accountOf(bank, payer.accountId)).balance).toBe(balance + 7_00)
  await expectSoundLedger(bank)
  await bank.database.query(
    `update received_payment set return_cutoff_at = bank_time(organisation_id) where return_code is not null`,
  )
  await advance('PT1M')
  await runTogether(settlementTimerOf)
  const states = await bank.database.query<{ status: string }>(
    `select r.status from received_payment r join ach_file f on f.id = r.file_id where f.name = 'in.ach' order by line`,
  )
  expect(states.map(({ status }) => status)).toEqual(['Completed', 'Returned', 'Returned'])
  await expectSoundLedger(bank)
})

test('the same for files: payments leave once, whichever process puts them into a file and writes it', async () => {
  for (let round = 0; round < 5; round++) {
    const payments = await Promise.all([1_00, 2_00, 3_00].map((amount) => pay(bank, payer, { amount })))
    await runTogether((each) => {
      const rail = { ...each, ach: settings }
      return cutoffTimerOf(rail, deliveryOf(rail))
    })
    for (const { json } of payments) {
      const { data } = (await bank.call('GET', `/v0/banking/payments/${json.data.id}`)).json
      expect(data.status).toBe('Clearing')
    }
    const files = await bank.database.query(`select from ach_file where direction = 'out' and state <> 'delivered'`)
    expect(files).toEqual([])
    await expectSoundLedger(bank)
  }
})
