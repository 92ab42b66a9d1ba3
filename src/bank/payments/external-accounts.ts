import { bankName } from '../../banking/external-accounts/bank-names.ts'
import type { CreateExternalAccountInput } from '../../banking/external-accounts/create-external-account.ts'
import {
  type ExternalAccount,
  externalAccountRules,
  type Mandate,
  type Verification,
} from '../../banking/external-accounts/external-account.ts'
import type { ListExternalAccountsQuery } from '../../banking/external-accounts/list-external-accounts.ts'
import type { UpdateExternalAccountInput } from '../../banking/external-accounts/update-external-account.ts'
import type { BankingProvider } from '../../banking/provider.ts'
import { requireAllowed } from '../../banking/state-rules.ts'
import { idNumber } from '../../base/ids.ts'
import type { Answer, Caller, Write } from '../../base/operation.ts'
import { type Page, pageWindow, toCursorPage } from '../../base/page.ts'
import { Problem } from '../../base/problem.ts'
import { hasRoutingChecksum } from '../../base/routing-number.ts'
import type { Queryable } from '../../database/database.ts'
import { type EventSink, emitSealed } from '../../events/event.ts'
import { clearNumber, lastDigits, numberDigest, sealedNumber } from '../../secrets/numbers.ts'
import type { Seal } from '../../secrets/seal.ts'
import { findCustomer } from '../customers/customers.sql.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import { keepReason } from '../screening/decision-reasons.ts'
import { type Screened, screen } from '../screening/screening.ts'
import { cancelDebits } from './debit-cancellation.ts'
import {
  correctExternalAccount,
  type ExternalAccountRow,
  findExternalAccount,
  insertExternalAccount,
  listExternalAccountRows,
  lockExternalAccount,
  lockLiveExternalAccount,
  lockPayingAccounts,
  markExternalAccountDeleted,
} from './external-accounts.sql.ts'
import { endOpenVerification } from './verification/verifications.sql.ts'

export function externalAccountsOf(bank: BankParts) {
  return {
    createExternalAccount: (write, input) => createExternalAccount(bank, write, input),
    listExternalAccounts: (caller, query) => listExternalAccounts(bank, caller, query),
    updateExternalAccount: (write, input) => updateExternalAccount(bank, write, input),
    deleteExternalAccount: (write, externalAccountId) => deleteExternalAccount(bank, write, externalAccountId),
  } satisfies Partial<BankingProvider>
}

async function createExternalAccount(
  bank: BankParts,
  write: Write<ExternalAccount>,
  input: CreateExternalAccountInput,
): Promise<Answer> {
  const { organisationId } = write.caller
  const id = await bank.ids.next()
  const seal = await bank.seals.of(organisationId)
  const order = { id, organisationId, seal, input }
  if (!bank.screening) {
    return bank.runOnce.transaction(write, (transaction, events) =>
      recordAccount(bank, transaction, events, { ...order, write }, undefined),
    )
  }
  return bank.runOnce.transactionAfter(
    write,
    () => screenAccount(bank, order),
    (transaction, events, screened) => recordAccount(bank, transaction, events, { ...order, write }, screened),
  )
}

interface AccountOrder {
  id: number
  organisationId: number
  seal: Seal
  input: CreateExternalAccountInput
}

/** The members that the screening is asked about. */
interface ScreenedOrder extends Omit<AccountOrder, 'seal' | 'input'> {
  input: Omit<CreateExternalAccountInput, 'type' | 'accountType' | 'permissions'> &
    Pick<ExternalAccount, 'type' | 'accountType'>
}

/** Screens an account. A request that is going to be refused is refused before anybody is asked. */
async function screenAccount(
  bank: BankParts,
  { id, organisationId, input }: ScreenedOrder,
): Promise<Screened | undefined> {
  const { customerId, name, routingNumber, accountNumber, accountType, type } = input
  const customer = await findCustomer(bank.database, organisationId, idNumber(customerId))
  if (!customer) throw new Problem('customer_not_found')
  requireRoutingNumber(bank, routingNumber)
  const bankOfAccount = bankName(routingNumber, bank.routingNumber)
  const account = { name, type, accountType, routingNumber, bank: bankOfAccount, lastDigits: lastDigits(accountNumber) }
  const data = { externalAccountId: String(id), customerId, customerName: customer.name, ...account }
  return screen(bank, organisationId, { type: 'externalAccount.requested', data })
}

/** Records an account that the screening, if there is one, does not refuse. */
async function recordAccount(
  bank: BankParts,
  transaction: Queryable,
  events: EventSink,
  { id, organisationId, seal, input, write }: AccountOrder & { write: Write<ExternalAccount> },
  screened: Screened | undefined,
): Promise<ExternalAccount> {
  const { customerId, name, routingNumber, accountNumber, accountType, type } = input
  if (screened?.outcome === 'refuse') throw new Problem('external_account_refused')
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
    review: screened?.outcome === 'review' ? 'PendingReview' : null,
  })
  if (!row) throw new Problem('customer_not_found')
  requireRoutingNumber(bank, routingNumber)
  const action = 'externalAccount.created'
  await keepReason(transaction, write, { action, recordId: id, subjectId: row.customerId, reason: screened?.reason })
  return emitSealed(events, row.customerId, action, row.version, externalAccount(row, seal))
}

