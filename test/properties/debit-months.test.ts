import { afterAll, beforeAll, expect, test } from 'vitest'
import { bankingDaysAfter, easternOf } from '../../src/rails/ach/calendar.ts'
import { collect, makeDebitable } from '../support/bank/debits.ts'
import type { TestBank } from '../support/harness.ts'
import { expectSoundLedger, makeExternalAccount, makePayer, pay } from '../support/ledger.ts'
import { openRailBank } from '../support/rails/leaving.ts'
import { choicesOfTest } from '../support/random.ts'

// Debits of months of bank time, which other banks return in time and late or not at all, with early availability, retries and reversals.
// The laws hold each week, files and ledger agree on each day, and only a late return or early availability takes an account below zero.

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
}

async function makeCustomer(early: number): Promise<Customer> {
  const { customerId, accountId } = await makePayer(bank)
  const body = { debits: { clearingDays: 2, earlyAvailability: early } }
  expect((await bank.call('PUT', `/v0/banking/accounts/${accountId}/limits`, { body })).status).toBe(200)
  const sources: string[] = []
  for (const accountNumber of numbers) sources.push(await makeDebitable(bank, customerId, { accountNumber }))
  return { accountId, sources, payee: await makeExternalAccount(bank, customerId) }
}

test('months of debits keep the laws, agree with the files each day, and explain each account below zero', async () => {
  const { below, pick } = choicesOfTest()
  const customers = [await makeCustomer(0), await makeCustomer(40_00), await makeCustomer(0)]
  const ask = async (path: string) => (await bank.call('GET', path)).json.data
  let day = easternOf((await ask('/v0/sandbox/clock')).now).day
  for (let week = 0; week < weeks; week++) {
    for (const { accountId, sources, payee } of customers) {
      const payer = { customerId: '', accountId, externalAccountId: pick(...sources) }
      for (let made = below(3); made > 0; made--) await collect(bank, payer, { amount: 1 + below(30_00) })
      const { available } = await ask(`/v0/banking/accounts/${accountId}`)
      if (available > 0 && below(10) < 7) {
        await pay(bank, { ...payer, externalAccountId: payee }, { amount: 1 + below(available) })
      }
      const recent = await ask(`/v0/banking/payments?accountId=${accountId}&limit=5`)
      for (const { id } of recent) {
        if (below(10) < 3) await bank.call('POST', `/v0/banking/payments/${id}/retry`)
        if (below(10) < 2)
          await bank.call('POST', `/v0/banking/payments/${id}/reverse`, { body: { reason: 'Duplicate' } })
      }
    }
    const { status, text } = await bank.call('POST', '/v0/sandbox/clock/advance', { body: { by: 'P7D' } })
    expect(status, text).toBe(200)
    await expectSoundLedger(bank)
    const today = easternOf((await ask('/v0/sandbox/clock')).now).day
    for (; day <= today; day = bankingDaysAfter(day, 1)) {
      expect((await ask(`/v0/banking/ach-reconciliation?date=${day}`)).difference, day).toBe(0)
    }
    await expectExplained()
  }
})

/** Fails if an account went below zero by anything but the return of a debit that it was credited with. */
async function expectExplained(): Promise<void> {
  const below = await bank.database.query(
    `select t.id, t.source_kind from transfer t join account a on a.id = t.debit_account_id
     where a.customer_id is not null and t.debit_balance < 0 and t.source_kind <> 'debit_return'`,
  )
  expect(below).toEqual([])
}
