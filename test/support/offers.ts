import type { CatalogueOffer, LocalCatalogueOffer, NationalCatalogueOffer } from '../../src/rewards/offers/catalogue.ts'
import type { LocalOffer, NationalOffer } from '../../src/rewards/offers/offer.ts'
import type { Place } from '../../src/rewards/offers/place.ts'
import type { ZipCode } from '../../src/rewards/offers/sample-catalogue.ts'
import type { Reply, TestBank } from './harness.ts'

let made = 0

/** A shop that is live; what a test says of it counts. */
export function localOffer(own: Partial<LocalCatalogueOffer> = {}): LocalCatalogueOffer {
  return {
    ...offer(),
    offerType: 'INSTORE',
    operationHours: {
      monday: '09:00-17:00',
      tuesday: '09:00-17:00',
      wednesday: '09:00-17:00',
      thursday: '09:00-17:00',
      friday: '09:00-20:00',
      saturday: '10:00-16:00',
      sunday: '12:00-16:00',
    },
    address: { street: '1 Sample Street', city: 'New York', state: 'NY', zip: '10001' },
    geoLocation: { lat: 40.7484, long: -73.9967 },
    phone: '+12125550123',
    ...own,
  }
}

export function nationalOffer(own: Partial<NationalCatalogueOffer> = {}): NationalCatalogueOffer {
  return { ...offer(), offerType: 'ONLINE', ...own }
}

export function merchant(name: string) {
  const key = name.toLowerCase().replaceAll(' ', '-')
  return {
    key,
    name,
    description: `${name}, for tests`,
    websiteURL: `https://${key}.example.com`,
    imgUrl: `https://images.example.com/${key}.png`,
  }
}

function offer() {
  return {
    key: `offer-${made++}`,
    merchant: merchant('Quillbrook Coffee'),
    title: '4.5% cash back',
    terms: '',
    category: 'Restaurants',
    redeemableOnce: false,
    commission: 4.5,
    totalCommission: 6,
    validFrom: '2020-01-01T00:00:00.000Z',
    expirationDate: '2099-01-31T12:00:00.000Z',
  }
}

export const newYork: ZipCode = { zip: '10001', lat: 40.7484, long: -73.9967, city: 'New York', state: 'NY' }
export const beverlyHills: ZipCode = { zip: '90210', lat: 34.0901, long: -118.4065, city: 'Beverly Hills', state: 'CA' }

/** A place so many miles north of another: along a meridian the distance is the angle. */
export function milesNorth({ lat, long }: { lat: number; long: number }, miles: number) {
  return { lat: lat + (miles / 3958.7613) * (180 / Math.PI), long }
}

/** Enough for every list to have something in it. */
export function smallCatalogue(): CatalogueOffer[] {
  return [
    localOffer({ merchant: merchant('Quillbrook Coffee') }),
    localOffer({ merchant: merchant('Tamberly Market'), category: 'Groceries' }),
    nationalOffer({ merchant: merchant('Aurelvane Online'), category: 'Shopping' }),
    nationalOffer({ merchant: merchant('Jetquill Toys'), category: 'Shopping' }),
  ]
}

/** All offers of a list, page after page as `nextPage` says. */
export async function walkPages(bank: TestBank, url: string, name: string): Promise<unknown[]> {
  const offers: unknown[] = []
  for (let page: number | null = 0; page !== null; ) {
    const { json }: Reply = await bank.call('GET', `${url}&page=${page}`)
    if (json.data.nextPage !== null && json.data.nextPage !== page + 1)
      throw new Error(`${page} → ${json.data.nextPage}`)
    offers.push(...json.data[name])
    page = json.data.nextPage
  }
  return offers
}

/** The value that a sort order compares. */
export function seenBy(sort: string, offer: NationalOffer | LocalOffer, centre: Place = newYork): string | number {
  if (sort.endsWith('commission')) return offer.commission
  if (sort.endsWith('expirationDate')) return offer.expirationDate
  if (sort.endsWith('merchantName')) return offer.merchant.name.toLowerCase()
  // The shops of the tests lie along a meridian.
  return Math.round(((offer as LocalOffer).geoLocation.lat - centre.lat) * 1e6)
}
