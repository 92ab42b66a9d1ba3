import { expect, test } from 'vitest'
import { openLag } from './lag.ts'

test('the age of a standby is that of the latest position of the primary that it has reached', () => {
  const lag = openLag()
  expect(lag.asOfMs(100)).toBeUndefined()
  lag.sampled(100, 1_000)
  lag.sampled(200, 1_250)
  lag.sampled(200, 1_500)
  lag.sampled(300, 1_750)
  expect(lag.asOfMs(null)).toBeUndefined()
  expect(lag.asOfMs(99)).toBeUndefined()
  expect(lag.asOfMs(100)).toBe(1_000)
  expect(lag.asOfMs(250)).toBe(1_500)
  // A standby that stands still grows older.
  lag.sampled(400, 2_000)
  expect(lag.asOfMs(250)).toBe(1_500)
  expect(lag.asOfMs(1_000)).toBe(2_000)
  // One that replays an older backup has an unknown age.
  expect(lag.asOfMs(250)).toBeUndefined()
  lag.clear()
  expect(lag.asOfMs(1_000)).toBeUndefined()
})

test('the age of a standby that is more than ten minutes behind is unknown', () => {
  const lag = openLag()
  for (let look = 0; look <= 2_400; look++) lag.sampled(look, look * 250)
  expect(lag.asOfMs(0)).toBeUndefined()
  expect(lag.asOfMs(1)).toBe(250)
})
