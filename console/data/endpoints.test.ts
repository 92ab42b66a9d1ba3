import { expect, test } from 'vitest'
import { endpointState } from './endpoints.ts'

test.each([
  ['Enabled', 0, 0, 0, 'Enabled'],
  ['Enabled', 5, 1, 0, 'Retrying'],
  ['Enabled', 0, 1, 0, 'Failing'],
  ['Enabled', 5, 0, 1, 'Failing'],
  ['Disabled', 5, 0, 0, 'Disabled'],
] as const)(
  'an endpoint that is %s with %i, %i and %i attempts of the day is %s',
  (status, succeeded, retried, failed, state) => {
    expect(endpointState({ status, lastDay: { succeeded, retried, failed } })).toBe(state)
  },
)
