import { arrayOf, bigint, integer, rowSet, text } from '../../../database/arrays.ts'
import type { Queryable } from '../../../database/database.ts'
import type { Locking } from '../../../ledger/attempts.ts'
import type { Budget } from '../../../rewards/campaigns/budget.ts'
import type { BudgetId, LedgerCampaign, ReadBudgets, UsageChange } from './budgets.ts'

const campaignColumns = `id, name, status, budget, user_budget as "userBudget", version`
const byIds = `select ${campaignColumns} from campaign where id = any($1::bigint[])`
const texts = (waiting: string) => [
  `${byIds} and not budgeted order by id for share ${waiting}`,
  `${byIds} and budgeted order by id for no key update ${waiting}`,
]
const lockTexts: Record<Locking, string[]> = { wait: texts(''), skip: texts('skip locked') }

/**
 * Locks the campaigns of a batch, and reads their budgets with what is used. Those without a budget are locked only against the
 * change that gives them one. Users are locked already.
 */
export async function lockBudgets(
  transaction: Queryable,
  wanted: BudgetId[],
  { periods, locking }: { periods: string[]; locking: Locking },
): Promise<ReadBudgets> {
  const of = (values: number[]) => arrayOf('bigint', values)
  const campaignIds = of(wanted.map(({ campaignId }) => campaignId))
  const campaigns: LedgerCampaign[] = []
  for (const lock of lockTexts[locking])
    campaigns.push(...(await transaction.query<LedgerCampaign>(lock, [campaignIds])))
  const offerIds = wanted.flatMap((id) => id.offerIds)
  const offers = await transaction.query<{ id: number; budget: Budget | null; userBudget: Budget | null }>(
    `select id, terms -> 'budget' as budget, terms -> 'userBudget' as "userBudget" from campaign_offer
     where id = any($1::bigint[])`,
    [of(offerIds)],
  )
  const usage = await transaction.query<UsageChange>(
    `select organisation_id as "organisationId", campaign_id as "campaignId", offer_id as "offerId",
       partner_user_id as "partnerUserId", period, amount, count
     from campaign_usage
     where campaign_id = any($1::bigint[]) and offer_id = any($2::bigint[]) and partner_user_id = any($3::bigint[])
       and period = any($4::text[])`,
    [
      campaignIds,
      of([0, ...offerIds]),
      of([0, ...wanted.flatMap(({ partnerUserIds }) => partnerUserIds)]),
      arrayOf('text', periods),
    ],
  )
  return { campaigns, offers, usage }
}

const changes = rowSet<UsageChange>({
  organisation_id: bigint(({ organisationId }) => organisationId),
  campaign_id: bigint(({ campaignId }) => campaignId),
  offer_id: bigint(({ offerId }) => offerId),
  partner_user_id: bigint(({ partnerUserId }) => partnerUserId),
  period: text(({ period }) => period),
  amount: bigint(({ amount }) => amount),
  count: bigint(({ count }) => count),
})

/** Adds what purchases use and takes off what refunds give back, in one order of rows. */
export async function writeUsage(transaction: Queryable, rows: UsageChange[]): Promise<void> {
  if (rows.length === 0) return
  await transaction.query(
    `insert into campaign_usage as u (${changes.names}) ${changes.select}
     on conflict (campaign_id, offer_id, partner_user_id, period)
     do update set amount = u.amount + excluded.amount, count = u.count + excluded.count`,
    changes.values(rows),
  )
}

const versions = rowSet<LedgerCampaign>({ id: bigint(({ id }) => id), version: integer(({ version }) => version) })

/** Writes the versions of campaigns whose budgets had an alert. */
export async function writeVersions(transaction: Queryable, campaigns: LedgerCampaign[]): Promise<void> {
  if (campaigns.length === 0) return
  await transaction.query(
    `update campaign c set version = n.version from (${versions.select}) n where c.id = n.id and c.id = any($1::bigint[])`,
    versions.values(campaigns),
  )
}
