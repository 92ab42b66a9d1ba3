import { accountStatusAfter, type DepositAccount } from '../../../banking/accounts/account.ts'
import type { CloseAccountInput } from '../../../banking/accounts/close-account.ts'
import type { CreateAccountInput } from '../../../banking/accounts/create-account.ts'
import type { ListAccountsQuery } from '../../../banking/accounts/list-accounts.ts'
import type { BankingProvider } from '../../../banking/provider.ts'
import { toCents } from '../../../base/cents.ts'
import { idNumber, optionalIdNumber } from '../../../base/ids.ts'
import { type Answer, type Caller, JsonText, type Write } from '../../../base/operation.ts'
import { type Page, pageWindow, toCursorPage } from '../../../base/page.ts'
import { Problem } from '../../../base/problem.ts'
import { coalesce } from '../../../database/coalesce.ts'
import type { Queryable } from '../../../database/database.ts'
import { type EventSink, type EventType, emitSealed } from '../../../events/event.ts'
import type { BankParts } from '../bank-parts.ts'
import { moveBalance, requireEmpty } from '../payments/closing-transfer.ts'
import { stopPaymentsOf } from '../payments/payment-stop.ts'
import { type AccountJson, findAccountJson } from './account-json.sql.ts'
import {
  countAccounts,
  insertAccount,
  listAccountRows,
  lockAccount,
  type ShownAccount,
  updateAccountStatus,
} from './accounts.sql.ts'
import { closeCardsOf } from './cards.sql.ts'
import { emitCard } from './cards.ts'

type Accounts = Required<
  Pick<
    BankingProvider,
    | 'createAccount'
    | 'getAccount'
    | 'listAccounts'
    | 'closeAccount'
    | 'reopenAccount'
    | 'freezeAccount'
    | 'unfreezeAccount'
  >
>

type StatusChange = 'closeAccount' | 'reopenAccount' | 'freezeAccount' | 'unfreezeAccount'

const eventOf: Record<StatusChange, EventType> = {
  closeAccount: 'account.closed',
  reopenAccount: 'account.reopened',
  freezeAccount: 'account.frozen',
  unfreezeAccount: 'account.unfrozen',
}

export function accountsOf(bank: BankParts): Accounts {
  const findAccount = coalesce(
    (row: AccountJson) => row.id,
    (ids: number[]) => findAccountJson(bank.database, ids, bank.routingNumber),
  )
  return {
    createAccount: (write, input) => createAccount(bank, write, input),
    getAccount: (caller, accountId) => getAccount(findAccount, caller, accountId),
    listAccounts: (caller, query) => listAccounts(bank, caller, query),
    closeAccount: (write, input) => closeAccount(bank, write, input),
    reopenAccount: (write, accountId) => changeStatus(bank, write, accountId, 'reopenAccount'),
    freezeAccount: (write, accountId) => changeStatus(bank, write, accountId, 'freezeAccount'),
    unfreezeAccount: (write, accountId) => changeStatus(bank, write, accountId, 'unfreezeAccount'),
  }
}

/** Opens an account: now, or for a scenario's history at an earlier time. */
export async function createAccount(
  { ids, runOnce, routingNumber }: BankParts,
  write: Write<DepositAccount>,
  { customerId, tags = {} }: CreateAccountInput,
  openedAt: string | null = null,
): Promise<Answer> {
  const id = await ids.next()
  return runOnce.transaction(write, async (transaction, events) => {
    const { organisationId } = write.caller
    const account = { id, organisationId, customerId: idNumber(customerId), tags, openedAt }
    const row = await insertAccount(transaction, account)
    if (!row) throw new Problem('customer_not_found')
    return emitSealed(events, account.customerId, 'account.created', row.version, depositAccount(row, routingNumber))
  })
}

async function getAccount(
  findAccount: (id: number) => Promise<AccountJson | undefined>,
  { organisationId }: Caller,
  accountId: string,
): Promise<JsonText<DepositAccount>> {
  const row = await findAccount(idNumber(accountId))
  if (row?.organisationId !== organisationId) throw new Problem('account_not_found')
  return new JsonText(`${row.json}${row.tags ? JSON.stringify(row.tags) : '{}'}}`)
}

