import { expect, test } from 'vitest'
import { bankName, bankNames } from './bank-names.ts'
import { hasRoutingChecksum } from './external-account.ts'

test('the table holds at least sixty routing numbers, and the ABA checksum holds for each', () => {
  expect(bankNames.size).toBeGreaterThanOrEqual(60)
  expect([...bankNames.keys()].filter((number) => !/^\d{9}$/.test(number) || !hasRoutingChecksum(number))).toEqual([])
})

test('a well-known number names its bank, any other is unknown', () => {
  expect(bankName('021000021')).toBe('JPMorgan Chase')
  expect(bankName('812345678')).toBe('Unknown Bank')
})

test('a changed digit breaks the checksum', () => {
  expect(hasRoutingChecksum('021000021')).toBe(true)
  expect(hasRoutingChecksum('021000022')).toBe(false)
  expect(hasRoutingChecksum('012000021')).toBe(false)
})
