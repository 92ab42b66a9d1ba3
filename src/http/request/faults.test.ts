import { expect, test } from 'vitest'
import { unknownMessage } from './faults.ts'

test('a name that is near none is answered with the names there are', () => {
  expect(unknownMessage('colour', ['limit', 'sort'])).toBe('colour is not known; known names: limit, sort')
  expect(unknownMessage('colour', [])).toBe('colour is not known; nothing is accepted here')
})
