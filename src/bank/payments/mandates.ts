import type { AttestExternalAccountInput } from '../../banking/external-accounts/attest-external-account.ts'
import {
  type ExternalAccount,
  requireDebitable,
  requireLiveMandate,
} from '../../banking/external-accounts/external-account.ts'
import type { GiveMandateInput } from '../../banking/external-accounts/give-mandate.ts'
import type { BankingProvider } from '../../banking/provider.ts'
import { idNumber } from '../../base/ids.ts'
import type { Answer, Write } from '../../base/operation.ts'
import { invalidRequest, Problem } from '../../base/problem.ts'
import type { Queryable } from '../../database/database.ts'
import { type EventSink, type EventType, emitSealed } from '../../events/event.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import { bankTime } from '../time/clock.sql.ts'
import { cancelDebits } from './debit-cancellation.ts'
import {
  type ExternalAccountRow,
  lockLiveExternalAccount,
  lockPayingAccounts,
  storeMandate,
} from './external-accounts.sql.ts'
import { externalAccount } from './external-accounts.ts'
import { endOpenVerification, storeProgress } from './verification/verifications.sql.ts'

export function mandatesOf(bank: BankParts) {
  return {
    giveMandate: (write, input) => giveMandate(bank, write, input),
    revokeMandate: (write, externalAccountId) => revokeMandate(bank, write, externalAccountId),
    attestExternalAccount: (write, input) => attestExternalAccount(bank, write, input),
  } satisfies Partial<BankingProvider>
}

function giveMandate(
  bank: BankParts,
  write: Write<ExternalAccount>,
  { externalAccountId, authorization, textVersion, authorizedAt, address }: GiveMandateInput,
): Promise<Answer> {
  return changeAccount(bank, write, externalAccountId, async (transaction, { id }) => {
    const now = await bankTime(transaction, write.caller.organisationId)
    if (authorizedAt > now) {
      const message = `authorizedAt must not be later than bank time, which is ${now}`
      throw invalidRequest([{ pointer: '/authorizedAt', code: 'out_of_range', message }])
    }
    const mandate = { authorization, textVersion, authorizedAt, address }
    return { type: 'externalAccount.mandateGiven', changed: await storeMandate(transaction, id, mandate) }
  })
}

function revokeMandate(bank: BankParts, write: Write<ExternalAccount>, externalAccountId: string): Promise<Answer> {
  return changeAccount(bank, write, externalAccountId, async (transaction, { id, mandate }, events) => {
    requireLiveMandate({ mandate })
    if (!mandate) throw new Error('a revocation without a mandate')
    await cancelDebits(transaction, events, write, id)
    const revokedAt = await bankTime(transaction, write.caller.organisationId)
    const changed = await storeMandate(transaction, id, { ...mandate, revokedAt })
    return { type: 'externalAccount.mandateRevoked', changed }
  })
}

function attestExternalAccount(
  bank: BankParts,
  write: Write<ExternalAccount>,
  { externalAccountId, reference }: AttestExternalAccountInput,
): Promise<Answer> {
  return changeAccount(bank, write, externalAccountId, async (transaction, row) => {
    requireDebitable(row)
    if (row.routingNumber === bank.routingNumber) throw new Problem('external_account_not_debitable')
    const verifiedAt = await bankTime(transaction, write.caller.organisationId)
    await endOpenVerification(transaction, row.id)
    const attested = { method: 'Attestation', status: 'Verified', verifiedAt, reference }
    return { type: 'externalAccount.verified', changed: await storeProgress(transaction, row.id, attested) }
  })
}

/** The change of an external account with the event that it emits; without one if nothing has changed. */
interface Change {
  type?: EventType
  changed: ExternalAccountRow
}

/** Changes an external account under its lock, and under those of the accounts that could collect from it meanwhile. */
export async function changeAccount(
  { runOnce, seals }: BankParts,
  write: Write<ExternalAccount>,
  externalAccountId: string,
  change: (transaction: Queryable, row: ExternalAccountRow, events: EventSink) => Promise<Change>,
): Promise<Answer> {
  const { organisationId } = write.caller
  const id = idNumber(externalAccountId)
  const seal = await seals.of(organisationId)
  return runOnce.transaction(write, async (transaction, events) => {
    await lockPayingAccounts(transaction, organisationId, id)
    const row = await lockLiveExternalAccount(transaction, organisationId, id)
    if (!row) throw new Problem('external_account_not_found')
    const { type, changed } = await change(transaction, row, events)
    const shown = externalAccount(changed, seal)
    return type ? emitSealed(events, changed.customerId, type, changed.version, shown) : shown
  })
}
