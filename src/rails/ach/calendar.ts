import { addDays, addMs } from '../../base/clock.ts'
import { Recent } from '../../base/recent.ts'
import type { ReturnLimit } from './codes.ts'

/**
 * Banking days and windows of the Federal Reserve. Days are texts `YYYY-MM-DD`, times of day `HH:MM` in Eastern time;
 * both compare as text. Instants are UTC.
 */

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

type Holiday = { month: number; day: number } | { month: number; weekday: number; nth: number }

const MONDAY = 1
const THURSDAY = 4
const holidayRules: readonly Holiday[] = [
  { month: 1, day: 1 },
  { month: 1, weekday: MONDAY, nth: 3 },
  { month: 2, weekday: MONDAY, nth: 3 },
  { month: 5, weekday: MONDAY, nth: -1 },
  { month: 6, day: 19 },
  { month: 7, day: 4 },
  { month: 9, weekday: MONDAY, nth: 1 },
  { month: 10, weekday: MONDAY, nth: 2 },
  { month: 11, day: 11 },
  { month: 11, weekday: THURSDAY, nth: 4 },
  { month: 12, day: 25 },
]

/** Years that were asked for. A bank asks for a few, so a simple map is enough. */
const known = new Map<number, readonly string[]>()

/**
 * The holidays of the Reserve Banks in a year. One that falls on a Sunday is kept on Monday. One that falls on a Saturday
 * stays there, and the Friday before is a banking day.
 */
export function holidaysOf(year: number): readonly string[] {
  const found = known.get(year) ?? holidayRules.map((rule) => holidayIn(year, rule))
  known.set(year, found)
  return found
}

function holidayIn(year: number, rule: Holiday): string {
  if ('day' in rule) {
    const day = dayText(year, rule.month, rule.day)
    return weekdayOf(day) === 0 ? daysAfter(day, 1) : day
  }
  const { month, weekday, nth } = rule
  if (nth > 0) {
    const first = (weekday - weekdayOf(dayText(year, month, 1)) + 7) % 7
    return dayText(year, month, 1 + first + (nth - 1) * 7)
  }
  const last = daysAfter(dayText(year, month + 1, 1), -1)
  return daysAfter(last, -((weekdayOf(last) - weekday + 7) % 7))
}

export function isBankingDay(day: string): boolean {
  const weekday = weekdayOf(day)
  return weekday !== 0 && weekday !== 6 && !holidaysOf(Number(day.slice(0, 4))).includes(day)
}

/** By day and count. A file of returns asks for the same deadline a hundred thousand times, 10 µs each. */
const laterDays = new Recent<string, string>(1_000)

/** The banking day that is so many banking days after a day. With 0 it is the day itself, or the next banking day. */
export function bankingDaysAfter(day: string, count: number): string {
  const key = `${day} ${count}`
  const known = laterDays.get(key)
  if (known !== undefined) return known
  const later = countedFrom(day, count)
  laterDays.set(key, later)
  return later
}

function countedFrom(day: string, count: number): string {
  let found = day
  while (!isBankingDay(found)) found = daysAfter(found, 1)
  // From a closed day, the first banking day is one day after.
  let left = found === day || count === 0 ? count : count - 1
  while (left > 0) {
    found = daysAfter(found, 1)
    if (isBankingDay(found)) left--
  }
  return found
}

export function daysAfter(day: string, count: number): string {
  return addDays(`${day}T00:00:00.000Z`, count).slice(0, 10)
}

/** A cut-off. Same-day entries settle at the given time of that day; others at 08:30 on the next banking day. */
export interface Window {
  cutoff: string
  /** Null: no same-day settlement. */
  settles: string | null
}

/** The windows of FedACH, with 30 minutes for the bank that forwards the files. */
export const defaultWindows: readonly Window[] = [
  { cutoff: '10:00', settles: '13:00' },
  { cutoff: '14:15', settles: '17:00' },
  { cutoff: '16:15', settles: '18:00' },
  { cutoff: '22:15', settles: null },
]

const NEXT_DAY_SETTLEMENT = '08:30'

export interface Departure {
  /** The cut-off with which an entry leaves, and the settlement. */
  cutoff: string
  settles: string
  effectiveDate: string
}

/** By windows, and by the minute and kind of the entry: cut-offs are at full minutes. To find a departure takes 50 µs. */
const departures = new WeakMap<readonly Window[], Recent<number, Departure>>()

/**
 * The first cut-off after an instant. An entry that comes exactly at a cut-off leaves with the next one. A same-day entry
 * that is too late for the day's windows leaves with the next cut-off all the same, and settles on the next banking day.
 */
export function departureOf(at: string, sameDay: boolean, windows: readonly Window[] = defaultWindows): Departure {
  const key = 2 * minuteOf(at) + (sameDay ? 1 : 0)
  const known = departures.get(windows)?.get(key)
  if (known) return known
  const departure = departureIn(at, sameDay, windows)
  const ofWindows = departures.get(windows) ?? new Recent(1_000)
  departures.set(windows, ofWindows.set(key, departure))
  return departure
}

