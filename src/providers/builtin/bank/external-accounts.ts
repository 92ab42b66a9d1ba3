import { bankName } from '../../../banking/external-accounts/bank-names.ts'
import type { CreateExternalAccountInput } from '../../../banking/external-accounts/create-external-account.ts'
import { type ExternalAccount, externalAccountRules } from '../../../banking/external-accounts/external-account.ts'
import type { ListExternalAccountsQuery } from '../../../banking/external-accounts/list-external-accounts.ts'
import type { BankingProvider } from '../../../banking/provider.ts'
import { requireAllowed } from '../../../banking/state-rules.ts'
import { idNumber } from '../../../base/ids.ts'
import type { Answer, Caller, Write } from '../../../base/operation.ts'
import { type Page, pageWindow, toCursorPage } from '../../../base/page.ts'
import { Problem } from '../../../base/problem.ts'
import { hasRoutingChecksum } from '../../../base/routing-number.ts'
import { emitSealed } from '../../../events/event.ts'
import { clearNumber, lastDigits, numberDigest, sealedNumber } from '../../../secrets/numbers.ts'
import type { Seal } from '../../../secrets/seal.ts'
import type { BankParts } from '../bank-parts.ts'
import { findCustomer } from './customers.sql.ts'
import {
  type ExternalAccountRow,
  insertExternalAccount,
  listExternalAccountRows,
  lockExternalAccount,
  markExternalAccountDeleted,
} from './external-accounts.sql.ts'

type ExternalAccounts = Required<
  Pick<BankingProvider, 'createExternalAccount' | 'listExternalAccounts' | 'deleteExternalAccount'>
>

export function externalAccountsOf(bank: BankParts): ExternalAccounts {
  return {
    createExternalAccount: (write, input) => createExternalAccount(bank, write, input),
    listExternalAccounts: (caller, query) => listExternalAccounts(bank, caller, query),
    deleteExternalAccount: (write, externalAccountId) => deleteExternalAccount(bank, write, externalAccountId),
  }
}

async function createExternalAccount(
  bank: BankParts,
  write: Write<ExternalAccount>,
  { customerId, name, routingNumber, accountNumber, accountType, type }: CreateExternalAccountInput,
): Promise<Answer> {
  const { organisationId } = write.caller
  const id = await bank.ids.next()
  const seal = await bank.seals.of(organisationId)
  return bank.runOnce.transaction(write, async (transaction, events) => {
    const row = await insertExternalAccount(transaction, {
      id,
      organisationId,
      customerId: idNumber(customerId),
      name,
      routingNumber,
      accountNumber: sealedNumber(seal, id, accountNumber),
      numberDigest: numberDigest(seal, accountNumber),
      lastDigits: lastDigits(accountNumber),
      accountType,
      type,
      bank: bankName(routingNumber, bank.routingNumber),
    })
    if (!row) throw new Problem('customer_not_found')
    // Hosted sandboxes accept any nine digits, and existing tests rely on it.
    if (bank.mode === 'live' && !hasRoutingChecksum(routingNumber)) throw new Problem('invalid_routing_number')
    return emitSealed(events, row.customerId, 'externalAccount.created', row.version, externalAccount(row, seal))
  })
}

async function listExternalAccounts(
  { database, seals }: BankParts,
  { organisationId }: Caller,
  { customerId, routingNumber, accountNumber, ...query }: ListExternalAccountsQuery,
): Promise<Page<ExternalAccount>> {
  const customer = await findCustomer(database, organisationId, idNumber(customerId))
  if (!customer) throw new Problem('customer_not_found')
  const seal = await seals.of(organisationId)
  // Oldest first unless the caller asks for the opposite, unlike every other list.
  const page = { ...pageWindow(query), ascending: query.sort !== '-createdAt' }
  const filter = {
    organisationId,
    customerId: customer.id,
    routingNumber: routingNumber ?? null,
    accountNumber:
      accountNumber === undefined ? null : { clear: accountNumber, digest: numberDigest(seal, accountNumber) },
  }
  const rows = await listExternalAccountRows(database, filter, page)
  return toCursorPage(rows, page.limit, (row) => externalAccount(row, seal))
}

async function deleteExternalAccount(
  { runOnce, seals }: BankParts,
  write: Write<null>,
  externalAccountId: string,
): Promise<Answer> {
  const seal = await seals.of(write.caller.organisationId)
  return runOnce.transaction(write, async (transaction, events) => {
    const row = await lockExternalAccount(transaction, write.caller.organisationId, idNumber(externalAccountId))
    if (!row) throw new Problem('external_account_not_found')
    requireAllowed(externalAccountRules, 'deleteExternalAccount', row.deleted ? 'Deleted' : 'Live')
    const deleted = await markExternalAccountDeleted(transaction, row.id)
    emitSealed(events, deleted.customerId, 'externalAccount.deleted', deleted.version, externalAccount(deleted, seal))
    return null
  })
}

export function externalAccount(row: ExternalAccountRow, seal: Seal): ExternalAccount {
  return {
    id: String(row.id),
    createdAt: row.createdAt,
    name: row.name,
    routingNumber: row.routingNumber,
    bank: row.bank,
    accountNumber: clearNumber(seal, row.id, row.accountNumber),
    accountType: row.accountType,
    type: row.type,
    permissions: 'CreditOnly',
    customerId: String(row.customerId),
  }
}
