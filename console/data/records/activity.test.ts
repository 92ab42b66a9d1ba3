import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Event } from '../../../client/src/index.ts'
import { activityOf, activityTypes } from './activity.ts'

const samples = JSON.parse(readFileSync('src/event-samples.json', 'utf8')) as Record<string, Event>
const said = (type: string, data: object, holder?: string) => {
  const { who, did, more, amount } = activityOf({ type, data } as unknown as Event, holder)
  return [`${who} ${did}`, more, amount].filter(Boolean).join(' · ')
}
const counterparty = { name: 'Carl Sample', accountNumber: '1234' }

test('every type of an activity is that of an event, and its sample a sentence', () => {
  for (const type of activityTypes) {
    const sample = samples[type]
    expect(sample, type).toBeDefined()
    const { who, did } = activityOf({ type, data: (sample as { data?: object }).data ?? sample } as Event)
    expect([who, did].join(' '), type).not.toMatch(/undefined|^(A payment|A merchant|Somebody|Another bank)/)
  }
})

test('money that leaves has a minus, and money that comes a plus', () => {
  const data = { amount: 1_50, counterparty, description: 'Rent' }
  expect(said('payment.created', { ...data, direction: 'Credit' })).toBe('Carl Sample is paid · Rent · −$1.50')
  expect(said('payment.created', { ...data, direction: 'Debit' })).toBe('Carl Sample is debited · Rent · +$1.50')
  const back = { ...data, direction: 'Credit', returnCode: 'R02', returnReason: 'Account closed' }
  expect(said('payment.returned', back)).toBe(
    'Carl Sample did not get its payment: it came back · Account closed (R02) · +$1.50',
  )
  expect(said('receivedPayment.created', { ...data, direction: 'Debit' })).toBe(
    'Carl Sample takes money · Rent · −$1.50',
  )
})

test('a decline says why, and moves nothing', () => {
  const data = {
    amount: 64_10,
    merchant: { name: 'Example Fuel' },
    cardLast4Digits: '1180',
    reason: 'InsufficientFunds',
  }
  expect(said('authorization.declined', data)).toBe(
    'Example Fuel was declined, card ··1180 · Insufficient funds · $64.10',
  )
})

test('the holder of the account comes first if it is known', () => {
  const payment = { amount: 1_50, counterparty, direction: 'Credit' }
  const debit = { ...payment, direction: 'Debit' }
  const purchase = { amount: 64_10, merchant: { name: 'Example Fuel' }, cardLast4Digits: '1180' }
  expect(
    [
      ['payment.created', payment],
      ['payment.created', debit],
      ['payment.returned', { ...payment, returnCode: 'R02', returnReason: 'Account closed' }],
      ['payment.pendingReview', payment],
      ['receivedPayment.created', payment],
      ['receivedPayment.created', debit],
      ['authorization.completed', purchase],
      ['card.statusChanged', { last4Digits: '1180', status: 'Frozen' }],
    ].map(([type, data]) => said(type as string, data as object, 'Ada Example')),
  ).toEqual([
    'Ada Example pays Carl Sample · −$1.50',
    'Ada Example collects from Carl Sample · +$1.50',
    'Ada Example to Carl Sample came back · Account closed (R02) · +$1.50',
    'Ada Example to Carl Sample waits for a review · $1.50',
    'Ada Example gets money from Carl Sample · +$1.50',
    'Ada Example is debited by Carl Sample · −$1.50',
    'Ada Example bought at Example Fuel, card ··1180 · −$64.10',
    'Card ··1180 of Ada Example is frozen now',
  ])
})
