import { type ExternalAccount, externalAccountReviewRules } from '../../banking/external-accounts/external-account.ts'
import { stateAfter } from '../../banking/state-rules.ts'
import { idNumber } from '../../base/ids.ts'
import type { Answer, Caller, Write } from '../../base/operation.ts'
import { type Page, pageWindow, toCursorPage } from '../../base/page.ts'
import { Problem } from '../../base/problem.ts'
import { emitSealed } from '../../events/event.ts'
import type { ListReviewExternalAccountsQuery } from '../../review/list-review-external-accounts.ts'
import type { ExternalAccountDecision } from '../../review/review.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import { lockLiveExternalAccount, lockPayingAccounts } from '../payments/external-accounts.sql.ts'
import { externalAccount } from '../payments/external-accounts.ts'
import { keepReason } from '../screening/decision-reasons.ts'
import { decideReviewedAccount, listReviewExternalAccountRows } from './external-accounts.sql.ts'
import { followRejected } from './releases.sql.ts'

export async function listReviewExternalAccounts(
  { database, seals }: BankParts,
  { organisationId }: Caller,
  query: ListReviewExternalAccountsQuery,
): Promise<Page<ExternalAccount>> {
  const page = pageWindow({ ...query, sort: query.sort ?? 'createdAt' })
  const seal = await seals.of(organisationId)
  const rows = await listReviewExternalAccountRows(database, organisationId, page)
  return toCursorPage(rows, page.limit, (row) => externalAccount(row, seal))
}

/** Decides about an external account. The payments that wait for it follow as due work of the bank. */
export async function decideExternalAccount(
  { runOnce, seals }: BankParts,
  write: Write<ExternalAccount>,
  { externalAccountId, reason }: ExternalAccountDecision,
  operationId: keyof typeof externalAccountReviewRules,
): Promise<Answer> {
  const { organisationId } = write.caller
  const seal = await seals.of(organisationId)
  return runOnce.transaction(write, async (transaction, events) => {
    const id = idNumber(externalAccountId)
    if (operationId === 'rejectExternalAccount') await lockPayingAccounts(transaction, organisationId, id)
    const row = await lockLiveExternalAccount(transaction, organisationId, id)
    if (!row) throw new Problem('external_account_not_found')
    const review = stateAfter(externalAccountReviewRules, operationId, row.review ?? 'None')
    const decided = await decideReviewedAccount(transaction, row.id, review)
    if (review === 'Rejected') await followRejected(transaction, organisationId, row.id)
    const action = review === 'Approved' ? 'externalAccount.approved' : 'externalAccount.rejected'
    await keepReason(transaction, write, { action, recordId: row.id, subjectId: row.customerId, reason })
    return emitSealed(events, row.customerId, action, decided.version, externalAccount(decided, seal))
  })
}
