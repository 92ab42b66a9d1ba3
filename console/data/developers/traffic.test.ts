import { expect, test } from 'vitest'
import type { LoggedRequest } from '../../../client/src/index.ts'
import { groupsOf, ratesOf } from './traffic.ts'

function request(at: string, operation: string, status: number, code: string | null = null): LoggedRequest {
  return { at, operation, status, code } as LoggedRequest
}

test('refusals are grouped by operation and code, the most frequent first', () => {
  const refused = request('2026-01-01T00:00:01Z', 'createPayment', 422, 'insufficient_funds')
  const missing = request('2026-01-01T00:00:00Z', 'getAccount', 404, 'account_not_found')
  const groups = groupsOf([missing, refused, request('2026-01-01T00:00:00Z', 'getAccount', 200), refused])
  expect(groups.map(({ key, count }) => [key, count])).toEqual([
    ['createPayment insufficient_funds', 2],
    ['getAccount account_not_found', 1],
  ])
})

test('requests are counted by steps of time, and those before the first step are left out', () => {
  const nowMs = Date.parse('2026-01-01T00:10:30Z')
  const rates = ratesOf(
    [
      request('2026-01-01T00:10:31Z', 'getAccount', 200),
      request('2026-01-01T00:10:00Z', 'getAccount', 404),
      request('2026-01-01T00:09:59Z', 'getAccount', 200),
      request('2026-01-01T00:07:59Z', 'getAccount', 200),
      // The clock of the service is ahead.
      request('2026-01-01T00:11:30Z', 'getAccount', 200),
    ],
    nowMs,
    60_000,
    3,
  )
  expect(rates.map(({ accepted, refused }) => [accepted, refused])).toEqual([
    [0, 0],
    [1, 0],
    [2, 1],
  ])
  expect(rates.at(-1)?.fromMs).toBe(Date.parse('2026-01-01T00:10:00Z'))
})
