import { sha256 } from '../../../base/sha256.ts'
import type { Books, Command } from '../../../ledger/books.ts'
import { numberDigest } from '../../../secrets/numbers.ts'
import type { BankParts } from '../../parts/bank-parts.ts'
import { bankWrite } from '../../parts/bank-write.ts'
import { recurringPayments } from '../../records/recurring/recurring-payments.ts'
import { findDueFor } from './recurring-payments.sql.ts'
import { endRun, isGoing } from './run-decisions.ts'

/** A payment that left the bank, and that the restored database does not know. */
export interface SentPayment {
  organisationId: number
  routingNumber: string
  accountNumber: string
  amount: number
  direction: 'Credit' | 'Debit'
  /** The cut-off with which it left. */
  leftAt: string
  /** A text that no other payment has. */
  name: string
}

/**
 * Ends the due date of a recurring payment whose payment left before the database was restored, so that it is not made again. Returns the
 * recurring payment; undefined if none fits.
 */
export async function countSentRun(bank: BankParts, sent: SentPayment): Promise<number | undefined> {
  const { organisationId, accountNumber, name, ...rest } = sent
  const digest = numberDigest(await bank.seals.of(organisationId), accountNumber)
  const due = await findDueFor(bank.database, { organisationId, digest, ...rest })
  if (!due) return undefined
  const runId = await bank.ids.next()
  const write = bankWrite(organisationId)
  const command: Command<void> = {
    write: { ...write, key: { ...write.key, hash: sha256(`run of ${name}`), fromCaller: true } },
    accountIds: [due.accountId],
    reads: [recurringPayments.ids([due.id])],
    decide: (books) => decideSent(books, due, runId),
  }
  await bank.runOnce.attempt(command.write, () => bank.lane.run(command))
  return due.id
}

function decideSent(books: Books, due: { id: number; version: number }, runId: number): void {
  const recurring = books.of(recurringPayments).get(due.id)
  if (!recurring || recurring.version !== due.version || !isGoing(recurring)) {
    throw new Error(`recurring payment ${due.id} changed while a file was taken; take it again`)
  }
  endRun(books, recurring, { id: runId, status: 'Skipped', reason: 'sentBeforeRestore', paymentId: null })
}
