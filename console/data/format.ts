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

/** A time in UTC, `Jan 31, 2026 12:00`. */
export function dateTime(iso: string): string {
  return `${date(iso)} ${iso.slice(11, 16)}`
}

/** A day in UTC, `Jan 31, 2026`. */
export function date(iso: string): string {
  return `${months[Number(iso.slice(5, 7)) - 1]} ${Number(iso.slice(8, 10))}, ${iso.slice(0, 4)}`
}

/** The time of day with milliseconds, `12:00:00.003`. */
export function timeOfDay(iso: string): string {
  return iso.slice(11, 23)
}

/** A month, `January 2026`, of `2026-01`. */
export function month(period: string): string {
  const full = new Date(`${period}-15T00:00:00Z`).toLocaleString('en-US', { month: 'long', timeZone: 'UTC' })
  return `${full} ${period.slice(0, 4)}`
}

/** A name of the interface in words: `PendingReview` is `Pending review`, `achClearing` is `Ach clearing`. */
export function words(name: string): string {
  const spaced = name.replace(/[_-]/g, ' ').replace(/([a-z0-9])([A-Z])/g, '$1 $2')
  return spaced.charAt(0).toUpperCase() + spaced.slice(1).toLowerCase()
}
