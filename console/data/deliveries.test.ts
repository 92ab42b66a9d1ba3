import { expect, test } from 'vitest'
import { untilOutcome } from './deliveries.ts'

const nowMs = Date.parse('2026-02-03T09:00:00Z')
const at = (nextAttemptAt: string | null) => ({ nextAttemptAt })

test.each([
  ['none waits', [at(null)], false],
  ['one waits for five minutes', [at('2026-02-03T09:05:00Z'), at(null)], 302_000],
  ['the first of two counts', [at('2026-02-03T10:00:00Z'), at('2026-02-03T09:00:05Z')], 7_000],
  ['one is being attempted', [at('2026-02-03T08:59:59Z')], 2_000],
  ['one waits behind another', [at('2026-02-03T08:00:00Z')], false],
  ['one is due next week', [at('2026-02-10T09:00:00Z')], false],
] as const)('if %s, deliveries are read again after %j: %s', (_case, deliveries, wait) => {
  expect(untilOutcome(deliveries, nowMs)).toBe(wait)
})
