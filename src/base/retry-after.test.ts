import { expect, test } from 'vitest'
import { parseRetryAfter, retryAfter } from './retry-after.ts'

const now = Date.UTC(2026, 0, 31, 12)

test.each([
  ['0', 0],
  ['120', 120_000],
  [' 7 ', 7_000],
  ['86400', 86_400_000],
  ['86401', 86_400_000],
  ['9999999999', 86_400_000],
  ['31536000000000', 86_400_000],
  ['9'.repeat(400), 86_400_000],
  ['Sat, 31 Jan 2026 12:01:00 GMT', 60_000],
  ['Sat, 31 Jan 2026 11:59:00 GMT', 0],
  ['Sat, 31 Jan 2099 12:00:00 GMT', 86_400_000],
  [['5', '6'], 5_000],
])('Retry-After: %s means %d milliseconds, at most a day', (header, ms) => {
  expect(parseRetryAfter(header, now)).toBe(ms)
})

test.each(['soon GMT', '-5', '1.5', '2026-02-01', '', undefined])('Retry-After: %s is not read', (header) => {
  expect(parseRetryAfter(header, now)).toBeUndefined()
})

test('an answer asks for whole seconds, at least one', () => {
  expect([0, 0.2, 1, 1.2, 60].map((seconds) => retryAfter(seconds)['Retry-After'])).toEqual(['1', '1', '1', '2', '60'])
})
