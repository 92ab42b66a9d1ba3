import { Problem } from '../../base/problem.ts'
import type { Books } from '../../ledger/books.ts'
import type { LedgerAccount } from '../../ledger/records.ts'

/** A customer's account under lock. Internal accounts cannot be named by a request. */
export function depositAccountIn(books: Books, organisationId: number, id: number): LedgerAccount {
  const account = books.account(id)
  if (account?.organisationId !== organisationId || account.customerId === null) throw new Problem('account_not_found')
  return account
}

/**
 * The account of this bank that a payment reaches. A closed account, or one of another organisation, is treated like an account at
 * another bank.
 */
export function openDestinationIn(
  books: Books,
  organisationId: number,
  accountId: number | null | undefined,
): LedgerAccount | undefined {
  const account = accountId ? books.account(accountId) : undefined
  return account?.organisationId === organisationId && account.status !== 'Closed' ? account : undefined
}
