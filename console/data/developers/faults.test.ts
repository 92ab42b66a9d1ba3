import { expect, test } from 'vitest'
import type { FaultRule } from '../../../client/src/index.ts'
import { effectText, leftText, matchText, ruleOf } from './faults.ts'

test('the values of a form become a rule', () => {
  expect(ruleOf({ operation: 'createPayment', effect: '503', times: 1 })).toEqual({
    match: { operation: 'createPayment' },
    effect: { status: 503 },
    times: 1,
  })
  expect(
    ruleOf({ operation: 'getAccount', accountId: '7', effect: 'delay', delayMs: 2000, probability: '25' }),
  ).toEqual({
    match: { operation: 'getAccount', accountId: '7' },
    effect: { delayMs: 2000 },
    probability: 0.25,
  })
  expect(ruleOf({ operation: 'createPayment', effect: 'drop', seed: 3 })).toEqual({
    match: { operation: 'createPayment' },
    effect: { dropAfterCommit: true },
    seed: 3,
  })
  expect(ruleOf({ eventType: 'payment.*', effect: 'duplicate' })).toEqual({
    match: { eventType: 'payment.*' },
    effect: { duplicate: true },
  })
})

test('the text of a rule names its requests, its effect and its rest', () => {
  expect(matchText({ operation: 'createPayment', accountId: '7' })).toBe('createPayment of account 7')
  expect(matchText({ eventType: 'payment.*' })).toBe('Deliveries of payment.*')
  expect(effectText({ status: 429, delayMs: 1500 })).toBe('waits 1,500 ms, answers 429')
  expect(effectText({ reorder: true })).toBe('is sent after a later event')
  expect(leftText({ times: 3, remaining: 2 } as FaultRule)).toBe('2 of 3')
  expect(leftText({ times: 3, remaining: 0 } as FaultRule)).toBe('Used up')
  expect(leftText({ times: null, remaining: null } as FaultRule)).toBe('No limit')
})
