import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { seedOfTest } from '../../../test/support/random.ts'
import { type Bucket, fullBucket, type Rate, secondsUntil, takeToken } from './token-bucket.ts'

const rate: Rate = { perSecond: 100, burst: 200 }

/** How many of so many attempts at one moment succeed. */
function taken(bucket: Bucket, attempts: number, nowMs: number, at = rate): number {
  return Array.from({ length: attempts }, () => takeToken(bucket, at, nowMs)).filter(Boolean).length
}

describe('a token bucket', () => {
  test('gives its burst at once, and then nothing', () => {
    expect(taken(fullBucket(rate, 0), 201, 0)).toBe(200)
  })

  test('gives one more when the time for one has passed, not a moment before', () => {
    const bucket = fullBucket(rate, 0)
    taken(bucket, 200, 0)
    expect(taken(bucket, 1, 9)).toBe(0)
    expect(taken(bucket, 1, 10)).toBe(1)
    expect(taken(bucket, 1, 10)).toBe(0)
  })

  test('holds no more than its burst, however long it waited', () => {
    const bucket = fullBucket(rate, 0)
    taken(bucket, 200, 0)
    expect(taken(bucket, 1_000, 86_400_000)).toBe(200)
  })

  test('says when it holds so many again, in whole seconds', () => {
    const slow: Rate = { perSecond: 1, burst: 2 }
    const bucket = fullBucket(slow, 0)
    expect(secondsUntil(2, bucket, slow)).toBe(1)
    taken(bucket, 2, 0, slow)
    expect([secondsUntil(1, bucket, slow), secondsUntil(2, bucket, slow)]).toEqual([1, 2])
    takeToken(bucket, slow, 500)
    expect(secondsUntil(2, bucket, slow)).toBe(2)
  })

  test('never gives more than burst and rate allow, whatever the moments', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 500 }), (pauses) => {
        const bucket = fullBucket(rate, 0)
        let nowMs = 0
        let given = 0
        for (const pause of pauses) {
          nowMs += pause
          if (takeToken(bucket, rate, nowMs)) given++
          expect(bucket.tokens).toBeGreaterThanOrEqual(0)
          expect(given).toBeLessThanOrEqual(rate.burst + (nowMs * rate.perSecond) / 1_000 + 1e-6)
        }
      }),
      { seed: seedOfTest() },
    )
  })
})
