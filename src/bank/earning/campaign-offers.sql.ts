import type { Queryable } from '../../database/database.ts'
import type { CampaignOfferTerms, UsersPurchase } from './campaign-offers.ts'

export interface FoundOffer extends CampaignOfferTerms {
  /** The tags of the partner user. */
  tags: Record<string, string>
  /** Whether the purchase is of its merchant: by the id of the merchant if the purchase has one that offers name, or by the name. */
  isOfMerchant: boolean
}

/** The offers of a merchant that have not ended, in any campaign of the organisation: those that name its id, and those of its name. */
export function findCampaignOffers(
  database: Queryable,
  { organisationId, partnerUserId, normalisedName, merchantId }: UsersPurchase,
): Promise<FoundOffer[]> {
  return database.query(
    `with named as materialized (
       select id, normalised_name from campaign_offer
       where organisation_id = $1::bigint and status <> 'Ended' and terms -> 'merchantIds' ? $4::text),
     known as materialized (
       select normalised_name from named
       union select m.normalised_name from offer o join merchant m on m.id = o.merchant_id where o.merchant_ids @> array[$4::text])
     select o.id, o.campaign_id as "campaignId", o.merchant_name as "merchantName", o.terms,
       (o.status, c.status) = ('Active', 'Active') as "isActive",
       (select tags from partner_user where id = $2::bigint) as tags,
       case when $4 is null then true
         when jsonb_typeof(o.terms -> 'merchantIds') = 'array' then o.terms -> 'merchantIds' ? $4
         else $3::text in (select normalised_name from known) or not exists (select from known) end as "isOfMerchant"
     from (
       select id from named
       union select id from campaign_offer where organisation_id = $1 and normalised_name = $3 and status <> 'Ended') found
     join campaign_offer o on o.id = found.id join campaign c on c.id = o.campaign_id`,
    [organisationId, partnerUserId, normalisedName, merchantId],
  )
}
