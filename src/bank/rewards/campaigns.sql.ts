import { recordColumns } from '../../database/arrays.ts'
import type { Queryable } from '../../database/database.ts'
import { isOfOrganisation, type ListWindow, listRows } from '../../database/lists.ts'
import type { Budget, BudgetPeriod } from '../../rewards/campaigns/budget.ts'
import type { CampaignStatus, OfferTerms } from '../../rewards/campaigns/campaign.ts'

interface Stored {
  id: number
  organisationId: number
  status: CampaignStatus
  createdAt: string
  updatedAt: string | null
  version: number
}

export interface CampaignRow extends Stored {
  name: string
  budget: Budget | null
  userBudget: Budget | null
}

export interface CampaignOfferRow extends Stored {
  campaignId: number
  merchantName: string
  normalisedName: string
  terms: OfferTerms
}

const stored = {
  id: 'bigint',
  organisationId: 'bigint',
  status: 'text',
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
  version: 'integer',
} as const
const columns = {
  campaign: recordColumns<CampaignRow>({ ...stored, name: 'text', budget: 'jsonb', userBudget: 'jsonb' }),
  campaign_offer: recordColumns<CampaignOfferRow>({
    ...stored,
    campaignId: 'bigint',
    merchantName: 'text',
    normalisedName: 'text',
    terms: 'jsonb',
  }),
}
type Tables = { campaign: CampaignRow; campaign_offer: CampaignOfferRow }
type Table = keyof Tables

/** Reads a record of the organisation, to change it if `lock` says so. */
export async function findRow<Name extends Table>(
  database: Queryable,
  table: Name,
  { organisationId, id }: { organisationId: number; id: number },
  lock: '' | 'for no key update' = '',
): Promise<Tables[Name] | undefined> {
  const [row] = await database.query<Tables[Name]>(
    `select ${columns[table].selected} from ${table} where organisation_id = $1::bigint and id = $2::bigint ${lock}`,
    [organisationId, id],
  )
  return row
}

const json = (value: object | null) => value && JSON.stringify(value)

/** Purchases of a campaign with a budget wait for each other. The campaign is locked. */
export async function markBudgeted(transaction: Queryable, campaignId: number): Promise<void> {
  await transaction.query('update campaign set budgeted = true where id = $1::bigint and not budgeted', [campaignId])
}

/** The present use of a budget by a holder. */
export interface UseRow {
  campaignId: number
  offerId: number
  partnerUserId: number
  period: BudgetPeriod
  amount: number
  count: number
}

/** Reads the use of budgets today, this month and in all; `0` stands for all offers or all users. */
export function readUse(
  database: Queryable,
  {
    organisationId,
    campaignIds,
    offerIds,
    partnerUserIds,
  }: Record<'campaignIds' | 'offerIds' | 'partnerUserIds', number[]> & {
    organisationId: number
  },
): Promise<UseRow[]> {
  return database.query(
    `select u.campaign_id as "campaignId", u.offer_id as "offerId", u.partner_user_id as "partnerUserId", p.name as period,
       u.amount, u.count
     from (select bank_time($1::bigint) at time zone 'UTC' as now) b
     cross join lateral (values ('day', to_char(b.now, 'YYYY-MM-DD')), ('month', to_char(b.now, 'YYYY-MM')), ('total', 'total'))
       p (name, period)
     join campaign_usage u on u.period = p.period
     where u.organisation_id = $1 and u.campaign_id = any($2::bigint[]) and u.offer_id = any($3::bigint[])
       and u.partner_user_id = any($4::bigint[])`,
    [organisationId, campaignIds, offerIds, partnerUserIds],
  )
}

export async function insertCampaign(
  transaction: Queryable,
  row: Pick<CampaignRow, 'id' | 'organisationId' | 'name' | 'budget' | 'userBudget'>,
) {
  const [made] = await transaction.query<CampaignRow>(
    `insert into campaign (id, organisation_id, name, budget, user_budget, budgeted, status, created_at)
     values ($1::bigint, $2::bigint, $3::text, $4::jsonb, $5::jsonb, $4 is not null, 'Active', bank_time($2)) returning ${columns.campaign.selected}`,
    [row.id, row.organisationId, row.name, json(row.budget), json(row.userBudget)],
  )
  return made as CampaignRow
}

