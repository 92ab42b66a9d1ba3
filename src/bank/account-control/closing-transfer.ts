import { accountRules } from '../../banking/accounts/account.ts'
import { requireUnblocked } from '../../banking/accounts/payment-block.ts'
import { refusalIn, requireAllowed } from '../../banking/state-rules.ts'
import { MAX_AMOUNT } from '../../base/cents.ts'
import type { Write } from '../../base/operation.ts'
import { Problem } from '../../base/problem.ts'
import type { Queryable } from '../../database/database.ts'
import type { EventSink } from '../../events/event.ts'
import type { Books } from '../../ledger/books.ts'
import { postWithin } from '../../ledger/post-within.ts'
import type { LedgerAccount } from '../../ledger/records.ts'
import { depositAccountIn } from '../accounts/deposit-account.ts'
import { newBookPayment } from '../payments/book-transfers.ts'
import { sendPayment } from '../payments/send-payment.ts'
import { bankKinds } from '../records/kinds.ts'

/** The movement of the whole balance of an account that is being closed. */
export interface ClosingTransfer {
  organisationId: number
  accountId: number
  closeTo: number
  paymentId: number
  transferId: number
  routingNumber: string
}

/** Moves the whole balance of an account to another one of its customer, in the transaction that closes the account. */
export function moveBalance(
  transaction: Queryable,
  events: EventSink,
  write: Write<never>,
  order: ClosingTransfer,
): Promise<void> {
  const accountIds = [order.accountId, order.closeTo]
  return postWithin(transaction, bankKinds, events, {
    write,
    accountIds,
    decide: (books) => decideClosing(books, order),
  })
}

function decideClosing(books: Books, order: ClosingTransfer): void {
  const { organisationId, accountId, paymentId, transferId, routingNumber } = order
  const account = depositAccountIn(books, organisationId, accountId)
  const destination = destinationIn(books, order, account)
  requireAllowed(accountRules, 'closeAccount', account.status)
  requireEmpty({ balance: Math.min(0, account.balance), hold: account.hold })
  if (account.balance === 0) return
  // A frozen account takes money in, and none leaves it.
  requireAllowed(accountRules, 'createBookTransfer', account.status)
  requireUnblocked(account)
  if (account.balance > MAX_AMOUNT) throw new Problem('balance_limit', { detail: TOO_MUCH })
  const input = { amount: account.balance, description: 'Closed account' }
  const payment = newBookPayment(
    { organisationId, paymentId, input, routingNumber },
    account,
    destination,
    books.now(organisationId),
  )
  sendPayment(books, payment, { transferId, creditAccountId: destination.id, routingNumber })
}

const TOO_MUCH = 'A payment moves at most 999,999,999,999 cents: transfer a part of the balance first.'

/** The account that gets the balance: another one of the same customer that is not closed. */
function destinationIn(
  books: Books,
  { organisationId, closeTo }: ClosingTransfer,
  { id, customerId }: LedgerAccount,
): LedgerAccount {
  if (closeTo === id) throw new Problem('same_account', { detail: 'closeTo is the account that is to be closed.' })
  const account = books.account(closeTo)
  if (account?.organisationId !== organisationId || account.customerId !== customerId) {
    throw new Problem('account_not_found', { detail: 'The customer has no account with the id in closeTo.' })
  }
  const refusal = refusalIn(accountRules, 'receiveBookTransfer', account.status)
  if (refusal) throw new Problem(refusal, { detail: `The account in closeTo is ${account.status}.` })
  return account
}

/** Throws the refusal of an account that has money, owes money, or on which amounts are held. */
export function requireEmpty({ balance, hold }: Pick<LedgerAccount, 'balance' | 'hold'>): void {
  if (hold > 0)
    throw notEmpty(`The account holds ${hold} (in cents): wait until authorizations settle, and release holds.`)
  if (balance > 0) throw notEmpty(`The balance is ${balance} (in cents): name an account of the customer in closeTo.`)
  if (balance < 0) throw notEmpty(`The balance is ${balance} (in cents): bring it to zero first.`)
}

function notEmpty(detail: string): Problem {
  return new Problem('account_not_empty', { detail })
}
