import { expect, test } from 'vitest'
import { bankTime, curveStart, dayAfter, easternDay, monthBefore } from './bank-time.ts'

test('days are counted across months, years and leap days', () => {
  expect(dayAfter('2026-01-31', 1)).toBe('2026-02-01')
  expect(dayAfter('2026-01-01', -1)).toBe('2025-12-31')
  expect(dayAfter('2024-03-01', -1)).toBe('2024-02-29')
  expect(dayAfter('2026-11-16', -89)).toBe('2026-08-19')
})

test('the month before January is the December of the year before', () => {
  expect(monthBefore('2026-01-31')).toBe('2025-12')
  expect(monthBefore('2026-11-16')).toBe('2026-10')
})

test('a curve begins with the account, after at most its days and at least a week ago', () => {
  expect(curveStart('2026-11-16', '2020-01-01', 90)).toBe('2026-08-19')
  expect(curveStart('2026-11-16', '2026-10-01', 90)).toBe('2026-10-01')
  expect(curveStart('2026-11-16', '2026-11-16', 90)).toBe('2026-11-10')
})

test('the clock runs on since it was read, unless it is frozen', () => {
  const now = '2026-11-16T10:00:00.000Z'
  expect(bankTime({ now, frozen: false }, 61_000)).toBe('2026-11-16T10:01:01.000Z')
  expect(bankTime({ now, frozen: false }, -5)).toBe(now)
  expect(bankTime({ now, frozen: true }, 61_000)).toBe(now)
  expect(bankTime(undefined, 61_000)).toBeUndefined()
})

test('a settlement day ends at midnight in New York, in winter and in summer', () => {
  expect(easternDay('2026-11-17T04:59:59.999Z')).toBe('2026-11-16')
  expect(easternDay('2026-11-17T05:00:00.000Z')).toBe('2026-11-17')
  expect(easternDay('2026-07-01T03:59:59.999Z')).toBe('2026-06-30')
  expect(easternDay('2026-07-01T04:00:00.000Z')).toBe('2026-07-01')
  expect(easternDay('2027-01-01T02:00:00.000Z')).toBe('2026-12-31')
})
