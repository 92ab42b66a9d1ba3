import { type Static, Type } from 'typebox'
import { offersRead } from '../provider.ts'
import { NationalOffer, NextPage, offersQuery } from './offer.ts'

const ListNationalOffersQuery = Type.Object({
  ...offersQuery,
  sort: Type.Optional(
    Type.Enum(['commission', '-commission', 'expirationDate', '-expirationDate', 'merchantName', '-merchantName'], {
      default: '-commission',
      description: 'Order of the offers; a leading - means descending',
    }),
  ),
})
export type ListNationalOffersQuery = Static<typeof ListNationalOffersQuery>

const NationalOffers = Type.Object(
  { nationalRewardOffers: Type.Array(NationalOffer), nextPage: NextPage },
  { $id: 'NationalOffers' },
)
export type NationalOffers = Static<typeof NationalOffers>

/** R2. Lists the online offers that are live now, the highest commission first. */
export const listNationalOffers = offersRead({
  id: 'listNationalOffers',
  resource: 'offers',
  verb: 'listNational',
  number: 'R2',
  area: 'rewards',
  method: 'GET',
  path: '/v0/rewards/reward-offers/national-reward-offers',
  summary: 'List national offers',
  status: 200,
  scope: 'rewards:read',
  query: ListNationalOffersQuery,
  data: NationalOffers,
  problems: [],
  run: ({ offers, caller }, { query }) => offers.listNationalOffers(caller, query),
})
