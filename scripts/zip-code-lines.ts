import { codes } from 'zipcodes'

/**
 * The centres of all ZIP codes, one a line, in their order: ZIP code, latitude, longitude, city, state. Mail of the armed
 * forces and embassies has ZIP codes too, some of which lie nowhere: their place in the package is 0, 0.
 */
export function zipCodeLines(): string {
  return Object.values(codes)
    .filter(
      ({ country, zip, latitude, longitude }) => country === 'US' && /^\d{5}$/.test(zip) && (latitude || longitude),
    )
    .sort((one, other) => (one.zip < other.zip ? -1 : 1))
    .map(({ zip, latitude, longitude, city, state }) => `${[zip, latitude, longitude, city, state].join('\t')}\n`)
    .join('')
}
