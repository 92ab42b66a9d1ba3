import { type Static, Type } from 'typebox'
import { cursorQuery, cursorRule } from '../../base/page.ts'
import { described } from '../../base/text.ts'
import { recordsRead } from '../records/records.ts'
import { Campaign, CampaignStatus } from './campaign.ts'

const ListCampaignsQuery = Type.Object(
  { status: Type.Optional(described(CampaignStatus, 'Only those in this state')), ...cursorQuery },
  { 'x-rules': [cursorRule] },
)
export type ListCampaignsQuery = Static<typeof ListCampaignsQuery>

/** Extension. Lists campaigns, newest first. */
export const listCampaigns = recordsRead({
  id: 'listCampaigns',
  resource: 'campaigns',
  verb: 'list',
  area: 'rewards',
  method: 'GET',
  path: '/v0/rewards/campaigns',
  summary: 'List campaigns',
  description: 'Lists the campaigns of the organisation, newest first, each with the rest of its budget.',
  status: 200,
  scope: 'rewards:read',
  fromStandby: true,
  query: ListCampaignsQuery,
  data: Type.Array(Campaign),
  problems: [],
  run: ({ records, caller }, { query }) => records.listCampaigns(caller, query),
})
