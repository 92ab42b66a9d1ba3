import { expect, test } from 'vitest'
import { atOnce, inSlices, openPace, type Steps } from './pace.ts'

test('a paced computation lets other work run before it ends', async () => {
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  const pace = openPace()
  const endsMs = performance.now() + 200
  while (performance.now() < endsMs) await pace()
  clearInterval(timer)
  expect(turns).toBeGreaterThan(1)
})

function* sumOf(count: number, ms: number): Steps<number> {
  for (let at = 0; at < count; at++) {
    const endsMs = performance.now() + ms
    while (performance.now() < endsMs);
    yield
  }
  return count
}

test('a computation in steps has the same result at once and in slices, and in slices other work runs between them', async () => {
  expect(atOnce(sumOf(3, 0))).toBe(3)
  expect(await inSlices(sumOf(0, 0))).toBe(0)
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  expect(await inSlices(sumOf(20, 10))).toBe(20)
  clearInterval(timer)
  expect(turns).toBeGreaterThan(1)
})

test('an error of a step is thrown', async () => {
  function* failing(): Steps<void> {
    yield
    throw new Error('no')
  }
  await expect(inSlices(failing())).rejects.toThrow('no')
  expect(() => atOnce(failing())).toThrow('no')
})
