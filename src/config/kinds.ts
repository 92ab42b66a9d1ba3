import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { rateKinds, type StopRates } from '../banking/ach/return-rates.ts'
import { durationMs } from '../base/calendar.ts'
import { messageOf } from '../base/message-of.ts'
import { serversOf } from '../database/database.ts'
import type { Kind, Mode } from './reader.ts'

/** Beyond this, more machines are needed, or another database. */
const MAX_PROCESSES = 64

export function text(expected: string): Kind<string> {
  return { parse: (given) => given, expected }
}

export function matching(pattern: RegExp, expected: string): Kind<string> {
  return { parse: (given) => (pattern.test(given) ? given : undefined), expected }
}

export function oneOf<T extends string>(...words: T[]): Kind<T> {
  const expected = words.length <= 2 ? words.join(' or ') : `one of ${words.join(', ')}`
  return { parse: (given) => words.find((word) => word === given), expected }
}

export function wholeNumber(min: number, max: number, expected: string): Kind<number> {
  return { parse: (given) => (/^\d+$/.test(given) ? within(Number(given), min, max) : undefined), expected }
}

export function visibleAscii(
  min: number,
  max: number,
  expected = `${min} to ${max} visible ASCII characters`,
): Kind<string> {
  return matching(new RegExp(`^[\\x21-\\x7e]{${min},${max}}$`), expected)
}

/** Kinds of return rates with percents, such as `unauthorized:0.5,all:15`, in hundredths of a percent. */
export const stopRates: Kind<StopRates> = {
  parse: (given) => {
    const stops: StopRates = {}
    for (const part of given.split(',')) {
      const [name = '', percent = '', ...more] = part.split(':')
      const kind = rateKinds.find((each) => each === name)
      const isKnown = kind !== undefined && stops[kind] === undefined && more.length === 0
      if (!isKnown || !/^\d{1,3}(\.\d{1,2})?$/.test(percent)) return undefined
      stops[kind] = within(Math.round(Number(percent) * 100), 1, 100_00)
      if (stops[kind] === undefined) return undefined
    }
    return stops
  },
  expected: 'kinds of return rates with percents, such as unauthorized:0.5,administrative:3,all:15',
}

/** Banking days after the first return of a debit and after that of its retry. */
export const retryDays: Kind<number[]> = {
  parse: (given) => (/^\d{1,2}(,\d{1,2})?$/.test(given) ? allWithin(given.split(',').map(Number), 1, 30) : undefined),
  expected: 'one or two numbers of banking days from 1 to 30, with a comma, such as 2,5',
}

export const port = wholeNumber(0, 65_535, 'a port number from 0 to 65535')
export const cents = wholeNumber(0, Number.MAX_SAFE_INTEGER, 'whole cents, 0 or more')
export const rate = wholeNumber(1, 1_000_000, 'requests a second, 1 to 1000000')
export const milliseconds = wholeNumber(1, 600_000, 'milliseconds from 1 to 600000')
export const processes: Kind<number> = {
  parse: (given) => {
    if (given === 'auto') return Math.min(MAX_PROCESSES, availableParallelism())
    return /^\d+$/.test(given) ? within(Number(given), 1, MAX_PROCESSES) : undefined
  },
  expected: `a number of processes from 1 to ${MAX_PROCESSES}, or auto for one for each core`,
}
export const secret = visibleAscii(1, 4096, 'visible ASCII characters')
export const logLevel = oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent')

export const duration: Kind<number> = {
  parse: durationMs,
  expected: 'an ISO 8601 duration of days and less, such as P7D or PT0S',
}

export const webhookTimeout: Kind<number> = {
  parse: (given) => within(durationMs(given), 1_000, 60_000),
  expected: 'an ISO 8601 duration from PT1S to PT60S',
}

export const databaseWait: Kind<number> = {
  parse: (given) => within(durationMs(given), 0, 3_600_000),
  expected: 'an ISO 8601 duration from PT0S to PT1H',
}

export const durations: Kind<number[]> = {
  parse(given) {
    const list = given.split(',').map((part) => durationMs(part.trim()))
    return list.length <= 20 && list.every((ms) => ms !== undefined) ? list : undefined
  },
  expected: 'up to 20 ISO 8601 durations of days and less, separated by commas, such as PT5S,PT5M,PT2H',
}

export const networks: Kind<string[]> = {
  parse(given) {
    const list = given.split(',').map((part) => part.trim())
    return list.every(isNetwork) ? list : undefined
  },
  expected: 'addresses or networks like 10.0.0.0/8, with commas',
}

export const hostNames: Kind<string[]> = {
  parse(given) {
    const list = given.split(',').map((part) => part.trim().toLowerCase())
    return list.every((name) => /^(\[[0-9a-f:.]+\]|[a-z0-9._-]{1,253})$/.test(name)) ? list : undefined
  },
  expected: 'host names without a port, with commas, such as bank.example.com',
}

export const databaseUrl = urlOf('primary')
export const standbyUrl = urlOf('standby')

/** The URL of a database on servers of this kind. */
function urlOf(kind: 'primary' | 'standby'): Kind<string> {
  return {
    parse: (given) => (databaseUrlFault(given, kind) === undefined ? given : undefined),
    expected: (given) => databaseUrlFault(given, kind) ?? '',
  }
}

export const key32: Kind<Buffer> = {
  parse(given) {
    const bytes = Buffer.from(given, 'base64')
    return bytes.length === 32 && /^[A-Za-z0-9+/]{43}=$/.test(given) ? bytes : undefined
  },
  expected: '32 bytes in Base64',
}

function isNetwork(given: string): boolean {
  const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(given) ?? []
  const version = isIP(address)
  return version !== 0 && Number(bits ?? 0) <= (version === 4 ? 32 : 128)
}

/** The fault of a database URL as the end of "must be …"; undefined if there is none. */
function databaseUrlFault(given: string, kind: 'primary' | 'standby'): string | undefined {
  try {
    serversOf(given, kind)
    return undefined
  } catch (error) {
    return messageOf(error)
  }
}

function allWithin(values: number[], min: number, max: number): number[] | undefined {
  return values.every((value) => within(value, min, max) !== undefined) ? values : undefined
}

export function within(value: number | undefined, min: number, max: number): number | undefined {
  return value !== undefined && value >= min && value <= max ? value : undefined
}
/** The base URL of an upstream, without a trailing slash. It receives secrets, so that live mode refuses plain HTTP. */
export function upstreamUrl(mode: Mode): Kind<string> {
  const schemes = mode === 'live' ? ['https:'] : ['https:', 'http:']
  const hasScheme = (given: string) => URL.canParse(given) && schemes.includes(new URL(given).protocol)
  return {
    parse(given) {
      if (!hasScheme(given)) return undefined
      const { username, password, search, hash, href } = new URL(given)
      return `${username}${password}${search}${hash}` === '' ? href.replace(/\/+$/, '') : undefined
    },
    expected(given) {
      if (hasScheme(given)) return 'a URL without user, password, query and fragment'
      return mode === 'live' ? 'an https:// URL' : 'an https:// URL, or in sandbox mode an http:// one'
    },
  }
}
