import type { AccountPaymentBlock, PaymentBlock } from '../../banking/accounts/payment-block.ts'
import { isForMoney } from '../../banking/payments/payment.ts'
import type { Books } from '../../ledger/books.ts'
import type { Reads } from '../../ledger/kinds.ts'
import { bankingDaysAfter, easternInstant, easternOf } from '../../rails/ach/calendar.ts'
import { shownBlock } from '../accounts/accounts.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import { paymentBlocks } from '../records/blocks/payment-blocks.ts'
import { debits } from '../records/debits/debits.ts'
import { payments } from '../records/payments.ts'
import type { LedgerPayment } from '../records/records.ts'
import { termsOf } from './debit-decision.ts'
import { stopPending } from './payment-stop.ts'

/** The reads of the accounts that the returns of some payments may block. */
export function blockReads(of: readonly Pick<LedgerPayment, 'direction' | 'accountId'>[]): Reads[] {
  const ids = of.flatMap(({ direction, accountId }) => (direction === 'Debit' ? accountId : []))
  const own = [...new Set(ids)]
  if (own.length === 0) return []
  return [paymentBlocks.ids(own), payments.ids(own.map((pendingOf) => ({ pendingOf })))]
}

/** Retries before the return of a debit, a retry and a reversal. No retry follows the second one. */
const retriesBefore = { None: 0, Retry: 1, Reversal: 2 }

/** The morning of a banking day so many days after a return. */
function retryInstant(returnedAt: string, days: number): string {
  return easternInstant(bankingDaysAfter(easternOf(returnedAt).day, days), '09:00')
}

/**
 * Notes the return of a debit, and blocks outgoing payments of its account if its terms say so. The command must have read the
 * account. False if it has to come again, because a payment that is to be stopped is written with this batch.
 */
export function noteDebitReturn(
  books: Books,
  { id, accountId, organisationId, direction, link }: LedgerPayment,
  returnCode: string,
  setting: BankParts['debits'],
): boolean {
  if (direction !== 'Debit') return true
  const returnedAt = books.now(organisationId)
  const retryDays = isForMoney(returnCode) ? setting.retryAfter?.[retriesBefore[link?.kind ?? 'None']] : undefined
  const retryAt = retryDays === undefined ? null : retryInstant(returnedAt, retryDays)
  books.of(debits).noteReturn({ id, returnedAt, retryAt })
  const account = books.account(accountId)
  if (!account || account.paymentBlock || !termsOf(account, setting).blockOnReturn) return true
  const block = { reason: `Return ${returnCode} of a debit`, since: returnedAt, paymentId: String(id) }
  const version = books.of(paymentBlocks).block(accountId, block)
  const data = accountBlockOf(accountId, block)
  books.events.push({ type: 'account.paymentsBlocked', id: data.id, version, data })
  return stopPending(books, account, 'paymentsBlocked')
}

export function accountBlockOf(accountId: number, block: PaymentBlock | null): AccountPaymentBlock {
  return { id: String(accountId), ...(block ? shownBlock(block) : { reason: null, since: null }) }
}
