import type { Books, Command } from '../../ledger/books.ts'
import { defaultWindows, departureOf } from '../../rails/ach/calendar.ts'
import { giveBack } from '../accounts/posting.ts'
import { freeLimits } from '../limits/check.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import { bankWrite } from '../parts/bank-write.ts'
import { emitChange } from '../payments/payment-view.ts'
import { payments } from '../records/payments.ts'
import { bankTime } from '../time/clock.sql.ts'
import type { DueRun, Timer } from '../time/due.ts'
import { entriesIn, nextUnrefunded, noteRefunded } from './batches.sql.ts'
import { releaseReturns } from './returning/return-files.sql.ts'
import { rejectVerifications } from './verifying/settle-verifications.ts'

/** Payments that are given back in one command. */
const PORTION = 100

/** The timer that gives the money of rejected batches back, and lets rejected returns leave again. The operator has noted the rejection, and no batch of it settles. */
export function refundTimerOf(bank: BankParts): Timer {
  return async (organisationId) => {
    const [first] = await nextUnrefunded(bank.database, organisationId)
    return first && { at: first.rejectedAt, run: (run) => refundAll(bank, organisationId, run) }
  }
}

async function refundAll(bank: BankParts, organisationId: number, run: DueRun): Promise<void> {
  for (const { id, rejectedAt, isOfReturns, isVerification } of await nextUnrefunded(bank.database, organisationId)) {
    if (isOfReturns) {
      await sendAgain(bank, organisationId, id)
      continue
    }
    if (isVerification) await rejectVerifications(bank, organisationId, { id, rejectedAt }, run)
    for (let after = 0, left = true; left; ) {
      const entries = await entriesIn(bank.database, { batchId: id, after, limit: PORTION })
      const portion = entries.filter(({ isClearing }) => isClearing)
      if (portion.length > 0) await refundPortion(bank, organisationId, portion)
      for (const payment of portion) {
        run.happened({ at: rejectedAt, type: 'payment.rejected', id: String(payment.id) })
      }
      after = entries.at(-1)?.id ?? after
      left = entries.length === PORTION
    }
    await noteRefunded(bank.database, id)
  }
}

/** Received payments whose return was rejected are still to be returned: they leave with the next cut-off. */
async function sendAgain({ database, ach }: BankParts, organisationId: number, batchId: number): Promise<void> {
  await database.transaction(async (transaction) => {
    const windows = ach === 'instant' ? defaultWindows : ach.windows
    const { cutoff, settles } = departureOf(await bankTime(transaction, organisationId), false, windows)
    await releaseReturns(transaction, { batchId, cutoff, settles })
    await noteRefunded(transaction, batchId)
  })
}

interface Refund {
  id: number
  accountId: number
  transferId: number
}

async function refundPortion(
  bank: BankParts,
  organisationId: number,
  portion: { id: number; accountId: number }[],
): Promise<void> {
  const { ids, lane, routingNumber, runOnce } = bank
  const write = bankWrite(organisationId)
  const refunds: Refund[] = []
  for (const payment of portion) refunds.push({ ...payment, transferId: await ids.nextPair() })
  const command: Command<void> = {
    write,
    accountIds: [...new Set(portion.map(({ accountId }) => accountId))],
    internal: ['ach_clearing'],
    reads: [payments.ids(portion.map(({ id }) => id))],
    decide: (books) => decideRejected(books, refunds, routingNumber),
  }
  await runOnce.attempt(write, () => lane.run(command))
}

/** A payment that was returned a moment ago stays returned. */
function decideRejected(books: Books, refunds: Refund[], routingNumber: string): void {
  for (const { id, transferId } of refunds) {
    const payment = books.of(payments).get(id)
    if (payment?.status !== 'Clearing') continue
    emitChange(books, books.of(payments).update({ ...payment, status: 'Rejected' }))
    freeLimits(books, payment)
    giveBack(books, payment, { id: transferId, description: 'Rejected' }, routingNumber)
  }
}
