import { accountRules } from '../../../banking/accounts/account.ts'
import type { ReceivedPayment } from '../../../banking/payments/received-payment.ts'
import { receivedPaymentRules } from '../../../banking/payments/received-payment.ts'
import type { BankingProvider } from '../../../banking/provider.ts'
import type { ListReceivedPaymentsQuery } from '../../../banking/received-payments/list-received-payments.ts'
import type { ReturnReceivedPaymentInput } from '../../../banking/received-payments/return-received-payment.ts'
import { requireAllowed } from '../../../banking/state-rules.ts'
import { idNumber, optionalIdNumber } from '../../../base/ids.ts'
import type { Answer, Caller, Write } from '../../../base/operation.ts'
import { type Page, pageWindow, toCursorPage } from '../../../base/page.ts'
import { Problem } from '../../../base/problem.ts'
import type { Books, Command } from '../../../ledger/books.ts'
import { defaultWindows, easternOf, returnDeadline, type Window } from '../../../rails/ach/calendar.ts'
import { describeReturn, type ReturnLimit, returnCodes } from '../../../rails/ach/codes.ts'
import { post } from '../../accounts/posting.ts'
import type { BankParts } from '../../parts/bank-parts.ts'
import { type CustomerSeals, customerSeals } from '../../parts/customer-seals.ts'
import { receivedPayments } from '../../records/received.ts'
import type { LedgerReceived } from '../../records/received-records.ts'
import { findReceived, listReceived } from './received.sql.ts'
import { markedForReturn } from './received.ts'
import { emitReceived } from './received-events.ts'
import { receivedPaymentOf } from './received-view.ts'

export function receivedPaymentsOf(bank: BankParts) {
  return {
    listReceivedPayments: (caller, query) => listReceivedPayments(bank, caller, query),
    getReceivedPayment: async (caller, id) => receivedPaymentOf(await requireReceived(bank, caller, id)),
    returnReceivedPayment: (write, input) => returnReceivedPayment(bank, write, input),
  } satisfies Partial<BankingProvider>
}

async function listReceivedPayments(
  { database }: BankParts,
  { organisationId }: Caller,
  query: ListReceivedPaymentsQuery,
): Promise<Page<ReceivedPayment>> {
  const page = pageWindow(query)
  const filter = {
    ...query,
    organisationId,
    accountId: optionalIdNumber(query.accountId),
    customerId: optionalIdNumber(query.customerId),
  }
  return toCursorPage(await listReceived(database, filter, page), page.limit, receivedPaymentOf)
}

async function requireReceived(
  { database }: BankParts,
  { organisationId }: Caller,
  receivedPaymentId: string,
): Promise<LedgerReceived & { accountId: number }> {
  const received = await findReceived(database, organisationId, idNumber(receivedPaymentId))
  if (!received || received.accountId === null) throw new Problem('received_payment_not_found')
  return { ...received, accountId: received.accountId }
}

interface ReturnOrder {
  id: number
  returnCode: string
  transferId: number
  routingNumber: string
  windows: readonly Window[]
  seals: CustomerSeals
  /** Whether the caller has `risk:write`. */
  decidesRisk: boolean
}

async function returnReceivedPayment(
  bank: BankParts,
  write: Write<ReceivedPayment>,
  { receivedPaymentId, returnCode }: ReturnReceivedPaymentInput,
): Promise<Answer> {
  const { ids, lane, runOnce, routingNumber, ach } = bank
  const { id, accountId, customerId } = await requireReceived(bank, write.caller, receivedPaymentId)
  const windows = ach === 'instant' ? defaultWindows : ach.windows
  const seals = await customerSeals(bank, write.caller.organisationId, [customerId])
  const { decidesRisk = false } = write.caller
  const order = { id, returnCode, transferId: await ids.nextPair(), routingNumber, windows, seals, decidesRisk }
  const command: Command<ReceivedPayment> = {
    write,
    accountIds: [accountId],
    internal: ['ach_suspense'],
    reads: [receivedPayments.ids([id])],
    decide: (books) => decideReturn(books, order),
  }
  return runOnce.attempt(write, () => lane.run(command))
}

function decideReturn(books: Books, order: ReturnOrder) {
  const { id, returnCode, windows, seals } = order
  const received = books.of(receivedPayments).get(id)
  if (!received) throw new Problem('received_payment_not_found')
  requireAllowed(receivedPaymentRules, 'returnReceivedPayment', received.status)
  const limit = limitOf(received, returnCode)
  const now = books.now(received.organisationId)
  const from = received.bookedAt === null && received.dueAt > now ? received.dueAt : now
  const marked = markedForReturn(received, returnCode, from, windows)
  const deadline = returnDeadline(received.settlesOn, limit)
  if (deadline !== null && easternOf(marked.returnSettlesAt ?? '').day > deadline) throw new Problem('return_too_late')
  const written = books.of(receivedPayments).update(marked)
  emitReceived(books, 'receivedPayment.markedForReturn', written, seals)
  if (written.bookedAt !== null) takeBack(books, written, order)
  return receivedPaymentOf(written)
}

function limitOf({ direction }: LedgerReceived, code: string): ReturnLimit {
  const found = Object.hasOwn(returnCodes, code) ? returnCodes[code] : undefined
  const isFor = found?.of === 'both' || found?.of === direction.toLowerCase()
  if (!found || !isFor || found.limit === 'nextDelivery') throw new Problem('return_code_not_allowed')
  return found.limit
}

/** Takes the money of a received credit from its account, or gives that of a debit back. */
function takeBack(
  books: Books,
  received: LedgerReceived,
  { returnCode, transferId, routingNumber, decidesRisk }: ReturnOrder,
): void {
  const { id, accountId, direction, amount, companyName } = received
  const account = accountId === null ? undefined : books.account(accountId)
  if (!account) throw new Problem('received_payment_not_found')
  const isCredit = direction === 'Credit'
  // An app must not empty an account that is frozen, and a bank returns money with R16 for that very reason.
  if (isCredit && !decidesRisk) requireAllowed(accountRules, 'returnReceivedCredit', account.status)
  if (isCredit && account.balance - account.hold < amount) throw new Problem('insufficient_funds')
  const suspense = books.internal('ach_suspense').id
  const order = {
    id: transferId,
    debitAccountId: isCredit ? account.id : suspense,
    creditAccountId: isCredit ? suspense : account.id,
    ...{ amount, sourceKind: 'received_ach_return' as const, sourceId: id },
    ...{ party: companyName, description: describeReturn(returnCode) },
  }
  post(books, order, null, routingNumber)
}
