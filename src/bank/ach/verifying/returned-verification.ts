import { changeVerification } from '../../payments/verification/endings.ts'
import { receivedPayments } from '../../records/received.ts'
import type { IncomingEntry } from '../incoming/entries.ts'
import { decideException, exceptionAccounts, exceptionIds } from '../incoming/exceptions.ts'
import type { EntryOrder, IntakeBank } from '../incoming/intake.ts'
import type { SentVerification } from './verification-files.sql.ts'

/**
 * The return of an entry that verifies an account. The verification fails, also if it had succeeded. That is done first: a killed
 * intake repeats it without effect, and the entry has its outcome after it. The money is an exception that is written off at once,
 * because what the bank sent to verify an account is its own.
 */
export async function verificationReturn(
  intake: IntakeBank,
  entry: IncomingEntry,
  returnCode: string,
  verification: SentVerification,
): Promise<EntryOrder> {
  const { organisationId, id, externalAccountId } = verification
  await changeVerification(intake, { organisationId, id, externalAccountId }, ({ status }) =>
    status === 'Failed' ? undefined : { status: 'Failed', reason: 'Returned', returnCode },
  )
  const { exceptionId, transferId } = await exceptionIds(intake)
  const resolvingId = await intake.ids.nextPair()
  const kind = 'verification_returned'
  const detail = `${returnCode} of an entry that verifies external account ${externalAccountId}`
  return {
    organisationId,
    accountIds: [],
    internal: [...exceptionAccounts, 'ach_write_off'],
    decide: (books) => {
      const found = { kind, detail, organisationId, paymentId: null } as const
      decideException(books, intake, entry, { exceptionId, transferId }, found)
      const { amount, direction } = entry
      const resolution = amount === 0 ? 'Noted' : 'WrittenOff'
      const resolved = { exceptionId, resolution, reason: 'Verification returned', accountId: null } as const
      books.of(receivedPayments).resolveException({ ...resolved, resolvedAt: books.now(organisationId) })
      if (amount === 0) return
      const [suspense, lost] = [books.internal('ach_suspense').id, books.internal('ach_write_off').id]
      const [debitAccountId, creditAccountId] = direction === 'Credit' ? [suspense, lost] : [lost, suspense]
      books.transfer({
        ...{ id: resolvingId, debitAccountId, creditAccountId, amount, sourceKind: 'ach_resolution' as const },
        ...{ sourceId: exceptionId, party: null, description: 'ACH correction' },
      })
    },
  }
}
