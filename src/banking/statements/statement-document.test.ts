import { describe, expect, test } from 'vitest'
import { dollars } from '../../../ground/text.ts'
import { periodEnd } from './statement.ts'
import { longDate, monthName, periodDates, shortDate, signedDollars } from './statement-document.ts'

describe("a statement's document", () => {
  test.each([
    [0, '$0.00', '$0.00'],
    [5, '$0.05', '+$0.05'],
    [-5, '-$0.05', '-$0.05'],
    [123_456_78, '$123,456.78', '+$123,456.78'],
    [-1_000_000_00, '-$1,000,000.00', '-$1,000,000.00'],
    [9_007_199_254_740_991, '$90,071,992,547,409.91', '+$90,071,992,547,409.91'],
    [-(10n ** 20n), '-$1,000,000,000,000,000,000.00', '-$1,000,000,000,000,000,000.00'],
  ])('writes %s cents as %s, as a movement as %s', (cents, balance, movement) => {
    expect([dollars(cents), signedDollars(cents)]).toEqual([balance, movement])
  })

  test('knows the edges of months', () => {
    expect(periodEnd('2026-12')).toBe('2027-01-01T00:00:00.000Z')
    expect(periodDates('2024-02')).toEqual({ first: 'February 1, 2024', last: 'February 29, 2024' })
    expect(periodDates('2026-12')).toEqual({ first: 'December 1, 2026', last: 'December 31, 2026' })
  })

  test('writes dates in UTC', () => {
    expect(longDate('2026-01-31T23:59:59.999Z')).toBe('January 31, 2026')
    expect(shortDate('2026-02-01T00:00:00.000Z')).toBe('Feb 1')
    expect(monthName('2026-02')).toBe('February 2026')
  })
})
