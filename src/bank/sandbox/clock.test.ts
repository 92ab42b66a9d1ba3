import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { organisationNamed } from '../../../test/support/bank-time.ts'
import {
  advance,
  ask,
  authorize,
  bankNow,
  getAuthorization,
  later,
  makeFunded,
  makeVirtualCard,
  moneyOf,
} from '../../../test/support/cards.ts'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { merchant, nationalOffer } from '../../../test/support/offers.ts'
import { newUserId } from '../../../test/support/world.ts'
import { clock } from '../../base/clock.ts'
import { openTaskLog } from '../../base/tasks/task-log.ts'
import { type Database, DatabaseUnavailable } from '../../database/database.ts'
import { openRecordIds } from '../../database/record-ids.ts'
import { openRunOnce } from '../../idempotency/run-once.ts'
import { type Lane, openLane } from '../../ledger/lane.ts'
import { verifyLedger } from '../../ledger/verify.ts'
import { openSeals } from '../../secrets/seals.ts'
import { type BuiltinBank, openBuiltinBank } from '../bank.ts'
import { firstStatesReader } from '../first-states/first-states.ts'
import { instant } from '../parts/rail.ts'
import { bankKinds } from '../records/kinds.ts'
import { clockLock } from '../time/clock.sql.ts'
import type { Timer } from '../time/due.ts'
import { catchUp } from './catch-up.ts'

let bank: TestBank
/** Another process of the same bank, which does the work that has become due. */
let other: BuiltinBank
let lane: Lane
/** Runs before each statement of `other`; a test makes some of them fail. */
let beforeStatement: (values: unknown[]) => void = () => undefined
let lines: Record<string, unknown>[] = []
const log = pino({}, { write: (line) => void lines.push(JSON.parse(line)) })

const PAYOUT_DELAY_MS = 86_400_000
const market = merchant('Tamberly Market')

function watched(database: Database): Database {
  return {
    ...database,
    query: async (text, values = [], use) => {
      beforeStatement(values)
      return database.query(text, values, use)
    },
  }
}

beforeAll(async () => {
  const offers = [nationalOffer({ merchant: market, commission: 5, totalCommission: 8 })]
  bank = await openTestBank({ catalogue: offers, payoutDelayMs: PAYOUT_DELAY_MS })
  const { server } = bank
  const database = watched(bank.database)
  const ids = openRecordIds(database)
  lane = openLane({ servers: [server], ids, kinds: bankKinds })
  const seals = openSeals(database, [Buffer.alloc(32, 7)])
  const runOnce = openRunOnce({
    database,
    seals,
    readFirstStates: firstStatesReader(seals),
    waitMs: 1_000,
    settleMs: 1_000,
  })
  other = openBuiltinBank({
    database,
    ids,
    runOnce,
    lane,
    seals,
    review: 'automatic',
    payoutDelayMs: PAYOUT_DELAY_MS,
    mode: 'sandbox',
    routingNumber: '812345678',
    overdraftCents: 0,
    reviewFirstPayment: false,
    debits: { clearingDays: 3, earlyAvailability: 0, blockOnReturn: false },
    verificationDays: 10,
    recurringOverdue: 'all',
    ach: 'instant',
    rails: { ACH: instant },
  })
})
afterAll(async () => {
  await lane.close()
  await bank.close()
})
beforeEach(() => {
  lines = []
  beforeStatement = () => undefined
})

/** An authorization of 30 of 100 dollars whose time ends so many days from now. */
async function authorizationDue(key: string, daysLeft: number) {
  const account = await makeFunded(bank, 100_00, key)
  const { id } = await authorize(bank, (await makeVirtualCard(bank, account, key)).id, 30_00, key)
  await bank.database.query('update card_authorization set expires_at = $2 where id = $1', [
    id,
    later(await bankNow(bank, key), daysLeft),
  ])
  return {
    state: async () => [(await getAuthorization(bank, id, key)).status, (await moneyOf(bank, account, key)).hold],
    organisationId: await organisationOf(account),
  }
}

async function organisationOf(accountId: string): Promise<number> {
  const [row] = await bank.database.query<{ id: number }>('select organisation_id as id from account where id = $1', [
    accountId,
  ])
  return row?.id ?? 0
}

