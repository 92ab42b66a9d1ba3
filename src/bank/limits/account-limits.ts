import { isDeepStrictEqual } from 'node:util'
import {
  type AccountLimits,
  type DebitLimits,
  limitsOf,
  type PaymentLimits,
} from '../../banking/accounts/account-limits.ts'
import type { SetAccountLimitsInput } from '../../banking/accounts/set-account-limits.ts'
import type { BankingProvider } from '../../banking/provider.ts'
import { idNumber } from '../../base/ids.ts'
import type { Answer, Caller, Write } from '../../base/operation.ts'
import { Problem } from '../../base/problem.ts'
import type { Queryable } from '../../database/database.ts'
import { emit } from '../../events/event.ts'
import type { LedgerLimits } from '../../ledger/records.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import { readUsedByDebits } from '../records/debits/debits.sql.ts'
import { findLimits, type LimitsRow, lockLimits, recountUsage, updateLimits, usageOf } from './account-limits.sql.ts'

export function accountLimitsOf(bank: BankParts) {
  return {
    getAccountLimits: (caller, accountId) => getAccountLimits(bank, caller, accountId),
    setAccountLimits: (write, input) => setAccountLimits(bank, write, input),
  } satisfies Partial<BankingProvider>
}

async function getAccountLimits(
  { database }: BankParts,
  { organisationId }: Caller,
  accountId: string,
): Promise<AccountLimits> {
  const row = await findLimits(database, organisationId, idNumber(accountId))
  if (!row) throw new Problem('account_not_found')
  return shownLimits(database, row)
}

function setAccountLimits(
  { runOnce }: BankParts,
  write: Write<AccountLimits>,
  { accountId, ...body }: SetAccountLimitsInput,
): Promise<Answer> {
  return runOnce.transaction(write, async (transaction, events) => {
    const row = await lockLimits(transaction, write.caller.organisationId, idNumber(accountId))
    if (!row) throw new Problem('account_not_found')
    const since = row.limits?.since ?? `${row.now.slice(0, 7)}-01`
    const debits = debitLimitsOf(body.debits)
    const limits = { ...limitsOf(body), overdraft: body.overdraft ?? null, since, ...(debits && { debits }) }
    const kept = isEmpty(limits) ? null : limits
    if (isDeepStrictEqual(row.limits, kept)) return shownLimits(transaction, row)
    if (row.limits === null) await recountUsage(transaction, row.id, since)
    const changed = await updateLimits(transaction, row.id, kept)
    return emit(events, 'account.limitsChanged', changed.version, await shownLimits(transaction, changed))
  })
}

/** The limits of debits in a request; undefined if it has none. */
function debitLimitsOf(body: SetAccountLimitsInput['debits']): DebitLimits | undefined {
  const { dayCount = null, clearingDays = null, earlyAvailability = null } = body ?? {}
  const blockOnReturn = body?.blockOnReturn
  const limits = {
    ...{ ...limitsOf(body ?? {}), dayCount, clearingDays, earlyAvailability },
    ...(blockOnReturn !== undefined && { blockOnReturn }),
  }
  const terms = [dayCount, clearingDays, earlyAvailability, blockOnReturn ?? null]
  return terms.every((term) => term === null) && hasNone(limits) ? undefined : limits
}

function isEmpty({ overdraft, debits, ...limits }: LedgerLimits): boolean {
  return overdraft === null && debits === undefined && hasNone(limits)
}

function hasNone({ payment, day, month }: PaymentLimits): boolean {
  return [payment, day, month].every(({ soft, hard }) => soft === null && hard === null)
}

async function shownLimits(
  database: Queryable,
  { id, organisationId, limits, now }: LimitsRow,
): Promise<AccountLimits> {
  // The database stores them in an order of its own.
  const own = limitsOf(limits ?? {})
  const used = limits === null ? { day: null, month: null } : await usageOf(database, id, now.slice(0, 10))
  return {
    id: String(id),
    payment: own.payment,
    day: { ...own.day, used: used.day },
    month: { ...own.month, used: used.month },
    overdraft: limits?.overdraft ?? null,
    ...(limits?.debits && { debits: await shownDebits(database, { id, organisationId, now }, limits.debits) }),
  }
}

async function shownDebits(
  database: Queryable,
  { id, organisationId, now }: Pick<LimitsRow, 'id' | 'organisationId' | 'now'>,
  debits: DebitLimits,
): Promise<NonNullable<AccountLimits['debits']>> {
  const own = limitsOf(debits)
  const [used] = await readUsedByDebits(database, [id], new Map([[organisationId, now]]))
  return {
    payment: own.payment,
    day: { ...own.day, used: used?.day ?? 0 },
    month: { ...own.month, used: used?.month ?? 0 },
    dayCount: debits.dayCount,
    clearingDays: debits.clearingDays,
    earlyAvailability: debits.earlyAvailability,
    ...(debits.blockOnReturn !== undefined && { blockOnReturn: debits.blockOnReturn }),
  }
}
