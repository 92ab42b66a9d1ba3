import { describe, expect, test } from 'vitest'
import { durationMs, endOfMonth, monthAfter, monthBefore, monthOf, startOfMonth } from './calendar.ts'

describe('months', () => {
  test('the months before and after cross the turn of the year', () => {
    expect(['2026-01', '2026-09', '2026-12'].map(monthAfter)).toEqual(['2026-02', '2026-10', '2027-01'])
    expect(['2026-01', '2026-10', '2026-12'].map(monthBefore)).toEqual(['2025-12', '2026-09', '2026-11'])
    expect(monthBefore(monthAfter('0999-12'))).toBe('0999-12')
  })

  test('a month begins at midnight UTC of its first day and ends a millisecond before the next', () => {
    for (const year of [1900, 2000, 2023, 2024, 2100]) {
      for (let number = 1; number <= 12; number++) {
        const month = `${year}-${String(number).padStart(2, '0')}`
        expect(Date.parse(endOfMonth(month)) + 1).toBe(Date.parse(startOfMonth(monthAfter(month))))
        expect([monthOf(startOfMonth(month)), monthOf(endOfMonth(month))]).toEqual([month, month])
      }
    }
  })
})

describe('a duration', () => {
  test.each([
    ['PT5S', 5_000],
    ['PT2M', 120_000],
    ['PT1H1S', 3_601_000],
    ['P1D', 86_400_000],
    ['P2DT3H4M5S', 183_845_000],
    ['PT0S', 0],
  ])('%s is %d milliseconds', (text, ms) => {
    expect(durationMs(text)).toBe(ms)
  })

  test.each([
    '',
    'P',
    'PT',
    'P1DT',
    '1D',
    'p1d',
    '-P1D',
    'P1.5D',
    'P1M',
    'P1Y',
    'P1W',
    'PT1D',
    'PT1S1M',
    'P10000D',
    'P1D ',
  ])('%j has no length in milliseconds', (text) => {
    expect(durationMs(text)).toBeUndefined()
  })
})

describe('the last millisecond of a month', () => {
  test('it follows the length of every month', () => {
    const lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    for (const [at, days] of lengths.entries()) {
      const month = `2030-${String(at + 1).padStart(2, '0')}`
      expect(endOfMonth(month)).toBe(`${month}-${days}T23:59:59.999Z`)
    }
  })

  test('it follows leap years', () => {
    for (const [year, days] of Object.entries({ 2028: 29, 2030: 28, 2000: 29, 2100: 28, 2400: 29 })) {
      expect(endOfMonth(`${year}-02`)).toBe(`${year}-02-${days}T23:59:59.999Z`)
    }
  })

  test('it is a millisecond before the next month, for two centuries', () => {
    for (let month = 0; month < 12 * 200; month++) {
      const end = Date.UTC(2000, month + 1, 1) - 1
      const written = new Date(end).toISOString()
      expect(endOfMonth(written.slice(0, 7))).toBe(written)
    }
  })
})
