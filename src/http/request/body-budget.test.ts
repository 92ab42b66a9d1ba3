import { expect, test } from 'vitest'
import { openBodyBudget } from './body-budget.ts'

test('bodies in flight are bounded in total, and each owner gets at most half', () => {
  const budget = openBodyBudget(100)
  expect([budget.take(1, 50), budget.take(1, 1)]).toEqual([true, false])
  expect([budget.take(2, 40), budget.take(3, 11), budget.take('inbound', 10)]).toEqual([true, false, true])
  expect(budget.take(4, 1)).toBe(false)
  budget.give(2, 40)
  expect([budget.take(1, 1), budget.take(4, 40)]).toEqual([false, true])
  budget.give(1, 50)
  expect(budget.take(1, 50)).toBe(true)
})
