import { expect, test } from 'vitest'
import { toleratedAmount } from './over-settlement.ts'

test.each([
  ['', 100_00, 110_00],
  ['Groceries', 100_00, 110_00],
  // A word within another one is no trade.
  ['Barbed wire', 100_00, 110_00],
  ['Restaurants', 100_00, 120_00],
  ['Bars', 1_99, 2_38],
  ['5812', 100_00, 120_00],
  ['Taxicabs', 10_00, 12_00],
  ['Lodging', 100_00, 115_00],
  ['Car Rental', 100_00, 115_00],
  ['3501', 100_00, 115_00],
  ['Gas stations', 1_00, 175_00],
  ['5542', 1, 175_00],
  ['Fuel', 200_00, 230_00],
  ['Restaurants', 1, 1],
  ['', 999_999_999_999, 1_099_999_999_998],
])('the trade %j tolerates for %i cents settlements of %i', (category, amount, tolerated) => {
  expect(toleratedAmount({ amount, categories: [category] })).toBe(tolerated)
})
