import { type Static, Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { atLeastOneOf } from '../../base/rules.ts'
import { recordsWrite } from '../records/records.ts'
import { budgetTerms, Campaign, CampaignName, CampaignStatus } from './campaign.ts'

const changes = { name: Type.Optional(CampaignName), status: Type.Optional(CampaignStatus), ...budgetTerms }
const UpdateCampaignBody = Type.Object(changes, { 'x-rules': [atLeastOneOf(changes)], description: 'The change' })
export type UpdateCampaignInput = Static<typeof UpdateCampaignBody> & { campaignId: string }

/** Extension. Changes, pauses, resumes or ends a campaign. */
export const updateCampaign = recordsWrite({
  id: 'updateCampaign',
  resource: 'campaigns',
  verb: 'update',
  area: 'rewards',
  method: 'PATCH',
  path: '/v0/rewards/campaigns/:campaignId',
  summary: 'Update campaign',
  description:
    'Changes a campaign. While it is `Paused`, and for good once it is `Ended`, purchases earn nothing by its offers; rewards earned before are still paid. Emits `campaign.updated`.',
  status: 200,
  scope: 'rewards:write',
  params: Type.Object({ campaignId: Id('campaign') }),
  body: UpdateCampaignBody,
  data: Campaign,
  problems: ['campaign_not_found', 'campaign_ended'],
  run: ({ records, write }, { params, body }) => records.updateCampaign(write, { ...params, ...body }),
})
