import { isDeepStrictEqual } from 'node:util'
import type { AccountLimits, PaymentLimits } from '../../../banking/accounts/account-limits.ts'
import type { SetAccountLimitsInput } from '../../../banking/accounts/set-account-limits.ts'
import type { BankingProvider } from '../../../banking/provider.ts'
import { idNumber } from '../../../base/ids.ts'
import type { Answer, Caller, Write } from '../../../base/operation.ts'
import { Problem } from '../../../base/problem.ts'
import type { Queryable } from '../../../database/database.ts'
import { emit } from '../../../events/event.ts'
import type { LedgerLimits } from '../../../ledger/records.ts'
import type { BankParts } from '../bank-parts.ts'
import { findLimits, type LimitsRow, lockLimits, recountUsage, updateLimits, usageOf } from './account-limits.sql.ts'

type Limits = Required<Pick<BankingProvider, 'getAccountLimits' | 'setAccountLimits'>>

export function accountLimitsOf(bank: BankParts): Limits {
  return {
    getAccountLimits: (caller, accountId) => getAccountLimits(bank, caller, accountId),
    setAccountLimits: (write, input) => setAccountLimits(bank, write, input),
  }
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
    const limits = { ...limitsOf(body), overdraft: body.overdraft ?? null, since }
    const kept = isEmpty(limits) ? null : limits
    if (isDeepStrictEqual(row.limits, kept)) return shownLimits(transaction, row)
    if (row.limits === null) await recountUsage(transaction, row.id, since)
    const changed = await updateLimits(transaction, row.id, kept)
    return emit(events, 'account.limitsChanged', changed.version, await shownLimits(transaction, changed))
  })
}

/** The limits of a request, with null in the place of those that it lacks. */
function limitsOf(body: Pick<SetAccountLimitsInput, keyof PaymentLimits>): PaymentLimits {
  const limitOf = ({ soft = null, hard = null }: { soft?: number | null; hard?: number | null } = {}) => ({
    soft,
    hard,
  })
  return { payment: limitOf(body.payment), day: limitOf(body.day), month: limitOf(body.month) }
}

function isEmpty({ payment, day, month, overdraft }: LedgerLimits): boolean {
  return overdraft === null && [payment, day, month].every(({ soft, hard }) => soft === null && hard === null)
}

async function shownLimits(database: Queryable, { id, limits, now }: LimitsRow): Promise<AccountLimits> {
  const own = limits ?? limitsOf({})
  const used = limits === null ? { day: null, month: null } : await usageOf(database, id, now.slice(0, 10))
  return {
    id: String(id),
    payment: own.payment,
    day: { ...own.day, used: used.day },
    month: { ...own.month, used: used.month },
    overdraft: limits?.overdraft ?? null,
  }
}
