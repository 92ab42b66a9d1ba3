import { accountRules } from '../../../banking/accounts/account.ts'
import type { CreatePaymentInput } from '../../../banking/payments/create-payment.ts'
import type { ListPaymentsQuery } from '../../../banking/payments/list-payments.ts'
import { type ListedPayment, type Payment, paymentRules, requireReturnable } from '../../../banking/payments/payment.ts'
import type { ReviewReason } from '../../../banking/payments/review-reason.ts'
import type { BankingProvider } from '../../../banking/provider.ts'
import { requireAllowed, stateAfter } from '../../../banking/state-rules.ts'
import { idNumber, optionalIdNumber } from '../../../base/ids.ts'
import type { Answer, Caller, Write } from '../../../base/operation.ts'
import { Page, pageWindow, toCursorPage, totalIf } from '../../../base/page.ts'
import { Problem } from '../../../base/problem.ts'
import { coalesce } from '../../../database/coalesce.ts'
import type { Queryable } from '../../../database/database.ts'
import { type Books, type Command, type Group, type Needs, needs } from '../../../ledger/books.ts'
import { type PaymentRow, paymentFromRow } from '../../../ledger/payment-columns.ts'
import type { LedgerAccount, LedgerPayee, LedgerPayment } from '../../../ledger/records.ts'
import type { AchMode } from '../../../rails/ach/settings.ts'
import type { ReturnPaymentInput } from '../../../sandbox/return-payment.ts'
import type { Sandbox } from '../../../sandbox/sandbox.ts'
import { clearNumber, isSealedNumber, sealedNumber } from '../../../secrets/numbers.ts'
import type { Seal } from '../../../secrets/seal.ts'
import { emitPayment, paymentOf } from '../ach/payment-view.ts'
import { firstStateOf, underReview } from '../ach/rail.ts'
import type { BankParts } from '../bank-parts.ts'
import { freeLimits, overdraftOf, useLimits, useOrganisationLimits } from '../limits/check.ts'
import { sendPayment } from '../payments/send-payment.ts'
import { type PaymentQuestion, type Screened, screenPayment } from '../review/screening.ts'
import { accountIdsOfCustomer, findAccountsByNumber } from './accounts.sql.ts'
import { countPayments, findPayments, listPaymentRows, replacePaymentNumber } from './payments.sql.ts'
import { giveBack } from './posting.ts'

type Payments = Pick<Required<BankingProvider>, 'createPayment' | 'getPayment' | 'listPayments' | 'cancelPayment'> &
  Pick<Sandbox, 'returnPayment'>

/** The parts of the bank, and its look-ups for payments. */
export interface PaymentBank extends BankParts {
  findAccountByNumber(accountNumber: string): Promise<{ id: number } | undefined>
  findPayment(id: number): Promise<PaymentRow | undefined>
  screenPayment(write: Write<never>, question: PaymentQuestion): Promise<Screened>
}

/** The parts of the bank with its look-ups for payments. Look-ups that arrive while one is running are combined. */
export function paymentBankOf(parts: BankParts): PaymentBank {
  return {
    ...parts,
    findAccountByNumber: coalesce(
      (row: { id: number; accountNumber: string }) => row.accountNumber,
      (numbers: string[]) => findAccountsByNumber(parts.database, numbers),
    ),
    findPayment: coalesce(
      (row: PaymentRow) => row.id,
      (ids: number[]) => findPayments(parts.database, ids),
    ),
    screenPayment: (write, question) => screenPayment(parts, write, question),
  }
}

export function paymentsOf(parts: BankParts): Payments {
  const bank = paymentBankOf(parts)
  return {
    createPayment: (write, input) => createPayment(bank, write, input),
    getPayment: (caller, paymentId) => getPayment(bank, caller, paymentId),
    listPayments: (caller, query) => listPayments(bank, caller, query),
    cancelPayment: (write, paymentId) => cancelPayment(bank, write, paymentId),
    returnPayment: (write, input) => returnPayment(bank, write, input),
  }
}

/** The seal of an organisation. A request has loaded its keys, so that nearly always nothing is waited for. */
async function sealOf({ seals }: BankParts, { organisationId }: Pick<Caller, 'organisationId'>): Promise<Seal> {
  return seals.known(organisationId) ?? seals.of(organisationId)
}

