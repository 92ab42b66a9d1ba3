import { expect, test } from 'vitest'
import { nearestName, unknownMessage } from './nearest-name.ts'

const names = ['customerId', 'accountId', 'tags', 'limit', 'to', 'by', 'status', 'description']

test.each([
  ['custmerId', 'customerId'],
  ['CUSTOMERID', 'customerId'],
  ['account', 'accountId'],
  ['tag', 'tags'],
  ['stauts', 'status'],
  ['descriptoin', 'description'],
  ['Limit', 'limit'],
])('%s is near %s', (name, nearest) => {
  expect(nearestName(name, names)).toBe(nearest)
})

test.each(['colour', 'state', 'at', 'page', 'limitless', 'x', 'id', '', 'customer', 'x'.repeat(100_000)])(
  '%.20s is near no name',
  (name) => {
    expect(nearestName(name, ['customerIdentifier', 'limit', 'offset', 'status', 'to'])).toBeUndefined()
  },
)

test('a name that is near none is answered with the names there are', () => {
  expect(unknownMessage('colour', ['limit', 'sort'])).toBe('colour is not known; known names: limit, sort')
  expect(unknownMessage('colour', [])).toBe('colour is not known; nothing is accepted here')
})
