import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { LocalOffer, NationalOffer, OperationHours } from '../../rewards/offers/offer.ts'
import {
  faultIn,
  hoursOf,
  type LeftOut,
  localOfferOf,
  Maybe,
  MaybeText,
  nationalOfferOf,
  type OfferList,
  type PercentOffer,
  placeMembers,
  placeOf,
  type Shop,
} from './offer.ts'

/** A page of either list. */
export const document = Compile(
  Type.Object({
    data: Type.Array(Type.Unknown()),
    included: Maybe(Type.Array(Type.Unknown())),
    links: Maybe(Type.Object({ next: MaybeText })),
  }),
)

const Reference = Type.Object({ id: Type.String() })
const References = Maybe(Type.Object({ data: Maybe(Type.Array(Reference)) }))
const Amount = Maybe(Type.Object({ type: Type.String(), value: Type.Number() }))

const category = Compile(
  Type.Object({
    type: Type.Literal('category'),
    id: Type.String(),
    attributes: Type.Object({ name: Type.String() }),
  }),
)

/** The members of an offer that are used here; all others are ignored. */
const Offer = Type.Object({
  type: Type.String(),
  id: Type.String(),
  attributes: Type.Object({
    name: Type.String(),
    terms: MaybeText,
    maxRedemptions: Maybe(Type.Number()),
    purchaseChannel: Type.Array(Type.String()),
    userReward: Maybe(Type.Object({ type: Type.String(), value: Maybe(Type.Number()) })),
    assets: Maybe(Type.Array(Type.Object({ type: Type.String(), url: Type.String() }))),
    expirationDate: MaybeText,
    minTransactionAmount: Amount,
    maxTransactionAmount: Amount,
    maxRewardAmount: Amount,
    websiteUrl: MaybeText,
    description: MaybeText,
  }),
  relationships: Maybe(Type.Object({ category: References })),
})
type Offer = Static<typeof Offer>
const offerRecord = Compile(Offer)

const Hours = Maybe(
  Type.Object({
    periods: Maybe(
      Type.Array(
        Type.Object({
          open: Type.Object({ day: Type.Integer({ minimum: 0, maximum: 7 }), time: Type.String() }),
          close: Maybe(Type.Object({ time: Type.String() })),
        }),
      ),
    ),
    weekdayText: Maybe(Type.Array(Type.String())),
  }),
)

const Location = Type.Object({
  id: Type.String(),
  attributes: Type.Object({
    name: Type.String(),
    ...placeMembers,
    phone: MaybeText,
    operationHours: Hours,
  }),
  relationships: Maybe(Type.Object({ offers: References, category: References })),
})
const location = Compile(Location)

/** Reads a page of online offers. `asked` is the category that the list was filtered by. */
export function nationalOffersOf(body: unknown, asked?: string): OfferList<NationalOffer> | undefined {
  if (!document.Check(body)) return undefined
  const read: OfferList<NationalOffer> = { listed: [], leftOut: [] }
  const categories = categoriesIn(body.included ?? [])
  for (const record of body.data) {
    if (!offerRecord.Check(record)) {
      read.leftOut.push({ ...nameOf(record), reason: faultIn(offerRecord, record) ?? '' })
      continue
    }
    const { id, type, attributes, relationships } = record
    const offer = attributes.purchaseChannel.includes('ONLINE') ? percentOfferOf(record, attributes.name) : undefined
    const shown = offer && nationalOfferOf(offer)
    if (typeof shown === 'string') read.leftOut.push({ type, id, reason: shown })
    else if (shown) {
      read.listed.push({ offer: shown, categories: named(relationships?.category, categories, asked), key: id })
    }
  }
  return read
}

/** Reads a page of shops, whose offers are included beside them, into one entry for each shop and offer. */
export function localOffersOf(body: unknown, asked?: string): OfferList<LocalOffer> | undefined {
  if (!document.Check(body)) return undefined
  const read: OfferList<LocalOffer> = { listed: [], leftOut: [] }
  const included = {
    categories: categoriesIn(body.included ?? []),
    offers: offersIn(body.included ?? [], read.leftOut),
  }
  for (const record of body.data) {
    if (location.Check(record)) readShop(record, included, asked, read)
    else read.leftOut.push({ ...nameOf(record), reason: faultIn(location, record) ?? '' })
  }
  return read
}

interface Included {
  categories: Map<string, string>
  /** Null for an offer that cannot be read, which was counted already. */
  offers: Map<string, Offer | null>
}

