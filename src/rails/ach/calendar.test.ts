import { describe, expect, test } from 'vitest'
import {
  bankingDaysAfter,
  dayNumberOf,
  dayOfNumber,
  daysAfter,
  defaultWindows,
  departureOf,
  easternInstant,
  easternOf,
  holidaysOf,
  isBankingDay,
  returnDeadline,
} from './calendar.ts'
import { contestCodes, dishonourCodes, returnCodes } from './codes.ts'

describe('banking days', () => {
  test('the holidays of a year, also of one far away', () => {
    expect(holidaysOf(2031)).toEqual([
      ...['2031-01-01', '2031-01-20', '2031-02-17', '2031-05-26', '2031-06-19', '2031-07-04'],
      ...['2031-09-01', '2031-10-13', '2031-11-11', '2031-11-27', '2031-12-25'],
    ])
    for (let year = 1990; year < 2200; year++) {
      const holidays = holidaysOf(year)
      expect(new Set(holidays).size).toBe(11)
      expect(holidays.every((day) => day.startsWith(String(year)))).toBe(true)
      expect(holidays.map((day) => weekday(day)).every((day) => day !== 0)).toBe(true)
    }
  })

  test('a holiday on a Sunday closes Monday, one on a Saturday closes no other day', () => {
    expect([isBankingDay('2027-07-04'), isBankingDay('2027-07-05'), isBankingDay('2027-07-06')]).toEqual([
      false,
      false,
      true,
    ])
    expect([isBankingDay('2026-07-03'), isBankingDay('2026-07-04'), isBankingDay('2026-07-06')]).toEqual([
      true,
      false,
      true,
    ])
    expect(isBankingDay('2033-01-01')).toBe(false)
    expect(isBankingDay('2034-01-02')).toBe(false)
  })

  test('counting skips weekends and holidays, from a closed day too', () => {
    expect(bankingDaysAfter('2026-02-13', 1)).toBe('2026-02-17')
    expect(bankingDaysAfter('2026-02-14', 1)).toBe('2026-02-17')
    expect(bankingDaysAfter('2026-02-14', 2)).toBe('2026-02-18')
    expect(bankingDaysAfter('2026-02-14', 0)).toBe('2026-02-17')
    expect(bankingDaysAfter('2026-02-13', 0)).toBe('2026-02-13')
    expect(bankingDaysAfter('2026-12-31', 1)).toBe('2027-01-04')
  })
})

describe('Eastern time', () => {
  test('a time of day is five hours behind UTC in winter and four in summer', () => {
    expect(easternInstant('2026-01-15', '22:15')).toBe('2026-01-16T03:15:00.000Z')
    expect(easternInstant('2026-07-15', '22:15')).toBe('2026-07-16T02:15:00.000Z')
    expect(easternOf('2026-01-16T04:59:59.999Z')).toEqual({ day: '2026-01-15', time: '23:59' })
    expect(easternOf('2026-01-16T05:00:00.000Z')).toEqual({ day: '2026-01-16', time: '00:00' })
  })

  test('a time that the clocks skip is an hour later, one that occurs twice is the first', () => {
    expect(easternInstant('2026-03-08', '02:30')).toBe('2026-03-08T07:30:00.000Z')
    expect(easternInstant('2026-03-08', '03:00')).toBe('2026-03-08T07:00:00.000Z')
    expect(easternInstant('2026-11-01', '01:30')).toBe('2026-11-01T05:30:00.000Z')
    expect(easternInstant('2026-11-01', '02:00')).toBe('2026-11-01T07:00:00.000Z')
  })

  test('day and time of an instant give the instant back, on every hour of two years', () => {
    for (let day = '2026-01-01'; day < '2028-01-01'; day = daysAfter(day, 1)) {
      for (const time of ['00:00', '08:30', '10:00', '16:15', '22:15', '23:59']) {
        expect(easternOf(easternInstant(day, time))).toEqual({ day, time })
      }
    }
  })
})

