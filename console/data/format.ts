export { words } from '../../ground/words.ts'

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Cents as dollars, `1,510.80`, computed with whole numbers. */
export function amount(cents: number): string {
  const text = Math.abs(cents).toString().padStart(3, '0')
  const dollars = text.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, ',')
  return `${cents < 0 ? '−' : ''}${dollars}.${text.slice(-2)}`
}

/** Cents with the sign of the currency, `$1,510.80`. */
export function money(cents: number): string {
  return cents < 0 ? `−$${amount(-cents)}` : `$${amount(cents)}`
}

const steps = [
  [1e14, 'T', 1e12],
  [1e11, 'B', 1e9],
  [1e8, 'M', 1e6],
  [1e5, 'K', 1e3],
] as const

/** Cents as a short text for the marks of a scale, `$1.5K`, to three figures. */
export function compactMoney(cents: number): string {
  const size = Math.abs(cents)
  const [, unit, worth] = steps.find(([from]) => size >= from) ?? [0, '', 1]
  const figure = Number((size / 100 / worth).toPrecision(3))
  return `${cents < 0 ? '−' : ''}$${figure}${unit}`
}

/** The cents of an amount in dollars that a person typed; undefined if it is none. */
export function centsOf(text: string): number | undefined {
  const match = /^\s*\$?\s*(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d{1,2}))?\s*$/.exec(text)
  if (!match) return undefined
  const cents = Number((match[1] ?? '').replaceAll(',', '')) * 100 + Number((match[2] ?? '').padEnd(2, '0'))
  return Number.isSafeInteger(cents) ? cents : undefined
}

/** A whole number with separators, `5,001`. */
export function count(number: number): string {
  return number.toLocaleString('en-US')
}

/** A number of things in words: `1 payment`, `5,001 payments`. */
export function counted(number: number, one: string, several = `${one}s`): string {
  return `${count(number)} ${number === 1 ? one : several}`
}

const formats = new Map<string | undefined, Intl.DateTimeFormat>()

/** The parts of an instant in the zone of the reader. */
function parts(iso: string, zone: string | undefined): Record<string, string> {
  // Making a format takes longer than all its uses on a screen.
  const format = formats.get(zone) ?? new Intl.DateTimeFormat('en-US', { ...allParts, ...(zone && { timeZone: zone }) })
  formats.set(zone, format)
  return Object.fromEntries(format.formatToParts(Date.parse(iso)).map(({ type, value }) => [type, value]))
}

const allParts: Intl.DateTimeFormatOptions = {
  ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: '2-digit', minute: '2-digit', second: '2-digit' },
  ...{ fractionalSecondDigits: 3, hourCycle: 'h23' },
}

/** A time in the zone of the reader, `Jan 31, 2026 12:00`. */
export function dateTime(iso: string, zone?: string): string {
  const { hour, minute } = parts(iso, zone)
  return `${date(iso, zone)} ${hour}:${minute}`
}

/** A time of this year without the year, `Jan 31, 12:00`. */
export function shortTime(iso: string, zone?: string, now = new Date().toISOString()): string {
  const text = dateTime(iso, zone)
  return parts(iso, zone).year === parts(now, zone).year ? text.replace(/ \d{4} /, ' ') : text
}

/** A day, `Jan 31, 2026`; of an instant, the one in the zone of the reader. */
export function date(iso: string, zone?: string): string {
  if (iso.length === 10) return `${months[Number(iso.slice(5, 7)) - 1]} ${Number(iso.slice(8))}, ${iso.slice(0, 4)}`
  const { year, month, day } = parts(iso, zone)
  return `${months[Number(month) - 1]} ${day}, ${year}`
}

/** The day of an instant as a heading, `Tuesday, Nov 24, 2026`. */
export function dayTitle(iso: string, zone?: string): string {
  const weekday = new Intl.DateTimeFormat('en-US', { weekday: 'long', ...(zone && { timeZone: zone }) })
  return `${weekday.format(Date.parse(iso))}, ${date(iso, zone)}`
}

/** The time of day with milliseconds in the zone of the reader, `12:00:00.003`. */
export function timeOfDay(iso: string, zone?: string): string {
  const { hour, minute, second, fractionalSecond } = parts(iso, zone)
  return `${hour}:${minute}:${second}.${fractionalSecond}`
}

/** An instant in UTC, `2026-01-31 12:00:00.003 UTC`. */
export function utc(iso: string): string {
  return `${new Date(iso).toISOString().replace('T', ' ').replace('Z', '')} UTC`
}

/** The zone of the reader at a time: its name, such as `EST`, and its place with the distance from UTC. */
export function zoneOf(iso: string, zone?: string): { name: string; place: string } {
  const named = (timeZoneName: 'short' | 'shortOffset') =>
    new Intl.DateTimeFormat('en-US', { timeZoneName, ...(zone && { timeZone: zone }) })
      .formatToParts(Date.parse(iso))
      .find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const { timeZone } = new Intl.DateTimeFormat('en-US', zone ? { timeZone: zone } : {}).resolvedOptions()
  const city = timeZone.split('/').at(-1)?.replaceAll('_', ' ')
  const offset = named('shortOffset').replace('GMT', 'UTC').replace('-', '−')
  return { name: named('short'), place: timeZone === 'UTC' ? 'UTC' : `${city} (${offset})` }
}

/** A length of time in its two largest units, `3 h 12 min`. */
export function duration(seconds: number): string {
  const units = [
    ['d', 86_400],
    ['h', 3_600],
    ['min', 60],
    ['s', 1],
  ] as const
  const at = Math.max(
    0,
    units.findIndex(([, size]) => seconds >= size),
  )
  const [unit, size] = units[seconds < 1 ? 3 : at] ?? ['s', 1]
  const next = units[at + 1]
  const rest = next && seconds >= 1 ? Math.floor((seconds % size) / next[1]) : 0
  const most = `${Math.floor(seconds / size)} ${unit}`
  return rest > 0 && unit !== 'min' ? `${most} ${rest} ${next?.[0]}` : most
}

/** The first instant of a day in the zone of the reader. */
export function dayStart(day: string): string {
  return new Date(`${day}T00:00:00`).toISOString()
}

/** The last instant of a day in the zone of the reader. */
export function dayEnd(day: string): string {
  const next = new Date(`${day}T00:00:00`)
  next.setDate(next.getDate() + 1)
  return new Date(next.getTime() - 1).toISOString()
}

/** A month, `January 2026`, of `2026-01`. */
export function month(period: string): string {
  const full = new Date(`${period}-15T00:00:00Z`).toLocaleString('en-US', { month: 'long', timeZone: 'UTC' })
  return `${full} ${period.slice(0, 4)}`
}

/** A sentence of the service for people: cents as dollars, days as elsewhere on the screen, and a capital at the beginning. */
export function sentence(text: string): string {
  const shown = text
    .replace(/(-?\d+) cents\b/g, (_, cents) => money(Number(cents)))
    .replace(/\b\d{4}-\d\d-\d\d\b/g, (day) => date(day))
  return shown.charAt(0).toUpperCase() + shown.slice(1)
}

/** The end of an account number, `··1234`. */
export function lastFour(accountNumber: string): string {
  return `··${accountNumber.slice(-4)}`
}
