import { afterAll, beforeAll, expect, test } from 'vitest'
import { bankingDaysAfter, easternOf } from '../../src/rails/ach/calendar.ts'
import { collect, makeDebitable } from '../support/bank/debits.ts'
import { charge, makeVirtualCard, settle } from '../support/cards.ts'
import type { TestBank } from '../support/harness.ts'
import { expectSoundLedger, makeExternalAccount, makePayer, pay, receiveAch } from '../support/ledger.ts'
import { openRailBank } from '../support/rails/leaving.ts'
import { choicesOfTest } from '../support/random.ts'

// Debits of months of bank time, which other banks return in time and late or not at all, with early availability, retries and reversals,
// beside card purchases and debits of other banks. Each week the service loses all its connections while bank time passes, as if it were
// killed. The laws hold, files and ledger agree on each day, and the ledger says why an account is below zero: the return of a debit
// that it was credited with, a debit of another bank, or a card purchase that settled for more.

const weeks = process.env.SOAK ? 40 : 9
/** Account numbers at other banks: their debits are paid, returned within two banking days, or 45 days later. */
const numbers = ['4000123456', '9990000001', '9990000009', '9990000003', '9991000010', '9991000007']
let bank: TestBank
beforeAll(async () => {
  bank = await openRailBank()
})
afterAll(() => bank.close())

interface Customer {
  accountId: string
  /** An external account for each of the numbers, in their order. */
  sources: string[]
  payee: string
  cardId: string
}

async function makeCustomer(early: number): Promise<Customer> {
  const { customerId, accountId } = await makePayer(bank)
  const body = { debits: { clearingDays: 2, earlyAvailability: early } }
  expect((await bank.call('PUT', `/v0/banking/accounts/${accountId}/limits`, { body })).status).toBe(200)
  const sources: string[] = []
  for (const accountNumber of numbers) sources.push(await makeDebitable(bank, customerId, { accountNumber }))
  const { id: cardId } = await makeVirtualCard(bank, accountId)
  return { accountId, sources, payee: await makeExternalAccount(bank, customerId), cardId }
}

test('months of debits keep the laws, agree with the files each day, and explain each account below zero', async () => {
  const { below, pick } = choicesOfTest()
  const customers = [await makeCustomer(0), await makeCustomer(40_00), await makeCustomer(0)]
  const ask = async (path: string) => (await bank.call('GET', path)).json.data
  let day = easternOf((await ask('/v0/sandbox/clock')).now).day
  for (let week = 0; week < weeks; week++) {
    for (const { accountId, sources, payee, cardId } of customers) {
      const payer = { customerId: '', accountId, externalAccountId: pick(...sources) }
      for (let made = below(3); made > 0; made--) await collect(bank, payer, { amount: 1 + below(30_00) })
      const { available } = await ask(`/v0/banking/accounts/${accountId}`)
      if (available > 0 && below(10) < 7) {
        await pay(bank, { ...payer, externalAccountId: payee }, { amount: 1 + below(available) })
      }
      const charged = (await charge(bank, cardId, 1 + below(10_00))).json.data
      if (charged?.status === 'Authorized') await settle(bank, charged.id, { amount: 1 + below(20_00) })
      await receiveAch(bank, accountId, { amount: 1 + below(5_00), direction: pick('Credit', 'Debit') })
      const recent = await ask(`/v0/banking/payments?accountId=${accountId}&limit=5`)
      for (const { id } of recent) {
        if (below(10) < 3) await bank.call('POST', `/v0/banking/payments/${id}/retry`)
        if (below(10) < 2)
          await bank.call('POST', `/v0/banking/payments/${id}/reverse`, { body: { reason: 'Duplicate' } })
      }
    }
    const { now } = await ask('/v0/sandbox/clock')
    const advancing = advance({ to: daysAfter(now, 7) })
    await loseConnections()
    let reply = await advancing
    for (let tries = 0; reply.status !== 200; tries++) {
      expect(tries, reply.text).toBeLessThan(5)
      // The clock may stand there already, with work that is due.
      reply = await advance(reply.json.code === 'clock_not_forward' ? { by: 'PT1S' } : { to: daysAfter(now, 7) })
    }
    await expectSoundLedger(bank)
    const today = easternOf((await ask('/v0/sandbox/clock')).now).day
    for (; day <= today; day = bankingDaysAfter(day, 1)) {
      expect((await ask(`/v0/banking/ach-reconciliation?date=${day}`)).difference, day).toBe(0)
    }
    await expectExplained()
  }
  const kinds = await bank.database.query<{ kind: string }>('select distinct source_kind as kind from transfer')
  const moved = ['debit', 'debit_return', 'received_ach', 'card_settlement']
  expect(kinds.map(({ kind }) => kind)).toEqual(expect.arrayContaining(moved))
})

const daysAfter = (instant: string, days: number) => new Date(Date.parse(instant) + days * 86_400_000).toISOString()
const advance = (body: unknown) => bank.call('POST', '/v0/sandbox/clock/advance', { body })

async function loseConnections(): Promise<void> {
  await bank.database.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  )
}

/** Fails if an account went below zero by anything else than the ledger can name. */
async function expectExplained(): Promise<void> {
  const unexplained = await bank.database.query(
    `select * from (
       select t.id, t.source_kind, case
         when t.source_kind = 'received_ach' then 'a received debit'
         when t.source_kind = 'card_settlement' then 'a card purchase'
         when t.source_kind = 'debit_return' and d.early and t.created_at < d.early_until then 'early availability'
         when t.source_kind = 'debit_return' and t.created_at >= d.clears_at then 'a late return' end as reason
       from transfer t join account a on a.id = t.debit_account_id left join debit d on d.id = t.source_id
       where a.customer_id is not null and t.debit_balance < 0) below
     where reason is null`,
  )
  expect(unexplained).toEqual([])
}
