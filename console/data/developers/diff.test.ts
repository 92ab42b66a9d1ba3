import { expect, test } from 'vitest'
import { diffOf } from './diff.ts'

test('equal versions have no changes', () => {
  expect(diffOf({ a: 1, b: { c: [1, 2] } }, { b: { c: [1, 2] }, a: 1 })).toEqual([])
})

test('changed, added and removed members are named by their path', () => {
  const before = { status: 'Open', hold: 0, tags: { team: 'a', old: 'x' } }
  const after = { status: 'Frozen', hold: 0, tags: { team: 'b' }, reason: null }
  expect(diffOf(before, after)).toEqual([
    { path: 'status', before: 'Open', after: 'Frozen' },
    { path: 'tags.team', before: 'a', after: 'b' },
    { path: 'tags.old', before: 'x', after: undefined },
    { path: 'reason', before: undefined, after: null },
  ])
})

test('entries of lists are compared by their places', () => {
  expect(diffOf({ list: [1, 2] }, { list: [1, 3, 4] })).toEqual([
    { path: 'list.1', before: 2, after: 3 },
    { path: 'list.2', before: undefined, after: 4 },
  ])
})

test('a value of another kind is one change', () => {
  expect(diffOf({ a: { b: 1 } }, { a: [1] })).toEqual([{ path: 'a', before: { b: 1 }, after: [1] }])
  expect(diffOf({ a: null }, { a: { b: 1 } })).toEqual([{ path: 'a', before: null, after: { b: 1 } }])
})

test('members with the names of methods are members', () => {
  expect(diffOf({}, JSON.parse('{"toString":"x","__proto__":1}'))).toEqual([
    { path: 'toString', before: undefined, after: 'x' },
    { path: '__proto__', before: undefined, after: 1 },
  ])
})
