import type { AccountPaymentBlock, PaymentBlock } from '../../banking/accounts/payment-block.ts'
import type { Books } from '../../ledger/books.ts'
import type { Reads } from '../../ledger/kinds.ts'
import { shownBlock } from '../accounts/accounts.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import { paymentBlocks } from '../records/blocks/payment-blocks.ts'
import { debits } from '../records/debits/debits.ts'
import type { LedgerPayment } from '../records/records.ts'
import { termsOf } from './debit-decision.ts'

/** The reads of the accounts that the returns of some payments may block. */
export function blockReads(of: readonly Pick<LedgerPayment, 'direction' | 'accountId'>[]): Reads[] {
  const ids = of.flatMap(({ direction, accountId }) => (direction === 'Debit' ? accountId : []))
  return ids.length === 0 ? [] : [paymentBlocks.ids([...new Set(ids)])]
}

/**
 * Notes the return of a debit, and blocks outgoing payments of its account if its terms say so. The command must have read the
 * account.
 */
export function noteDebitReturn(
  books: Books,
  { id, accountId, organisationId, direction }: LedgerPayment,
  returnCode: string,
  setting: BankParts['debits'],
): void {
  if (direction !== 'Debit') return
  const returnedAt = books.now(organisationId)
  books.of(debits).noteReturn({ id, returnedAt })
  const account = books.account(accountId)
  if (!account || account.paymentBlock || !termsOf(account, setting).blockOnReturn) return
  const block = { reason: `Return ${returnCode} of a debit`, since: returnedAt, paymentId: String(id) }
  const version = books.of(paymentBlocks).block(accountId, block)
  const data = accountBlockOf(accountId, block)
  books.events.push({ type: 'account.paymentsBlocked', id: data.id, version, data })
}

export function accountBlockOf(accountId: number, block: PaymentBlock | null): AccountPaymentBlock {
  return { id: String(accountId), ...(block ? shownBlock(block) : { reason: null, since: null }) }
}
