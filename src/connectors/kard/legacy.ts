import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { LocalOffer, NationalOffer } from '../../rewards/offers/offer.ts'
import { unreadable } from '../upstream-problems.ts'
import { type KardClient, NAME } from './client.ts'
import { type GatheredList, Gathering, type KardApi, type ListRequest, MAX_RECORDS, PAGE } from './lists.ts'
import {
  faultIn,
  hoursOf,
  type LeftOut,
  type Listed,
  localOfferOf,
  Maybe,
  MaybeText,
  nationalOfferOf,
  type OfferList,
  type PercentOffer,
  placeMembers,
  placeOf,
} from './offer.ts'

const PAGES_AT_ONCE = 4

/** Kard's legacy API: plain lists in numbered pages, with a merchant in each record. */
export const legacyApi: KardApi = {
  localOffers({ userId, category }, { lat, long }, radius) {
    const place = { latitude: String(lat), longitude: String(long), radius: String(radius) }
    return {
      path: `/rewards/merchant/locations/user/${encodeURIComponent(userId)}`,
      // Without includeLocal only shops of national merchants are listed.
      query: { ...place, includeLocal: 'true', ...(category && { category }) },
      read: (body) => localOffersOf(body, category),
      narrowBy: ['radius', 'category'],
    }
  },
  nationalOffers({ userId, category }) {
    return {
      path: `/rewards/merchant/offers/user/${encodeURIComponent(userId)}`,
      query: { offerType: 'ONLINE', ...(category && { category }) },
      read: (body) => nationalOffersOf(body, category),
      narrowBy: ['category'],
    }
  },
  gather,
}

async function gather<Offer>(
  client: KardClient,
  list: ListRequest<Offer>,
  deadlineMs: number,
): Promise<GatheredList<Offer>> {
  const gathering = new Gathering(list)
  for (let first = 0; first < MAX_RECORDS / PAGE; first += first === 0 ? 1 : PAGES_AT_ONCE) {
    const numbers = Array.from({ length: first === 0 ? 1 : PAGES_AT_ONCE }, (_, index) => first + index)
    const pages = await Promise.all(
      numbers.map((page) => {
        const search = new URLSearchParams({ ...list.query, page: String(page), limit: String(PAGE) })
        return client.get(`${list.path}?${search}`, deadlineMs)
      }),
    )
    let full = true
    for (const page of pages) {
      const read = page === undefined ? { listed: [], leftOut: [] } : list.read(page)
      if (!read) throw unreadable(NAME, `the answer of ${list.path} is not such a list`)
      gathering.add(read)
      full &&= Array.isArray(page) && page.length === PAGE
    }
    if (!full) return gathering.all()
  }
  throw gathering.tooMany()
}

const MaybeNumber = Maybe(Type.Number())

const Merchant = Type.Object({
  _id: Type.String(),
  name: Type.String(),
  description: MaybeText,
  websiteURL: MaybeText,
  imgUrl: MaybeText,
})

/** The members of an offer that are used here; all others are ignored. Amounts are cents. */
const Offer = Type.Object({
  _id: Type.String(),
  terms: MaybeText,
  redeemableOnce: Maybe(Type.Boolean()),
  offerType: MaybeText,
  commissionType: MaybeText,
  usersCommission: MaybeNumber,
  expirationDate: MaybeText,
  minTransactionAmount: MaybeNumber,
  maxTransactionAmount: MaybeNumber,
  maxRewardAmount: MaybeNumber,
  imgUrl: MaybeText,
})

const offerRecord = Compile(Offer)
const onlineOffer = Compile(Type.Object({ ...Offer.properties, category: MaybeText, merchant: Merchant }))
const Location = Type.Object({
  _id: Type.String(),
  category: MaybeText,
  address: placeMembers.address,
  geoLocation: placeMembers.coordinates,
  phone: MaybeText,
  operationHours: Maybe(Type.Record(Type.String(), MaybeText)),
  offers: Type.Array(Type.Unknown()),
  merchant: Merchant,
})
const location = Compile(Location)

