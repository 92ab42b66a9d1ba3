import type { Queryable } from '../../database/database.ts'
import type { UseOfPeriods } from '../../rewards/campaigns/budget.ts'
import { readUse } from './campaigns.sql.ts'

/** A campaign or an offer of it, for all users or one. */
export interface Holder {
  campaignId: number
  /** 0 for all offers. */
  offerId?: number
  /** 0 for all users. */
  partnerUserId?: number
}

/** Reads what holders of an organisation use of budgets now. */
export async function useOf(
  database: Queryable,
  organisationId: number,
  holders: Holder[],
): Promise<(holder: Holder) => UseOfPeriods> {
  const all = (member: keyof Holder) => [...new Set(holders.map((holder) => holder[member] ?? 0))]
  const rows = await readUse(database, {
    ...{ organisationId, campaignIds: all('campaignId') },
    ...{ offerIds: all('offerId'), partnerUserIds: all('partnerUserId') },
  })
  const nameOf = ({ campaignId, offerId = 0, partnerUserId = 0 }: Holder) => `${campaignId} ${offerId} ${partnerUserId}`
  const found = new Map<string, Partial<UseOfPeriods>>()
  for (const { period, amount, count, ...holder } of rows)
    found.set(nameOf(holder), { ...found.get(nameOf(holder)), [period]: { amount, count } })
  const nothing = { amount: 0, count: 0 }
  return (holder) => ({ day: nothing, month: nothing, total: nothing, ...found.get(nameOf(holder)) })
}
