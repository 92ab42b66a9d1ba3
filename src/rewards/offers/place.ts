/** A point on the sphere, in degrees. */
export interface Place {
  lat: number
  long: number
}

const EARTH_RADIUS_MILES = 3958.7613
/** Bands of latitude in one degree, as in the column `band` of an offer. */
const BANDS_A_DEGREE = 20
/** A margin larger than any rounding error. The exact distance later excludes places that the box adds. */
const SLACK_DEGREES = 1e-6

/** A box around a circle: whole bands of latitude and a range of longitudes. */
export interface SearchBox {
  bands: number[]
  west: number
  east: number
}

export function searchBox({ lat, long }: Place, radiusMiles: number): SearchBox {
  const angle = radiusMiles / EARTH_RADIUS_MILES
  const reach = degrees(angle) + SLACK_DEGREES
  const first = Math.floor(Math.max(-90, lat - reach) * BANDS_A_DEGREE)
  const last = Math.floor(Math.min(90, lat + reach) * BANDS_A_DEGREE)
  const bands = Array.from({ length: last - first + 1 }, (_, index) => first + index)
  // A circle around a pole meets every longitude. Circles across the date line are rare and treated the same way.
  const holdsPole = Math.abs(lat) + reach >= 90
  const width = holdsPole ? 360 : degrees(Math.asin(Math.sin(angle) / Math.cos(radians(lat)))) + SLACK_DEGREES
  const crosses = long - width < -180 || long + width > 180
  return crosses ? { bands, west: -180, east: 180 } : { bands, west: long - width, east: long + width }
}

export function milesBetween(one: Place, other: Place): number {
  const half = (difference: number) => Math.sin(radians(difference) / 2) ** 2
  const share = half(other.lat - one.lat)
  const rest = Math.cos(radians(one.lat)) * Math.cos(radians(other.lat)) * half(other.long - one.long)
  return 2 * EARTH_RADIUS_MILES * Math.asin(Math.min(1, Math.sqrt(share + rest)))
}

/** The place at a distance in miles and a direction in degrees from north. */
export function placeFrom({ lat, long }: Place, miles: number, bearing: number): Place {
  const angle = miles / EARTH_RADIUS_MILES
  const sine =
    Math.sin(radians(lat)) * Math.cos(angle) + Math.cos(radians(lat)) * Math.sin(angle) * Math.cos(radians(bearing))
  const east = Math.atan2(
    Math.sin(radians(bearing)) * Math.sin(angle) * Math.cos(radians(lat)),
    Math.cos(angle) - Math.sin(radians(lat)) * sine,
  )
  return { lat: degrees(Math.asin(sine)), long: ((long + degrees(east) + 540) % 360) - 180 }
}

function radians(angle: number): number {
  return (angle * Math.PI) / 180
}

function degrees(angle: number): number {
  return (angle * 180) / Math.PI
}