/** A payment to be decided: the request, its ids, and the settings of the bank. */
export interface PaymentOrder {
  organisationId: number
  accountId: number
  payeeId: number
  paymentId: number
  transferId: number
  input: CreatePaymentInput
  routingNumber: string
  overdraftCents: number
  seal: Seal
  ach: AchMode
  /** The batch that the payment is part of. */
  group?: Group | undefined
  /** Why the payment has to be reviewed, where that is known before its decision. */
  review?: ReviewReason | undefined
  /** Whether payments to an external account wait for a review until one was approved. */
  reviewFirstPayment: boolean
  /** Whether a service screens payments above a soft limit, and its answer. */
  screens: boolean
  screened?: Screened | undefined
  /** The account of this bank that the payee names. Null where there is none, undefined before it was looked up. */
  ownAccountId: number | null | undefined
}

/** The number of an account of this bank, which the payment must lock, or the screening of a payment above a soft limit. */
type PaymentLack = { accountNumber: string } | { screen: PaymentQuestion }

async function createPayment(bank: PaymentBank, write: Write<Payment>, input: CreatePaymentInput): Promise<Answer> {
  const order = await paymentOrderOf(bank, write, input)
  return bank.runOnce.attempt(write, () => bank.lane.run(paymentCommand(bank, write, order)))
}

/** A payment to be decided, with new ids. */
export async function paymentOrderOf(
  bank: BankParts,
  write: Write<Payment>,
  input: CreatePaymentInput,
): Promise<PaymentOrder> {
  return {
    organisationId: write.caller.organisationId,
    accountId: idNumber(input.accountId),
    payeeId: idNumber(input.counterpartyAccountId),
    paymentId: await bank.ids.next(),
    transferId: await bank.ids.nextPair(),
    input,
    routingNumber: bank.routingNumber,
    overdraftCents: bank.overdraftCents,
    seal: await sealOf(bank, write.caller),
    ach: bank.ach,
    reviewFirstPayment: bank.reviewFirstPayment,
    screens: bank.screening !== undefined,
    ownAccountId: undefined,
  }
}

export function paymentCommand(
  bank: PaymentBank,
  write: Write<Payment>,
  order: PaymentOrder,
): Command<Payment, PaymentLack> {
  const { accountId, payeeId, ownAccountId, group } = order
  return {
    write,
    group,
    accountIds: ownAccountId ? [accountId, ownAccountId] : [accountId],
    payeeIds: [payeeId],
    internal: ['ach_clearing'],
    decide: (books) => decidePayment(books, order),
    async supply(lack) {
      if ('screen' in lack) {
        return paymentCommand(bank, write, { ...order, screened: await bank.screenPayment(write, lack.screen) })
      }
      const account = await bank.findAccountByNumber(lack.accountNumber)
      return paymentCommand(bank, write, { ...order, ownAccountId: account?.id ?? null })
    },
  }
}

/** Decides a payment: refuses it, or moves the money and emits `payment.created`. */
function decidePayment(books: Books, order: PaymentOrder): Payment | Needs<PaymentLack> {
  const { organisationId, accountId, input, routingNumber } = order
  const account = depositAccountIn(books, organisationId, accountId)
  const payee = books.payee(order.payeeId)
  if (payee?.customerId !== account.customerId) throw new Problem('external_account_not_found')
  requireAllowed(accountRules, 'createPayment', account.status)
  if (payee.routingNumber === routingNumber && order.ownAccountId === undefined) {
    return needs({ accountNumber: clearNumber(order.seal, payee.id, payee.accountNumber) })
  }
  const destination = destinationIn(books, order)
  if (destination?.id === accountId) throw new Problem('same_account')
  const overdraft = overdraftOf(account, order.overdraftCents)
  if (account.balance - account.hold - input.amount < -overdraft) throw new Problem('insufficient_funds')
  const overAccount = useLimits(books, account, input.amount)
  const overLimit = useOrganisationLimits(books, organisationId, input.amount) ?? overAccount
  if (overLimit && order.screens && !payee.underReview && !order.screened) {
    return needs({ screen: questionOf(order, payee, account) })
  }
  const review = reviewOf(order, payee, overLimit)
  const payment = newPayment(order, payee, { destination, review }, books.now(organisationId))
  if (review) books.insertReview({ id: payment.id, organisationId, createdAt: payment.createdAt, reason: review })
  const creditAccountId = payment.destinationAccountId ?? books.internal('ach_clearing').id
  return sendPayment(books, payment, { transferId: order.transferId, creditAccountId, routingNumber, seal: order.seal })
}

/**
 * A payment to an account under review waits with it. The screening decides about one above a soft limit. A first payment may
 * wait although nothing else is the matter with it.
 */
