import type { DepositAccount } from '../../banking/accounts/account.ts'
import type { CreateAccountInput } from '../../banking/accounts/create-account.ts'
import type { ListAccountsQuery } from '../../banking/accounts/list-accounts.ts'
import type { PaymentBlock } from '../../banking/accounts/payment-block.ts'
import type { BankingProvider } from '../../banking/provider.ts'
import { toCents } from '../../base/cents.ts'
import { idNumber, optionalIdNumber } from '../../base/ids.ts'
import { type Answer, type Caller, JsonText, type Write } from '../../base/operation.ts'
import { type Page, pageWindow, toCursorPage } from '../../base/page.ts'
import { Problem } from '../../base/problem.ts'
import { coalesce } from '../../database/coalesce.ts'
import type { Queryable } from '../../database/database.ts'
import { emitSealed } from '../../events/event.ts'
import { listNearLimits } from '../limits/account-limits.sql.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import { bankTime } from '../time/clock.sql.ts'
import { type AccountJson, findAccountJson } from './account-json.sql.ts'
import { countAccounts, insertAccount, listAccountRows, type ShownAccount } from './accounts.sql.ts'

export function accountsOf(bank: BankParts) {
  const findAccount = coalesce(
    (row: AccountJson) => row.id,
    (ids: number[]) => findAccountJson(bank.database, ids, bank.routingNumber),
  )
  return {
    createAccount: (write, input) => createAccount(bank, write, input),
    getAccount: (caller, accountId) => getAccount(findAccount, caller, accountId),
    listAccounts: (caller, query) => listAccounts(bank, caller, query),
  } satisfies Partial<BankingProvider>
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
  const { json, tags, paymentBlock } = row
  const block = paymentBlock ? `,"paymentBlock":${JSON.stringify(shownBlock(paymentBlock))}` : ''
  return new JsonText(`${json}${tags ? JSON.stringify(tags) : '{}'}${block}}`)
}

async function listAccounts(
  { database, routingNumber }: BankParts,
  { organisationId }: Caller,
  query: ListAccountsQuery,
): Promise<Page<DepositAccount>> {
  const page = pageWindow(query)
  const { nearLimit } = query
  const near = nearLimit === undefined ? null : await nearLimits(database, organisationId)
  const filter = {
    ...query,
    organisationId,
    accountIds: query.accountId?.map(idNumber),
    customerId: optionalIdNumber(query.customerId),
    search: query.search?.trim(),
    only: nearLimit === true ? near : null,
    without: nearLimit === false ? near : null,
  }
  const rows = await listAccountRows(database, filter, page)
  const total = query.count ? await database.transaction((each) => countAccounts(each, filter)) : undefined
  return toCursorPage(rows, page.limit, (row) => depositAccount(row, routingNumber)).counted(total)
}

/** The accounts that have used most of a limit, at most so many as attention counts. */
async function nearLimits(database: Queryable, organisationId: number): Promise<number[]> {
  const today = (await bankTime(database, organisationId)).slice(0, 10)
  return (await listNearLimits(database, organisationId, today)).map(({ id }) => Number(id))
}

/** The account as it is shown. */
export function depositAccount(row: ShownAccount, routingNumber: string): DepositAccount {
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
    ...(row.paymentBlock && { paymentBlock: shownBlock(row.paymentBlock) }),
  }
}

/** A block with its members in their order: the database stores them in one of its own. */
export function shownBlock({ reason, since, paymentId }: PaymentBlock): PaymentBlock {
  return { reason, since, ...(paymentId !== undefined && { paymentId }) }
}
