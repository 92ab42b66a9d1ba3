import { accountRules } from '../../banking/accounts/account.ts'
import { requireUnblocked } from '../../banking/accounts/payment-block.ts'
import type { CreateBookTransferInput } from '../../banking/payments/create-book-transfer.ts'
import type { Payment } from '../../banking/payments/payment.ts'
import type { BankingProvider } from '../../banking/provider.ts'
import { refusalIn, requireAllowed } from '../../banking/state-rules.ts'
import { idNumber } from '../../base/ids.ts'
import type { Answer, Write } from '../../base/operation.ts'
import { Problem } from '../../base/problem.ts'
import type { Books, Command } from '../../ledger/books.ts'
import type { LedgerAccount } from '../../ledger/records.ts'
import { depositAccountIn } from '../accounts/deposit-account.ts'
import { overdraftOf } from '../limits/check.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import { noOptions } from '../records/payment-columns.ts'
import type { LedgerPayment } from '../records/records.ts'
import { sendPayment } from './send-payment.ts'

export function bookTransfersOf(parts: BankParts): Pick<Required<BankingProvider>, 'createBookTransfer'> {
  return { createBookTransfer: (write, input) => createBookTransfer(parts, write, input) }
}

/** A payment between two accounts of the bank. */
interface BookPaymentOrder {
  organisationId: number
  paymentId: number
  /** The recurring payment whose run makes it. */
  recurringPaymentId?: number | null
  input: Pick<CreateBookTransferInput, 'amount' | 'description'>
  routingNumber: string
}

/** A transfer to be decided: the request, its ids, and the settings of the bank. */
interface TransferRequest extends BookPaymentOrder {
  accountId: number
  toAccountId: number
  transferId: number
  input: CreateBookTransferInput
  overdraftCents: number
}

async function createBookTransfer(
  bank: BankParts,
  write: Write<Payment>,
  input: CreateBookTransferInput,
): Promise<Answer> {
  const command = await bookTransferCommand(bank, write, input)
  return bank.runOnce.attempt(write, () => bank.lane.run(command))
}

/** The command of a transfer, which a recurring payment may make. */
export async function bookTransferCommand(
  bank: BankParts,
  write: Write<Payment>,
  input: CreateBookTransferInput,
  recurringPaymentId: number | null = null,
): Promise<Command<Payment>> {
  const request: TransferRequest = {
    organisationId: write.caller.organisationId,
    accountId: idNumber(input.accountId),
    toAccountId: idNumber(input.toAccountId),
    paymentId: await bank.ids.next(),
    transferId: await bank.ids.nextPair(),
    recurringPaymentId,
    input,
    routingNumber: bank.routingNumber,
    overdraftCents: bank.overdraftCents,
  }
  return {
    write,
    accountIds: [request.accountId, request.toAccountId],
    decide: (books) => decideBookTransfer(books, request),
  }
}

/** Decides a book transfer: refuses it, or moves the money and emits `payment.created`. */
function decideBookTransfer(books: Books, request: TransferRequest): Payment {
  const { organisationId, accountId, transferId, input, routingNumber, overdraftCents } = request
  const account = depositAccountIn(books, organisationId, accountId)
  const destination = destinationIn(books, request)
  requireAllowed(accountRules, 'createBookTransfer', account.status)
  requireUnblocked(account)
  if (destination.id === account.id) {
    throw new Problem('same_account', { detail: 'toAccountId is the paying account itself.' })
  }
  const refusal = refusalIn(accountRules, 'receiveBookTransfer', destination.status)
  if (refusal) throw new Problem(refusal, { detail: `The account in toAccountId is ${destination.status}.` })
  const overdraft = overdraftOf(account, overdraftCents)
  if (account.balance - account.hold - input.amount < -overdraft) throw new Problem('insufficient_funds')
  const payment = newBookPayment(request, account, destination, books.now(organisationId))
  return sendPayment(books, payment, { transferId, creditAccountId: destination.id, routingNumber })
}

function destinationIn(books: Books, { organisationId, toAccountId }: TransferRequest): LedgerAccount {
  const account = books.account(toAccountId)
  if (account?.organisationId !== organisationId || account.customerId === null) {
    throw new Problem('account_not_found', { detail: 'There is no account with the id in toAccountId.' })
  }
  return account
}

export function newBookPayment(
  { organisationId, paymentId, input, routingNumber, recurringPaymentId = null }: BookPaymentOrder,
  account: LedgerAccount,
  destination: LedgerAccount,
  createdAt: string,
): LedgerPayment {
  if (account.customerId === null) throw new Error('an internal account makes no book transfer')
  return {
    id: paymentId,
    organisationId,
    accountId: account.id,
    customerId: account.customerId,
    type: 'bookPayment',
    direction: 'Credit',
    status: 'Sent',
    amount: input.amount,
    description: input.description,
    originalType: 'BOOK',
    createdAt,
    externalAccountId: null,
    counterparty: {
      name: destination.name,
      routingNumber,
      accountNumber: destination.accountNumber,
      accountType: 'Checking',
    },
    destinationAccountId: destination.id,
    ...noOptions,
    recurringPaymentId,
    version: 1,
  }
}