/** Reads a page of online offers. `asked` is the category that the list was filtered by. */
export function nationalOffersOf(body: unknown, asked?: string): OfferList<NationalOffer> | undefined {
  if (!Array.isArray(body)) return undefined
  const listed: Listed<NationalOffer>[] = []
  const leftOut: LeftOut[] = []
  for (const record of body) {
    if (!onlineOffer.Check(record)) {
      leftOut.push({ type: 'offer', id: idIn(record), reason: faultIn(onlineOffer, record) ?? '' })
      continue
    }
    const offer = (record.offerType ?? 'ONLINE') === 'ONLINE' ? percentOfferOf(record, record.merchant) : undefined
    const shown = offer && nationalOfferOf(offer)
    if (typeof shown === 'string') leftOut.push({ type: 'offer', id: record._id, reason: shown })
    else if (shown) listed.push({ offer: shown, categories: categoriesOf(record.category, asked), key: record._id })
  }
  return { listed, leftOut }
}

/** Reads a page of shops into one entry for each shop and offer. */
export function localOffersOf(body: unknown, asked?: string): OfferList<LocalOffer> | undefined {
  if (!Array.isArray(body)) return undefined
  const read: OfferList<LocalOffer> = { listed: [], leftOut: [] }
  for (const record of body) {
    if (location.Check(record)) readShop(record, asked, read)
    else read.leftOut.push({ type: 'location', id: idIn(record), reason: faultIn(location, record) ?? '' })
  }
  return read
}

function readShop(shop: Static<typeof Location>, asked: string | undefined, read: OfferList<LocalOffer>): void {
  const place = {
    operationHours: hoursOf(Object.entries(shop.operationHours ?? {})),
    ...placeOf(shop.address, shop.geoLocation),
    phone: shop.phone ?? '',
  }
  for (const record of shop.offers) {
    if (!offerRecord.Check(record)) {
      read.leftOut.push({ type: 'offer', id: idIn(record), reason: faultIn(offerRecord, record) ?? '' })
      continue
    }
    const offer = (record.offerType ?? 'INSTORE') === 'INSTORE' ? percentOfferOf(record, shop.merchant) : undefined
    const shown = offer && localOfferOf(offer, place)
    const key = `${record._id} ${shop._id}`
    if (typeof shown === 'string') read.leftOut.push({ type: 'location', id: shop._id, reason: shown })
    else if (shown) read.listed.push({ offer: shown, categories: categoriesOf(shop.category, asked), key })
  }
}

/**
 * An offer with a percentage for the user. Undefined for any other, such as a flat amount: the interface has no other kind,
 * and an amount in dollars would be read as percent.
 */
function percentOfferOf(offer: Static<typeof Offer>, merchant: Static<typeof Merchant>): PercentOffer | undefined {
  const { usersCommission, commissionType } = offer
  if (typeof usersCommission !== 'number' || (commissionType ?? 'PERCENT') !== 'PERCENT') return undefined
  return {
    ...offer,
    id: offer._id,
    redeemableOnce: offer.redeemableOnce ?? false,
    commission: usersCommission,
    merchant: {
      id: merchant._id,
      name: merchant.name,
      description: merchant.description ?? '',
      websiteURL: merchant.websiteURL ?? '',
      // Kard counts views by the offer's own image.
      imgUrl: offer.imgUrl ?? merchant.imgUrl ?? '',
    },
  }
}

/** The categories of a record. One without any is of the category that Kard filtered by. */
function categoriesOf(category: string | null | undefined, asked: string | undefined): string[] {
  return [category ?? asked ?? []].flat()
}

function idIn(record: unknown): string {
  const { _id: id } = (record ?? {}) as { _id?: unknown }
  return typeof id === 'string' ? id.slice(0, 100) : ''
}
