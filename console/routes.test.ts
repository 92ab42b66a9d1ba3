import { expect, test } from 'vitest'
import { decoded, recordPath } from './routes.ts'

test('an id is one part of the path, with any characters', () => {
  expect(recordPath('payment', 'a/b %')).toBe('/payments/a%2Fb%20%25')
  expect(decoded('a%2Fb')).toBe('a/b')
  expect(decoded('100%')).toBe('100%')
})

test('a type without a list of its own has the general screen, whatever its name', () => {
  expect(recordPath('constructor', 1)).toBe('/records/constructor/1')
  expect(recordPath('__proto__', 1)).toBe('/records/__proto__/1')
})