export async function updateCampaignRow(transaction: Queryable, { id, name, status, budget, userBudget }: CampaignRow) {
  const [changed] = await transaction.query<CampaignRow>(
    `update campaign set name = $2::text, status = $3::text, budget = $4::jsonb, user_budget = $5::jsonb,
       budgeted = budgeted or $4 is not null, updated_at = bank_time(organisation_id), version = version + 1
     where id = $1::bigint returning ${columns.campaign.selected}`,
    [id, name, status, json(budget), json(userBudget)],
  )
  return changed as CampaignRow
}

type NewOffer = Pick<
  CampaignOfferRow,
  'id' | 'organisationId' | 'campaignId' | 'merchantName' | 'normalisedName' | 'terms'
>

export async function insertOffer(transaction: Queryable, row: NewOffer) {
  const [made] = await transaction.query<CampaignOfferRow>(
    `insert into campaign_offer (id, organisation_id, campaign_id, merchant_name, normalised_name, terms, status, created_at)
     values ($1::bigint, $2::bigint, $3::bigint, $4::text, $5::text, $6::jsonb, 'Active', bank_time($2))
     returning ${columns.campaign_offer.selected}`,
    [row.id, row.organisationId, row.campaignId, row.merchantName, row.normalisedName, JSON.stringify(row.terms)],
  )
  return made as CampaignOfferRow
}

export async function updateOfferRow(transaction: Queryable, { id, status, terms }: CampaignOfferRow) {
  const [changed] = await transaction.query<CampaignOfferRow>(
    `update campaign_offer set status = $2::text, terms = $3::jsonb, updated_at = bank_time(organisation_id),
       version = version + 1
     where id = $1::bigint returning ${columns.campaign_offer.selected}`,
    [id, status, JSON.stringify(terms)],
  )
  return changed as CampaignOfferRow
}

/** An offer, and whether it and its campaign are Active. */
export async function findLive(
  database: Queryable,
  organisationId: number,
  id: number,
): Promise<(CampaignOfferRow & { isActive: boolean }) | undefined> {
  const [row] = await database.query<CampaignOfferRow & { isActive: boolean }>(
    `select ${columns.campaign_offer.selected},
       status = 'Active' and (select status from campaign where id = campaign_id) = 'Active' as "isActive"
     from campaign_offer where organisation_id = $1::bigint and id = $2::bigint`,
    [organisationId, id],
  )
  return row
}

const live = {
  always: [isOfOrganisation, `status = 'Active'`, `(select status from campaign where id = campaign_id) = 'Active'`],
}

export interface LiveOffer extends CampaignOfferRow {
  now: string
  campaign: Pick<CampaignRow, 'budget' | 'userBudget'>
}

/** The offers of campaigns that are Active, with bank time. */
export function listLiveOffers(database: Queryable, organisationId: number, page: ListWindow): Promise<LiveOffer[]> {
  const select = `select ${columns.campaign_offer.selected}, bank_time(organisation_id) as now,
    (select json_build_object('budget', c.budget, 'userBudget', c.user_budget) from campaign c where c.id = campaign_id) as campaign
    from campaign_offer`
  return listRows(database, select, live, { organisationId }, page)
}

const filters = {
  always: [isOfOrganisation],
  along: ['campaign_id = $campaignId::bigint'],
  matching: ['status = $status::text'],
}

export function listRowsOf<Name extends Table>(
  database: Queryable,
  table: Name,
  filter: { organisationId: number; campaignId: number | null; status: string | null },
  page: ListWindow,
): Promise<Tables[Name][]> {
  return listRows(database, `select ${columns[table].selected} from ${table}`, filters, filter, page)
}

/** How many other offers of a merchant, by its name or an id, have not ended; one at a time counts them in an organisation. */
export async function countOffersOf(
  transaction: Queryable,
  { id, organisationId, normalisedName, terms: { merchantIds } }: Omit<NewOffer, 'campaignId' | 'merchantName'>,
): Promise<number> {
  await transaction.query(`select pg_advisory_xact_lock(7275760, hashint8($1::bigint))`, [organisationId])
  const [row] = await transaction.query<{ count: number }>(
    `select count(*)::int as count from (
       select id from campaign_offer where organisation_id = $1::bigint and normalised_name = $2::text and status <> 'Ended'
       union
       select id from campaign_offer
       where organisation_id = $1 and terms -> 'merchantIds' ?| $3::text[] and status <> 'Ended') found
     where id <> $4::bigint`,
    [organisationId, normalisedName, merchantIds ?? [], id],
  )
  return row?.count ?? 0
}
