import { describe, expect, test } from 'vitest'
import { delayAfter, retryDelaysMs } from './retry.ts'

describe('the delay after an attempt', () => {
  const delay = (attempts: number, random: number, retryAfterMs = 0) =>
    delayAfter(attempts, { delaysMs: retryDelaysMs, retryAfterMs, random: () => random })

  test('grows from five seconds to a day, a tenth more or less, and ends after ten attempts', () => {
    const seconds = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]
    expect(seconds.map((_, index) => delay(index + 1, 0.5))).toEqual(seconds.map((each) => each * 1_000))
    expect(delay(1, 0)).toBeCloseTo(4_500)
    expect(delay(1, 1)).toBeCloseTo(5_500)
    expect(delay(10, 0.5)).toBeUndefined()
  })

  test('is as long as the receiver asks, where that is longer, but no attempt is added', () => {
    expect(delay(1, 0.5, 60_000)).toBe(60_000)
    expect(delay(2, 0.5, 60_000)).toBe(300_000)
    expect(delay(10, 0.5, 60_000)).toBeUndefined()
  })
})
