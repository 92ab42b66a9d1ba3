import { describe, expect, test } from 'vitest'
import { outcomeOf } from '../../../test/support/state-rules.ts'
import { type AccountStatus, accountRules } from './account.ts'

/** Each operation in each state: the state afterwards, or the code of the refusal. */
const table: Record<keyof typeof accountRules, Record<AccountStatus, string>> = {
  freezeAccount: { Open: 'Frozen', Frozen: 'account_not_open', Closed: 'account_not_open' },
  unfreezeAccount: { Open: 'account_not_frozen', Frozen: 'Open', Closed: 'account_not_frozen' },
  closeAccount: { Open: 'Closed', Frozen: 'Closed', Closed: 'account_closed' },
  reopenAccount: { Open: 'account_not_closed', Frozen: 'account_not_closed', Closed: 'Open' },
  createCard: { Open: 'Open', Frozen: 'account_not_open', Closed: 'account_not_open' },
  replaceCard: { Open: 'Open', Frozen: 'Frozen', Closed: 'account_not_open' },
  activateCard: { Open: 'Open', Frozen: 'account_not_open', Closed: 'account_not_open' },
  createPayment: { Open: 'Open', Frozen: 'account_not_open', Closed: 'account_not_open' },
  createBookTransfer: { Open: 'Open', Frozen: 'account_not_open', Closed: 'account_not_open' },
  receiveBookTransfer: { Open: 'Open', Frozen: 'Frozen', Closed: 'account_closed' },
  createAccountHold: { Open: 'Open', Frozen: 'Frozen', Closed: 'account_closed' },
  receiveAch: { Open: 'Open', Frozen: 'Frozen', Closed: 'account_closed' },
  returnReceivedCredit: { Open: 'Open', Frozen: 'account_not_open', Closed: 'Closed' },
  receiveAchDebit: { Open: 'Open', Frozen: 'account_not_open', Closed: 'account_not_open' },
}

describe('the rules of an account', () => {
  for (const [operationId, outcomes] of Object.entries(table) as [
    keyof typeof accountRules,
    Record<AccountStatus, string>,
  ][]) {
    for (const [status, outcome] of Object.entries(outcomes) as [AccountStatus, string][]) {
      test(`answer ${outcome} to ${operationId} of an account that is ${status}`, () => {
        expect(outcomeOf(accountRules, operationId, status)).toBe(outcome)
      })
    }
  }
})
