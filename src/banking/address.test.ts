import { describe, expect, test } from 'vitest'
import { brokenRules, type Rule } from '../base/rules.ts'
import { MailingAddress } from './address.ts'

const address = { street: '1 Sample Street', city: 'Springfield', state: 'IL', postalCode: '62701' }

const { 'x-rules': rules } = MailingAddress as unknown as { 'x-rules': Rule[] }
const pointersOf = (changes: Record<string, string>) =>
  brokenRules(rules, { ...address, ...changes }).map(({ member }) => `/address/${member}`)

describe('an address', () => {
  test('in the US has a state of two letters and a ZIP or ZIP+4', () => {
    for (const changes of [{}, { country: 'US' }, { state: 'il' }, { postalCode: '62701-1234' }]) {
      expect(pointersOf(changes), JSON.stringify(changes)).toEqual([])
    }
    for (const state of ['I', 'ILL', 'Illinois', 'I1', 'ÑY', 'IL ']) {
      expect(pointersOf({ state }), state).toEqual(['/address/state'])
    }
    for (const postalCode of [
      '6270',
      '627011',
      '62701-',
      '62701-123',
      '627011234',
      '62701 1234',
      'ABCDE',
      '６２７０１',
    ]) {
      expect(pointersOf({ postalCode }), postalCode).toEqual(['/address/postalCode'])
    }
  })

  test('has all its faults reported together', () => {
    expect(pointersOf({ state: 'Illinois', postalCode: '1' })).toEqual(['/address/state', '/address/postalCode'])
  })

  test('outside the US can have any state and postal code', () => {
    expect(pointersOf({ country: 'CA', state: 'Ontario', postalCode: 'K1A 0B1' })).toEqual([])
  })
})
