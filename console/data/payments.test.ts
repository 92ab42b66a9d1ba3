import { expect, it } from 'vitest'
import { paymentWay, stateReason } from './payments.ts'

it.each([
  [{ status: 'Sent' }, ['Pending', 'Clearing', 'Sent'], 'good'],
  [{ status: 'Returned' }, ['Pending', 'Clearing', 'Sent', 'Returned'], 'bad'],
  [{ status: 'PendingReview' }, ['PendingReview', 'Pending', 'Clearing', 'Sent'], 'warn'],
  [{ status: 'Pending', reason: 'Known' }, ['PendingReview', 'Pending', 'Clearing', 'Sent'], 'warn'],
  [{ status: 'Rejected', reason: 'Twice' }, ['PendingReview', 'Rejected'], 'bad'],
  [{ status: 'Rejected', reason: 'Known', traceNumber: '8' }, ['PendingReview', 'Pending', 'Rejected'], 'bad'],
  [{ status: 'Rejected' }, ['Pending', 'Rejected'], 'bad'],
  [{ status: 'Canceled' }, ['Pending', 'Canceled'], 'bad'],
])('the way of the payment %j is %j', (payment, way, tone) => {
  expect(paymentWay(payment)).toEqual({ way, present: payment.status, tone })
})

it.each([
  [{ status: 'Returned', returnCode: 'R02', returnReason: 'Account closed' }, 'Account closed (R02)'],
  [{ status: 'Returned', returnCode: 'R99' }, 'R99'],
  [{ status: 'Rejected', reason: 'Paid twice' }, 'Paid twice'],
  [{ status: 'Sent', settlementDate: '2026-11-24' }, 'Settled Nov 24, 2026'],
  [{ status: 'Sent', type: 'bookPayment' }, 'Within the bank'],
  [{ status: 'Clearing', expectedCompletionDate: '2026-11-30' }, 'Settles Nov 30, 2026'],
  [{ status: 'PendingReview' }, undefined],
  [{ status: 'PendingReview', reviewReason: 'accountLimit' }, 'Above a limit of the account'],
  [{ status: 'PendingReview', reviewReason: 'stopped' }, 'Stopped by a reviewer before it left'],
] as const)('the reason of the state of %j is %j', (payment, reason) => {
  expect(stateReason(payment)).toBe(reason)
})
