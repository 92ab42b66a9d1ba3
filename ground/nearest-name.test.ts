import { expect, test } from 'vitest'
import { nearestName } from './nearest-name.ts'

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
