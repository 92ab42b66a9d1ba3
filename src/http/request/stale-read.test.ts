import { expect, test } from 'vitest'
import { allowanceOf, staleOf } from './stale-read.ts'

test.each([
  ['stale=5', 5],
  ['stale=0', 0],
  ['Stale = 5', 5],
  ['stale="5"', 5],
  ['respond-async, stale=5; note=1', 5],
  ['note="a, stale=1", stale=7', 7],
  ['stale=5, stale=9', 5],
  ['stale=999999999', 999_999_999],
  ['stale=x, stale=9', undefined],
  ['stale=1234567890', undefined],
  ['stale=5s', undefined],
  ['stale="5', undefined],
  ['stalest=5', undefined],
  ['note="stale=5"', undefined],
  ['', undefined],
])('the preference %s allows %s seconds', (prefer, seconds) => {
  expect(staleOf(prefer)).toBe(seconds)
})

test('a long header is read in a time in proportion to its length', () => {
  const started = performance.now()
  for (const part of [',', '"', '",', 'stale=', 'stale ', '="5"', ' ', 'stale=5 ']) {
    staleOf(part.repeat(60_000 / part.length))
  }
  expect(performance.now() - started).toBeLessThan(2_000)
})

test('an operation that is not marked, or a query for which it is not, allows nothing', () => {
  const headers = { prefer: 'stale=5', 'purser-position': '42' }
  expect(allowanceOf({}, headers, {})).toBeUndefined()
  expect(allowanceOf({ fromStandby: true }, {}, {})).toBeUndefined()
  expect(allowanceOf({ fromStandby: true }, headers, {})).toEqual({ stale: 5, position: 42 })
  const fromStandby = ({ wait }: Record<string, unknown>) => !wait
  expect(allowanceOf({ fromStandby }, headers, { wait: 5 })).toBeUndefined()
  expect(allowanceOf({ fromStandby }, headers, {})).toEqual({ stale: 5, position: 42 })
})
