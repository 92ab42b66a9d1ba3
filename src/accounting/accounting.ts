import { type Answer, type Caller, operationsOver, type Write } from '../base/operation.ts'
import type { Page } from '../base/page.ts'
import type { LedgerAccount } from './ledger-account.ts'
import type { LedgerBalance } from './ledger-balance.ts'
import type { LedgerTransfer } from './ledger-transfer.ts'
import type { LedgerVerification } from './ledger-verification.ts'
import type { ListLedgerAccountsQuery } from './list-ledger-accounts.ts'
import type { ListLedgerBalancesQuery } from './list-ledger-balances.ts'
import type { LedgerFlow, ListLedgerFlowsQuery } from './list-ledger-flows.ts'
import type { LedgerPosition } from './list-ledger-position.ts'
import type { ListLedgerTransfersQuery } from './list-ledger-transfers.ts'

/**
 * The port of the operations on the ledger, one method for each operation. Only the built-in bank has a ledger; with a
 * connector all of them answer 501 and are not in the OpenAPI document.
 */
export interface Accounting {
  listLedgerAccounts(caller: Caller, query: ListLedgerAccountsQuery): Promise<Page<LedgerAccount>>
  listLedgerTransfers(caller: Caller, query: ListLedgerTransfersQuery): Promise<Page<LedgerTransfer>>
  listLedgerFlows(caller: Caller, query: ListLedgerFlowsQuery): Promise<Page<LedgerFlow>>
  listLedgerBalances(caller: Caller, query: ListLedgerBalancesQuery): Promise<Page<LedgerBalance>>
  listLedgerPosition(caller: Caller): Promise<Page<LedgerPosition>>
  getLedgerVerification(caller: Caller): Promise<LedgerVerification>
  runLedgerVerification(write: Write<LedgerVerification>): Promise<Answer>
}

export const { read: ledgerRead, write: ledgerWrite } = operationsOver<{ accounting: Accounting }>(
  'ledger',
  'banking:read',
  'keys:write',
)
