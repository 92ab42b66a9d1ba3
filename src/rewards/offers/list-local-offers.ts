import { type Static, Type } from 'typebox'
import { offersRead } from '../provider.ts'
import { LocalOffer, NextPage, offersQuery } from './offer.ts'
import { sampleCategories } from './sample-catalogue.ts'

const ListLocalOffersQuery = Type.Object({
  zipCode: Type.String({
    pattern: '^[0-9]{5}(-[0-9]{4})?$',
    description: 'ZIP or ZIP+4 code to search around',
    examples: ['10001'],
  }),
  ...offersQuery,
  radius: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 50, default: 10, description: 'Miles around the centre of the ZIP code' }),
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
      { default: 'distance', description: 'Order of the offers; a leading `-` means descending' },
    ),
  ),
})
export type ListLocalOffersQuery = Static<typeof ListLocalOffersQuery>

const LocalOffers = Type.Object(
  { localRewardOffers: Type.Array(LocalOffer, { description: 'The offers of this page' }), nextPage: NextPage },
  { $id: 'LocalOffers', description: 'A page of local offers' },
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
  description: [
    'Lists the live offers of shops around a ZIP code, nearest first, by bank time. A purchase with a linked card at one of these merchants earns the `commission`. For an unknown ZIP code the list is empty.',
    `The sample catalogue has the categories ${sampleCategories.local.join(', ')}; an imported catalogue or another provider may have others. An unknown category matches nothing.`,
    'Pages are numbered from 0. `nextPage` is the number of the next one, and null on the last.',
  ].join('\n\n'),
  status: 200,
  scope: 'rewards:read',
  fromStandby: true,
  query: ListLocalOffersQuery,
  data: LocalOffers,
  problems: [],
  run: ({ offers, caller }, { query }) => offers.listLocalOffers(caller, query),
})
