import { type Payment, paymentRules, requireReturnable } from '../../banking/payments/payment.ts'
import { stateAfter } from '../../banking/state-rules.ts'
import type { Answer, Write } from '../../base/operation.ts'
import { Problem } from '../../base/problem.ts'
import { type Books, type Command, type Needs, needs } from '../../ledger/books.ts'
import type { Reads } from '../../ledger/kinds.ts'
import { describeReturn } from '../../rails/ach/codes.ts'
import type { ReturnPaymentInput } from '../../sandbox/return-payment.ts'
import { isSealedNumber, sealedNumber } from '../../secrets/numbers.ts'
import type { Seal } from '../../secrets/seal.ts'
import { giveBack } from '../accounts/posting.ts'
import { payments } from '../records/payments.ts'
import type { LedgerPayment } from '../records/records.ts'
import { takeBack } from './debit-decision.ts'
import { ownPayment, type PaymentBank, sealOf } from './payment-bank.ts'
import { blockReads, noteDebitReturn } from './payment-blocks.ts'
import { emitPayment } from './payment-view.ts'
import { replacePaymentNumber } from './payments.sql.ts'
import { noteReturn, recurringReads } from './recurring/run-decisions.ts'

export async function returnPayment(
  bank: PaymentBank,
  write: Write<Payment>,
  { paymentId, returnCode }: ReturnPaymentInput,
): Promise<Answer> {
  const row = await ownPayment(bank, write.caller, paymentId)
  const { id, accountId, cutoffAt } = row
  const seal = await sealOf(bank, write.caller)
  // A payment of a former version has a clear number. It is sealed first: the chain of hashes will cover the stored number, which
  // then must not change.
  if (row.externalAccountId !== null && !isSealedNumber(row.counterpartyAccountNumber)) {
    const number = sealedNumber(seal, row.externalAccountId, row.counterpartyAccountNumber)
    await replacePaymentNumber(bank.database, id, { before: row.counterpartyAccountNumber, after: number })
  }
  const order = {
    id,
    returnCode,
    transferId: await bank.ids.nextPair(),
    settlementId: cutoffAt === null ? null : await bank.ids.nextPair(),
    routingNumber: bank.routingNumber,
    seal,
  }
  const command: Command<Payment, 'pending'> = {
    write,
    accountIds: [accountId],
    internal: cutoffAt === null ? ['ach_clearing'] : ['ach_clearing', 'ach_settlement'],
    reads: [payments.ids([id]), ...returnReads([row])],
    decide: (books) => decideReturn(books, order, bank.debits),
    supply: async () => command,
  }
  return bank.runOnce.attempt(write, () => bank.lane.run(command))
}

interface ReturnOrder {
  id: number
  returnCode: string
  transferId: number
  /** The id of the transfer from the settlement account; null for a payment that left with no file. */
  settlementId: number | null
  routingNumber: string
  seal: Seal
}

/** Decides the return of a payment. The money reaches the account whatever the account's status. */
function decideReturn(books: Books, order: ReturnOrder, setting: PaymentBank['debits']): Payment | Needs<'pending'> {
  const { id, returnCode, seal } = order
  const payment = books.of(payments).get(id)
  if (!payment) throw new Problem('payment_not_found')
  requireReturnable(payment)
  const status = stateAfter(paymentRules, 'returnPayment', payment.status)
  const data = emitPayment(books, books.of(payments).update({ ...payment, status, returnCode }), seal)
  return bookReturn(books, payment, order, setting) ? data : needs('pending')
}

/** The reads of what the returns of some payments may change beside these. */
export function returnReads(
  of: readonly Pick<LedgerPayment, 'direction' | 'accountId' | 'recurringPaymentId'>[],
): Reads[] {
  return [...recurringReads(of), ...blockReads(of)]
}

type BookedReturn = Pick<ReturnOrder, 'returnCode' | 'transferId' | 'settlementId' | 'routingNumber'>

/** Books the return of a payment, with what follows from it. The command must have read `returnReads`, and comes again if it is false. */
export function bookReturn(
  books: Books,
  payment: LedgerPayment,
  order: BookedReturn,
  setting: PaymentBank['debits'],
): boolean {
  moveBack(books, payment, order)
  noteReturn(books, payment, order.returnCode)
  return noteDebitReturn(books, payment, order.returnCode, setting)
}

/** Moves the money of a returned payment back to where it came from, by way of the settlement account if it has left the bank. */
function moveBack(
  books: Books,
  payment: LedgerPayment,
  { returnCode, transferId, settlementId, routingNumber }: BookedReturn,
): void {
  const isDebit = payment.direction === 'Debit'
  if (payment.status === 'Sent' && isDebit) takeBack(books, payment, { transferId, routingNumber, returnCode })
  if (settlementId !== null) {
    const [settlement, clearing] = [books.internal('ach_settlement').id, books.internal('ach_clearing').id]
    books.transfer({
      id: settlementId,
      debitAccountId: isDebit ? clearing : settlement,
      creditAccountId: isDebit ? settlement : clearing,
      amount: payment.amount,
      sourceKind: 'ach_return',
      sourceId: payment.id,
      party: null,
      description: null,
    })
  }
  giveBack(books, payment, { id: transferId, description: describeReturn(returnCode) }, routingNumber)
}
