import { MAX_CENTS } from '../../../base/cents.ts'
import type { Books } from '../../../ledger/books.ts'
import { easternOf, returnDeadline } from '../../../rails/ach/calendar.ts'
import { returnCodes } from '../../../rails/ach/codes.ts'
import type { Addenda } from '../../../rails/ach/file.ts'
import { bookReturn, returnReads } from '../../payments/payment-return.ts'
import { emitChange } from '../../payments/payment-view.ts'
import { payments } from '../../records/payments.ts'
import { receivedPayments } from '../../records/received.ts'
import type { AchException } from '../../records/received-records.ts'
import type { LedgerPayment } from '../../records/records.ts'
import type { IncomingEntry } from './entries.ts'
import { decideException, type ExceptionIds, exceptionAccounts, exceptionIds } from './exceptions.ts'
import { type EntryOrder, entryRow, type IntakeBank } from './intake.ts'

type ReturnAddenda = Extract<Addenda, { type: 'return' }>

/** The return of one of our entries, and the ids of the transfers that it may need. */
interface ReturnOrder extends ExceptionIds {
  organisationId: number
  returnCode: string
  paymentIds: number[]
  settlementId: number
}

/** Returns the payment that another bank could not deliver. */
export async function returnOrder(
  intake: IntakeBank,
  entry: IncomingEntry,
  { code: returnCode }: ReturnAddenda,
  answered: LedgerPayment[],
): Promise<EntryOrder> {
  const { ids } = intake
  // The return of a credit brings its money back, that of a debit takes it back.
  const found = answered.filter(({ amount, direction }) => amount === entry.amount && direction === entry.direction)
  const organisationId = found.at(-1)?.organisationId ?? intake.organisationId
  const own = found.filter((payment) => payment.organisationId === organisationId)
  const order: ReturnOrder = {
    ...(await exceptionIds(intake)),
    organisationId,
    returnCode,
    paymentIds: own.map(({ id }) => id),
    settlementId: await ids.nextPair(),
  }
  return {
    organisationId,
    accountIds: own.map(({ accountId }) => accountId),
    internal: ['ach_clearing', ...exceptionAccounts],
    paymentIds: order.paymentIds,
    reads: returnReads(own),
    decide: (books) => decideReturn(books, intake, entry, order),
  }
}

/** Decides a return. One that is late, repeated or of no payment of ours is left to the operator. */
function decideReturn(books: Books, intake: IntakeBank, entry: IncomingEntry, order: ReturnOrder): 'again' | undefined {
  const { organisationId, returnCode, paymentIds, transferId, settlementId } = order
  const named = paymentIds.flatMap((id) => books.of(payments).get(id) ?? [])
  const payment = named.findLast(({ status }) => status === 'Clearing' || status === 'Sent')
  const about = payment ?? named.findLast(({ status }) => status === 'Returned')
  const kind = obstacleOf(books, { payment, about, returnCode, settlesOn: entry.settlesOn })
  if (kind || !payment) {
    const trace = entry.addenda && 'originalTrace' in entry.addenda ? entry.addenda.originalTrace : ''
    const detail = `${returnCode} of trace ${trace}`
    const found = { kind: kind ?? 'return_unmatched', detail, organisationId, paymentId: about?.id ?? null }
    decideException(books, intake, entry, order, found)
    return undefined
  }
  emitChange(books, books.of(payments).update({ ...payment, status: 'Returned', returnCode }))
  const { debits, routingNumber } = intake
  if (!bookReturn(books, payment, { returnCode, transferId, settlementId, routingNumber }, debits)) return 'again'
  books
    .of(receivedPayments)
    .insertEntry(entryRow(intake, entry, { organisationId, outcome: 'applied', paymentId: payment.id }))
  return undefined
}

interface FoundPayment {
  /** The payment that can be returned. */
  payment: LedgerPayment | undefined
  /** The same, or one that was returned before. */
  about: LedgerPayment | undefined
  returnCode: string
  settlesOn: string
}

/** The reason why a return is an exception; undefined if there is none. */
function obstacleOf(
  books: Books,
  { payment, about, returnCode, settlesOn }: FoundPayment,
): AchException['kind'] | undefined {
  if (!payment) return about ? 'return_repeated' : 'return_unmatched'
  if (isLate(payment, returnCode, settlesOn)) return 'return_late'
  const account = books.account(payment.accountId)
  const change = payment.direction === 'Credit' ? payment.amount : -payment.amount
  return !account || Math.abs(account.balance + change) > MAX_CENTS ? 'return_not_bookable' : undefined
}

/** Whether a return settles after its deadline, which runs from the settlement of the payment. */
function isLate({ settlesAt }: LedgerPayment, returnCode: string, settlesOn: string): boolean {
  const limit = returnCodes[returnCode]?.limit
  const deadline = limit && settlesAt !== null ? returnDeadline(easternOf(settlesAt).day, limit) : null
  return deadline !== null && settlesOn > deadline
}
