import type { Queryable } from '../../database/database.ts'
import type { CampaignOfferTerms, UsersPurchase } from './campaign-offers.ts'

export interface FoundOffer extends CampaignOfferTerms {
  /** The tags of the partner user. */
  tags: Record<string, string>
}

/** The offers of a merchant that have not ended, in any campaign of the organisation. */
export function findCampaignOffers(
  database: Queryable,
  { organisationId, partnerUserId, normalisedName }: UsersPurchase,
): Promise<FoundOffer[]> {
  return database.query(
    `select o.id, o.campaign_id as "campaignId", o.merchant_name as "merchantName", o.terms,
       (o.status, c.status) = ('Active', 'Active') as "isActive",
       (select tags from partner_user where id = $2::bigint) as tags
     from campaign_offer o join campaign c on c.id = o.campaign_id
     where o.organisation_id = $1::bigint and o.normalised_name = $3::text and o.status <> 'Ended'`,
    [organisationId, partnerUserId, normalisedName],
  )
}
