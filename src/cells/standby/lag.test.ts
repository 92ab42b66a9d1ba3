import { expect, test } from 'vitest'
import { openLag } from './lag.ts'

const at = (written: number, history = 'first') => ({ history, written })

test('the age of a standby is that of the latest position of the primary that it has reached', () => {
  const lag = openLag()
  expect(lag.asOfMs(100)).toBeUndefined()
  lag.sampled(at(100), 1_000)
  lag.sampled(at(200), 1_250)
  lag.sampled(at(200), 1_500)
  lag.sampled(at(300), 1_750)
  expect(lag.asOfMs(null)).toBeUndefined()
  expect(lag.asOfMs(99)).toBeUndefined()
  expect(lag.asOfMs(100)).toBe(1_000)
  expect(lag.asOfMs(250)).toBe(1_500)
  // A standby that stands still grows older.
  lag.sampled(at(400), 2_000)
  expect(lag.asOfMs(250)).toBe(1_500)
  expect(lag.asOfMs(1_000)).toBe(2_000)
  // One that replays an older backup has an unknown age.
  expect(lag.asOfMs(250)).toBeUndefined()
})

test('positions of another history, such as that of a new primary after a failover, say nothing about the age', () => {
  const lag = openLag()
  lag.sampled(at(100), 1_000)
  lag.sampled(at(300), 1_250)
  lag.sampled(at(200, 'second'), 1_500)
  expect(lag.asOfMs(150)).toBeUndefined()
  expect(lag.asOfMs(200)).toBe(1_500)
  lag.sampled(at(400, 'second'), 1_750)
  expect(lag.asOfMs(350)).toBe(1_500)
})

test('the age of a standby that is more than ten minutes behind is unknown', () => {
  const lag = openLag()
  for (let look = 0; look <= 2_400; look++) lag.sampled(at(look), look * 250)
  expect(lag.asOfMs(0)).toBeUndefined()
  expect(lag.asOfMs(1)).toBe(250)
})
