import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { seedOfTest } from '../../../test/support/random.ts'
import { outcomeOf } from '../../../test/support/state-rules.ts'
import { type AuthorizationStatus, authorizationRules, heldBy } from './authorization.ts'

/** The amount that an authorization of 20 dollars holds in each state, by the amount that has settled. */
const table: Record<AuthorizationStatus, [settled: number, held: number][]> = {
  Authorized: [
    [0, 20_00],
    [1, 19_99],
    [19_99, 1],
    [20_00, 0],
    [20_01, 0],
    [999_999_999_999, 0],
  ],
  Completed: [
    [5_00, 0],
    [20_00, 0],
    [25_00, 0],
  ],
  Canceled: [
    [0, 0],
    [5_00, 0],
  ],
  Declined: [[0, 0]],
}

/** Each operation in each state: the state afterwards, or the code of the refusal. */
const outcomes: Record<keyof typeof authorizationRules, Record<AuthorizationStatus, string>> = {
  settleAuthorization: {
    Authorized: 'Authorized',
    Completed: 'authorization_not_open',
    Canceled: 'authorization_not_open',
    Declined: 'authorization_not_open',
  },
  reverseAuthorization: {
    Authorized: 'Canceled',
    Completed: 'authorization_not_open',
    Canceled: 'authorization_not_open',
    Declined: 'authorization_not_open',
  },
  incrementAuthorization: {
    Authorized: 'Authorized',
    Completed: 'authorization_not_open',
    Canceled: 'authorization_not_open',
    Declined: 'authorization_not_open',
  },
  adviseAuthorization: {
    Authorized: 'Authorized',
    Completed: 'authorization_not_open',
    Canceled: 'authorization_not_open',
    Declined: 'authorization_not_open',
  },
  refundAuthorization: {
    Authorized: 'Authorized',
    Completed: 'Completed',
    Canceled: 'Canceled',
    Declined: 'authorization_not_settled',
  },
}

describe('the rules of an authorization', () => {
  for (const operationId of Object.keys(outcomes) as (keyof typeof authorizationRules)[]) {
    for (const [status, outcome] of Object.entries(outcomes[operationId]) as [AuthorizationStatus, string][]) {
      test(`answer ${outcome} to ${operationId} of an authorization that is ${status}`, () => {
        expect(outcomeOf(authorizationRules, operationId, status)).toBe(outcome)
      })
    }
  }
})

describe('an authorization', () => {
  for (const [status, rows] of Object.entries(table) as [AuthorizationStatus, [number, number][]][]) {
    for (const [settled, held] of rows) {
      test(`of 2000 that is ${status} with ${settled} settled holds ${held}`, () => {
        expect(heldBy({ status, amount: 20_00, settled })).toBe(held)
      })
    }
  }

  test('never holds less than zero or more than its amount', () => {
    const cents = fc.integer({ min: 0, max: 999_999_999_999 })
    const status = fc.constantFrom(...(Object.keys(table) as AuthorizationStatus[]))
    fc.assert(
      fc.property(status, cents, cents, (status, amount, settled) => {
        const held = heldBy({ status, amount, settled })
        expect(held).toBeGreaterThanOrEqual(0)
        expect(held).toBeLessThanOrEqual(amount)
        if (status === 'Authorized' && settled <= amount) expect(held + settled).toBe(amount)
      }),
      { seed: seedOfTest() },
    )
  })
})
