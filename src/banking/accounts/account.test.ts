import { describe, expect, test } from 'vitest'
import { type AccountMove, type AccountStatus, moveAccount } from './account.ts'

/** Each move from each status: the status after it, or the refusal. */
const table: Record<AccountMove, Record<AccountStatus, string>> = {
  freeze: { Open: 'Frozen', Frozen: 'account_not_open', Closed: 'account_not_open' },
  unfreeze: { Open: 'account_not_frozen', Frozen: 'Open', Closed: 'account_not_frozen' },
  close: { Open: 'Closed', Frozen: 'Closed', Closed: 'account_closed' },
  reopen: { Open: 'account_not_closed', Frozen: 'account_not_closed', Closed: 'Open' },
}

describe('an account', () => {
  for (const [move, outcomes] of Object.entries(table) as [AccountMove, Record<AccountStatus, string>][]) {
    for (const [status, outcome] of Object.entries(outcomes) as [AccountStatus, string][]) {
      test(`that is ${status}: ${move} gives ${outcome}`, () => {
        const moved = moveAccount(status, move)
        expect('refused' in moved ? moved.refused : moved.status).toBe(outcome)
      })
    }
  }
})
