import { type Static, Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { cursorQuery, cursorRule } from '../../base/page.ts'
import { Word } from '../../base/text.ts'
import { recordsRead } from '../records/records.ts'
import { Activation } from './activation.ts'
import { BudgetLeft } from './budget.ts'
import { CampaignOffer } from './campaign.ts'

export const UserOffer = Type.Object(
  {
    id: CampaignOffer.properties.id,
    offer: CampaignOffer,
    eligibility: Word(['Eligible', 'NotLive', 'OtherDay', 'NotEligible', 'NotActivated', 'BudgetSpent'], {
      description: '`Eligible`, or the first reason why a purchase now would not earn',
    }),
    activation: Type.Union([Activation, Type.Null()], {
      description: 'The activation whose time is not over; null if there is none',
    }),
    left: BudgetLeft,
  },
  { $id: 'UserOffer', description: 'An offer, and what a partner user can earn by it' },
)
export type UserOffer = Static<typeof UserOffer>

const ListPartnerUserOffersQuery = Type.Object(cursorQuery, { 'x-rules': [cursorRule] })
export type ListPartnerUserOffersQuery = Static<typeof ListPartnerUserOffersQuery> & { partnerUserId: string }

/** Extension. Lists the offers of campaigns for a partner user. */
export const listPartnerUserOffers = recordsRead({
  id: 'listPartnerUserOffers',
  resource: 'partnerUsers',
  verb: 'listOffers',
  area: 'rewards',
  method: 'GET',
  path: '/v0/rewards/partner-users/:partnerUserId/offers',
  summary: 'List offers of partner user',
  description:
    'Lists the active offers of campaigns, newest first, and what a partner user can earn by each; `left` is of all budgets together. Those of the catalogue are for every user: R1 and R2 list them.',
  status: 200,
  scope: 'rewards:read',
  params: Type.Object({ partnerUserId: Id('partnerUser') }),
  query: ListPartnerUserOffersQuery,
  data: Type.Array(UserOffer),
  problems: ['partner_user_not_found'],
  run: ({ records, caller }, { params, query }) => records.listPartnerUserOffers(caller, { ...params, ...query }),
})
