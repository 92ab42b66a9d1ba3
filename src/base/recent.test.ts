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

test('the entry that was set longest ago is dropped, whatever was set again or deleted before', () => {
  const recent = new Recent<number, number>(5)
  const model: [number, number][] = []
  for (let step = 0; step < 500; step++) {
    const key = (step * 7 + (step % 11) * 3) % 13
    const at = model.findIndex(([each]) => each === key)
    if (at >= 0) model.splice(at, 1)
    if (step % 17 === 0) {
      recent.delete(key)
    } else if (step % 100 === 99) {
      recent.clear()
      model.length = 0
    } else {
      if (model.length === 5) model.shift()
      model.push([key, step])
      recent.set(key, step)
    }
    expect([...recent]).toEqual(model)
  }
})

test('an entry past the bound costs no more than one below it', () => {
  const recent = new Recent<number, number>(50_000)
  const timeOf = (from: number) => {
    const startedMs = performance.now()
    for (let key = from; key < from + 50_000; key++) recent.set(key, key)
    return performance.now() - startedMs
  }
  timeOf(0)
  // A new iterator for each entry takes a second and more.
  expect(Math.min(timeOf(50_000), timeOf(100_000), timeOf(150_000))).toBeLessThan(300)
})
