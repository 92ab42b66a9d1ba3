import { createHash } from 'node:crypto'
import type { CatalogueMerchant, CatalogueOffer, LocalCatalogueOffer } from '../../../src/rewards/offers/catalogue.ts'
import type { KardRecord, KardStore } from './kard.ts'

/** An id of Kard's: 24 hexadecimal digits. */
function idOf(kind: string, key: string): string {
  return createHash('sha256').update(`${kind} ${key}`).digest('hex').slice(0, 24)
}

/** The same offers in the forms of both APIs. */
export function addToKard({ legacy, current }: KardStore, offers: CatalogueOffer[]): void {
  for (const offer of offers) {
    current.categories.set(idOf('category', offer.category), offer.category)
    if (offer.offerType === 'ONLINE') {
      legacy.offers.push(legacyOnlineOffer(offer))
      current.offers.push(currentOffer(offer))
    } else {
      legacy.locations.push(legacyLocation(offer))
      current.shopOffers.push(currentOffer(offer))
      current.locations.push(currentLocation(offer))
    }
  }
}

/** An online offer of the legacy API, with the changes of a test. */
export function legacyOnlineOffer(offer: CatalogueOffer, own: KardRecord = {}): KardRecord {
  const merchant = legacyMerchant(offer.merchant, offer.category)
  return { ...legacyOffer(offer), category: offer.category, source: 'NATIONAL', merchant, ...own }
}

/** A location of the legacy API with its offer. */
export function legacyLocation(offer: LocalCatalogueOffer, own: KardRecord = {}): KardRecord {
  const { street, city, state, zip } = offer.address
  return {
    _id: idOf('location', offer.key),
    merchantId: idOf('merchant', offer.merchant.key),
    name: offer.merchant.name,
    locationType: 'INSTORE',
    address: { street, city, state, zipCode: zip },
    geoLocation: { latitude: offer.geoLocation.lat, longitude: offer.geoLocation.long },
    phone: offer.phone,
    operationHours: Object.fromEntries(
      Object.entries(offer.operationHours).map(([day, hours]) => [day.toUpperCase(), hours]),
    ),
    source: 'LOCAL',
    category: offer.category,
    offers: [{ ...legacyOffer(offer), source: 'LOCAL' }],
    merchant: legacyMerchant(offer.merchant, offer.category),
    createdDate: '2024-01-01T00:00:00.000Z',
    lastModified: '2024-01-01T00:00:00.000Z',
    ...own,
  }
}

function legacyOffer(offer: CatalogueOffer): KardRecord {
  return {
    _id: idOf('offer', offer.key),
    name: `${offer.merchant.name} - everybody`,
    terms: offer.terms,
    redeemableOnce: offer.redeemableOnce,
    offerType: offer.offerType,
    commissionType: 'PERCENT',
    startDate: instantOf(offer.validFrom),
    expirationDate: instantOf(offer.expirationDate),
    createdDate: '2024-01-01T00:00:00.000Z',
    lastModified: '2024-01-01T00:00:00.000Z',
    totalCommission: offer.totalCommission,
    usersCommission: offer.commission,
    issuersCommission: offer.totalCommission - offer.commission,
    isTargeted: false,
    isLocationSpecific: false,
    ...(offer.minimumSpend && { minTransactionAmount: offer.minimumSpend }),
    ...(offer.maximumReward && { maxRewardAmount: offer.maximumReward }),
  }
}

function legacyMerchant(
  { key, name, description, websiteURL, imgUrl }: CatalogueMerchant,
  category: string,
): KardRecord {
  return {
    _id: idOf('merchant', key),
    name,
    description,
    websiteURL,
    imgUrl,
    category,
    type: 'CARDLINKED',
    acceptedCards: ['VISA'],
  }
}

/** An offer of the current API, which has no merchant: its name is the merchant's. */
export function currentOffer(offer: CatalogueOffer, own: KardRecord = {}): KardRecord {
  const { name, description, websiteURL, imgUrl } = offer.merchant
  return {
    type: 'standardOffer',
    id: idOf('offer', offer.key),
    attributes: {
      name,
      terms: offer.terms,
      ...(offer.redeemableOnce && { maxRedemptions: 1 }),
      purchaseChannel: [offer.offerType],
      userReward: { type: 'PERCENT', value: offer.commission },
      assets: [
        { type: 'BANNER_VIEW', url: `${imgUrl}?banner`, alt: `Banner of ${name}` },
        { type: 'IMG_VIEW', url: imgUrl, alt: `Logo of ${name}` },
      ],
      startDate: instantOf(offer.validFrom),
      expirationDate: instantOf(offer.expirationDate),
      isTargeted: false,
      ...(offer.minimumSpend && { minTransactionAmount: { type: 'CENTS', value: offer.minimumSpend } }),
      ...(offer.maximumReward && { maxRewardAmount: { type: 'CENTS', value: offer.maximumReward } }),
      websiteUrl: websiteURL,
      description,
      ...own,
    },
    relationships: { category: categoryOf(offer) },
  }
}

/** A location of the current API, which names its offer by id. */
export function currentLocation(offer: LocalCatalogueOffer, own: KardRecord = {}): KardRecord {
  const { street, city, state, zip } = offer.address
  const days = Object.entries(offer.operationHours)
  return {
    type: 'location',
    id: idOf('location', offer.key),
    attributes: {
      name: offer.merchant.name,
      address: { street, city, state, zipCode: zip },
      coordinates: { latitude: offer.geoLocation.lat, longitude: offer.geoLocation.long },
      phone: offer.phone,
      operationHours: {
        periods: [{ open: { day: 1, time: '0900' }, close: { day: 1, time: '1700' } }],
        weekdayText: days.map(([day, hours]) => `${day[0]?.toUpperCase()}${day.slice(1)}: ${hours}`),
      },
      partnerIds: [],
      ...own,
    },
    relationships: {
      offers: { data: [{ type: 'standardOffer', id: idOf('offer', offer.key) }] },
      category: categoryOf(offer),
    },
  }
}

function categoryOf({ category }: CatalogueOffer): KardRecord {
  return { data: [{ type: 'category', id: idOf('category', category) }] }
}

function instantOf(text: string): string {
  return new Date(text).toISOString()
}
