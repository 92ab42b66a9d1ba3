import { type Static, Type } from 'typebox'
import { offersRead } from '../provider.ts'
import { LocalOffer, NextPage, offersQuery } from './offer.ts'

const ListLocalOffersQuery = Type.Object({
  zipCode: Type.String({ pattern: '^[0-9]{5}(-[0-9]{4})?$', description: 'A ZIP code or ZIP+4', examples: ['10001'] }),
  ...offersQuery,
  radius: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 50, default: 10, description: "Miles around the ZIP code's centre" }),
  ),
  sort: Type.Optional(
    Type.Enum(
      [
        'distance',
        '-distance',
        'commission',
        '-commission',
        'expirationDate',
        '-expirationDate',
        'merchantName',
        '-merchantName',
      ],
      { default: 'distance', description: 'Order of the offers; a leading - means descending' },
    ),
  ),
})
export type ListLocalOffersQuery = Static<typeof ListLocalOffersQuery>

const LocalOffers = Type.Object(
  { localRewardOffers: Type.Array(LocalOffer), nextPage: NextPage },
  { $id: 'LocalOffers' },
)
export type LocalOffers = Static<typeof LocalOffers>

/** R1. Lists the offers of shops around a ZIP code that are live now, nearest first. */
export const listLocalOffers = offersRead({
  id: 'listLocalOffers',
  resource: 'offers',
  verb: 'listLocal',
  number: 'R1',
  area: 'rewards',
  method: 'GET',
  path: '/v0/rewards/reward-offers/local-reward-offers',
  summary: 'List local offers',
  status: 200,
  scope: 'rewards:read',
  query: ListLocalOffersQuery,
  data: LocalOffers,
  problems: [],
  run: ({ offers, caller }, { query }) => offers.listLocalOffers(caller, query),
})
