import { changeVerification } from '../../payments/verification/endings.ts'
import type { IncomingEntry } from '../incoming/entries.ts'
import { writtenOffOrder } from '../incoming/exceptions.ts'
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
  return writtenOffOrder(intake, entry, {
    ...{ organisationId, kind: 'verification_returned', reason: 'Verification returned' },
    detail: `${returnCode} of an entry that verifies external account ${externalAccountId}`,
  })
}
