import type { Accounting } from '../../accounting/accounting.ts'
import type { ReadFirstStates } from '../../events/stored/complete-events.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import { listLedgerAccounts } from './accounts.ts'
import { ledgerBalancesOf } from './balances.ts'
import { ledgerFlowsOf } from './flows.ts'
import { listLedgerPosition } from './position.ts'
import { listLedgerTransfers } from './transfers.ts'
import { verificationOf } from './verification.ts'

export function accountingOf(bank: BankParts, readRows: ReadFirstStates): Accounting {
  return {
    listLedgerAccounts: (caller, query) => listLedgerAccounts(bank, caller, query),
    listLedgerTransfers: (caller, query) => listLedgerTransfers(bank, caller, query),
    listLedgerFlows: ledgerFlowsOf(bank),
    listLedgerBalances: ledgerBalancesOf(bank),
    listLedgerPosition: (caller) => listLedgerPosition(bank, caller),
    ...verificationOf({ ...bank, readRows }),
  }
}
