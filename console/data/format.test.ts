import { expect, test } from 'vitest'
import {
  amount,
  centsOf,
  compactMoney,
  date,
  dateTime,
  dayEnd,
  dayStart,
  dayTitle,
  duration,
  money,
  month,
  sentence,
  shortTime,
  timeOfDay,
  utc,
  words,
  zoneOf,
} from './format.ts'

test('amounts are exact to the cent, also the largest', () => {
  expect(amount(0)).toBe('0.00')
  expect(amount(5)).toBe('0.05')
  expect(money(151_080)).toBe('$1,510.80')
  expect(money(-6_420)).toBe('−$64.20')
  expect(money(Number.MAX_SAFE_INTEGER)).toBe('$90,071,992,547,409.91')
})

test('a sentence of the service has dollars, days in words and a capital', () => {
  expect(sentence('the ledger does not have item 3 of 2030-02-07, -998500 cents, 698 B2 FEES')).toBe(
    'The ledger does not have item 3 of Feb 7, 2030, −$9,985.00, 698 B2 FEES',
  )
  expect(sentence('')).toBe('')
  expect(sentence('Sent 2030-02-07T10:00:00Z, 5 of 7')).toBe('Sent 2030-02-07T10:00:00Z, 5 of 7')
})

test('a typed amount is read in cents, and anything else is refused', () => {
  expect(['25', '25.5', '$1,510.80', ' 0.05 '].map(centsOf)).toEqual([2_500, 2_550, 151_080, 5])
  expect(['', '-1', '1.234', '1,5', '12,34', '1e3', '99999999999999999'].map(centsOf)).toEqual(Array(7).fill(undefined))
})

test('the marks of a scale have three figures', () => {
  expect([0, 50, 99_900, 150_000, 1_234_500, 250_000_000].map(compactMoney)).toEqual([
    '$0',
    '$0.5',
    '$999',
    '$1.5K',
    '$12.3K',
    '$2.5M',
  ])
  expect([5e11, 9_007_199_254_740_991, -150_000].map(compactMoney)).toEqual(['$5B', '$90.1T', '−$1.5K'])
})

test('names of the interface are shown in words, months with their year', () => {
  expect(['PendingReview', 'account_not_open', 'achReturn', 'apiKey.deleted', 'CLAWED_BACK'].map(words)).toEqual([
    'Pending review',
    'Account not open',
    'ACH return',
    'API key deleted',
    'Clawed back',
  ])
  expect(month('2026-01')).toBe('January 2026')
})

test('times are in the zone of the reader, days without a time stay as they are', () => {
  const zone = 'America/New_York'
  expect(dateTime('2026-01-31T03:05:00.003Z', zone)).toBe('Jan 30, 2026 22:05')
  expect(dateTime('2026-07-31T04:05:00.003Z', zone)).toBe('Jul 31, 2026 00:05')
  expect(date('2026-01-31T03:05:00.003Z', zone)).toBe('Jan 30, 2026')
  expect(dayTitle('2026-01-31T03:05:00.003Z', zone)).toBe('Friday, Jan 30, 2026')
  expect(date('2026-01-31', zone)).toBe('Jan 31, 2026')
  expect(timeOfDay('2026-01-31T03:05:09.003Z', zone)).toBe('22:05:09.003')
  expect(utc('2026-01-31T03:05:09.003Z')).toBe('2026-01-31 03:05:09.003 UTC')
  expect(zoneOf('2026-01-31T03:05:00Z', zone)).toEqual({ name: 'EST', place: 'New York (UTC−5)' })
  expect(zoneOf('2026-07-31T03:05:00Z', zone)).toEqual({ name: 'EDT', place: 'New York (UTC−4)' })
  expect(zoneOf('2026-07-31T03:05:00Z', 'UTC')).toEqual({ name: 'UTC', place: 'UTC' })
})

test('a day of a filter ends a millisecond before the next one', () => {
  expect(Date.parse(dayEnd('2026-03-08')) + 1).toBe(Date.parse(dayStart('2026-03-09')))
  expect(Date.parse(dayEnd('2026-12-31')) + 1).toBe(Date.parse(dayStart('2027-01-01')))
})

test('a length of time has its two largest units', () => {
  const seconds = [0, 59, 60, 119, 3_600, 11_520, 86_400, 90_000]
  expect(seconds.map(duration)).toEqual(['0 s', '59 s', '1 min', '1 min', '1 h', '3 h 12 min', '1 d', '1 d 1 h'])
})

test('a time names its year only if it is not the present one, in the zone of the reader', () => {
  const now = '2026-12-31T12:00:00.000Z'
  expect(shortTime('2026-01-31T12:00:00.000Z', 'UTC', now)).toBe('Jan 31, 12:00')
  expect(shortTime('2027-01-01T04:59:00.000Z', 'America/New_York', now)).toBe('Dec 31, 23:59')
  expect(shortTime('2027-01-01T04:59:00.000Z', 'UTC', now)).toBe('Jan 1, 2027 04:59')
})
