import { codes } from 'zipcodes'
import type { ZipCode } from '../src/rewards/offers/sample-catalogue.ts'

/**
 * The centres of all ZIP codes, in their order. Mail of the armed forces and embassies has ZIP codes too, some of which lie
 * nowhere: their place in the package is 0, 0.
 */
export function allZipCodes(): ZipCode[] {
  return Object.values(codes)
    .filter(
      ({ country, zip, latitude, longitude }) => country === 'US' && /^\d{5}$/.test(zip) && (latitude || longitude),
    )
    .sort((one, other) => (one.zip < other.zip ? -1 : 1))
    .map(({ zip, latitude, longitude, city, state }) => ({ zip, lat: latitude, long: longitude, city, state }))
}

/** One ZIP code a line: ZIP code, latitude, longitude, city, state. */
export function zipCodeLines(): string {
  return allZipCodes()
    .map(({ zip, lat, long, city, state }) => `${[zip, lat, long, city, state].join('\t')}\n`)
    .join('')
}
