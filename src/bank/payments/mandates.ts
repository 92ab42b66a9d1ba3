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
  storeVerification,
} from './external-accounts.sql.ts'
import { externalAccount } from './external-accounts.ts'

type Mandates = Required<Pick<BankingProvider, 'giveMandate' | 'revokeMandate' | 'attestExternalAccount'>>

export function mandatesOf(bank: BankParts): Mandates {
  return {
    giveMandate: (write, input) => giveMandate(bank, write, input),
    revokeMandate: (write, externalAccountId) => revokeMandate(bank, write, externalAccountId),
    attestExternalAccount: (write, input) => attestExternalAccount(bank, write, input),
  }
}

function giveMandate(
  bank: BankParts,
  write: Write<ExternalAccount>,
  { externalAccountId, authorization, textVersion, authorizedAt, address }: GiveMandateInput,
): Promise<Answer> {
  return changeAccount(bank, write, externalAccountId, 'externalAccount.mandateGiven', async (transaction, { id }) => {
    const now = await bankTime(transaction, write.caller.organisationId)
    if (authorizedAt > now) {
      const message = `authorizedAt must not be later than bank time, which is ${now}`
      throw invalidRequest([{ pointer: '/authorizedAt', code: 'out_of_range', message }])
    }
    return storeMandate(transaction, id, { authorization, textVersion, authorizedAt, address })
  })
}

function revokeMandate(bank: BankParts, write: Write<ExternalAccount>, externalAccountId: string): Promise<Answer> {
  const type = 'externalAccount.mandateRevoked'
  return changeAccount(bank, write, externalAccountId, type, async (transaction, { id, mandate }, events) => {
    requireLiveMandate({ mandate })
    if (!mandate) throw new Error('a revocation without a mandate')
    await cancelDebits(transaction, events, write, id)
    const revokedAt = await bankTime(transaction, write.caller.organisationId)
    return storeMandate(transaction, id, { ...mandate, revokedAt })
  })
}

function attestExternalAccount(
  bank: BankParts,
  write: Write<ExternalAccount>,
  { externalAccountId, reference }: AttestExternalAccountInput,
): Promise<Answer> {
  return changeAccount(bank, write, externalAccountId, 'externalAccount.verified', async (transaction, row) => {
    requireDebitable(row)
    if (row.routingNumber === bank.routingNumber) throw new Problem('external_account_not_debitable')
    const verifiedAt = await bankTime(transaction, write.caller.organisationId)
    return storeVerification(transaction, row.id, { method: 'Attestation', verifiedAt, reference })
  })
}

/** Changes an external account under its lock, and under those of the accounts that could collect from it meanwhile. */
async function changeAccount(
  { runOnce, seals }: BankParts,
  write: Write<ExternalAccount>,
  externalAccountId: string,
  type: EventType,
  change: (transaction: Queryable, row: ExternalAccountRow, events: EventSink) => Promise<ExternalAccountRow>,
): Promise<Answer> {
  const { organisationId } = write.caller
  const id = idNumber(externalAccountId)
  const seal = await seals.of(organisationId)
  return runOnce.transaction(write, async (transaction, events) => {
    await lockPayingAccounts(transaction, organisationId, id)
    const row = await lockLiveExternalAccount(transaction, organisationId, id)
    if (!row) throw new Problem('external_account_not_found')
    const changed = await change(transaction, row, events)
    return emitSealed(events, changed.customerId, type, changed.version, externalAccount(changed, seal))
  })
}
