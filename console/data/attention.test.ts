import { expect, test } from 'vitest'
import type { AttentionItem } from '../../client/src/index.ts'
import { placeOf, waitingAt } from './attention.ts'

test('an item of attention leads to its filtered list', () => {
  const place = (id: string, input = {}) => placeOf({ operation: { id, path: '', input } })
  expect(place('listPayments', { status: ['PendingReview'] })).toBe('/payments?status=PendingReview')
  expect(place('listPayments', { returnedSince: '2026-02-03' })).toBe('/payments?returnedSince=2026-02-03')
  expect(place('listAccounts', { nearLimit: true })).toBe('/accounts?nearLimit=true')
  expect(place('listWebhookEndpoints', { failing: true })).toBe('/webhooks?failing=true')
  expect(place('listOverSettlements')).toBe('/review/over-settlements')
  expect(place('listReviewPayments')).toBe('/review/payments')
  expect(place('listProposals', { state: 'Waiting' })).toBe('/review/proposals?state=Waiting')
  expect(place('listClosingDays', { month: '2026-02' })).toBe('/closing?month=2026-02')
  expect(placeOf({ operation: null })).toBeUndefined()
})

test('a screen of the menu counts the items that belong to it', () => {
  const items = [
    { kind: 'railExceptions', level: 'urgent', count: 2 },
    { kind: 'returnRates', level: 'soon', count: 1 },
    { kind: 'openDays', level: 'soon', count: 3 },
    { kind: 'ledgerCheck', level: 'inOrder', count: 0 },
  ] as AttentionItem[]
  expect(waitingAt('/rails', items)).toEqual({ count: 3, isUrgent: true })
  expect(waitingAt('/closing', items)).toEqual({ count: 3, isUrgent: false })
  expect(waitingAt('/review', items)).toEqual({ count: 0, isUrgent: false })
})
