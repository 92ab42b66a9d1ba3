import { type Static, Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { cursorQuery, cursorRule } from '../../base/page.ts'
import { described } from '../../base/text.ts'
import { recordsRead } from '../records/records.ts'
import { CampaignOffer, CampaignStatus } from './campaign.ts'

const ListCampaignOffersQuery = Type.Object(
  {
    campaignId: Type.Optional(Id('campaign', 'Only those of this campaign')),
    status: Type.Optional(described(CampaignStatus, 'Only those in this state')),
    ...cursorQuery,
  },
  { 'x-rules': [cursorRule] },
)
export type ListCampaignOffersQuery = Static<typeof ListCampaignOffersQuery>

/** Extension. Lists the offers of campaigns, newest first. */
export const listCampaignOffers = recordsRead({
  id: 'listCampaignOffers',
  resource: 'campaignOffers',
  verb: 'list',
  area: 'rewards',
  method: 'GET',
  path: '/v0/rewards/offers',
  summary: 'List campaign offers',
  description: 'Lists the offers of campaigns, newest first, each with the rest of its budget.',
  status: 200,
  scope: 'rewards:read',
  fromStandby: true,
  query: ListCampaignOffersQuery,
  data: Type.Array(CampaignOffer),
  problems: [],
  run: ({ records, caller }, { query }) => records.listCampaignOffers(caller, query),
})
