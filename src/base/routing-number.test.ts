import { expect, test } from 'vitest'
import { checkDigitOf, hasRoutingChecksum } from './routing-number.ts'

test('the checksum of a routing number fails when a digit changes or two digits are swapped', () => {
  expect(hasRoutingChecksum('021000021')).toBe(true)
  expect(hasRoutingChecksum('021000022')).toBe(false)
  expect(hasRoutingChecksum('012000021')).toBe(false)
})

test('the check digit completes eight digits, also where the sum is a multiple of ten already', () => {
  for (const number of ['021000021', '011401533', '812345678', '091000019', '000000000']) {
    expect(checkDigitOf(number.slice(0, 8))).toBe(number.at(-1))
  }
})
