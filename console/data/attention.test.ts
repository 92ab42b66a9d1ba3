import { expect, test } from 'vitest'
import { placeOf } from './attention.ts'

test('an item of attention leads to its filtered list, or to its record if there is no list', () => {
  const operation = (id: string, input = {}) => ({ operation: { id, path: '', input }, records: [] })
  expect(placeOf(operation('listPayments', { status: ['PendingReview'] }))).toBe('/payments?status=PendingReview')
  expect(placeOf(operation('listEvents', { type: ['payment.returned'], after: 7 }))).toBe('/payments?status=Returned')
  expect(placeOf(operation('listReviewPayments'))).toBe('/review/payments')
  expect(placeOf(operation('listProposals', { state: 'Waiting' }))).toBe('/review/proposals?state=Waiting')
  expect(placeOf(operation('listClosingDays', { month: '2026-02' }))).toBe('/closing?month=2026-02')
  const records = [{ type: 'account' as const, id: '1000042' }]
  expect(placeOf({ ...operation('getAccountLimits', { accountId: '1000042' }), records })).toBe('/accounts/1000042')
  expect(placeOf({ operation: null, records })).toBeUndefined()
})