/** A reward of 5 dollars, whose payout is due now. */
async function payoutDue(key: string) {
  const accountId = await makeFunded(bank, 1_000_00, key)
  const cardId = (await makeVirtualCard(bank, accountId, key)).id
  const { id: partnerUserId } = await ask(bank, 'POST', '/v0/rewards/partner-users', { userId: newUserId() }, key)
  await ask(bank, 'POST', '/v0/rewards/partner-user-cards', { partnerUserId, bankCardId: cardId }, key)
  const purchase = { amount: 100_00, merchant: { name: market.name } }
  const { id } = await ask(bank, 'POST', `/v0/sandbox/cards/${cardId}/authorizations`, purchase, key)
  await ask(bank, 'POST', `/v0/sandbox/authorizations/${id}/settle`, {}, key)
  const [reward] = await bank.database.query<{ id: number }>(
    `update reward set payout_due_at = created_at where partner_user_id = $1 returning id`,
    [partnerUserId],
  )
  const rewardId = reward?.id ?? 0
  return {
    accountId,
    rewardId,
    organisationId: await organisationOf(accountId),
    state: async () => (await ask(bank, 'GET', `/v0/rewards/rewards/${rewardId}`, undefined, key)).state,
  }
}

/** Fills an account to the limit by one transfer, as thousands of incoming payments would. */
async function fillUp(accountId: string): Promise<void> {
  await bank.database.query(
    `with credited as (
       select id, organisation_id, seq, balance, 9007199254740991 - balance as amount from account where id = $1::bigint),
     debited as (
       select a.id, a.seq, a.balance from account a join credited c on c.organisation_id = a.organisation_id
       where a.kind = 'card_settlement' order by a.seq desc limit 1),
     moved as (
       insert into transfer (id, organisation_id, debit_account_id, debit_seq, debit_balance, credit_account_id, credit_seq,
         credit_balance, amount, source_kind, created_at)
       select 2 * c.id, c.organisation_id, d.id, d.seq + 1, d.balance - c.amount, c.id, c.seq + 1, c.balance + c.amount,
         c.amount, 'received_ach', bank_time(c.organisation_id) from credited c, debited d returning *)
     update account a set seq = a.seq + 1, posted_at = m.created_at,
       balance = case a.id when m.credit_account_id then m.credit_balance else m.debit_balance end
     from moved m where a.id in (m.credit_account_id, m.debit_account_id)`,
    [accountId],
  )
}

describe('catching up', () => {
  test('does the work that is due in every organisation, and none that is not', async () => {
    const due = [await authorizationDue(bank.key, -1), await authorizationDue(bank.otherKey, -100)]
    const open = await authorizationDue(bank.key, 1)
    const before = await bankNow(bank)
    await other.catchUp(log)
    for (const { state } of due) expect(await state()).toEqual(['Canceled', 0])
    expect(await open.state()).toEqual(['Authorized', 30_00])
    expect(Date.parse(await bankNow(bank)) - Date.parse(before)).toBeLessThan(60_000)
    expect(lines).toEqual([])
    expect(await verifyLedger(bank.database)).toEqual([])
  })

  test('leaves out an organisation whose clock is being advanced', async () => {
    const [here, there] = [await authorizationDue(bank.key, -1), await authorizationDue(bank.otherKey, -1)]
    await bank.database.transaction(async (transaction) => {
      await clockLock(transaction, here.organisationId)
      await other.catchUp(log)
      expect([await here.state(), await there.state()]).toEqual([
        ['Authorized', 30_00],
        ['Canceled', 0],
      ])
    })
    await other.catchUp(log)
    expect(await here.state()).toEqual(['Canceled', 0])
  })

  test('by two processes at once does each item once', async () => {
    const due = [
      await authorizationDue(bank.key, -1),
      await authorizationDue(bank.key, -2),
      await authorizationDue(bank.otherKey, -1),
    ]
    await Promise.all([other.catchUp(log), other.catchUp(log)])
    for (const { state } of due) expect(await state()).toEqual(['Canceled', 0])
    expect(await verifyLedger(bank.database)).toEqual([])
  })

  test('goes on with the other organisations where the work of one fails, and logs that one', async () => {
    const [failing, sound] = [await authorizationDue(bank.key, -1), await authorizationDue(bank.otherKey, -1)]
    beforeStatement = ([organisationId]) => {
      if (organisationId === failing.organisationId) throw new Error('a fault of this organisation alone')
    }
    await other.catchUp(log)
    expect(await sound.state()).toEqual(['Canceled', 0])
    await other.catchUp(log)
    expect(lines).toMatchObject([
      {
        msg: 'background task failed',
        task: 'due-work',
        organisationId: failing.organisationId,
        reason: 'a fault of this organisation alone',
      },
    ])
    beforeStatement = () => undefined
    await other.catchUp(log)
    expect(await failing.state()).toEqual(['Canceled', 0])
    expect(lines[1]).toMatchObject({ msg: 'background task works again', task: 'due-work', failures: 2 })
  })

  test('ends with the error of a database that is away, which would fail every organisation', async () => {
    await authorizationDue(bank.key, -1)
    await authorizationDue(bank.otherKey, -1)
    let statements = 0
    beforeStatement = () => {
      if (++statements > 1) throw new DatabaseUnavailable('away')
    }
    await expect(other.catchUp(log)).rejects.toThrow('away')
    expect(lines).toEqual([])
  })
})

