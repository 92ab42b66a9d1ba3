import type { Command } from '../../../ledger/books.ts'
import type { BankParts } from '../../parts/bank-parts.ts'
import { bankWrite } from '../../parts/bank-write.ts'
import { changeVerification } from '../../payments/verification/endings.ts'
import { endOf, sentMembers } from '../../payments/verification/verifications.ts'
import { achBatches } from '../../records/ach-files.ts'
import type { DueRun } from '../../time/due.ts'
import { verificationsIn } from './verification-files.sql.ts'

/** Settles a batch of verifications: they are sent. Its credits and debits have the same sum, so that no money moves. */
export async function settleVerifications(
  bank: BankParts,
  organisationId: number,
  { id: batchId, settlesAt }: { id: number; settlesAt: string },
  run: DueRun,
): Promise<void> {
  for (const { wrong, ...own } of await verificationsIn(bank.database, batchId)) {
    const type = await changeVerification(bank, { organisationId, ...own }, ({ status, method }) =>
      status === 'Pending'
        ? { status: 'Sent', ...sentMembers(method, endOf(bank, method, settlesAt), wrong) }
        : undefined,
    )
    if (type) run.happened({ at: settlesAt, type, id: String(own.externalAccountId) })
  }
  const write = bankWrite(organisationId)
  const command: Command<void> = {
    write,
    accountIds: [],
    reads: [achBatches.ids([batchId])],
    decide: (books) => void books.of(achBatches).settle(batchId),
  }
  await bank.runOnce.attempt(write, () => bank.lane.run(command))
}

/** The verifications of a batch that the receiving bank refused fail. */
export async function rejectVerifications(
  bank: BankParts,
  organisationId: number,
  { id: batchId, rejectedAt }: { id: number; rejectedAt: string },
  run: DueRun,
): Promise<void> {
  for (const { wrong: _, ...own } of await verificationsIn(bank.database, batchId)) {
    const type = await changeVerification(bank, { organisationId, ...own }, ({ status }) =>
      status === 'Pending' || status === 'Sent' ? { status: 'Failed', reason: 'Rejected' } : undefined,
    )
    if (type) run.happened({ at: rejectedAt, type, id: String(own.externalAccountId) })
  }
}
