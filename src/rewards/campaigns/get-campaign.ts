import { Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { recordsRead } from '../records/records.ts'
import { Campaign } from './campaign.ts'

/** Extension. Reads a campaign. */
export const getCampaign = recordsRead({
  id: 'getCampaign',
  resource: 'campaigns',
  verb: 'get',
  area: 'rewards',
  method: 'GET',
  path: '/v0/rewards/campaigns/:campaignId',
  summary: 'Get campaign',
  description: 'Reads a campaign with the rest of its budget, which purchases use and refunds give back.',
  status: 200,
  scope: 'rewards:read',
  params: Type.Object({ campaignId: Id('campaign') }),
  data: Campaign,
  problems: ['campaign_not_found'],
  run: ({ records, caller }, { params }) => records.getCampaign(caller, params.campaignId),
})
