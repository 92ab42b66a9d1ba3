import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  authorize,
  bankNow,
  getAuthorization,
  later,
  makeFunded,
  makeVirtualCard,
  moneyOf,
} from '../../../../test/support/cards.ts'
import { openTestBank, type TestBank } from '../../../../test/support/harness.ts'
import { openRecordIds } from '../../../database/record-ids.ts'
import { openRunOnce } from '../../../idempotency/run-once.ts'
import { type Lane, openLane } from '../../../ledger/lane.ts'
import { verifyLedger } from '../../../ledger/verify.ts'
import { openSeal } from '../../../secrets/seal.ts'
import { type BuiltinBank, openBuiltinBank } from '../builtin-bank.ts'
import { clockLock } from './clock.sql.ts'

let bank: TestBank
/** Another process of the same bank, which looks after what has become due. */
let other: BuiltinBank
let lane: Lane

beforeAll(async () => {
  bank = await openTestBank()
  const { database, server } = bank
  const ids = openRecordIds(database)
  lane = openLane({ servers: [server], ids })
  const seal = openSeal(Buffer.alloc(32, 7))
  const runOnce = openRunOnce({ database, seal, waitMs: 1_000, settleMs: 1_000 })
  other = openBuiltinBank({
    database,
    ids,
    runOnce,
    lane,
    seal,
    review: 'automatic',
    payoutDelayMs: 0,
    mode: 'sandbox',
    routingNumber: '812345678',
    overdraftCents: 0,
  })
})
afterAll(async () => {
  await lane.close()
  await bank.close()
})

/** An authorization of 30 of 100 dollars whose time ends so many days from now. */
async function made(key: string, daysLeft: number) {
  const account = await makeFunded(bank, 100_00, key)
  const { id } = await authorize(bank, (await makeVirtualCard(bank, account, key)).id, 30_00, key)
  await bank.database.query('update card_authorization set expires_at = $2 where id = $1', [
    id,
    later(await bankNow(bank, key), daysLeft),
  ])
  return {
    now: async () => [(await getAuthorization(bank, id, key)).status, (await moneyOf(bank, account, key)).hold],
    organisationId: async () => {
      const [row] = await bank.database.query<{ id: number }>(
        'select organisation_id as id from account where id = $1',
        [account],
      )
      return row?.id ?? 0
    },
  }
}

describe('catching up', () => {
  test('does what has become due in every organisation, and nothing that has not', async () => {
    const due = [await made(bank.key, -1), await made(bank.otherKey, -100)]
    const open = await made(bank.key, 1)
    const before = await bankNow(bank)
    await other.catchUp()
    for (const { now } of due) expect(await now()).toEqual(['Canceled', 0])
    expect(await open.now()).toEqual(['Authorized', 30_00])
    expect(Date.parse(await bankNow(bank)) - Date.parse(before)).toBeLessThan(60_000)
    expect(await verifyLedger(bank.database)).toEqual([])
  })

  test('leaves an organisation alone whose clock is being advanced', async () => {
    const [here, there] = [await made(bank.key, -1), await made(bank.otherKey, -1)]
    const organisationId = await here.organisationId()
    await bank.database.transaction(async (transaction) => {
      await clockLock(transaction, organisationId)
      await other.catchUp()
      expect([await here.now(), await there.now()]).toEqual([
        ['Authorized', 30_00],
        ['Canceled', 0],
      ])
    })
    await other.catchUp()
    expect(await here.now()).toEqual(['Canceled', 0])
  })

  test('by two processes at once ends everything once', async () => {
    const due = [await made(bank.key, -1), await made(bank.key, -2), await made(bank.otherKey, -1)]
    await Promise.all([other.catchUp(), other.catchUp()])
    for (const { now } of due) expect(await now()).toEqual(['Canceled', 0])
    expect(await verifyLedger(bank.database)).toEqual([])
  })
})
