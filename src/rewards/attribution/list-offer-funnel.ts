import { type Static, Type } from 'typebox'
import { CentsValue } from '../../base/cents.ts'
import { pageQuery } from '../../base/page.ts'
import { described, Instant } from '../../base/text.ts'
import { offersRead } from '../provider.ts'

const sum = (description: string) => Type.Integer({ minimum: 0, description, examples: [12] })

const OfferFunnel = Type.Object(
  {
    date: Type.String({ format: 'date', description: 'The day in UTC, in bank time', examples: ['2026-01-31'] }),
    offerId: Type.String({ description: 'Id of the offer', examples: ['1000042'] }),
    title: Type.Union([Type.String(), Type.Null()], {
      description: 'Title of the offer; null if the catalogue does not have it',
    }),
    impressions: sum('How often it was on the screen'),
    views: sum('How often its page was opened'),
    clicks: sum('How often the way to the merchant was taken'),
    purchases: sum('How many purchases earned by it'),
    attributedPurchases: sum('How many of them followed an impression, view or click within 30 days'),
    earned: described(CentsValue, 'Cash back of the purchases, less what refunds took back, in cents'),
  },
  { $id: 'OfferFunnel', description: 'The way from the impression of an offer to its cash back, on one day' },
)
export type OfferFunnel = Static<typeof OfferFunnel>

const { limit, offset } = pageQuery
const ListOfferFunnelQuery = Type.Object({
  since: Type.Optional(
    Instant({ description: 'The first day, or a time in it; by default 29 days before the last one' }),
  ),
  until: Type.Optional(Instant({ description: 'The last day, or a time in it; by default today, in bank time' })),
  offerId: Type.Optional(Type.String({ description: 'Only this offer', examples: ['1000042'] })),
  limit,
  offset,
})
export type ListOfferFunnelQuery = Static<typeof ListOfferFunnelQuery>

/** Extension. Lists what became of offers, from the impression to the cash back. */
export const listOfferFunnel = offersRead({
  id: 'listOfferFunnel',
  resource: 'offers',
  verb: 'listFunnel',
  area: 'rewards',
  method: 'GET',
  path: '/v0/rewards/offer-funnel',
  summary: 'List offer funnel',
  description: `Lists impressions, views, clicks, purchases and cash back by day and offer, oldest day first. Days without any are left out.
A range may have 366 days (422 \`range_too_long\`). Counts of attributions are kept for 400 days. With Kard's legacy API the answer is
501.`,
  status: 200,
  scope: 'rewards:read',
  query: ListOfferFunnelQuery,
  data: Type.Array(OfferFunnel),
  problems: ['range_too_long', 'balance_limit', 'not_supported_by_provider'],
  run: ({ offers, caller }, { query }) => offers.listOfferFunnel(caller, query),
})
