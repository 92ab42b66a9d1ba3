import { describe, expect, test } from 'vitest'
import { refusals } from '../../base/refusals.ts'
import { faultOf, isMissing, refusedBy, upstreamErrors } from './refusal.ts'

const read = { method: 'GET', problems: ['account_not_found' as const] }
const errorsOf = (...errors: unknown[]) => upstreamErrors(JSON.stringify({ errors }), [])

describe('The errors of a refusal', () => {
  const error = { status: '400', title: 'Bad Request', code: 'invalid_value' }

  test('are read from a member of the body and from a list at the top', () => {
    const [inMember] = upstreamErrors(JSON.stringify({ errors: [error] }), [])
    const [atTop] = upstreamErrors(JSON.stringify([error]), [])
    expect(inMember).toMatchObject({ code: 'invalid_value', title: 'Bad Request' })
    expect(atTop).toEqual(inMember)
  })

  test.each(['', 'oops', '<html>', 'null', '{}', '[]', '[1, null, "x"]', '{"errors":{}}', '{"errors":[{}]}'])(
    'are none in %j',
    (text) => {
      expect(upstreamErrors(text, [])).toEqual([])
    },
  )

  test('have the text of details, or detail, or the title as their message', () => {
    const messages = [{}, { detail: 'old' }, { details: 'new' }, { detail: 'old', details: 'new' }].map((own) =>
      errorsOf({ ...error, ...own }).map((read) => faultOf(read).message),
    )
    expect(messages).toEqual([['Bad Request'], ['old'], ['new'], ['new']])
  })

  test('keep the support id and the ids of existing records, without our secrets', () => {
    const meta = { supportId: 'support-1', existingIds: ['7', 8, null, 'id-of-secret'] }
    const [read] = upstreamErrors(JSON.stringify({ errors: [{ code: 'already_exists', meta }] }), ['secret'])
    expect(read && faultOf(read)).toEqual({
      code: 'already_exists',
      message: 'Refused',
      supportId: 'support-1',
      existingIds: ['7', 'id-of-***'],
    })
  })

  test('are at most a hundred, with texts of at most a thousand characters', () => {
    const many = errorsOf(...Array.from({ length: 500 }, () => ({ title: 'x'.repeat(5_000) })))
    expect([many.length, many[0]?.title.length]).toEqual([100, 1_000])
  })
})

describe('A refusal of the request itself', () => {
  test.each([400, 404, 409, 413, 422])('lasts if its status is %i', (status) => {
    expect(refusedBy(status, errorsOf({ title: 'Refused' }), read)?.lasting).toBe(true)
  })

  test.each([401, 403, 405, 406, 408, 415, 429, 500, 503, 302])('is not a reply with status %i', (status) => {
    const errors = errorsOf({ code: 'account_not_found' })
    expect([refusedBy(status, errors, read), isMissing(status, errors)]).toEqual([undefined, false])
  })

  test.each([400, 404, 409, 422])('is not a reply with status %i that gives no reason', (status) => {
    expect([refusedBy(status, [], read), isMissing(status, [])]).toEqual([undefined, false])
  })

  test.each([
    ['/data/relationships/counterparty', 'external_account_not_found'],
    ['/data/relationships/account', 'account_not_found'],
    [undefined, 'account_not_found'],
  ])('by a bare not_found at %s is %s', (pointer, code) => {
    const payment = { method: 'POST', problems: ['account_not_found', 'external_account_not_found'] as const }
    const errors = errorsOf({ code: 'not_found', source: { pointer } })
    expect(refusedBy(400, errors, { ...payment, problems: [...payment.problems] })?.code).toBe(code)
  })

  test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty', '', 'x'.repeat(5_000), '<b>\u0000</b>'])(
    'by the code %j, which has no meaning here, is a refusal like any other',
    (code) => {
      const refused = refusedBy(400, errorsOf({ code, title: 'Refused' }), read)
      expect([refused?.code, refused?.message]).toEqual(['refused_by_provider', refusals.refused_by_provider.detail])
    },
  )
})
