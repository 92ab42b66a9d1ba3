import { expect, test } from 'vitest'
import { Recent } from './recent.ts'

test('past its bound a map of recent entries drops the one that was set longest ago', () => {
  const recent = new Recent<string, number>(3)
  recent.set('a', 1).set('b', 2).set('c', 3).set('a', 4).set('d', 5)
  expect([...recent]).toEqual([
    ['c', 3],
    ['a', 4],
    ['d', 5],
  ])
})
