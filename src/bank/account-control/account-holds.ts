import type { AccountHold } from '../../banking/account-holds/account-hold.ts'
import type { CreateAccountHoldInput } from '../../banking/account-holds/create-account-hold.ts'
import type { ListAccountHoldsQuery } from '../../banking/account-holds/list-account-holds.ts'
import type { BankingProvider } from '../../banking/provider.ts'
import { idNumber } from '../../base/ids.ts'
import { type Answer, type Caller, lacksScope, type Write } from '../../base/operation.ts'
import { type Page, pageWindow, toCursorPage } from '../../base/page.ts'
import { Problem } from '../../base/problem.ts'
import type { Command } from '../../ledger/books.ts'
import { findCustomerOf } from '../accounts/accounts.sql.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import { customerSeals } from '../parts/customer-seals.ts'
import { holds } from '../records/holds.ts'
import { payments } from '../records/payments.ts'
import type { LedgerHold } from '../records/records.ts'
import { findHold, listHoldRows } from './account-holds.sql.ts'
import { accountHoldOf, decideHold, decideHoldEnd } from './hold-decisions.ts'

export function accountHoldsOf(bank: BankParts) {
  return {
    createAccountHold: (write, input) => createAccountHold(bank, write, input),
    listAccountHolds: (caller, query) => listAccountHolds(bank, caller, query),
    getAccountHold: async (caller, ids) => accountHoldOf(await requireHold(bank, caller, ids)),
    releaseAccountHold: (write, ids) => releaseAccountHold(bank, write, ids),
  } satisfies Partial<BankingProvider>
}

async function createAccountHold(
  bank: BankParts,
  write: Write<AccountHold>,
  input: CreateAccountHoldInput,
): Promise<Answer> {
  const { organisationId, decidesRisk = false } = write.caller
  if (input.reason === 'LegalOrder' && !decidesRisk) throw lacksScope('risk:write')
  const accountId = idNumber(input.accountId)
  const customerId = await requireCustomerOf(bank, write.caller, accountId)
  const seals = await customerSeals(bank, organisationId, [customerId])
  const { overdraftCents } = bank
  const byBank = decidesRisk
  const order = { id: await bank.ids.next(), organisationId, accountId, input, overdraftCents, byBank, seals }
  const command: Command<AccountHold, 'pending'> = {
    write,
    accountIds: [accountId],
    reads: input.reason === 'LegalOrder' ? [payments.ids([{ pendingOf: accountId }])] : [],
    decide: (books) => decideHold(books, order),
    // The next attempt finds the payments that were written together with this one.
    supply: async () => command,
  }
  return bank.runOnce.attempt(write, () => bank.lane.run(command))
}

async function listAccountHolds(
  bank: BankParts,
  caller: Caller,
  { accountId, status, ...query }: ListAccountHoldsQuery,
): Promise<Page<AccountHold>> {
  const id = idNumber(accountId)
  await requireCustomerOf(bank, caller, id)
  const page = pageWindow(query)
  return toCursorPage(await listHoldRows(bank.database, { accountId: id, status }, page), page.limit, accountHoldOf)
}

async function releaseAccountHold(
  bank: BankParts,
  write: Write<AccountHold>,
  ids: { accountId: string; holdId: string },
): Promise<Answer> {
  const { id, accountId, customerId, organisationId } = await requireHold(bank, write.caller, ids)
  const seals = await customerSeals(bank, organisationId, [customerId])
  const { decidesRisk = false } = write.caller
  const command: Command<AccountHold> = {
    write,
    accountIds: [accountId],
    reads: [holds.ids([id])],
    decide: (books) => accountHoldOf(decideHoldEnd(books, { id, status: 'Released', decidesRisk, seals })),
  }
  return bank.runOnce.attempt(write, () => bank.lane.run(command))
}

/** The customer of an account of the caller. Internal accounts have none. */
async function requireCustomerOf({ database }: BankParts, caller: Caller, accountId: number): Promise<number> {
  const customerId = await findCustomerOf(database, caller.organisationId, accountId)
  if (customerId === undefined) throw new Problem('account_not_found')
  return customerId
}

async function requireHold(
  bank: BankParts,
  caller: Caller,
  { accountId, holdId }: { accountId: string; holdId: string },
): Promise<LedgerHold> {
  const hold = await findHold(bank.database, caller.organisationId, idNumber(holdId))
  if (hold && hold.accountId === idNumber(accountId)) return hold
  await requireCustomerOf(bank, caller, idNumber(accountId))
  throw new Problem('account_hold_not_found')
}
