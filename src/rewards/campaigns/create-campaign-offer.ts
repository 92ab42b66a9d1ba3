import { type Static, Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import type { Rule } from '../../base/rules.ts'
import { recordsWrite } from '../records/records.ts'
import { CampaignOffer, MerchantName, offerRules, offerTerms } from './campaign.ts'

const CreateCampaignOfferBody = Type.Object(
  { merchantName: MerchantName, ...offerTerms },
  {
    'x-rules': [{ rule: 'exactlyOne', members: ['commission', 'amount'] }, ...offerRules] satisfies Rule[],
    description: 'The offer',
  },
)
export type CreateCampaignOfferInput = Static<typeof CreateCampaignOfferBody> & { campaignId: string }

/** Extension. Adds an offer to a campaign. */
export const createCampaignOffer = recordsWrite({
  id: 'createCampaignOffer',
  resource: 'campaignOffers',
  verb: 'create',
  area: 'rewards',
  method: 'POST',
  path: '/v0/rewards/campaigns/:campaignId/offers',
  summary: 'Create campaign offer',
  description:
    'Adds an offer to a campaign. It competes with those of the catalogue: the highest cash back wins. A merchant has at most 50 offers that have not ended. Emits `campaignOffer.created`.',
  status: 201,
  scope: 'rewards:write',
  params: Type.Object({ campaignId: Id('campaign') }),
  body: CreateCampaignOfferBody,
  data: CampaignOffer,
  problems: ['campaign_not_found', 'campaign_ended', 'too_many_offers'],
  run: ({ records, write }, { params, body }) => records.createCampaignOffer(write, { ...params, ...body }),
})
