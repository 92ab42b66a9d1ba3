import { parseInstant } from '../../base/clock.ts'
import { easternOf } from '../ach/calendar.ts'
import { StatementFault } from './statement.ts'

/** Cents from a whole number of them. A sign is for balances, which alone may have one. */
export function centsOf(text: string, line: number, { signed = false } = {}): number {
  const cents = (signed ? /^[+-]?\d{1,18}$/ : /^\+?\d{1,18}$/).test(text) ? Number(text) : Number.NaN
  if (!Number.isSafeInteger(cents)) throw new StatementFault('amount', `${shown(text)} is no amount in cents`, line)
  return cents + 0
}

/** Cents from a decimal number without a sign. Digits after the cents must be zeros. */
export function decimalCents(text: string, line?: number): number {
  const [, whole = '', cents = '', rest = ''] = /^(\d{1,18})(?:\.(\d{1,2})(\d{0,3}))?$/.exec(text) ?? []
  const value = whole === '' || /[1-9]/.test(rest) ? Number.NaN : Number(whole + cents.padEnd(2, '0'))
  if (!Number.isSafeInteger(value))
    throw new StatementFault('amount', `${shown(text)} is no amount in whole cents`, line)
  return value
}

/** A date as `YYYY-MM-DD`, checked against the calendar. A zone after it does not change the day. */
export function dayOf(text: string, line?: number): string {
  const day = text.slice(0, 10)
  const isDay = /^\d{4}-\d\d-\d\d(Z|[+-]\d\d:\d\d)?$/.test(text) && parseInstant(day) !== undefined
  if (!isDay) throw new StatementFault('date', `${shown(text)} is no date`, line)
  return day
}

/** The day of `YYMMDD`. */
export function shortDay(text: string, line: number): string {
  return dayOf(text.replace(/^(\d\d)(\d\d)(\d\d)$/, '20$1-$2-$3'), line)
}

/** The day of a time in Eastern time. A time without a zone is the bank's own. */
export function dayOfTime(text: string, line?: number): string {
  const zoned = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)?$/.exec(text)
  const instant = zoned && parseInstant(zoned[2] ? text : `${text}Z`)
  if (!instant) throw new StatementFault('date', `${shown(text)} is no time`, line)
  return zoned[2] ? easternOf(instant).day : text.slice(0, 10)
}

function shown(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text)
}
