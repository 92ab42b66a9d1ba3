import { describe, expect, test } from 'vitest'
import { Problem } from '../../../base/problem.ts'
import { requireAccepted } from './limits.ts'

/** The pointers and codes of the faults that attributes have; none if they can be sent. */
function faultsOf(attributes: object, type = 'individualApplication'): string[] {
  try {
    requireAccepted({ type, attributes })
    return []
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    expect([error.status, error.code]).toEqual([400, 'invalid_request'])
    return (error.errors ?? []).map(({ pointer, code }) => `${pointer} ${code}`)
  }
}

describe('Limits of Unit that the interface does not have', () => {
  test('concern tags without a value', () => {
    expect(faultsOf({ tags: { purpose: 'x' } })).toEqual([])
    expect(faultsOf({ tags: {} })).toEqual([])
    expect(faultsOf({ tags: { purpose: '', 'a/b~c': '', kept: ' ' } })).toEqual([
      '/tags/purpose too_short',
      '/tags/a~1b~0c too_short',
    ])
  })

  test('concern addresses outside of the United States', () => {
    expect(faultsOf({ address: { country: 'US' }, shippingAddress: { country: 'US' } })).toEqual([])
    expect(faultsOf({ address: { country: 'GB' }, shippingAddress: { country: 'CA' } })).toEqual([
      '/address/country not_allowed',
      '/shippingAddress/country not_allowed',
    ])
    expect(faultsOf({ shippingAddress: undefined })).toEqual([])
  })

  test('concern names of one word', () => {
    expect(faultsOf({ fullName: { first: 'Ada', last: 'Example' } })).toEqual([])
    expect(faultsOf({ fullName: { first: 'Ada', last: '' } })).toEqual(['/name bad_format'])
  })

  test('concern the form of an email address', () => {
    for (const email of ['ada@example.com', 'a.b+c@x-1.example', "o'neill@localhost"]) {
      expect(faultsOf({ email }), email).toEqual([])
    }
    const long = `${'x'.repeat(65)}@example.com`
    for (const email of [
      'ä@example.com',
      'a..b@example.com',
      '.a@example.com',
      'a@-x.example',
      'a@b..c',
      'a,b@c',
      long,
    ]) {
      expect(faultsOf({ email }), email).toEqual(['/email bad_format'])
    }
  })

  test('concern the reasons for closing an account, and no other reasons', () => {
    for (const reason of ['ByCustomer', 'Fraud']) expect(faultsOf({ reason }, 'depositAccountClose')).toEqual([])
    expect(faultsOf({ reason: 'NegativeBalance' }, 'depositAccountClose')).toEqual(['/reason not_allowed'])
    expect(faultsOf({ reason: 'Other' }, 'accountFreeze')).toEqual([])
  })

  test('are reported together', () => {
    expect(faultsOf({ tags: { a: '' }, email: 'ä@x', address: { country: 'GB' } })).toHaveLength(3)
  })
})
