import { type Concerns, NEAR } from '../../tools/attention.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import { notableRates } from '../payments/return-rates.ts'
import { findToday, listNearLimits, listQueues, type Today } from './attention.sql.ts'

/** Reads what waits in an organisation, in bounded parts of indexes. */
export async function attentionOf(
  bank: Pick<BankParts, 'database' | 'debits'> & { control: { isHeld(): boolean } },
  organisationId: number,
): Promise<Concerns> {
  const { database, control } = bank
  const today = await findToday(database, organisationId)
  if (!today) throw new Error('no bank time')
  const day = today.now.slice(0, 10)
  return {
    now: today.now,
    lastEventBefore: today.before,
    queues: await listQueues(database, organisationId, day),
    accounts: await listNearLimits(database, organisationId, day),
    own: nearlyUsed(today),
    railHeld: control.isHeld(),
    rates: today.hasReturns ? await notableRates(bank, organisationId) : [],
  }
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
