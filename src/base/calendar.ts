/** Months are text, `YYYY-MM` in UTC; they compare as text. */

/** The month an instant lies in. */
export function monthOf(instant: string): string {
  return instant.slice(0, 7)
}

export function monthAfter(month: string): string {
  return shiftMonth(month, 1)
}

export function monthBefore(month: string): string {
  return shiftMonth(month, -1)
}

function shiftMonth(month: string, by: number): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  const months = year * 12 + number - 1 + by
  return `${String(Math.floor(months / 12)).padStart(4, '0')}-${String((months % 12) + 1).padStart(2, '0')}`
}

/** The first instant of a month. */
export function startOfMonth(month: string): string {
  return `${month}-01T00:00:00.000Z`
}

/** The last millisecond of a month. */
export function endOfMonth(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][number - 1]
  return `${month}-${days}T23:59:59.999Z`
}

const DAYS = '([0-9]{1,4}D)?'
const HOURS_TO_SECONDS = '(T(?=.)([0-9]{1,6}H)?([0-9]{1,6}M)?([0-9]{1,6}S)?)?'

/** An ISO 8601 duration, with years, months and weeks. PostgreSQL reads the same form as an interval. */
export const DURATION_PATTERN = `^P(?=.)([0-9]{1,4}Y)?([0-9]{1,4}M)?([0-9]{1,4}W)?${DAYS}${HOURS_TO_SECONDS}$`

/** Years and months have no length in milliseconds, and weeks are left out with them. */
const FIXED_DURATION = new RegExp(`^P(?=.)${DAYS}${HOURS_TO_SECONDS}$`)

/** The length of an ISO 8601 duration of days, hours, minutes and seconds; undefined for any other text. */
export function durationMs(text: string): number | undefined {
  const match = FIXED_DURATION.exec(text)
  if (!match) return undefined
  const count = (part: string | undefined) => (part === undefined ? 0 : Number(part.slice(0, -1)))
  const [, days, , hours, minutes, seconds] = match
  return (((count(days) * 24 + count(hours)) * 60 + count(minutes)) * 60 + count(seconds)) * 1_000
}