function readShop(
  { id, attributes, relationships }: Static<typeof Location>,
  { categories, offers }: Included,
  asked: string | undefined,
  { listed, leftOut }: OfferList<LocalOffer>,
): void {
  const shop: Shop = {
    operationHours: openingHours(attributes.operationHours),
    ...placeOf(attributes.address, attributes.coordinates),
    phone: attributes.phone ?? '',
  }
  for (const { id: offerId } of relationships?.offers?.data ?? []) {
    const record = offers.get(offerId)
    if (record === undefined) leftOut.push({ type: 'offer', id: offerId, reason: 'the offer is not included' })
    if (!record?.attributes.purchaseChannel.includes('INSTORE')) continue
    const offer = percentOfferOf(record, attributes.name)
    const shown = offer && localOfferOf(offer, shop)
    if (typeof shown === 'string') leftOut.push({ type: 'location', id, reason: shown })
    else if (shown) {
      const inCategories = named(relationships?.category, categories, asked)
      listed.push({ offer: shown, categories: inCategories, key: `${offerId} ${id}` })
    }
  }
}

/** The offers that are included in a page, by id. */
function offersIn(included: unknown[], leftOut: LeftOut[]): Included['offers'] {
  const offers: Included['offers'] = new Map()
  for (const record of included) {
    if (offerRecord.Check(record)) offers.set(record.id, record)
    else if (nameOf(record).type !== 'category') {
      leftOut.push({ ...nameOf(record), reason: faultIn(offerRecord, record) ?? '' })
      offers.set(nameOf(record).id, null)
    }
  }
  return offers
}

/** The names of the categories that are included in a page, by id. */
function categoriesIn(included: unknown[]): Included['categories'] {
  return new Map(included.filter((record) => category.Check(record)).map(({ id, attributes }) => [id, attributes.name]))
}

/** The categories of a record. One without any is of the category that Kard filtered by. */
function named(
  related: Static<typeof References> | undefined,
  names: Included['categories'],
  asked: string | undefined,
): string[] {
  const found = (related?.data ?? []).flatMap(({ id }) => names.get(id) ?? [])
  return found.length === 0 && asked !== undefined ? [asked] : found
}

/**
 * An offer with a percentage for the user. Undefined for any other, such as a flat amount: the interface has no other kind,
 * and an amount in dollars would be read as percent. Kard's current API has no ids of merchants.
 */
function percentOfferOf({ id, attributes }: Offer, merchantName: string): PercentOffer | undefined {
  const { userReward, assets, websiteUrl, description } = attributes
  if (userReward?.type !== 'PERCENT' || typeof userReward.value !== 'number') return undefined
  return {
    id,
    terms: attributes.terms,
    redeemableOnce: attributes.maxRedemptions === 1,
    commission: userReward.value,
    expirationDate: attributes.expirationDate,
    minTransactionAmount: centsOf(attributes.minTransactionAmount),
    maxTransactionAmount: centsOf(attributes.maxTransactionAmount),
    maxRewardAmount: centsOf(attributes.maxRewardAmount),
    merchant: {
      id: '',
      name: merchantName,
      description: description ?? '',
      websiteURL: websiteUrl ?? '',
      imgUrl: assets?.find(({ type }) => type === 'IMG_VIEW')?.url ?? '',
    },
  }
}

function centsOf(amount: Static<typeof Amount> | undefined): number | undefined {
  return amount?.type === 'CENTS' ? amount.value : undefined
}

const daysFromSunday = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

/** Opening hours from their texts, such as `Monday: 9:00 AM – 5:00 PM`. Without texts, from the times. */
function openingHours(hours: Static<typeof Hours> | undefined): OperationHours {
  const texts = (hours?.weekdayText ?? []).flatMap((text) => {
    const [, day, range] = /^\s*(\p{L}+)\s*:\s*(.*?)\s*$/u.exec(text) ?? []
    return day === undefined ? [] : [[day, range] as const]
  })
  if (texts.length > 0) return hoursOf(texts)
  const ranges = new Map<string, string>()
  for (const { open, close } of hours?.periods ?? []) {
    const day = daysFromSunday[open.day] ?? ''
    const range = `${clockTime(open.time)}-${close ? clockTime(close.time) : ''}`
    ranges.set(day, [ranges.get(day) ?? [], range].flat().join(', '))
  }
  return hoursOf(ranges)
}

/** `0900` as `09:00`. */
function clockTime(time: string): string {
  return time.replace(/^(\d\d)(\d\d)$/, '$1:$2')
}

/** The type and the id of a record that may lack both. */
function nameOf(record: unknown): { type: string; id: string } {
  const { type, id } = (record ?? {}) as { type?: unknown; id?: unknown }
  const [typeText, idText] = [type, id].map((text) => (typeof text === 'string' ? text.slice(0, 100) : ''))
  return { type: typeText ?? '', id: idText ?? '' }
}
