import { describe, expect, test } from 'vitest'
import { outcomeOf } from '../../../test/support/state-rules.ts'
import { type AccountHoldStatus, accountHoldRules, reservedBy } from './account-hold.ts'

/** The state after a release or the code of the refusal, and the amount that a hold of 20 dollars reserves. */
const table: Record<AccountHoldStatus, [release: string, reserved: number]> = {
  Active: ['Released', 20_00],
  Released: ['account_hold_not_active', 0],
  Expired: ['account_hold_not_active', 0],
}

describe('a hold', () => {
  for (const [status, [release, reserved]] of Object.entries(table) as [AccountHoldStatus, [string, number]][]) {
    test(`that is ${status} reserves ${reserved}, and its release answers ${release}`, () => {
      expect(outcomeOf(accountHoldRules, 'releaseAccountHold', status)).toBe(release)
      expect(reservedBy({ status, amount: 20_00 })).toBe(reserved)
    })
  }
})
