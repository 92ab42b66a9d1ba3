import { expect, test } from 'vitest'
import { endpointState } from './endpoints.ts'

test.each([
  ['Enabled', null, 0, 'Enabled'],
  ['Enabled', null, 1, 'Retrying'],
  ['Enabled', '2026-02-03T09:00:00.000Z', 1, 'Failing'],
  ['Disabled', '2026-02-03T09:00:00.000Z', 0, 'Disabled'],
] as const)(
  'an endpoint that is %s, fails since %s and was retried %i times is %s',
  (status, failingSince, retried, state) => {
    expect(endpointState({ status, failingSince, lastDay: { succeeded: 5, retried, failed: 1 } })).toBe(state)
  },
)
