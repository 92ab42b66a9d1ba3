import { invalidRequest } from './problem.ts'

/** Real time, for security and transport timers. Bank time comes from the database only. */
export const clock = {
  nowMs: (): number => Date.now(),
  now: (): Date => new Date(),
  /** A monotonic reading for durations, in milliseconds. */
  elapsedMs: (): number => performance.now(),
}

/** An instant as the interface writes it, from milliseconds of real time. */
export function instantOf(ms: number): string {
  return new Date(ms).toISOString()
}

/** A timestamp as a Date, for libraries that need one. */
export function dateOf(timestamp: string): Date {
  return new Date(timestamp)
}

const INSTANT = /^(\d{4}-\d\d-\d\d)(?:[Tt](\d\d:\d\d:\d\d)(?:\.(\d+))?([Zz]|[+-]\d\d:\d\d))?$/

/**
 * Reads an RFC 3339 date-time, or a date as its midnight in UTC, and checks it against the calendar. Digits past the
 * millisecond become a single further digit: records have whole milliseconds, so it is enough to lie between two.
 */
export function parseInstant(text: string): string | undefined {
  const [match, date, time = '00:00:00', fraction = '', zone = 'Z'] = INSTANT.exec(text) ?? []
  if (match === undefined) return undefined
  const [hours = 0, minutes = 0] = zone.slice(1).split(':').map(Number)
  const local = Date.parse(`${date}T${time}.${fraction.padEnd(3, '0').slice(0, 3)}Z`)
  // Date.parse reads April 31 as May 1, and 24:00 as the next day.
  const exists = Number.isFinite(local) && new Date(local).toISOString().startsWith(`${date}T${time}`)
  if (!exists || hours > 23 || minutes > 59) return undefined
  const shift = (hours * 60 + minutes) * 60_000 * (zone.startsWith('-') ? 1 : -1)
  const instant = new Date(local + shift).toISOString()
  if (!/^(?!0000)\d{4}-/.test(instant)) return undefined
  return /[1-9]/.test(fraction.slice(3)) ? instant.replace('Z', '5Z') : instant
}

/** Parses the time in a member of a body, cut to milliseconds. Refuses a text that is no time. */
export function instantIn(member: string, text: string): string {
  const parsed = parseInstant(text)
  if (parsed !== undefined) return addMs(parsed, 0)
  const message = `${member} must be an RFC 3339 date-time or YYYY-MM-DD`
  throw invalidRequest([{ pointer: `/${member}`, code: 'bad_format', message }])
}

/** The last instant that the interface's form of a time can say. Bank time ends here. */
export const LAST_INSTANT = '9999-12-31T23:59:59.999Z'

const LAST_MS = Date.parse(LAST_INSTANT)

/** A later instant, at most LAST_INSTANT: a year of five digits would fit neither the interface nor the database's input. */
export function addMs(instant: string, ms: number): string {
  return new Date(Math.min(LAST_MS, Date.parse(instant) + ms)).toISOString()
}

export function addDays(instant: string, days: number): string {
  return addMs(instant, days * 86_400_000)
}