function reviewOf(
  { review, screened, reviewFirstPayment }: PaymentOrder,
  { underReview: payeeUnderReview, known }: LedgerPayee,
  overLimit: ReviewReason | undefined,
): ReviewReason | undefined {
  if (screened?.outcome === 'refuse') throw refusedPayment()
  if (payeeUnderReview) return 'externalAccount'
  const first = reviewFirstPayment && !known ? 'firstPayment' : undefined
  if (review || !overLimit || !screened) return review ?? overLimit ?? first
  return screened.outcome === 'pass' ? first : 'screening'
}

function refusedPayment(): Problem {
  return new Problem('payment_rejected', {
    detail: 'The screening of the operator refused this payment: nothing was booked.',
  })
}

function questionOf(
  { paymentId, input }: PaymentOrder,
  { id, name, routingNumber }: LedgerPayee,
  { id: accountId, customerId, name: customerName }: LedgerAccount,
): PaymentQuestion {
  return {
    paymentId: String(paymentId),
    customerId: String(customerId),
    customerName,
    accountId: String(accountId),
    amount: input.amount,
    description: input.description,
    counterparty: { externalAccountId: String(id), name, routingNumber },
  }
}

/** A closed account of this bank, or one of another organisation, is treated like an account at another bank. */
function destinationIn(books: Books, { organisationId, ownAccountId }: PaymentOrder): LedgerAccount | undefined {
  const account = ownAccountId ? books.account(ownAccountId) : undefined
  return account?.organisationId === organisationId && account.status !== 'Closed' ? account : undefined
}

function newPayment(
  { organisationId, accountId, paymentId, input, ach }: PaymentOrder,
  payee: LedgerPayee,
  { destination, review }: { destination: LedgerAccount | undefined; review: ReviewReason | undefined },
  createdAt: string,
): LedgerPayment {
  // A payment within the bank arrives at once.
  const state = firstStateOf(destination ? 'instant' : ach, input, payee, createdAt)
  return {
    id: paymentId,
    organisationId,
    accountId,
    customerId: payee.customerId,
    type: 'achPayment',
    direction: 'Credit',
    amount: input.amount,
    description: input.description,
    addenda: input.addenda ?? null,
    originalType: input.originalType,
    createdAt,
    externalAccountId: payee.id,
    counterparty: {
      name: payee.name,
      routingNumber: payee.routingNumber,
      accountNumber: payee.accountNumber,
      accountType: payee.accountType,
    },
    destinationAccountId: review ? null : (destination?.id ?? null),
    tags: input.tags ?? {},
    returnCode: null,
    ...(review ? underReview(state) : state),
    version: 1,
  }
}

async function getPayment(bank: PaymentBank, { organisationId }: Caller, paymentId: string): Promise<Payment> {
  const row = await bank.findPayment(idNumber(paymentId))
  if (row?.organisationId !== organisationId) throw new Problem('payment_not_found')
  return paymentOf(paymentFromRow(row), await sealOf(bank, { organisationId }))
}

async function listPayments(
  bank: PaymentBank,
  { organisationId }: Caller,
  query: ListPaymentsQuery,
): Promise<Page<ListedPayment>> {
  // Built-in payments do not recur, so nothing matches these filters.
  if (query.recurringPaymentId !== undefined || query.paymentFeature === 'RecurringPayment') {
    return new Page<ListedPayment>([], false).counted(totalIf(query.count, 0))
  }
  const { database } = bank
  const seal = await sealOf(bank, { organisationId })
  const page = pageWindow(query)
  const customerId = optionalIdNumber(query.customerId)
  const externalAccountId = optionalIdNumber(query.counterpartyAccountId)
  const filter = {
    organisationId,
    accountIds: await filteredAccounts(database, organisationId, {
      accountId: query.accountId,
      customerId,
      externalAccountId,
    }),
    paymentId: optionalIdNumber(query.paymentId),
    customerId,
    externalAccountId,
    tags: query.tags ?? null,
    statuses: query.status ?? null,
    types: query.type ?? ['achPayment'],
    directions: query.direction ?? null,
    since: query.since ?? null,
    until: query.until ?? null,
    fromAmount: query.fromAmount ?? null,
    toAmount: query.toAmount ?? null,
    sameDay: query.paymentFeature === 'SameDay' ? true : null,
  }
  const rows = await listPaymentRows(database, filter, page)
  const total = query.count ? await database.transaction((each) => countPayments(each, filter)) : undefined
  return toCursorPage(rows, page.limit, (row) => listedPayment(paymentFromRow(row), seal)).counted(total)
}

