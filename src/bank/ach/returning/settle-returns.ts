import type { Books, Command } from '../../../ledger/books.ts'
import type { BankParts } from '../../parts/bank-parts.ts'
import { bankWrite } from '../../parts/bank-write.ts'
import { customerSeals } from '../../parts/customer-seals.ts'
import { achBatches } from '../../records/ach-files.ts'
import { receivedPayments } from '../../records/received.ts'
import type { DueRun } from '../../time/due.ts'
import { emitReceived } from '../incoming/received-events.ts'
import { type ReturnedReceived, returningIn } from './return-files.sql.ts'

/** Received payments whose returns settle in one command. */
const PORTION = 200

/** A batch of returns that settles. */
export interface ReturnsBatch {
  id: number
  amount: number
  settlesAt: string
  returnSide: 'Credit' | 'Debit'
}

/** Settles a batch of returns: its received payments are returned, and the money leaves the suspense account. */
export async function settleReturns(
  bank: BankParts,
  organisationId: number,
  batch: ReturnsBatch,
  run: DueRun,
): Promise<void> {
  for (let after = 0; ; ) {
    const portion = await returningIn(bank.database, { batchId: batch.id, after, limit: PORTION })
    if (portion.length > 0) await returnPortion(bank, organisationId, portion)
    for (const { id } of portion)
      run.happened({ at: batch.settlesAt, type: 'receivedPayment.returned', id: String(id) })
    if (portion.length < PORTION) break
    after = portion.at(-1)?.id ?? after
  }
  const write = bankWrite(organisationId)
  const transferId = await bank.ids.nextPair()
  const command: Command<void> = {
    write,
    accountIds: [],
    internal: ['ach_settlement', 'ach_suspense'],
    reads: [achBatches.ids([batch.id])],
    decide: (books) => decideSettled(books, batch, transferId),
  }
  await bank.runOnce.attempt(write, () => bank.lane.run(command))
}

async function returnPortion(bank: BankParts, organisationId: number, portion: ReturnedReceived[]): Promise<void> {
  const { runOnce, lane } = bank
  const write = bankWrite(organisationId)
  const seals = await customerSeals(
    bank,
    organisationId,
    portion.map(({ customerId }) => customerId),
  )
  const command: Command<void> = {
    write,
    accountIds: [...new Set(portion.flatMap(({ accountId }) => accountId ?? []))],
    reads: [receivedPayments.ids(portion.map(({ id }) => id))],
    decide: (books) => {
      for (const { id } of portion) {
        const received = books.of(receivedPayments).get(id)
        if (received?.status !== 'MarkedForReturn') continue
        const returned = books.of(receivedPayments).update({ ...received, status: 'Returned' })
        emitReceived(books, 'receivedPayment.returned', returned, seals)
      }
    },
  }
  await runOnce.attempt(write, () => lane.run(command))
}

/** The return of a credit takes the money to the settlement account, that of a debit brings it from there. */
function decideSettled(books: Books, { id, amount, returnSide }: ReturnsBatch, transferId: number): void {
  const [settlement, suspense] = [books.internal('ach_settlement').id, books.internal('ach_suspense').id]
  const [debitAccountId, creditAccountId] = returnSide === 'Credit' ? [suspense, settlement] : [settlement, suspense]
  if (!books.of(achBatches).settle(id)) return
  books.transfer({
    ...{ id: transferId, debitAccountId, creditAccountId, amount, sourceKind: 'ach_settlement' as const, sourceId: id },
    ...{ party: null, description: null },
  })
}
