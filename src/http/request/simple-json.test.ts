import { expect, test } from 'vitest'
import { isSimpleJson } from './simple-json.ts'

const isSimple = (text: string) => isSimpleJson(Buffer.from(text))
const MIB = 1024 * 1024

test.each([
  ['an upload', JSON.stringify({ file: 'A'.repeat(27 * MIB), contentType: 'image/png' })],
  ['long strings with quotes and backslashes', JSON.stringify([`${'\\'.repeat(MIB)}"`, '"'.repeat(9_000), '\\'])],
  ['structure inside a string', JSON.stringify('[{,'.repeat(MIB))],
  ['padding', `{}${' '.repeat(MIB - 2)}`],
  ['a string without an end', `["${'a'.repeat(MIB)}`],
  ['nothing', ''],
])('%s is simple', (_what, text) => {
  expect(isSimple(text)).toBe(true)
})

test.each([
  ['members', `{${Array.from({ length: 10_001 }, (_, index) => `"z${index}":1`).join(',')}}`],
  ['elements', `[${'1,'.repeat(10_001)}1]`],
  ['nesting', '['.repeat(10_001)],
  ['empty strings', `[${'"",'.repeat(10_001)}""]`],
  ['escaped quotes', `["${'\\"'.repeat(10_001)}"]`],
  ['numbers', `[${'1'.repeat(MIB + 1)}]`],
])('too many %s are not simple', (_what, text) => {
  expect(isSimple(text)).toBe(false)
})

// In square time each of the texts would take hours.
test('a large text is judged in linear time, however it is built', () => {
  const started = performance.now()
  for (const part of ['"', '\\', '\\"', '"\\', '[', '"",', 'a', ' ', '"a":'])
    isSimple(part.repeat((28 * MIB) / part.length))
  expect(performance.now() - started).toBeLessThan(60_000)
})
