import { createHash } from 'node:crypto'
import type { CatalogueMerchant, CatalogueOffer } from '../../../src/rewards/offers/catalogue.ts'
import type { FakeKard, KardRecord } from './kard.ts'

/** An id of the upstream: 24 hexadecimal digits. */
function idOf(kind: string, key: string): string {
  return createHash('sha256').update(`${kind} ${key}`).digest('hex').slice(0, 24)
}

/** The same offers in the upstream's form. */
export function addToKard(fake: FakeKard, offers: CatalogueOffer[]): void {
  for (const offer of offers) {
    if (offer.offerType === 'ONLINE') {
      fake.offers.push({
        ...kardOffer(offer),
        category: offer.category,
        source: 'NATIONAL',
        merchant: kardMerchant(offer.merchant, offer.category),
      })
    } else {
      const { street, city, state, zip } = offer.address
      fake.locations.push({
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
        offers: [kardOffer(offer)],
        merchant: kardMerchant(offer.merchant, offer.category),
        createdDate: '2024-01-01T00:00:00.000Z',
        lastModified: '2024-01-01T00:00:00.000Z',
      })
    }
  }
}

/** An offer in the upstream's form, with the changes of a test. */
export function kardOffer(offer: CatalogueOffer, own: KardRecord = {}): KardRecord {
  return {
    _id: idOf('offer', offer.key),
    name: `${offer.merchant.name} - everybody`,
    terms: offer.terms,
    redeemableOnce: offer.redeemableOnce,
    offerType: offer.offerType,
    commissionType: 'PERCENT',
    startDate: instantOf(offer.validFrom),
    expirationDate: instantOf(offer.expirationDate),
    totalCommission: offer.totalCommission,
    usersCommission: offer.commission,
    issuersCommission: offer.totalCommission - offer.commission,
    isTargeted: false,
    isLocationSpecific: false,
    ...(offer.minimumSpend && { minTransactionAmount: offer.minimumSpend }),
    ...(offer.maximumReward && { maxRewardAmount: offer.maximumReward }),
    ...own,
  }
}

function kardMerchant({ key, name, description, websiteURL, imgUrl }: CatalogueMerchant, category: string): KardRecord {
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

function instantOf(text: string): string {
  return new Date(text).toISOString()
}
