import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { invalidRequest, Problem, UpstreamProblem } from '../../base/problem.ts'
import { CommitLost, DatabaseUnavailable, LockTimeout } from '../../database/database.ts'
import { failsForGood, faultOf } from './inbound-fault.ts'

let bank: TestBank
beforeAll(async () => {
  bank = await openTestBank()
})
afterAll(() => bank.close())

const refusedBy = (text: string, values: unknown[]) =>
  bank.database.query(text, values).then(
    () => undefined,
    (error: unknown) => error,
  )

describe('A report fails for good', () => {
  test.each<[string, unknown]>([
    ['a refusal of the upstream that lasts', new UpstreamProblem('upstream_error', { lasting: true })],
    ['a record that is not there', new Problem('account_not_found')],
    ['content that cannot be read', invalidRequest([{ code: 'unreadable', message: 'not a notification' }])],
    ['a bug', new TypeError('Cannot read properties of undefined')],
    ['anything else that is thrown', 'text'],
  ])('by %s', (_name, error) => {
    expect(failsForGood(error)).toBe(true)
  })

  test('by a value that the database cannot store', async () => {
    expect(failsForGood(await refusedBy('select $1::text', ['\0']))).toBe(true)
    expect(failsForGood(await refusedBy('select $1::timestamptz', ['never']))).toBe(true)
  })
})

describe('A report may succeed later', () => {
  test.each<[string, unknown]>([
    ['an upstream that fails', new UpstreamProblem('upstream_error')],
    ['an upstream that takes too long', new UpstreamProblem('upstream_timeout', { outcomeUnknown: true })],
    ['an upstream that is not called', new UpstreamProblem('upstream_unavailable')],
    ['a service that is not available', new Problem('unavailable')],
    ['a lock', new Problem('idempotency_in_progress')],
    ['a rate limit', new Problem('rate_limited')],
    ['a database that is away', new DatabaseUnavailable('closed')],
    ['a deadlock', new LockTimeout('deadlock detected')],
    ['a lost COMMIT', new CommitLost('closed')],
  ])('after %s', (_name, error) => {
    expect(failsForGood(error)).toBe(false)
  })

  test('after a statement that a migration makes possible', async () => {
    expect(failsForGood(await refusedBy('select column_of_tomorrow from inbound_event', []))).toBe(false)
  })
})

describe('The fault of a report', () => {
  test('has the code, the detail and the first errors of a problem', () => {
    const errors = Array.from({ length: 30 }, (_, index) => ({ code: 'not_found', message: `number ${index}` }))
    const fault = faultOf(new UpstreamProblem('refused_by_provider', { errors, lasting: true }))
    expect(fault).toEqual({ code: 'refused_by_provider', detail: expect.any(String), errors: errors.slice(0, 10) })
  })

  test('does not quote an error that nobody foresaw', async () => {
    const bug = faultOf(new TypeError('ada@example.com is not iterable'))
    const unstorable = faultOf(await refusedBy('select $1::int', ['ada@example.com']))
    expect([bug.code, unstorable.code]).toEqual(['internal_error', 'internal_error'])
    expect(JSON.stringify([bug, unstorable])).not.toContain('ada@example.com')
  })
})
