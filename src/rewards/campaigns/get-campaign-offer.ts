import { Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { recordsRead } from '../records/records.ts'
import { CampaignOffer } from './campaign.ts'

/** Extension. Reads an offer of a campaign. */
export const getCampaignOffer = recordsRead({
  id: 'getCampaignOffer',
  resource: 'campaignOffers',
  verb: 'get',
  area: 'rewards',
  method: 'GET',
  path: '/v0/rewards/offers/:offerId',
  summary: 'Get campaign offer',
  description: 'Reads an offer of a campaign with the rest of its budget, beside that of the campaign.',
  status: 200,
  scope: 'rewards:read',
  params: Type.Object({ offerId: Id('campaignOffer') }),
  data: CampaignOffer,
  problems: ['campaign_offer_not_found'],
  run: ({ records, caller }, { params }) => records.getCampaignOffer(caller, params.offerId),
})
