import { type Static, Type } from 'typebox'
import { Text } from '../../base/text.ts'
import { GeoLocation, HoursOf, OfferAddress } from './offer.ts'

const Key = Text(1, 255, { description: 'Permanent key of the record: a later import with the same key replaces it' })
const Url = Type.String({ pattern: '^https?://\\S+$', maxLength: 2048 })
/** Percent. The import also refuses more than two decimals, which the schema cannot express. */
const Percent = Type.Number({ minimum: 0.01, maximum: 100 })
const Instant = Type.String({ description: 'An RFC 3339 date-time or YYYY-MM-DD' })

const CatalogueMerchant = Type.Object(
  { key: Key, name: Text(1, 255), description: Text(0, 2000), websiteURL: Url, imgUrl: Url },
  { additionalProperties: false },
)
export type CatalogueMerchant = Static<typeof CatalogueMerchant>

const offer = {
  key: Key,
  merchant: CatalogueMerchant,
  title: Text(1, 255),
  terms: Text(0, 5000),
  category: Text(1, 100),
  redeemableOnce: Type.Boolean(),
  commission: Percent,
  totalCommission: Percent,
  validFrom: Instant,
  expirationDate: Instant,
  minimumSpend: Type.Optional(Type.Integer({ minimum: 0, maximum: 999_999_999_999 })),
  maximumReward: Type.Optional(Type.Integer({ minimum: 1, maximum: 999_999_999_999 })),
  /** The offer earns at these ids alone, if the purchase has one; names are then not compared. */
  merchantIds: Type.Optional(Type.Array(Text(1, 100), { minItems: 1, maxItems: 1_000, uniqueItems: true })),
  /** The offer earns with these merchant category codes alone, if the purchase has one. */
  categoryCodes: Type.Optional(
    Type.Array(Type.String({ pattern: '^[0-9]{4}$' }), { minItems: 1, maxItems: 100, uniqueItems: true }),
  ),
}

/** An offer of an import file: the fields that lists show and those that only the rewards engine uses. */
export const LocalCatalogueOffer = Type.Object(
  {
    ...offer,
    offerType: Type.Literal('INSTORE'),
    operationHours: Type.Object(HoursOf(Text(1, 50)).properties, { additionalProperties: false }),
    address: Type.Object(OfferAddress.properties, { additionalProperties: false }),
    geoLocation: Type.Object(GeoLocation.properties, { additionalProperties: false }),
    phone: Text(1, 50),
  },
  { additionalProperties: false },
)

export const NationalCatalogueOffer = Type.Object(
  { ...offer, offerType: Type.Literal('ONLINE') },
  { additionalProperties: false },
)

export type LocalCatalogueOffer = Static<typeof LocalCatalogueOffer>
export type NationalCatalogueOffer = Static<typeof NationalCatalogueOffer>
export type CatalogueOffer = LocalCatalogueOffer | NationalCatalogueOffer