function departureIn(at: string, sameDay: boolean, windows: readonly Window[]): Departure {
  const [firstWindow] = windows
  if (!firstWindow) throw new RangeError('there are no windows')
  const today = easternOf(at).day
  const open = isBankingDay(today) ? windows.find(({ cutoff }) => easternInstant(today, cutoff) > at) : undefined
  const day = open ? today : bankingDaysAfter(today, 1)
  const window = open ?? firstWindow
  const cutoff = easternInstant(day, window.cutoff)
  if (sameDay && window.settles !== null) {
    return { cutoff, effectiveDate: day, settles: easternInstant(day, window.settles) }
  }
  const next = bankingDaysAfter(day, 1)
  return { cutoff, effectiveDate: next, settles: easternInstant(next, NEXT_DAY_SETTLEMENT) }
}

/**
 * The day by whose opening a return must be with the other bank, of the day on which the answered entry settled; null
 * if no number of days limits it.
 */
export function returnDeadline(settled: string, limit: ReturnLimit): string | null {
  if (typeof limit === 'string') return null
  if ('bankingDays' in limit) return bankingDaysAfter(settled, limit.bankingDays)
  return bankingDaysAfter(daysAfter(settled, limit.calendarDays), 1)
}

/** The settlement day of a batch header: the number of the day in its year. */
export function dayNumberOf(day: string): string {
  const start = Date.parse(`${day.slice(0, 4)}-01-01T00:00:00.000Z`)
  return String((Date.parse(`${day}T00:00:00.000Z`) - start) / DAY_MS + 1).padStart(3, '0')
}

/** The day with a number in its year that is nearest to another day: a settlement day has no year. */
export function dayOfNumber(number: string, near: string): string | undefined {
  const year = Number(near.slice(0, 4))
  const distance = (day: string) => Math.abs(Date.parse(`${day}T00:00:00.000Z`) - Date.parse(`${near}T00:00:00.000Z`))
  return [year - 1, year, year + 1]
    .map((each) => daysAfter(`${String(each).padStart(4, '0')}-01-01`, Number(number) - 1))
    .filter((day) => dayNumberOf(day) === number)
    .toSorted((a, b) => distance(a) - distance(b))[0]
}

const eastern = new Intl.DateTimeFormat('en-CA', {
  ...{ timeZone: 'America/New_York', hourCycle: 'h23' },
  ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' },
})

interface WallTime {
  day: string
  time: string
}

/** By the minute. The calendar takes 20 µs for one instant, and a payment asks for ten, most of them the same. */
const wallTimes = new Recent<number, WallTime>(1_000)

/** The day and the time of day in Eastern time. */
export function easternOf(instant: string): WallTime {
  const at = minuteOf(instant)
  const known = wallTimes.get(at)
  if (known) return known
  const found = wallTimeOf(at * MINUTE_MS)
  wallTimes.set(at, found)
  return found
}

function minuteOf(instant: string): number {
  return Math.floor(Date.parse(instant) / MINUTE_MS)
}

function wallTimeOf(ms: number): WallTime {
  const parts = Object.fromEntries(eastern.formatToParts(ms).map(({ type, value }) => [type, value]))
  const { year = '', month = '', day = '', hour = '', minute = '' } = parts
  return { day: `${year.padStart(4, '0')}-${month}-${day}`, time: `${hour}:${minute}` }
}

/**
 * The instant of a time of day in Eastern time. Of a time that occurs twice it is the first. A time that the clocks skip
 * is one hour later.
 */
export function easternInstant(day: string, time: string): string {
  const wall = `${day}T${time}:00.000Z`
  const offsets = [-1, 1].map((days) => offsetMinutes(addDays(wall, days)))
  const candidates = offsets.map((offset) => addMs(wall, offset * MINUTE_MS))
  const exact = candidates.filter((each) => easternOf(each).time === time && easternOf(each).day === day)
  return (exact.length > 0 ? exact : candidates).toSorted()[exact.length > 0 ? 0 : 1] as string
}

/** Minutes that Eastern time is behind UTC. */
function offsetMinutes(instant: string): number {
  const { day, time } = easternOf(instant)
  return Math.round((Date.parse(instant) - Date.parse(`${day}T${time}:00.000Z`)) / MINUTE_MS)
}

function weekdayOf(day: string): number {
  // 1 January 1970 was a Thursday.
  return (((Date.parse(`${day}T00:00:00.000Z`) / DAY_MS + THURSDAY) % 7) + 7) % 7
}

function dayText(year: number, month: number, day: number): string {
  const [y, m] = month > 12 ? [year + 1, month - 12] : [year, month]
  return `${String(y).padStart(4, '0')}-${String(m).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}
