import { expect, test } from 'vitest'
import { openPace } from './pace.ts'

test('a paced computation lets other work run before it ends', async () => {
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  const pace = openPace()
  const endsMs = performance.now() + 200
  while (performance.now() < endsMs) await pace()
  clearInterval(timer)
  expect(turns).toBeGreaterThan(1)
})
