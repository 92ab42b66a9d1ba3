import { expect, test } from 'vitest'
import { openBodyBudget } from './body-budget.ts'

test('bodies in flight are bounded in total, and each owner gets at most half', () => {
  const budget = openBodyBudget({ bytes: 100, largest: 25 })
  expect([budget.take(1, 50), budget.take(1, 1)]).toEqual([true, false])
  expect([budget.take(2, 40), budget.take(3, 11), budget.take('inbound', 10)]).toEqual([true, false, true])
  expect(budget.take(4, 1)).toBe(false)
  budget.give(2, 40)
  expect([budget.take(1, 1), budget.take(4, 40)]).toEqual([false, true])
  budget.give(1, 50)
  expect(budget.take(1, 50)).toBe(true)
})

test('half of a small budget has room for the largest body', () => {
  const budget = openBodyBudget({ bytes: 40, largest: 25 })
  expect([budget.take(1, 25), budget.take(1, 1), budget.take(2, 15)]).toEqual([true, false, true])
})

test('a budget that is smaller than the largest body has room for one', () => {
  const budget = openBodyBudget({ bytes: 12, largest: 25 })
  expect([budget.take(1, 25), budget.take(2, 1)]).toEqual([true, false])
  budget.give(1, 25)
  expect(budget.take(2, 25)).toBe(true)
})
