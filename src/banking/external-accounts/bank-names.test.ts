import { expect, test } from 'vitest'
import { hasRoutingChecksum } from '../../base/routing-number.ts'
import { bankName, bankNames } from './bank-names.ts'

test('the table names at least sixty routing numbers, each with a valid ABA checksum', () => {
  expect(bankNames.size).toBeGreaterThanOrEqual(60)
  expect([...bankNames.keys()].filter((number) => !/^\d{9}$/.test(number) || !hasRoutingChecksum(number))).toEqual([])
})

test('a well-known routing number has the name of its bank, and any other is unknown', () => {
  expect(bankName('021000021', '812345678')).toBe('JPMorgan Chase')
  expect(bankName('812345679', '812345678')).toBe('Unknown Bank')
})

test("the own routing number has the name of the bank, even where the number is another bank's as well", () => {
  expect(bankName('812345678', '812345678')).toBe('Purser')
  expect(bankName('021000021', '021000021')).toBe('Purser')
})
