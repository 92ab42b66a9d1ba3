import { expect, test } from 'vitest'
import { ticksOf } from './ticks.ts'

test('a scale has round marks around all values', () => {
  expect(ticksOf(0, 975_668)).toEqual([0, 200_000, 400_000, 600_000, 800_000, 1_000_000])
  expect(ticksOf(-150, 120)).toEqual([-200, -100, 0, 100, 200])
  expect(ticksOf(0, 0)).toEqual([0, 20])
  const largest = ticksOf(0, Number.MAX_SAFE_INTEGER)
  expect(largest.at(-1)).toBeGreaterThanOrEqual(Number.MAX_SAFE_INTEGER)
  expect(largest.length).toBeLessThanOrEqual(7)
})
