import { type AccountKind, accountKinds, type LedgerAccount } from '../../accounting/ledger-account.ts'
import type { ListLedgerAccountsQuery } from '../../accounting/list-ledger-accounts.ts'
import type { Caller } from '../../base/operation.ts'
import { Page } from '../../base/page.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import { type LedgerAccountRow, listAccounts } from './accounts.sql.ts'
import { shownKind, storedWord } from './words.ts'

export async function listLedgerAccounts(
  { database }: Pick<BankParts, 'database'>,
  { organisationId }: Caller,
  { kind = [...accountKinds], after, limit = 100 }: ListLedgerAccountsQuery,
): Promise<Page<LedgerAccount>> {
  const isDeposit = (word: AccountKind) => word === 'deposit'
  const internalKinds = kind.filter((word) => !isDeposit(word)).map(storedWord)
  const filter = { organisationId, after: after ?? null, deposits: kind.some(isDeposit), internalKinds }
  const rows = await listAccounts(database, filter, limit + 1)
  const shown = rows.slice(0, limit).map(ledgerAccount)
  return new Page(shown, rows.length > limit, { after: shown.at(-1)?.id ?? '' })
}

function ledgerAccount(row: LedgerAccountRow): LedgerAccount {
  const { id, kind, name, customerId, customerName, status, accountNumber, slot } = row
  const { balance, hold, seq, postedAt, createdAt } = row
  const isInternal = customerId === null
  return {
    id: String(id),
    kind: shownKind(kind),
    name,
    owner: isInternal
      ? { type: 'bank', id: null, name: 'Purser' }
      : { type: 'customer', id: String(customerId), name: customerName ?? '' },
    status,
    accountNumber: isInternal ? null : accountNumber,
    slot,
    balance,
    hold,
    available: balance - hold,
    transfers: seq,
    lastTransferAt: postedAt,
    createdAt,
  }
}
