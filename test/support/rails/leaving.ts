import type { Database } from '../../../src/database/database.ts'
import { bankingDaysAfter, daysAfter, easternInstant } from '../../../src/rails/ach/calendar.ts'
import { openTestBank, type TestBank } from '../harness.ts'
import { makePayer, type Payer, pay } from '../ledger.ts'
import { testAch } from './ach.ts'

/** A bank whose payments leave with files. Bank time is a Tuesday, 10:00 in New York. */
export async function openRailBank(outgoing?: string): Promise<TestBank> {
  const bank = await openTestBank({ ach: testAch(outgoing) })
  await bank.database.query(`update organisation set clock_offset = '2030-02-05T15:00:00Z' - clock_timestamp()`)
  return bank
}

/** Advances bank time to an instant. */
export async function advanceTo(bank: TestBank, to: string): Promise<void> {
  const { status, text } = await bank.call('POST', '/v0/sandbox/clock/advance', { body: { to } })
  if (status !== 200) throw new Error(`the clock answered ${status}: ${text}`)
}

/** A payer whose payments of these amounts have left with the next cut-off, 14:15 on Tuesday. */
export async function sendPayments(
  bank: TestBank,
  amounts: number[],
  at = '2030-02-05T19:15:00Z',
): Promise<{ payer: Payer; paymentIds: string[] }> {
  const payer = await makePayer(bank, 500_00)
  const paymentIds: string[] = []
  for (const amount of amounts) paymentIds.push((await pay(bank, payer, { amount })).json.data.id)
  await advanceTo(bank, at)
  return { payer, paymentIds }
}

const today = new Date().toISOString().slice(0, 10)

/**
 * Lets the payments of a live bank that wait have missed their cut-off. All have the same one, and settle on a banking day to
 * come: the writer refuses files for other days.
 */
export async function passCutoff(database: Pick<Database, 'query'>): Promise<void> {
  await database.query(
    `update payment set cutoff_at = $1::timestamptz, settles_at = $2::timestamptz
     where status = 'Pending' and organisation_id in (select id from organisation where ended_at is null)`,
    [`${daysAfter(today, -4)}T12:00:00Z`, easternInstant(bankingDaysAfter(today, 3), '08:30')],
  )
}
