import type { Schedule } from '../../../banking/recurring-payments/recurring-payment.ts'
import { endOfMonth } from '../../../base/calendar.ts'
import { Recent } from '../../../base/recent.ts'
import { daysAfter, easternInstant, isBankingDay } from '../../../rails/ach/calendar.ts'

/** The days on which a recurring payment pays. Days are texts `YYYY-MM-DD` in Eastern time; they compare as text. */

/** Runs are made at this time of day in Eastern time: after the settlement of the morning, before the first cut-off. */
const RUN_TIME = '09:00'

/** No due date is later. Days beyond could not be moved to a banking day. */
const LAST_DUE_DATE = '9999-11-30'

/** The due date with a number, counted from 0; undefined after the last one. */
export function dueDateAt(schedule: Schedule, number: number): string | undefined {
  const { count, endDate = LAST_DUE_DATE } = schedule
  if (count !== undefined && number >= count) return undefined
  const date = dateAt(schedule, number)
  return date === undefined || date > endDate || date > LAST_DUE_DATE ? undefined : date
}

function dateAt(schedule: Schedule, number: number): string | undefined {
  const { interval, startDate } = schedule
  switch (interval) {
    case 'Once':
      return number === 0 ? startDate : undefined
    case 'Weekly':
      return daysAfter(startDate, 7 * number)
    case 'EveryTwoWeeks':
      return daysAfter(startDate, 14 * number)
    case 'Yearly':
      return dayOfMonth(monthNumber(startDate) + 12 * number, Number(startDate.slice(8)))
    default:
      return dateInMonths(schedule, number)
  }
}

/** The days of the month on which a schedule pays. */
function daysOfMonth({ interval, startDate, days }: Pick<Schedule, 'interval' | 'startDate' | 'days'>): number[] {
  if (days !== undefined) return days
  return interval === 'TwiceAMonth' ? [1, 15] : [Number(startDate.slice(8))]
}

/** The due date of a schedule by days of the month. The first one is the first of these days from the start on. */
function dateInMonths(schedule: Schedule, number: number): string {
  const days = daysOfMonth(schedule)
  const first = monthNumber(schedule.startDate)
  const passed = days.filter((day) => dayOfMonth(first, day) < schedule.startDate).length
  const place = passed + number
  return dayOfMonth(first + Math.floor(place / days.length), days[place % days.length] ?? 1)
}

function monthNumber(date: string): number {
  return Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1
}

function dayOfMonth(month: number, day: number): string {
  const year = Math.floor(month / 12)
  if (year > 9999) return '9999-12-31'
  const name = `${String(year).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}`
  const [date, last] = [`${name}-${String(day).padStart(2, '0')}`, endOfMonth(name).slice(0, 10)]
  return date < last ? date : last
}

/** The day on which the payment of a due date is made: another one if the banks are closed and the rule says so. */
export function runDate({ onClosedDay }: Pick<Schedule, 'onClosedDay'>, dueDate: string): string {
  if (onClosedDay === 'AsItComes') return dueDate
  let date = dueDate
  while (!isBankingDay(date)) date = daysAfter(date, onClosedDay === 'Before' ? -1 : 1)
  return date
}

/** By the day. A run asks for two instants, and many runs ask for the same. */
const instants = new Recent<string, string>(1_000)

/** The instant at which the runs of a day are made. */
export function instantOfRuns(date: string): string {
  const known = instants.get(date)
  if (known !== undefined) return known
  const instant = easternInstant(date, RUN_TIME)
  instants.set(date, instant)
  return instant
}

/** The number of the first due date that is not before a day; undefined if none of the next `most` is. */
export function numberOfDueDate(schedule: Schedule, date: string, { from, most }: { from: number; most: number }) {
  for (let number = from; number < from + most; number++) {
    const due = dueDateAt(schedule, number)
    if (due === undefined || due > date) return undefined
    if (due === date) return number
  }
  return undefined
}
