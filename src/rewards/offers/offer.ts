import { type Static, type TSchema, Type } from 'typebox'
import { Text, Timestamp } from '../../base/text.ts'

/** Digits in the built-in catalogue; a connector returns the ids of its upstream. */
const OfferRecordId = Type.String({ examples: ['1000042'] })

const Merchant = Type.Object(
  {
    id: OfferRecordId,
    name: Type.String({ examples: ['Quillbrook Coffee'] }),
    description: Type.String({ examples: ['Coffee and pastries'] }),
    websiteURL: Type.String({ examples: ['https://quillbrook-coffee.example.com'] }),
    imgUrl: Type.String({ examples: ['https://images.example.com/quillbrook-coffee.png'] }),
  },
  { $id: 'Merchant' },
)

const offer = {
  id: OfferRecordId,
  title: Type.String({ examples: ['5% cash back at Quillbrook Coffee'] }),
  terms: Type.String({ description: 'May be empty' }),
  redeemableOnce: Type.Boolean(),
}
const conditions = {
  commission: Type.Number({ description: 'Percent, with at most two decimals', examples: [4.5] }),
  expirationDate: Timestamp,
  merchant: Merchant,
}

/** Opening hours, one text a day. */
export function HoursOf<Day extends TSchema>(day: Day) {
  return Type.Object({
    monday: day,
    tuesday: day,
    wednesday: day,
    thursday: day,
    friday: day,
    saturday: day,
    sunday: day,
  })
}
const OperationHours = Type.Object(
  HoursOf(Type.String({ examples: ['09:00-17:00'], description: 'Empty if the hours are not known' })).properties,
  { $id: 'OperationHours' },
)
export type OperationHours = Static<typeof OperationHours>

export const OfferAddress = Type.Object(
  {
    street: Text(1, 255, { examples: ['1 Sample Street'] }),
    city: Text(1, 100, { examples: ['Springfield'] }),
    state: Type.String({ pattern: '^[A-Z]{2}$', examples: ['IL'] }),
    zip: Type.String({ pattern: '^[0-9]{5}(-[0-9]{4})?$', examples: ['62701'] }),
  },
  { $id: 'OfferAddress' },
)

export const GeoLocation = Type.Object(
  {
    lat: Type.Number({ minimum: -90, maximum: 90, examples: [39.8] }),
    long: Type.Number({ minimum: -180, maximum: 180, examples: [-89.64] }),
  },
  { $id: 'GeoLocation' },
)

export const LocalOffer = Type.Object(
  {
    ...offer,
    offerType: Type.Literal('INSTORE'),
    ...conditions,
    operationHours: OperationHours,
    address: OfferAddress,
    geoLocation: GeoLocation,
    phone: Type.String({ examples: ['+12175550123'] }),
  },
  { $id: 'LocalOffer' },
)
export type LocalOffer = Static<typeof LocalOffer>

export const NationalOffer = Type.Object(
  { ...offer, offerType: Type.Literal('ONLINE'), ...conditions },
  { $id: 'NationalOffer' },
)
export type NationalOffer = Static<typeof NationalOffer>

/** The query parameters that both lists share. */
export const offersQuery = {
  userId: Text(1, 255, {
    description:
      'User whose offers are listed. The built-in catalogue ignores it; a connector passes it to its upstream',
    examples: ['1'],
  }),
  page: Type.Integer({ minimum: 0, maximum: 1_000_000_000, description: 'Number of the page, from 0', examples: [0] }),
  pageSize: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 200, default: 20, description: 'Maximum number of offers to return' }),
  ),
  category: Type.Optional(Text(1, 100, { description: 'Only offers of this category', examples: ['Groceries'] })),
  search: Type.Optional(
    Text(1, 100, { description: 'Only offers whose merchant name or title contains this text', examples: ['coffee'] }),
  ),
}

export const NextPage = Type.Union([Type.Integer(), Type.Null()], {
  description: 'Number of the next page; null on the last page',
})
