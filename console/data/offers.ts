/** A place on earth, in degrees. */
export interface Place {
  lat: number
  long: number
}

const EARTH_MILES = 3_958.8

/** The distance between two places in miles. */
export function milesBetween(one: Place, other: Place): number {
  const half = (from: number, to: number) => Math.sin(radians(to - from) / 2) ** 2
  const share =
    half(one.lat, other.lat) + Math.cos(radians(one.lat)) * Math.cos(radians(other.lat)) * half(one.long, other.long)
  return 2 * EARTH_MILES * Math.asin(Math.min(1, Math.sqrt(share)))
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180
}

/** The five digits of a ZIP code that a person typed; undefined while it is none. */
export function zipOf(text: string | undefined): string | undefined {
  return /^\s*(\d{5})(-\d{4})?\s*$/.exec(text ?? '')?.[1]
}

/** An address of the web that is safe to link to. */
export function webAddress(text: string): string | undefined {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) ? text : undefined
}

const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
const short = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const

/** The opening hours of a week, days in a row with the same hours together: `Mon to Fri 11:00-22:00`. Unknown days are left out. */
export function hoursText(hours: Readonly<Record<(typeof days)[number], string>>): string {
  const runs: { first: number; last: number; text: string }[] = []
  days.forEach((day, at) => {
    const run = runs.at(-1)
    if (run && run.text === hours[day] && run.last === at - 1) run.last = at
    else if (hours[day]) runs.push({ first: at, last: at, text: hours[day] })
  })
  return runs
    .map(({ first, last, text }) => `${short[first]}${last > first ? ` to ${short[last]}` : ''} ${text}`)
    .join(', ')
}
