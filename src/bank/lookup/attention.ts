import type { Database } from '../../database/database.ts'
import { easternInstant } from '../../rails/ach/calendar.ts'
import { type Concerns, MOST, NEAR } from '../../tools/attention.ts'
import { firstOrganisation } from '../ach/incoming/incoming.sql.ts'
import { unclosedDays } from '../closing/banking-days.ts'
import { listNearLimits } from '../limits/account-limits.sql.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import { notableRates } from '../payments/return-rates.ts'
import { findToday, listQueues, type Today } from './attention.sql.ts'

/** Reads what waits in an organisation, in bounded parts of indexes. */
export async function attentionOf(
  bank: Pick<BankParts, 'database' | 'debits' | 'ach'> & { control: { heldBecause(): string | undefined } },
  organisationId: number,
): Promise<Concerns> {
  const { database, control } = bank
  const today = await findToday(database, organisationId)
  if (!today) throw new Error('no bank time')
  const day = today.now.slice(0, 10)
  return {
    now: today.now,
    lastEventBefore: today.before,
    queues: [...(await openDays(database, organisationId)), ...(await listQueues(database, organisationId, day))],
    accounts: await listNearLimits(database, organisationId, day),
    own: nearlyUsed(today),
    railHeld: control.heldBecause(),
    rates: today.hasReturns || bank.debits.companyStopAt ? await notableRates(bank, organisationId) : [],
  }
}

/** The banking days that wait to be closed, for the organisation of the operator. */
async function openDays(database: Database, organisationId: number): Promise<Concerns['queues']> {
  const days = await unclosedDays(database, MOST + 1)
  const [first] = days
  if (first === undefined || (await firstOrganisation(database)) !== organisationId) return []
  return [
    { name: 'openDays', count: days.length, amount: 0, since: easternInstant(first, '00:00'), ids: [], whys: [first] },
  ]
}

/** The organisation's own limits that are nearly used. */
function nearlyUsed({ limits, day, month }: Today): Concerns['own'] {
  if (!limits?.enforced) return []
  const used = { day, month }
  return (['day', 'month'] as const).flatMap((period) => {
    const { soft, hard } = limits[period]
    const limit = Math.min(soft ?? Number.MAX_SAFE_INTEGER, hard ?? Number.MAX_SAFE_INTEGER)
    return used[period] >= NEAR * limit ? [{ period, used: used[period], limit }] : []
  })
}
