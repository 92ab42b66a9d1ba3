import { type Static, type TSchema, Type } from 'typebox'
import { described, Text, Timestamp } from '../../base/text.ts'

/** Digits in the built-in catalogue; a connector returns the ids of its upstream. */
const OfferRecordId = Type.String({ description: 'Id of this record', examples: ['1000042'] })

const Merchant = Type.Object(
  {
    id: OfferRecordId,
    name: Type.String({ description: 'Name of the merchant', examples: ['Quillbrook Coffee'] }),
    description: Type.String({ description: 'Short text about the merchant', examples: ['Coffee and pastries'] }),
    websiteURL: Type.String({
      description: 'Website of the merchant',
      examples: ['https://quillbrook-coffee.example.com'],
    }),
    imgUrl: Type.String({
      description: 'Picture of the merchant',
      examples: ['https://images.example.com/quillbrook-coffee.png'],
    }),
  },
  { $id: 'Merchant', description: 'The merchant of an offer' },
)

const offer = {
  id: OfferRecordId,
  title: Type.String({ description: 'Headline of the offer', examples: ['5% cash back at Quillbrook Coffee'] }),
  terms: Type.String({ description: 'Terms of the offer; may be empty' }),
  redeemableOnce: Type.Boolean({ description: 'Whether a partner user earns by the offer only once' }),
}
const conditions = {
  commission: Type.Number({
    description: 'Cash back in percent of the purchase, with at most two decimals',
    examples: [4.5],
  }),
  expirationDate: described(Timestamp, 'When the offer ends, in bank time'),
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
  { $id: 'OperationHours', description: 'Opening hours, one text for each day' },
)
export type OperationHours = Static<typeof OperationHours>

export const OfferAddress = Type.Object(
  {
    street: Text(1, 255, { description: 'Street and number', examples: ['1 Sample Street'] }),
    city: Text(1, 100, { description: 'City or town', examples: ['Springfield'] }),
    state: Type.String({ pattern: '^[A-Z]{2}$', description: 'State by its two letters', examples: ['IL'] }),
    zip: Text(1, 16, { description: 'ZIP or ZIP+4 code; abroad the postal code', examples: ['62701'] }),
  },
  { $id: 'OfferAddress', description: 'Address of the shop' },
)

export const GeoLocation = Type.Object(
  {
    lat: Type.Number({ minimum: -90, maximum: 90, description: 'Latitude in degrees', examples: [39.8] }),
    long: Type.Number({ minimum: -180, maximum: 180, description: 'Longitude in degrees', examples: [-89.64] }),
  },
  { $id: 'GeoLocation', description: 'Place of the shop' },
)

export const LocalOffer = Type.Object(
  {
    ...offer,
    offerType: Type.Literal('INSTORE', { description: 'An offer in a shop' }),
    ...conditions,
    operationHours: OperationHours,
    address: OfferAddress,
    geoLocation: GeoLocation,
    phone: Type.String({ description: 'Phone number of the shop', examples: ['+12175550123'] }),
  },
  { $id: 'LocalOffer', description: 'Cash back for purchases in a shop' },
)
export type LocalOffer = Static<typeof LocalOffer>

export const NationalOffer = Type.Object(
  { ...offer, offerType: Type.Literal('ONLINE', { description: 'An offer online' }), ...conditions },
  { $id: 'NationalOffer', description: 'Cash back for purchases online' },
)
export type NationalOffer = Static<typeof NationalOffer>

/** The query parameters that both lists share. */
export const offersQuery = {
  userId: Text(1, 255, {
    description: 'User whose offers are listed. The built-in catalogue ignores it; a connector passes it on',
    examples: ['1'],
  }),
  page: Type.Integer({ minimum: 0, maximum: 1_000_000_000, description: 'Number of the page, from 0', examples: [0] }),
  pageSize: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 200, default: 20, description: 'Most offers on a page' }),
  ),
  category: Type.Optional(
    Text(1, 100, { description: 'Only offers of this category, in any letter case', examples: ['Groceries'] }),
  ),
  search: Type.Optional(
    Text(1, 100, {
      description: 'Only offers with this text in the title or the merchant’s name, in any letter case',
      examples: ['coffee'],
    }),
  ),
}

export const NextPage = Type.Union([Type.Integer(), Type.Null()], {
  description: 'Number of the next page; null on the last page',
})
