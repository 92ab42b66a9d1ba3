import { type OverSettlement, overSettlementRules } from '../../banking/authorizations/over-settlement.ts'
import { requireAllowed } from '../../banking/state-rules.ts'
import { idNumber } from '../../base/ids.ts'
import type { Answer, Caller, Write } from '../../base/operation.ts'
import { type Page, pageWindow, toCursorPage } from '../../base/page.ts'
import { Problem } from '../../base/problem.ts'
import { emit } from '../../events/event.ts'
import type { ListOverSettlementsQuery } from '../../review/list-over-settlements.ts'
import type { OverSettlementDecision } from '../../review/review.ts'
import { lockAccount } from '../accounts/accounts.sql.ts'
import { overSettlementOf } from '../cards/authorization-decisions.ts'
import { findAuthorization, listOverSettledRows, resolveOverSettled } from '../cards/authorizations.sql.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import { keepReason } from '../screening/decision-reasons.ts'

export async function listOverSettlements(
  { database }: BankParts,
  { organisationId }: Caller,
  query: ListOverSettlementsQuery,
): Promise<Page<OverSettlement>> {
  const page = pageWindow({ ...query, sort: query.sort ?? 'createdAt' })
  return toCursorPage(await listOverSettledRows(database, organisationId, page), page.limit, overSettlementOf)
}

/** Resolves an over-settlement under the lock of the account, which guards its authorizations. */
export function resolveOverSettlement(
  { runOnce }: BankParts,
  write: Write<OverSettlement>,
  { authorizationId, reason }: OverSettlementDecision,
): Promise<Answer> {
  const { organisationId } = write.caller
  return runOnce.transaction(write, async (transaction, events) => {
    const unlocked = await findAuthorization(transaction, organisationId, idNumber(authorizationId))
    if (!unlocked) throw new Problem('authorization_not_found')
    await lockAccount(transaction, organisationId, unlocked.accountId)
    const row = (await findAuthorization(transaction, organisationId, unlocked.id)) ?? unlocked
    requireAllowed(overSettlementRules, 'resolveOverSettlement', row.overSettlement ?? 'None')
    const resolved = await resolveOverSettled(transaction, row.id)
    const action = 'authorization.reviewed'
    await keepReason(transaction, write, { action, recordId: row.id, subjectId: row.customerId, reason })
    return emit(events, action, resolved.version, overSettlementOf(resolved))
  })
}
