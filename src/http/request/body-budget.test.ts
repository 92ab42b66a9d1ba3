import { expect, test } from 'vitest'
import { openBodyBudget } from './body-budget.ts'

const of = (name: number | string, cell = 0) => ({ cell, name })

test('bodies in flight are bounded in total, and each owner gets at most half', () => {
  const budget = openBodyBudget({ total: 100, cells: 1, largest: 25 })
  expect([budget.take(of(1), 50), budget.take(of(1), 1)]).toEqual([true, false])
  expect([budget.take(of(2), 40), budget.take(of(3), 11), budget.take(of('inbound'), 10)]).toEqual([true, false, true])
  expect(budget.take(of(4), 1)).toBe(false)
  budget.give(of(2), 40)
  expect([budget.take(of(1), 1), budget.take(of(4), 40)]).toEqual([false, true])
  budget.give(of(1), 50)
  expect(budget.take(of(1), 50)).toBe(true)
})

test('the bodies of a cell leave the shares of the others free', () => {
  const budget = openBodyBudget({ total: 100, cells: 2, largest: 25 })
  // Two organisations of a cell that hangs.
  expect([budget.take(of(1, 1), 25), budget.take(of(1, 1), 1), budget.take(of(2, 1), 25)]).toEqual([true, false, true])
  expect(budget.take(of(3, 1), 1)).toBe(false)
  expect([budget.take(of(4), 25), budget.take(of(5), 25), budget.take(of(6), 1)]).toEqual([true, true, false])
  budget.give(of(2, 1), 25)
  expect([budget.take(of(3, 1), 25), budget.take(of(6), 1)]).toEqual([true, false])
})

test('each of many cells has room for the largest body', () => {
  const budget = openBodyBudget({ total: 100, cells: 8, largest: 25 })
  for (let cell = 0; cell < 8; cell++) {
    expect([budget.take(of(1, cell), 25), budget.take(of(2, cell), 1)]).toEqual([true, false])
  }
})
