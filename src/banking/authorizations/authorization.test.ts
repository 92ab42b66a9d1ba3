import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type AuthorizationStatus, heldBy } from './authorization.ts'

/** What an authorization of 20 dollars holds in each status, after so much has settled. */
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

describe('an authorization', () => {
  for (const [status, rows] of Object.entries(table) as [AuthorizationStatus, [number, number][]][]) {
    for (const [settled, held] of rows) {
      test(`of 2000 that is ${status} with ${settled} settled holds ${held}`, () => {
        expect(heldBy({ status, amount: 20_00, settled })).toBe(held)
      })
    }
  }

  test('never holds less than nothing nor more than its amount', () => {
    const cents = fc.integer({ min: 0, max: 999_999_999_999 })
    const status = fc.constantFrom(...(Object.keys(table) as AuthorizationStatus[]))
    fc.assert(
      fc.property(status, cents, cents, (status, amount, settled) => {
        const held = heldBy({ status, amount, settled })
        expect(held).toBeGreaterThanOrEqual(0)
        expect(held).toBeLessThanOrEqual(amount)
        if (status === 'Authorized' && settled <= amount) expect(held + settled).toBe(amount)
      }),
    )
  })
})
