import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Event } from '../../../client/src/index.ts'
import { activityOf, activityTypes } from './activity.ts'

const samples = JSON.parse(readFileSync('src/event-samples.json', 'utf8')) as Record<string, Event>
const said = (type: string, data: object) => {
  const { who, did, more, amount } = activityOf({ type, data } as unknown as Event)
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
