import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setOrganisationLimits } from '../../src/bank/limits/organisation-limits.ts'
import { setNoon } from '../support/bank-time.ts'
import { createDatabase, openTestBank, type TestBank, type TestDatabase } from '../support/harness.ts'
import { expectSoundLedger, makePayer, type Payer, pay } from '../support/ledger.ts'

const ORGANISATION = 'first'
const none = { soft: null, hard: null }

let place: TestDatabase
let bank: TestBank
let other: TestBank
beforeAll(async () => {
  place = await createDatabase()
  bank = await openTestBank({ on: place })
  other = await openTestBank({ on: place })
  await setNoon(bank)
})
afterAll(async () => {
  await expectSoundLedger(bank)
  await other.close()
  await bank.close()
  await place.drop()
})

/** The number of payments in each state, of many that are sent at once to two services on one database. */
async function payAtOnce(payers: Payer[], count: number, amountOf: (index: number) => number) {
  const states: Record<string, number> = {}
  let sent = 0
  await Promise.all(
    Array.from({ length: count }, async (_each, index) => {
      const on = index % 2 === 0 ? bank : other
      const payer = payers[index % payers.length] as Payer
      const { json } = await pay(on, payer, { amount: amountOf(index) }, { key: bank.key })
      const state = json.data?.status ?? json.code
      states[state] = (states[state] ?? 0) + 1
      if (json.data) sent += amountOf(index)
    }),
  )
  return { states, sent }
}

const makePayers = (count: number) => Promise.all(Array.from({ length: count }, () => makePayer(bank, 10_000_00)))

describe('200 payments at once on two services', () => {
  test('never exceed the limits of their account, and use them up', async () => {
    const [payer] = (await makePayers(1)) as [Payer]
    const body = { day: { soft: 50_00, hard: 80_00 } }
    await bank.call('PUT', `/v0/banking/accounts/${payer.accountId}/limits`, { body })
    const { states } = await payAtOnce([payer], 200, () => 1_00)
    expect(states).toEqual({ Sent: 50, PendingReview: 30, limit_exceeded: 120 })
  })

  test('never exceed the limits of their organisation, and use them up', async () => {
    const payers = await makePayers(8)
    await setOrganisationLimits(bank.database, ORGANISATION, { payment: none, day: none, month: none })
    const [row] = await bank.database.query<{ used: number }>(
      `select sum(used)::bigint as used from organisation_usage where length(period) = 7`,
    )
    const used = row?.used ?? 0
    const month = { soft: used + 50_00, hard: used + 80_00 }
    await setOrganisationLimits(bank.database, ORGANISATION, { payment: none, day: none, month })
    const { states } = await payAtOnce(payers, 200, () => 1_00)
    expect(states).toEqual({ Sent: 50, PendingReview: 30, limit_exceeded: 120 })
    await expectSoundLedger(bank)
  })

  test('with amounts of many sizes stay below the limits of their organisation', async () => {
    const payers = await makePayers(8)
    const [row] = await bank.database.query<{ used: number }>(
      `select sum(used)::bigint as used from organisation_usage where length(period) = 10`,
    )
    const room = 3_000_00
    const day = { soft: null, hard: (row?.used ?? 0) + room }
    await setOrganisationLimits(bank.database, ORGANISATION, { payment: none, day, month: none })
    const { states, sent } = await payAtOnce(payers, 200, (index) => 10_00 + ((index * 7_919) % 20_00))
    expect(sent).toBeLessThanOrEqual(room)
    // The rest is smaller than the smallest payment that was refused.
    expect(room - sent).toBeLessThan(30_00)
    expect(states.limit_exceeded).toBeGreaterThan(0)
    await expectSoundLedger(bank)
    await setOrganisationLimits(bank.database, ORGANISATION, null)
    expect((await pay(bank, payers[0] as Payer, { amount: 1 })).status).toBe(201)
  })
})
