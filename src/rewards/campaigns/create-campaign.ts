import { type Static, Type } from 'typebox'
import { recordsWrite } from '../records/records.ts'
import { budgetTerms, Campaign, CampaignName } from './campaign.ts'

const CreateCampaignInput = Type.Object({ name: CampaignName, ...budgetTerms }, { description: 'The campaign' })
export type CreateCampaignInput = Static<typeof CreateCampaignInput>

/** Extension. Creates a campaign without offers. */
export const createCampaign = recordsWrite({
  id: 'createCampaign',
  resource: 'campaigns',
  verb: 'create',
  area: 'rewards',
  method: 'POST',
  path: '/v0/rewards/campaigns',
  summary: 'Create campaign',
  description:
    'Creates a campaign. `POST …/offers` adds its offers. A purchase that does not fit a budget as a whole earns nothing by it; a refund gives back what it takes back. Emits `campaign.created`.',
  status: 201,
  scope: 'rewards:write',
  body: CreateCampaignInput,
  data: Campaign,
  problems: [],
  run: ({ records, write }, { body }) => records.createCampaign(write, body),
})