async function listAccounts(
  { database, routingNumber }: BankParts,
  { organisationId }: Caller,
  { customerId, status, search, ...query }: ListAccountsQuery,
): Promise<Page<DepositAccount>> {
  const page = pageWindow(query)
  const filter = {
    organisationId,
    customerId: optionalIdNumber(customerId),
    status: status ?? null,
    search: search?.trim(),
  }
  const rows = await listAccountRows(database, filter, page)
  const total = query.count ? await database.transaction((each) => countAccounts(each, filter)) : undefined
  return toCursorPage(rows, page.limit, (row) => depositAccount(row, routingNumber)).counted(total)
}

/** Closes an account. Its balance goes to the account in `closeTo`, before the account is closed. */
async function closeAccount(
  bank: BankParts,
  write: Write<DepositAccount>,
  { accountId, reason, closeTo }: CloseAccountInput,
): Promise<Answer> {
  const { organisationId } = write.caller
  const { ids, routingNumber } = bank
  const order = closeTo !== undefined && {
    ...{ organisationId, accountId: idNumber(accountId), closeTo: idNumber(closeTo), routingNumber },
    ...{ paymentId: await ids.next(), transferId: await ids.nextPair() },
  }
  return bank.runOnce.transaction(write, async (transaction, events) => {
    if (order) await moveBalance(transaction, events, write, order)
    return changeIn(bank, transaction, events, { write, accountId, operationId: 'closeAccount', closeReason: reason })
  })
}

function changeStatus(
  bank: BankParts,
  write: Write<DepositAccount>,
  accountId: string,
  operationId: StatusChange,
): Promise<Answer> {
  return bank.runOnce.transaction(write, (transaction, events) =>
    changeIn(bank, transaction, events, { write, accountId, operationId, closeReason: null }),
  )
}

interface Change {
  write: Write<DepositAccount>
  accountId: string
  operationId: StatusChange
  closeReason: string | null
}

/**
 * Changes the status of an account. Closing an account also ends its cards; a live bank closes only an empty one. A freeze stops the
 * payments that have not left.
 */
async function changeIn(
  { mode, routingNumber }: BankParts,
  transaction: Queryable,
  events: EventSink,
  { write, accountId, operationId, closeReason }: Change,
): Promise<DepositAccount> {
  const row = await lockAccount(transaction, write.caller.organisationId, idNumber(accountId))
  if (!row) throw new Problem('account_not_found')
  const { decidesRisk = false } = write.caller
  const status = accountStatusAfter(operationId, { ...row, decidesRisk })
  if (status === 'Closed' && mode === 'live') requireEmpty(row)
  // A closure by the bank keeps the mark: the app must not open the account by reopening it.
  const stoppedByBank = status === 'Frozen' ? decidesRisk : status === 'Closed' && row.stoppedByBank
  const changed = await updateAccountStatus(transaction, row.id, { status, closeReason, stoppedByBank })
  const account = depositAccount(changed, routingNumber)
  const shown = emitSealed(events, row.customerId, eventOf[operationId], changed.version, account)
  if (status === 'Frozen') await stopPaymentsOf(transaction, events, write, row.id)
  const ended = status === 'Closed' ? await closeCardsOf(transaction, row.id) : []
  for (const card of ended) emitCard(events, 'card.statusChanged', card)
  return shown
}

function depositAccount(row: ShownAccount, routingNumber: string): DepositAccount {
  return {
    id: String(row.id),
    type: 'depositAccount',
    customerId: String(row.customerId),
    createdAt: row.createdAt,
    name: row.name,
    depositProduct: 'checking',
    routingNumber,
    accountNumber: row.accountNumber,
    currency: 'USD',
    available: toCents(row.balance - row.hold),
    balance: toCents(row.balance),
    hold: toCents(row.hold),
    status: row.status,
    tags: row.tags,
  }
}
