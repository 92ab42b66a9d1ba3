import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { seedOfTest } from '../../test/support/random.ts'
import { normalisedMerchantName } from './merchant-name.ts'

describe('A normalised merchant name', () => {
  test.each([
    'Quillbrook Coffee',
    'QUILLBROOK COFFEE',
    '  quillbrook   coffee ',
    'Quillbrook-Coffee.',
    'SQ *Quillbrook Coffee',
    'SQ * QUILLBROOK COFFEE',
    'TST* Quillbrook Coffee',
    'PAYPAL *QUILLBROOK COFFEE',
    'Quillbrook Coffee #0123',
    'QUILLBROOK COFFEE 00412',
    'QUILLBROOK COFFEE STORE 7',
    'Quillbrook Coffee No. 12',
    'SQ *QUILLBROOK COFFEE #12 0044',
    'Quíllbrook Coffée',
  ])('is the same for %s', (name) => {
    expect(normalisedMerchantName(name)).toBe('quillbrook coffee')
  })

  test.each([
    ["Fenn's & Sons", 'fenns and sons'],
    ['Route 66 Diner', 'route 66 diner'],
    ['Motel 6', 'motel 6'],
    ['1234', '1234'],
    ['#42', '42'],
    ['***', '***'],
    ['日本食堂', '日本食堂'],
  ])('of %s is %s', (name, normalised) => {
    expect(normalisedMerchantName(name)).toBe(normalised)
  })

  test('is unchanged by normalising it again, and never empty', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (text) => {
        fc.pre(text.trim() !== '')
        const once = normalisedMerchantName(text)
        expect(normalisedMerchantName(once)).toBe(once)
      }),
      { seed: seedOfTest() },
    )
  })
})