/** Hosted sandboxes accept any nine digits, and existing tests rely on it. */
function requireRoutingNumber({ mode }: BankParts, routingNumber: string): void {
  if (mode === 'live' && !hasRoutingChecksum(routingNumber)) throw new Problem('invalid_routing_number')
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
    accountNumber: accountNumber ?? null,
    numberDigest: accountNumber === undefined ? null : numberDigest(seal, accountNumber),
  }
  const rows = await listExternalAccountRows(database, filter, page)
  return toCursorPage(rows, page.limit, (row) => externalAccount(row, seal))
}

async function updateExternalAccount(
  bank: BankParts,
  write: Write<ExternalAccount>,
  { externalAccountId, ...changes }: UpdateExternalAccountInput,
): Promise<Answer> {
  const { organisationId } = write.caller
  const id = idNumber(externalAccountId)
  const seal = await bank.seals.of(organisationId)
  return bank.runOnce.transactionAfter(
    write,
    async () => {
      const row = await findExternalAccount(bank.database, organisationId, id)
      if (!row) throw new Problem('external_account_not_found')
      if (!bank.screening || !isChange(row, changes)) return undefined
      const accountNumber = clearNumber(seal, id, row.accountNumber)
      const input = { ...row, ...changes, accountNumber, customerId: String(row.customerId) }
      return screenAccount(bank, { id, organisationId, input })
    },
    async (transaction, events, screened) => {
      const row = await lockLiveExternalAccount(transaction, organisationId, id)
      if (!row) throw new Problem('external_account_not_found')
      if (!isChange(row, changes)) return externalAccount(row, seal)
      return correctAccount(transaction, events, { row, seal, changes, write }, screened)
    },
  )
}

type AccountChanges = Omit<UpdateExternalAccountInput, 'externalAccountId'>

function isChange(row: ExternalAccountRow, { name, accountType, type }: AccountChanges): boolean {
  const is = <Value>(sent: Value | undefined, stored: Value) => sent !== undefined && sent !== stored
  return is(name, row.name) || is(accountType, row.accountType) || is(type, row.type)
}

/** Corrects a locked account, if the screening does not refuse the change. */
async function correctAccount(
  transaction: Queryable,
  events: EventSink,
  { row, seal, changes, write }: { row: ExternalAccountRow; seal: Seal; changes: AccountChanges; write: Write<never> },
  screened: Screened | undefined,
): Promise<ExternalAccount> {
  if (screened?.outcome === 'refuse') throw new Problem('external_account_refused')
  const { name = null, accountType = null, type = null } = changes
  const review = screened?.outcome === 'review' ? 'PendingReview' : null
  const numbers = { routingNumber: null, bank: null, accountNumber: null, numberDigest: null, lastDigits: null }
  const corrected = await correctExternalAccount(transaction, row.id, { ...numbers, name, accountType, type, review })
  if (!corrected) throw new Error('an update of a locked external account returned no row')
  const { id, customerId, version } = corrected
  const action = 'externalAccount.corrected'
  await keepReason(transaction, write, { action, recordId: id, subjectId: customerId, reason: screened?.reason })
  return emitSealed(events, customerId, action, version, externalAccount(corrected, seal))
}

async function deleteExternalAccount(
  { runOnce, seals }: BankParts,
  write: Write<null>,
  externalAccountId: string,
): Promise<Answer> {
  const seal = await seals.of(write.caller.organisationId)
  return runOnce.transaction(write, async (transaction, events) => {
    const { organisationId } = write.caller
    await lockPayingAccounts(transaction, organisationId, idNumber(externalAccountId))
    const row = await lockExternalAccount(transaction, organisationId, idNumber(externalAccountId))
    if (!row) throw new Problem('external_account_not_found')
    requireAllowed(externalAccountRules, 'deleteExternalAccount', row.deleted ? 'Deleted' : 'Live')
    await cancelDebits(transaction, events, write, row.id)
    await endOpenVerification(transaction, row.id)
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
    permissions: row.permissions,
    customerId: String(row.customerId),
    ...(row.review !== null && { review: row.review }),
    ...(row.mandate !== null && { mandate: shownMandate(row.mandate) }),
    ...(row.verification !== null && { verification: shownVerification(row.verification) }),
  }
}

/** The members in the order of the interface: the database has an order of its own. */
export function shownMandate({ authorization, textVersion, authorizedAt, address, revokedAt }: Mandate): Mandate {
  return { authorization, textVersion, authorizedAt, address, ...(revokedAt !== undefined && { revokedAt }) }
}

/** An attestation of former versions has no status. */
function shownVerification({ method, status = 'Verified', ...rest }: Verification): Verification {
  const { startedAt, endsAt, attemptsLeft, verifiedAt, reference, reason, returnCode } = rest
  return {
    ...{ method, status },
    ...(startedAt !== undefined && { startedAt }),
    ...(endsAt !== undefined && { endsAt }),
    ...(attemptsLeft !== undefined && { attemptsLeft }),
    ...(verifiedAt !== undefined && { verifiedAt }),
    ...(reference !== undefined && { reference }),
    ...(reason !== undefined && { reason }),
    ...(returnCode !== undefined && { returnCode }),
  }
}
