import { MAX_CENTS } from '../../../../base/cents.ts'
import type { Books, Command } from '../../../../ledger/books.ts'
import type { LedgerPayment } from '../../../../ledger/records.ts'
import { easternOf, returnDeadline } from '../../../../rails/ach/calendar.ts'
import { returnCodes } from '../../../../rails/ach/codes.ts'
import type { Addenda } from '../../../../rails/ach/file.ts'
import { moveBack } from '../../payments/payment-return.ts'
import { emitChange } from '../payment-view.ts'
import type { IncomingEntry } from './entries.ts'
import { decideException, type ExceptionIds, exceptionAccounts, exceptionIds } from './exceptions.ts'
import { entryRow, entryWrite, type IntakeBank } from './intake.ts'

type ReturnAddenda = Extract<Addenda, { type: 'return' }>

/** The return of one of our entries, and the ids of the transfers that it may need. */
interface ReturnOrder extends ExceptionIds {
  organisationId: number
  returnCode: string
  paymentIds: number[]
  settlementId: number
}

/** Returns the payment that another bank could not deliver. */
export async function applyReturn(
  intake: IntakeBank,
  entry: IncomingEntry,
  { code: returnCode }: ReturnAddenda,
  answered: LedgerPayment[],
): Promise<void> {
  const { ids, runOnce, lane } = intake
  const found = entry.direction === 'Credit' ? answered.filter(({ amount }) => amount === entry.amount) : []
  const organisationId = found.at(-1)?.organisationId ?? intake.organisationId
  const payments = found.filter((payment) => payment.organisationId === organisationId)
  const order: ReturnOrder = {
    ...(await exceptionIds(intake)),
    organisationId,
    returnCode,
    paymentIds: payments.map(({ id }) => id),
    settlementId: await ids.nextPair(),
  }
  const write = entryWrite(intake, organisationId, entry)
  const command: Command<null> = {
    write,
    accountIds: [...new Set(payments.map(({ accountId }) => accountId))],
    internal: ['ach_clearing', ...exceptionAccounts],
    paymentIds: order.paymentIds,
    decide: (books) => decideReturn(books, intake, entry, order),
  }
  await runOnce.attempt(write, () => lane.run(command))
}

/** Decides a return. One that is late, repeated or of no payment of ours is left to the operator. */
function decideReturn(books: Books, intake: IntakeBank, entry: IncomingEntry, order: ReturnOrder): null {
  const { organisationId, returnCode, paymentIds, transferId, settlementId } = order
  const payments = paymentIds.flatMap((id) => books.payment(id) ?? [])
  const payment = payments.findLast(({ status }) => status === 'Clearing' || status === 'Sent')
  const left = (kind: Parameters<typeof decideException>[4]['kind'], about: LedgerPayment | undefined) =>
    decideException(books, intake, entry, order, {
      kind,
      detail: `${returnCode} of trace ${entry.addenda && 'originalTrace' in entry.addenda ? entry.addenda.originalTrace : ''}`,
      organisationId,
      paymentId: about?.id ?? null,
    })
  if (!payment) {
    const before = payments.findLast(({ status }) => status === 'Returned')
    return left(before ? 'return_repeated' : 'return_unmatched', before)
  }
  if (isLate(payment, returnCode, entry.settlesOn)) return left('return_late', payment)
  const account = books.account(payment.accountId)
  if (!account || account.balance + payment.amount > MAX_CENTS) return left('return_not_bookable', payment)
  emitChange(books, books.updatePayment({ ...payment, status: 'Returned', returnCode }))
  moveBack(books, payment, { returnCode, transferId, settlementId, routingNumber: intake.routingNumber })
  books.insertReceivedEntry(entryRow(intake, entry, { organisationId, outcome: 'applied', paymentId: payment.id }))
  return null
}

/** Whether a return settles after its deadline, which runs from the settlement of the payment. */
function isLate({ settlesAt }: LedgerPayment, returnCode: string, settlesOn: string): boolean {
  const limit = returnCodes[returnCode]?.limit
  const deadline = limit && settlesAt !== null ? returnDeadline(easternOf(settlesAt).day, limit) : null
  return deadline !== null && settlesOn > deadline
}
