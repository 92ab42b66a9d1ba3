import { type Static, Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { atLeastOneOf, type Rule } from '../../base/rules.ts'
import { recordsWrite } from '../records/records.ts'
import { CampaignOffer, CampaignStatus, offerRules, offerTerms } from './campaign.ts'

const changes = { status: Type.Optional(CampaignStatus), ...offerTerms, title: Type.Optional(offerTerms.title) }
const UpdateCampaignOfferBody = Type.Object(changes, {
  'x-rules': [
    { rule: 'atMostOne', members: ['commission', 'amount'] },
    ...offerRules,
    atLeastOneOf(changes),
  ] satisfies Rule[],
  description: 'The change',
})
export type UpdateCampaignOfferInput = Static<typeof UpdateCampaignOfferBody> & { offerId: string }

/** Extension. Changes, pauses, resumes or ends an offer of a campaign. */
export const updateCampaignOffer = recordsWrite({
  id: 'updateCampaignOffer',
  resource: 'campaignOffers',
  verb: 'update',
  area: 'rewards',
  method: 'PATCH',
  path: '/v0/rewards/offers/:offerId',
  summary: 'Update campaign offer',
  description:
    'Changes an offer for purchases that settle from now on; rewards keep the terms that they were earned by. Emits `campaignOffer.updated`.',
  status: 200,
  scope: 'rewards:write',
  params: Type.Object({ offerId: Id('campaignOffer') }),
  body: UpdateCampaignOfferBody,
  data: CampaignOffer,
  problems: ['campaign_offer_not_found', 'campaign_ended'],
  run: ({ records, write }, { params, body }) => records.updateCampaignOffer(write, { ...params, ...body }),
})