/** The accounts whose payments can match a filter; null where those of every account can. */
async function filteredAccounts(
  database: Queryable,
  organisationId: number,
  filter: { accountId: string | undefined; customerId: number | null; externalAccountId: number | null },
): Promise<number[] | null> {
  if (filter.accountId !== undefined) return [idNumber(filter.accountId)]
  if (filter.customerId === null && filter.externalAccountId === null) return null
  return accountIdsOfCustomer(database, organisationId, filter)
}

async function returnPayment(
  bank: PaymentBank,
  write: Write<Payment>,
  { paymentId, returnCode }: ReturnPaymentInput,
): Promise<Answer> {
  const row = await ownPayment(bank, write.caller, paymentId)
  const { id, accountId, cutoffAt } = row
  const seal = await sealOf(bank, write.caller)
  // The chain of hashes covers the number as it is stored, which may not be sealed afterwards.
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
  const command: Command<Payment> = {
    write,
    accountIds: [accountId],
    internal: cutoffAt === null ? ['ach_clearing'] : ['ach_clearing', 'ach_settlement'],
    paymentIds: [id],
    decide: (books) => decideReturn(books, order),
  }
  return bank.runOnce.attempt(write, () => bank.lane.run(command))
}

async function ownPayment(bank: PaymentBank, { organisationId }: Caller, paymentId: string): Promise<PaymentRow> {
  const row = await bank.findPayment(idNumber(paymentId))
  if (row?.organisationId !== organisationId) throw new Problem('payment_not_found')
  return row
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
function decideReturn(books: Books, order: ReturnOrder): Payment {
  const { id, returnCode, transferId, settlementId, routingNumber, seal } = order
  const payment = books.payment(id)
  if (!payment) throw new Problem('payment_not_found')
  requireReturnable(payment)
  const status = stateAfter(paymentRules, 'returnPayment', payment.status)
  const data = emitPayment(books, books.updatePayment({ ...payment, status, returnCode }), seal)
  moveBack(books, payment, { returnCode, transferId, settlementId, routingNumber })
  return data
}

/** Moves the money of a returned payment back to its account, from the settlement account where it has left the bank. */
export function moveBack(
  books: Books,
  payment: LedgerPayment,
  {
    returnCode,
    transferId,
    settlementId,
    routingNumber,
  }: Pick<ReturnOrder, 'returnCode' | 'transferId' | 'settlementId' | 'routingNumber'>,
): void {
  if (settlementId !== null) {
    books.transfer({
      id: settlementId,
      debitAccountId: books.internal('ach_settlement').id,
      creditAccountId: books.internal('ach_clearing').id,
      amount: payment.amount,
      sourceKind: 'ach_return',
      sourceId: payment.id,
      party: null,
      description: null,
    })
  }
  giveBack(books, payment, { id: transferId, description: `Return ${returnCode}` }, routingNumber)
}

async function cancelPayment(bank: PaymentBank, write: Write<Payment>, paymentId: string): Promise<Answer> {
  const { id, accountId } = await ownPayment(bank, write.caller, paymentId)
  const transferId = await bank.ids.nextPair()
  const seal = await sealOf(bank, write.caller)
  const command: Command<Payment> = {
    write,
    accountIds: [accountId],
    internal: ['ach_clearing'],
    paymentIds: [id],
    decide: (books) => decideCancel(books, { id, transferId, routingNumber: bank.routingNumber, seal }),
  }
  return bank.runOnce.attempt(write, () => bank.lane.run(command))
}

/** Decides the cancellation of a payment. It is refused from the moment on at which the payment is in a file. */
function decideCancel(
  books: Books,
  { id, transferId, routingNumber, seal }: Omit<ReturnOrder, 'returnCode' | 'settlementId'>,
): Payment {
  const payment = books.payment(id)
  if (!payment) throw new Problem('payment_not_found')
  const status = stateAfter(paymentRules, 'cancelPayment', payment.status)
  const canceled = books.updatePayment({ ...payment, status })
  if (payment.status === 'PendingReview') {
    books.decideReview({ payment: canceled, decision: 'Canceled', decidedAt: books.now(payment.organisationId) })
  }
  const data = emitPayment(books, canceled, seal)
  freeLimits(books, payment)
  giveBack(books, payment, { id: transferId, description: 'Canceled' }, routingNumber)
  return data
}

/** A customer's account under lock. Internal accounts cannot be named by a request. */
export function depositAccountIn(books: Books, organisationId: number, id: number): LedgerAccount {
  const account = books.account(id)
  if (account?.organisationId !== organisationId || account.customerId === null) throw new Problem('account_not_found')
  return account
}

function listedPayment(payment: LedgerPayment, seal: Seal): ListedPayment {
  const { originalType: _, ...listed } = paymentOf(payment, seal)
  return listed
}
