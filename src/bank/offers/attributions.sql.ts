import { bigint, bytea, rowSet, text, timestamptz } from '../../database/arrays.ts'
import type { Queryable } from '../../database/database.ts'
import type { AttributionType } from '../../rewards/attribution/create-attributions.ts'
import type { OfferFunnel } from '../../rewards/attribution/list-offer-funnel.ts'

/** An attribution whose offer and partner user may be unknown. */
export interface GivenAttribution {
  idHash: Buffer
  type: AttributionType
  offerId: string
  partnerUserId: number
  at: string
}

const pairs = rowSet<Pick<GivenAttribution, 'offerId' | 'partnerUserId'>>(
  { offer_id: text(({ offerId }) => offerId), partner_user_id: bigint(({ partnerUserId }) => partnerUserId) },
  2,
)

const hashes = rowSet<Pick<GivenAttribution, 'idHash'>>({ id_hash: bytea(({ idHash }) => idHash) }, 2)

/** The enrolled partner user of an attribution, and whose its offer is; null for an unknown one. */
interface Party {
  userId: number | null
  offerOf: 'catalogue' | 'campaign' | null
}

/** The partner user and the offer of each attribution, in their order. */
export function partiesOf(
  database: Queryable,
  organisationId: number,
  given: Pick<GivenAttribution, 'offerId' | 'partnerUserId'>[],
): Promise<Party[]> {
  return database.query(
    `select (
         select user_id from partner_user u
         where u.id = g.partner_user_id and u.organisation_id = $1::bigint and not u.is_removed) as "userId",
       case when exists (select from campaign_offer o where o.id = g.number and o.organisation_id = $1) then 'campaign'
         when exists (select from offer o where o.id = g.number) then 'catalogue' end as "offerOf"
     from (
       select *, case when offer_id ~ '^[1-9][0-9]{0,15}$' then offer_id::bigint end as number from (${pairs.select}) p) g`,
    [organisationId, ...pairs.values(given)],
  )
}

/** The hashes of those attributions that counted before. */
export async function findCounted(
  database: Queryable,
  organisationId: number,
  given: Pick<GivenAttribution, 'idHash'>[],
): Promise<Buffer[]> {
  const rows = await database.query<{ hash: Buffer }>(
    `select id_hash as hash from attribution_id
     where organisation_id = $1::bigint and id_hash in (select id_hash from (${hashes.select}) g)`,
    [organisationId, ...hashes.values(given)],
  )
  return rows.map(({ hash }) => hash)
}

/** Notes attributions that now count, and returns their hashes. The order of the hashes keeps two batches from waiting for each other. */
export async function noteAttributions(
  transaction: Queryable,
  organisationId: number,
  given: Pick<GivenAttribution, 'idHash'>[],
): Promise<Buffer[]> {
  const rows = await transaction.query<{ hash: Buffer }>(
    `insert into attribution_id (organisation_id, id_hash) select $1::bigint, g.id_hash from (${hashes.select}) g
     order by g.id_hash on conflict do nothing returning id_hash as hash`,
    [organisationId, ...hashes.values(given)],
  )
  return rows.map(({ hash }) => hash)
}

const attributions = rowSet<Omit<GivenAttribution, 'idHash'>>(
  {
    type: text(({ type }) => type),
    offer_id: text(({ offerId }) => offerId),
    partner_user_id: bigint(({ partnerUserId }) => partnerUserId),
    at: timestamptz(({ at }) => at),
  },
  2,
)
const lastOf = (type: string) => `max(g.at) filter (where g.type = '${type}')`
const countOf = (type: string) => `count(*) filter (where g.type = '${type}')`

/** Adds attributions to the sums of their days and offers, and notes when their partner users met the offers. Both in the order of keys. */
export async function countAttributions(
  transaction: Queryable,
  organisationId: number,
  counted: Omit<GivenAttribution, 'idHash'>[],
): Promise<void> {
  const values = [organisationId, ...attributions.values(counted)]
  await transaction.query(
    `insert into attribution_day as d (organisation_id, day, offer_id, impressions, views, clicks)
     select $1::bigint, (g.at at time zone 'UTC')::date, g.offer_id collate "C", ${countOf('Impression')}, ${countOf('View')},
       ${countOf('Click')}
     from (${attributions.select}) g group by 2, 3 order by 2, 3
     on conflict (organisation_id, day, offer_id) do update set impressions = d.impressions + excluded.impressions,
       views = d.views + excluded.views, clicks = d.clicks + excluded.clicks`,
    values,
  )
  await transaction.query(
    `insert into attribution_touch as t (organisation_id, partner_user_id, offer_id, impression_at, view_at, click_at, last_at)
     select $1::bigint, g.partner_user_id, g.offer_id collate "C", ${lastOf('Impression')}, ${lastOf('View')},
       ${lastOf('Click')}, max(g.at)
     from (${attributions.select}) g group by 2, 3 order by 2, 3
     on conflict (partner_user_id, offer_id) do update set
       impression_at = greatest(t.impression_at, excluded.impression_at),
       view_at = greatest(t.view_at, excluded.view_at), click_at = greatest(t.click_at, excluded.click_at),
       last_at = greatest(t.last_at, excluded.last_at)`,
    values,
  )
}

/** A day of an offer. The cash back is text, because a sum can be larger than a number holds exactly. */
export interface FunnelRow extends Omit<OfferFunnel, 'earned'> {
  earned: string
}

export function listFunnelRows(
  database: Queryable,
  organisationId: number,
  {
    since,
    until,
    offerId,
    take,
    offset,
  }: { since: string; until: string; offerId: string | null; take: number; offset: number },
): Promise<FunnelRow[]> {
  return database.query(
    `with met as (
       select day, offer_id, impressions, views, clicks from attribution_day
       where organisation_id = $1::bigint and day >= $2::date and day <= $3::date
         and ($4::text is null or offer_id = $4::text)),
     earned as (
       select (created_at at time zone 'UTC')::date as day, offer_id, count(*) as purchases, count(attribution) as attributed,
         sum(user_amount) as amount
       from reward
       where organisation_id = $1 and created_at >= $2::date::timestamp at time zone 'UTC'
         and created_at < ($3::date + 1)::timestamp at time zone 'UTC' and ($4::text is null or offer_id = $4::text)
       group by 1, 2),
     page as (
       select day, offer_id, impressions, views, clicks, purchases, attributed, amount
       from met full join earned using (day, offer_id) order by day, offer_id limit $5 offset $6)
     select to_char(day, 'YYYY-MM-DD') as date, offer_id as "offerId", coalesce(o.title, c.terms ->> 'title') as title, coalesce(impressions, 0) as impressions,
       coalesce(views, 0) as views, coalesce(clicks, 0) as clicks, coalesce(purchases, 0) as purchases,
       coalesce(attributed, 0) as "attributedPurchases", coalesce(amount, 0)::text as earned
     from page cross join lateral (
         select case when offer_id ~ '^[1-9][0-9]{0,15}$' then offer_id::bigint end as number) n
       left join offer o on o.id = n.number
       left join campaign_offer c on c.id = n.number and c.organisation_id = $1
     order by day, offer_id`,
    [organisationId, since, until, offerId, take, offset],
  )
}