describe('departures', () => {
  test.each<[about: string, at: string, sameDay: boolean, cutoff: string, effectiveDate: string, settles: string]>([
    [
      'before the first cut-off',
      '2026-04-14T13:59:59.999Z',
      true,
      '2026-04-14T14:00:00.000Z',
      '2026-04-14',
      '2026-04-14T17:00:00.000Z',
    ],
    [
      'exactly at the first cut-off',
      '2026-04-14T14:00:00.000Z',
      true,
      '2026-04-14T18:15:00.000Z',
      '2026-04-14',
      '2026-04-14T21:00:00.000Z',
    ],
    [
      'not same-day',
      '2026-04-14T13:00:00.000Z',
      false,
      '2026-04-14T14:00:00.000Z',
      '2026-04-15',
      '2026-04-15T12:30:00.000Z',
    ],
    [
      'too late for same-day',
      '2026-04-14T20:15:00.000Z',
      true,
      '2026-04-15T02:15:00.000Z',
      '2026-04-15',
      '2026-04-15T12:30:00.000Z',
    ],
    [
      'after the last cut-off',
      '2026-04-15T02:15:00.000Z',
      true,
      '2026-04-15T14:00:00.000Z',
      '2026-04-15',
      '2026-04-15T17:00:00.000Z',
    ],
    [
      'on a Sunday',
      '2026-04-19T15:00:00.000Z',
      false,
      '2026-04-20T14:00:00.000Z',
      '2026-04-21',
      '2026-04-21T12:30:00.000Z',
    ],
    [
      'on a holiday',
      '2026-11-26T15:00:00.000Z',
      true,
      '2026-11-27T15:00:00.000Z',
      '2026-11-27',
      '2026-11-27T18:00:00.000Z',
    ],
    [
      'on the Friday before the clocks go back',
      '2026-10-31T02:14:59.999Z',
      false,
      '2026-10-31T02:15:00.000Z',
      '2026-11-02',
      '2026-11-02T13:30:00.000Z',
    ],
    [
      'on the Friday before the clocks go forward',
      '2027-03-13T03:14:59.999Z',
      false,
      '2027-03-13T03:15:00.000Z',
      '2027-03-15',
      '2027-03-15T12:30:00.000Z',
    ],
  ])('%s', (_about, at, sameDay, cutoff, effectiveDate, settles) => {
    expect(departureOf(at, sameDay)).toEqual({ cutoff, effectiveDate, settles })
    // The other kind of the same minute, and the beginning of that minute.
    expect(departureOf(at, !sameDay).cutoff).toBe(cutoff)
    expect(departureOf(`${at.slice(0, 16)}:00.000Z`, sameDay, [...defaultWindows])).toEqual(departureOf(at, sameDay))
  })

  test('windows of a bank take the place of the default ones', () => {
    const windows = [{ cutoff: '09:00', settles: null }]
    expect(departureOf('2026-04-14T12:00:00.000Z', true, windows)).toEqual({
      ...{ cutoff: '2026-04-14T13:00:00.000Z', effectiveDate: '2026-04-15', settles: '2026-04-15T12:30:00.000Z' },
    })
    expect(departureOf('2026-04-14T13:00:00.000Z', true, windows).cutoff).toBe('2026-04-15T13:00:00.000Z')
    expect(() => departureOf('2026-04-14T13:00:00.000Z', true, [])).toThrow('no windows')
  })

  test('over a year, a departure is after its instant, on a banking day, and settles later', () => {
    for (let day = '2026-01-01'; day < '2027-01-01'; day = daysAfter(day, 1)) {
      const at = `${day}T18:30:00.000Z`
      const { cutoff, settles, effectiveDate } = departureOf(at, true)
      expect(cutoff > at && settles > cutoff).toBe(true)
      expect(isBankingDay(effectiveDate) && isBankingDay(easternOf(cutoff).day)).toBe(true)
    }
  })
})

test('deadlines of returns count from the settlement', () => {
  const deadline = (code: string, settled: string) => returnDeadline(settled, returnCodes[code]?.limit ?? 'agreed')
  expect(deadline('R01', '2026-02-12')).toBe('2026-02-17')
  expect(deadline('R29', '2026-02-12')).toBe('2026-02-17')
  expect(deadline('R10', '2026-02-12')).toBe('2026-04-14')
  expect(deadline('R07', '2026-03-06')).toBe('2026-05-06')
  expect(deadline('R06', '2026-02-12')).toBeNull()
  expect(deadline('R19', '2026-02-12')).toBeNull()
  expect(returnDeadline('2026-02-12', dishonourCodes.R67?.limit ?? 'agreed')).toBe('2026-02-20')
  expect(returnDeadline('2026-02-12', contestCodes.R73?.limit ?? 'agreed')).toBe('2026-02-17')
})

test('the settlement day is the day of the year, and the nearest such day is meant', () => {
  expect([dayNumberOf('2026-03-01'), dayNumberOf('2028-03-01'), dayNumberOf('2028-12-31')]).toEqual([
    '060',
    '061',
    '366',
  ])
  expect(dayOfNumber('365', '2027-01-02')).toBe('2026-12-31')
  expect(dayOfNumber('002', '2026-12-31')).toBe('2027-01-02')
  expect(dayOfNumber('060', '2026-02-25')).toBe('2026-03-01')
  expect(dayOfNumber('366', '2026-06-01')).toBeUndefined()
})

function weekday(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay()
}
