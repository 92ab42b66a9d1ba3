import { type Payment, requireRetryable } from '../../banking/payments/payment.ts'
import type { Answer, Write } from '../../base/operation.ts'
import { Problem } from '../../base/problem.ts'
import type { Books, Command } from '../../ledger/books.ts'
import { daysAfter, easternOf } from '../../rails/ach/calendar.ts'
import { debits } from '../records/debits/debits.ts'
import { payments } from '../records/payments.ts'
import type { LedgerPayment } from '../records/records.ts'
import { debitReads, decideDebit } from './debit-decision.ts'
import { lostRetries } from './debit-retry.sql.ts'
import { ownPayment, type PaymentBank, sealOf } from './payment-bank.ts'
import { newOrder } from './payment-orders.ts'

/** Retries of one debit, and the days from its settlement in which they settle. */
const MAX_RETRIES = 2
const RETRY_DAYS = 180

/** Presents a debit again that was returned because money was missing. */
export async function retryPayment(bank: PaymentBank, write: Write<Payment>, paymentId: string): Promise<Answer> {
  const { id, link, accountId, externalAccountId, amount, addenda } = await ownPayment(bank, write.caller, paymentId)
  const firstId = link?.kind === 'Retry' ? Number(link.paymentId) : id
  if (externalAccountId === null) throw notRetryable('It went to no external account.')
  const ids = { paymentId: await bank.ids.next(), transferId: await bank.ids.nextPair() }
  const input = {
    ...{ accountId: String(accountId), counterpartyAccountId: String(externalAccountId), amount },
    ...{ description: 'RETRY PYMT', originalType: 'ACH' as const, direction: 'Debit' as const },
    ...(addenda !== null && { addenda }),
  }
  const order = newOrder(bank, { write, input }, ids, await sealOf(bank, write.caller))
  const lost = await lostRetries(bank.database, firstId)
  const command: Command<Payment> = {
    write,
    accountIds: [accountId],
    reads: [...debitReads(order, bank), payments.ids([firstId, { linkedTo: firstId }])],
    internal: ['ach_clearing'],
    decide: (books) => {
      const lastDay = lastDayOf(books, firstId, lost)
      for (const { id } of [{ id: firstId }, ...books.of(payments).linkedTo(firstId)]) books.of(debits).dropRetry(id)
      const link = { kind: 'Retry', paymentId: String(firstId) } as const
      const made = decideDebit(books, { ...order, link }, bank.debits)
      const day = made.expectedCompletionDate ?? easternOf(books.now(order.organisationId)).day
      if (day > lastDay) throw notRetryable(`A retry settles until ${lastDay}, this one would on ${day}.`)
      return made
    },
  }
  return bank.runOnce.attempt(write, () => bank.lane.run(command))
}

/** The last day on which a retry of a debit may settle. Throws the refusal of one that may not be presented again. */
function lastDayOf(books: Books, firstId: number, lost: { count: number; isOpen: boolean }): string {
  const first = books.of(payments).get(firstId)
  if (!first) throw new Problem('payment_not_found')
  requireReturnedForMoney(first)
  if (lost.isOpen) throw notRetryable('A retry that left before the database was restored is an open exception.')
  const retries = books.of(payments).linkedTo(firstId)
  const made = retries.filter(({ status }) => status !== 'Canceled' && status !== 'Rejected')
  if (made.length + lost.count >= MAX_RETRIES) throw notRetryable('It was presented again twice.')
  for (const retry of made) requireReturnedForMoney(retry)
  return daysAfter(easternOf(first.settlesAt ?? first.createdAt).day, RETRY_DAYS)
}

function requireReturnedForMoney({ direction, link, status, returnCode }: LedgerPayment): void {
  const reversal = link?.kind === 'Reversal' && { reversalOf: link.paymentId }
  requireRetryable({ status, direction, ...(returnCode !== null && { returnCode }), ...reversal })
}

function notRetryable(detail: string): Problem {
  return new Problem('payment_not_retryable', { detail })
}
