import type { VerificationFailure } from '../../../banking/external-accounts/external-account.ts'
import type { EventType } from '../../../events/event.ts'
import { emitSealed } from '../../../events/event.ts'
import type { BankParts } from '../../parts/bank-parts.ts'
import { bankWrite } from '../../parts/bank-write.ts'
import type { DueRun, Forecast, Timer } from '../../time/due.ts'
import { lockLiveExternalAccount, lockPayingAccounts } from '../external-accounts.sql.ts'
import { externalAccount } from '../external-accounts.ts'
import {
  type EndingVerification,
  lockVerification,
  nextEndings,
  setVerification,
  storeProgress,
  type VerificationRow,
} from './verifications.sql.ts'

/** Verifications that end in one run of the timer. */
const PORTION = 100

/** The timer that ends verifications: micro-entries expire, and a prenote that was not returned verifies its account. */
export function verificationTimerOf(bank: BankParts): Timer {
  return async (organisationId) => {
    const [first] = await nextEndings(bank.database, organisationId, 1)
    return first && { at: first.endsAt, run: (run) => endUntil(bank, organisationId, first.endsAt, run) }
  }
}

/** The verifications that end next. */
export function verificationForecastOf({ database }: Pick<BankParts, 'database'>): Forecast {
  return async (organisationId, limit) =>
    (await nextEndings(database, organisationId, limit)).map((ending) => ({
      at: ending.endsAt,
      type: endTypeOf(ending),
      id: String(ending.externalAccountId),
    }))
}

function endTypeOf({ method }: Pick<EndingVerification, 'method'>) {
  return method === 'Prenote' ? 'externalAccount.verified' : 'externalAccount.verificationFailed'
}

async function endUntil(bank: BankParts, organisationId: number, until: string, run: DueRun): Promise<void> {
  for (;;) {
    const due = (await nextEndings(bank.database, organisationId, PORTION)).filter(({ endsAt }) => endsAt <= until)
    for (const { id, externalAccountId, endsAt } of due) {
      const type = await changeVerification(bank, { organisationId, id, externalAccountId }, (verification) =>
        verification.status !== 'Sent'
          ? undefined
          : verification.method === 'Prenote'
            ? { status: 'Verified', verifiedAt: endsAt }
            : { status: 'Failed', reason: 'Expired' },
      )
      if (type) run.happened({ at: endsAt, type, id: String(externalAccountId) })
    }
    if (due.length < PORTION || run.isOver()) return
  }
}

/** How a verification goes on. */
type Step =
  | { status: 'Sent'; endsAt: string; attemptsLeft?: number }
  | { status: 'Verified'; verifiedAt: string }
  | { status: 'Failed'; reason: VerificationFailure; returnCode?: string }

const eventOf = {
  Sent: 'externalAccount.verificationSent',
  Verified: 'externalAccount.verified',
  Failed: 'externalAccount.verificationFailed',
} as const satisfies Record<Step['status'], EventType>

/**
 * Changes a verification and its external account, under the locks of the account, and returns the type of the event. A
 * verification that is not the latest of its account, or whose account is deleted, is changed alone.
 */
export async function changeVerification(
  { runOnce, seals }: BankParts,
  { organisationId, id, externalAccountId }: { organisationId: number; id: number; externalAccountId: number },
  stepOf: (verification: VerificationRow) => Step | undefined,
): Promise<EventType | undefined> {
  const write = bankWrite(organisationId)
  const seal = await seals.of(organisationId)
  let type: EventType | undefined
  await runOnce.transaction(write, async (transaction, events) => {
    type = undefined
    await lockPayingAccounts(transaction, organisationId, externalAccountId)
    const row = await lockLiveExternalAccount(transaction, organisationId, externalAccountId)
    const latest = await lockVerification(transaction, externalAccountId)
    if (latest?.id !== id) return
    const step = stepOf(latest)
    if (!step) return
    await setVerification(transaction, id, step.status, step.status === 'Sent' ? step.endsAt : null)
    // The operator may have attested the account meanwhile.
    if (row?.verification?.method !== latest.method) return
    const { method, createdAt: startedAt } = latest
    const changed = await storeProgress(transaction, row.id, { method, startedAt, ...step })
    type = eventOf[step.status]
    emitSealed(events, changed.customerId, type, changed.version, externalAccount(changed, seal))
  })
  return type
}