describe('a payout that cannot be posted', () => {
  test('is put off, stays PENDING, and holds up neither its organisation nor others', async () => {
    const key = await bank.makeKey('poisoned', null)
    const [refused, sibling, elsewhere] = [await payoutDue(key), await payoutDue(key), await payoutDue(bank.otherKey)]
    await fillUp(refused.accountId)
    await other.catchUp(log)
    expect([await refused.state(), await sibling.state(), await elsewhere.state()]).toEqual(['PENDING', 'PAID', 'PAID'])
    const { organisationId, rewardId } = refused
    expect(lines).toMatchObject([
      {
        msg: 'background task put off',
        organisationId,
        rewardId: String(rewardId),
        reason: expect.stringMatching(/balance/i),
      },
    ])
    lines = []
    await other.catchUp(log)
    expect(lines).toEqual([])
    expect(await verifyLedger(bank.database)).toEqual([])
  })

  test('does not fail an advance of the clock, and is paid once it can be', async () => {
    const key = await bank.makeKey('full', null)
    const { accountId, state } = await payoutDue(key)
    await fillUp(accountId)
    const { happened } = await advance(bank, { by: 'P300D' }, key)
    expect(happened.filter(({ type }: { type: string }) => type === 'reward.paid')).toEqual([])
    expect(await state()).toBe('PENDING')
    const outgoing = { amount: 10_00, companyName: 'Sample Utility', direction: 'Debit' }
    await ask(bank, 'POST', `/v0/sandbox/accounts/${accountId}/receive-ach`, outgoing, key)
    await advance(bank, { by: 'P400D' }, key)
    expect(await state()).toBe('PAID')
    expect(await verifyLedger(bank.database)).toEqual([])
  })
})

describe('an organisation with more work than fits into its share of the time', () => {
  test('does not keep the others waiting, and its own work goes on', async () => {
    const [endless, short] = await Promise.all(
      ['endless', 'short'].map(async (name) => {
        await bank.makeKey(name, null)
        return organisationNamed(bank, name)
      }),
    )
    let nowMs = 0
    const done = new Map<number, number>()
    const timer: Timer = async (organisationId) => {
      const count = done.get(organisationId) ?? 0
      if (organisationId === short ? count > 0 : organisationId !== endless) return undefined
      return {
        at: new Date(Date.UTC(2020, 0, 1, 0, 0, count)).toISOString(),
        run: async () => {
          nowMs += 5
          done.set(organisationId, count + 1)
        },
      }
    }
    const time = vi.spyOn(clock, 'elapsedMs').mockImplementation(() => nowMs)
    const parts = { database: bank.database, timers: [timer], served: { organisationId: 0 }, tasks: openTaskLog(log) }
    await catchUp(parts, log, { organisationMs: 20, callMs: 100 })
    time.mockRestore()
    expect(done.get(short ?? 0)).toBe(1)
    expect(done.get(endless ?? 0)).toBeGreaterThan(5)
    expect(nowMs).toBeLessThan(130)
    expect(lines).toEqual([])
  })

  test('is reported where its work stays due for ever', async () => {
    const timer: Timer = async () => ({ at: '2020-01-01T00:00:00.000Z', run: async () => undefined })
    await catchUp(
      { database: bank.database, timers: [timer], served: { organisationId: 0 }, tasks: openTaskLog(log) },
      log,
    )
    expect(lines.length).toBeGreaterThan(1)
    for (const line of lines) expect(line.reason).toBe('work due at 2020-01-01T00:00:00.000Z stays due')
  })
})
