import { expect, it } from 'vitest'
import { paymentWay } from './payment-way.ts'

it.each([
  [{ status: 'Sent' }, ['Pending', 'Clearing', 'Sent', 'Returned'], 'good'],
  [{ status: 'PendingReview' }, ['PendingReview', 'Pending', 'Clearing', 'Sent', 'Returned'], 'warn'],
  [{ status: 'Pending', reason: 'Known' }, ['PendingReview', 'Pending', 'Clearing', 'Sent', 'Returned'], 'warn'],
  [{ status: 'Rejected', reason: 'Twice' }, ['PendingReview', 'Rejected'], 'bad'],
  [{ status: 'Rejected', reason: 'Known', traceNumber: '8' }, ['PendingReview', 'Pending', 'Rejected'], 'bad'],
  [{ status: 'Rejected' }, ['Pending', 'Rejected'], 'bad'],
  [{ status: 'Canceled' }, ['Pending', 'Canceled'], 'bad'],
])('the way of the payment %j is %j', (payment, way, tone) => {
  expect(paymentWay(payment)).toEqual({ way, present: payment.status, tone })
})
