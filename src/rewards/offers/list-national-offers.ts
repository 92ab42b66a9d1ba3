import { type Static, Type } from 'typebox'
import { offersRead } from '../provider.ts'
import { NationalOffer, NextPage, offersQuery } from './offer.ts'
import { sampleCategories } from './sample-catalogue.ts'

const ListNationalOffersQuery = Type.Object({
  ...offersQuery,
  sort: Type.Optional(
    Type.Enum(['commission', '-commission', 'expirationDate', '-expirationDate', 'merchantName', '-merchantName'], {
      default: '-commission',
      description: 'Order of the offers; a leading `-` means descending',
    }),
  ),
})
export type ListNationalOffersQuery = Static<typeof ListNationalOffersQuery>

const NationalOffers = Type.Object(
  { nationalRewardOffers: Type.Array(NationalOffer, { description: 'The offers of this page' }), nextPage: NextPage },
  { $id: 'NationalOffers', description: 'A page of national offers' },
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
  description: [
    'Lists the live online offers, highest commission first, by bank time. A purchase with a linked card at one of these merchants earns the `commission`.',
    `The sample catalogue has the categories ${sampleCategories.national.join(', ')}; an imported catalogue or another provider may have others. An unknown category matches nothing.`,
    'Pages are numbered from 0. `nextPage` is the number of the next one, and null on the last.',
  ].join('\n\n'),
  status: 200,
  scope: 'rewards:read',
  fromStandby: true,
  query: ListNationalOffersQuery,
  data: NationalOffers,
  problems: [],
  run: ({ offers, caller }, { query }) => offers.listNationalOffers(caller, query),
})
