import { accountRules } from '../../../banking/accounts/account.ts'
import type { BankingProvider } from '../../../banking/provider.ts'
import type { ChangeRecurringPaymentInput } from '../../../banking/recurring-payments/change-recurring-payment.ts'
import type { CreateRecurringPaymentInput } from '../../../banking/recurring-payments/create-recurring-payment.ts'
import type { ListPlannedPaymentsQuery } from '../../../banking/recurring-payments/list-planned-payments.ts'
import type { ListRecurringPaymentRunsQuery } from '../../../banking/recurring-payments/list-recurring-payment-runs.ts'
import type { ListRecurringPaymentsQuery } from '../../../banking/recurring-payments/list-recurring-payments.ts'
import {
  type PlannedPayment,
  type RecurringPayment,
  type RecurringPaymentRun,
  recurringPaymentRules,
  type Schedule,
} from '../../../banking/recurring-payments/recurring-payment.ts'
import type { SkipRecurringPaymentInput } from '../../../banking/recurring-payments/skip-recurring-payment.ts'
import { refusalIn, requireAllowed } from '../../../banking/state-rules.ts'
import { parseInstant } from '../../../base/clock.ts'
import { idNumber, optionalIdNumber } from '../../../base/ids.ts'
import type { Answer, Caller, Write } from '../../../base/operation.ts'
import { Page, pageWindow, toCursorPage } from '../../../base/page.ts'
import { invalidRequest, Problem } from '../../../base/problem.ts'
import type { Books, Command } from '../../../ledger/books.ts'
import { daysAfter, easternOf } from '../../../rails/ach/calendar.ts'
import { findCustomerOf } from '../../accounts/accounts.sql.ts'
import { depositAccountIn } from '../../accounts/deposit-account.ts'
import type { BankParts } from '../../parts/bank-parts.ts'
import { debitSources } from '../../records/debits/debits.ts'
import { payees } from '../../records/payments.ts'
import type { LedgerRecurringPayment, RecurringDetails } from '../../records/records.ts'
import { recurringPayments } from '../../records/recurring/recurring-payments.ts'
import { bankTime } from '../../time/clock.sql.ts'
import { collectionFrom } from '../debit-decision.ts'
import { plannedUntil } from './planned-payments.ts'
import {
  activeOfAccount,
  countRecurring,
  findRecurringPayment,
  hasManyRecurring,
  listRecurringRows,
  listRunRows,
} from './recurring-payments.sql.ts'
import { emitRecurring, recurringPaymentOf, recurringRunOf } from './recurring-view.ts'
import { amountsFrom, DEFAULT_RETRY_DAYS, endRecurring, firstInstant } from './run-decisions.ts'
import { dueDateAt, numberOfDueDate } from './schedule.ts'

export function recurringPaymentsOf(bank: BankParts) {
  return {
    createRecurringPayment: (write, input) => createRecurringPayment(bank, write, input),
    getRecurringPayment: async (caller, id) => recurringPaymentOf(await requireRecurring(bank, caller, id)),
    listRecurringPayments: (caller, query) => listRecurringPayments(bank, caller, query),
    pauseRecurringPayment: (write, id) => change(bank, write, id, (books, found) => setStatus(books, found, 'Paused')),
    resumeRecurringPayment: (write, id) => change(bank, write, id, (books, found) => setStatus(books, found, 'Active')),
    skipRecurringPayment: (write, { recurringPaymentId, ...input }) =>
      change(bank, write, recurringPaymentId, (books, found) => decideSkip(books, found, input)),
    changeRecurringPayment: (write, { recurringPaymentId, ...input }) =>
      change(bank, write, recurringPaymentId, (books, found) => decideAmount(books, found, input)),
    cancelRecurringPayment: (write, id) => change(bank, write, id, decideCancellation),
    listRecurringPaymentRuns: (caller, query) => listRuns(bank, caller, query),
    listPlannedPayments: (caller, query) => listPlannedPayments(bank, caller, query),
  } satisfies Partial<BankingProvider>
}

const MAX_OF_ACCOUNT = 1_000
/** Due dates ahead among which one can be skipped. */
const MAX_AHEAD = 60
const MAX_AMOUNTS = 24

interface Order {
  id: number
  organisationId: number
  input: CreateRecurringPaymentInput
  bank: Pick<BankParts, 'routingNumber' | 'rails'>
}

async function createRecurringPayment(
  bank: BankParts,
  write: Write<RecurringPayment>,
  input: CreateRecurringPaymentInput,
): Promise<Answer> {
  const { organisationId } = write.caller
  const order = { id: await bank.ids.next(), organisationId, input, bank }
  const accountId = idNumber(input.accountId)
  const payeeIds = [optionalIdNumber(input.counterpartyAccountId) ?? 0]
  const command: Command<RecurringPayment> = {
    write,
    accountIds: input.toAccountId === undefined ? [accountId] : [accountId, idNumber(input.toAccountId)],
    reads: [input.direction === 'Debit' ? debitSources.ids(payeeIds) : payees.ids(payeeIds)],
    decide: (books) => decideRecurring(books, order),
  }
  return bank.runOnce.attempt(write, async () => {
    if (await hasManyRecurring(bank.database, accountId, MAX_OF_ACCOUNT))
      throw new Problem('too_many_recurring_payments')
    return bank.lane.run(command)
  })
}

/** Decides a new recurring payment: refuses it as its payments would be, except that money may be missing. */
function decideRecurring(books: Books, { id, organisationId, input, bank }: Order): RecurringPayment {
  const account = depositAccountIn(books, organisationId, idNumber(input.accountId))
  const { customerId } = account
  if (customerId === null) throw new Error('an internal account has no recurring payments')
  const now = books.now(organisationId)
  const isBook = input.toAccountId !== undefined
  if (isBook) requireDestination(books, organisationId, input)
  requireAllowed(accountRules, isBook ? 'createBookTransfer' : 'createPayment', account.status)
  if (!isBook) requireCarried(books, { input, customerId, now, bank })
  const { interval, startDate, endDate, count, days, onClosedDay = 'After' } = input
  const schedule: Schedule = { interval, startDate, endDate, count, days, onClosedDay }
  const nextDueDate = requireFirst(schedule, easternOf(now).day)
  const { amount, description, addenda, tags, sameDay, secCode } = input
  const { onMissingMoney = 'Skip', retryDays = DEFAULT_RETRY_DAYS, onReturn = 'Stop' } = input
  const recurring: LedgerRecurringPayment = {
    ...{ id, organisationId, accountId: account.id, customerId, status: 'Active', reason: null },
    type: isBook ? 'bookPayment' : 'achPayment',
    direction: input.direction ?? 'Credit',
    externalAccountId: optionalIdNumber(input.counterpartyAccountId),
    toAccountId: optionalIdNumber(input.toAccountId),
    amount,
    details: given({ addenda, tags, sameDay, secCode, description }),
    schedule,
    rules: { onMissingMoney, onReturn, ...(onMissingMoney === 'Retry' && { retryDays }) },
    changes: { amounts: [], skipped: [] },
    ...{ runCount: 0, tries: 0, nextDueDate, nextAt: firstInstant(schedule, nextDueDate, now), lastRun: null },
    ...{ createdAt: now, endedAt: null, version: 1 },
  }
  books.of(recurringPayments).insert(recurring)
  return emitRecurring(books, 'recurringPayment.created', recurring)
}

/** The details without members that were not given, as they are stored. */
function given(details: { description: string } & Partial<Record<string, unknown>>): RecurringDetails {
  return JSON.parse(JSON.stringify(details))
}

function requireFirst(schedule: Schedule, today: string): string {
  if (schedule.startDate < today) {
    const message = `startDate must not be before today, which is ${today}`
    throw invalidRequest([{ pointer: '/startDate', code: 'out_of_range', message }])
  }
  const first = dueDateAt(schedule, 0)
  if (first !== undefined) return first
  const message = 'there is no due date from startDate to endDate'
  throw invalidRequest([{ pointer: '/endDate', code: 'out_of_range', message }])
}

function requireDestination(books: Books, organisationId: number, input: CreateRecurringPaymentInput): void {
  const destination = books.account(idNumber(input.toAccountId ?? ''))
  if (destination?.organisationId !== organisationId || destination.customerId === null) {
    throw new Problem('account_not_found', { detail: 'There is no account with the id in toAccountId.' })
  }
  if (destination.id === idNumber(input.accountId)) {
    throw new Problem('same_account', { detail: 'toAccountId is the paying account itself.' })
  }
  const refusal = refusalIn(accountRules, 'receiveBookTransfer', destination.status)
  if (refusal) throw new Problem(refusal, { detail: `The account in toAccountId is ${destination.status}.` })
}

/** Refuses an external account or a payment that the rail could not carry today. */
function requireCarried(
  books: Books,
  { input, customerId, now, bank }: Pick<Order, 'input' | 'bank'> & { customerId: number; now: string },
): void {
  const payeeId = idNumber(input.counterpartyAccountId ?? '')
  if (input.direction === 'Debit') {
    const source = books.of(debitSources).get(payeeId)
    if (source?.customerId !== customerId) throw new Problem('external_account_not_found')
    const { secCode } = collectionFrom(source, bank.routingNumber, input.secCode)
    bank.rails.ACH.firstState({ ...input, secCode }, source, now)
    return
  }
  const payee = books.of(payees).get(payeeId)
  if (payee?.customerId !== customerId) throw new Problem('external_account_not_found')
  if (payee.routingNumber !== bank.routingNumber) bank.rails.ACH.firstState(input, payee, now)
}

async function requireRecurring(
  { database }: Pick<BankParts, 'database'>,
  { organisationId }: Caller,
  id: string,
): Promise<LedgerRecurringPayment> {
  const row = await findRecurringPayment(database, organisationId, idNumber(id))
  if (!row) throw new Problem('recurring_payment_not_found')
  return row
}

/** Changes a recurring payment under the lock of its account. */
async function change(
  bank: BankParts,
  write: Write<RecurringPayment>,
  recurringPaymentId: string,
  decide: (books: Books, recurring: LedgerRecurringPayment) => RecurringPayment,
): Promise<Answer> {
  const { id, accountId } = await requireRecurring(bank, write.caller, recurringPaymentId)
  const command: Command<RecurringPayment> = {
    write,
    accountIds: [accountId],
    reads: [recurringPayments.ids([id])],
    decide(books) {
      const recurring = books.of(recurringPayments).get(id)
      if (!recurring) throw new Problem('recurring_payment_not_found')
      return decide(books, recurring)
    },
  }
  return bank.runOnce.attempt(write, () => bank.lane.run(command))
}

function setStatus(books: Books, recurring: LedgerRecurringPayment, status: 'Active' | 'Paused'): RecurringPayment {
  const [operation, type] =
    status === 'Paused'
      ? (['pauseRecurringPayment', 'recurringPayment.paused'] as const)
      : (['resumeRecurringPayment', 'recurringPayment.resumed'] as const)
  requireAllowed(recurringPaymentRules, operation, recurring.status)
  return emitRecurring(books, type, books.of(recurringPayments).update({ ...recurring, status }))
}

function decideCancellation(books: Books, recurring: LedgerRecurringPayment): RecurringPayment {
  requireAllowed(recurringPaymentRules, 'cancelRecurringPayment', recurring.status)
  return recurringPaymentOf(endRecurring(books, recurring, 'Canceled'))
}

function decideSkip(
  books: Books,
  recurring: LedgerRecurringPayment,
  { date }: Omit<SkipRecurringPaymentInput, 'recurringPaymentId'>,
): RecurringPayment {
  requireAllowed(recurringPaymentRules, 'skipRecurringPayment', recurring.status)
  const { changes } = recurring
  const skipped = [...changes.skipped, dateToSkip(recurring, date)].sort()
  return changed(books, { ...recurring, changes: { ...changes, skipped } })
}

/** The due date that is asked for, or the next one, if it is not skipped already. */
function dateToSkip({ schedule, runCount, changes }: LedgerRecurringPayment, asked: string | undefined): string {
  const isFree = (date: string | undefined) => date !== undefined && !changes.skipped.includes(date)
  const fault = (message: string) => invalidRequest([{ pointer: '/date', code: 'out_of_range', message }])
  if (asked !== undefined) {
    const number = numberOfDueDate(schedule, asked, { from: runCount, most: MAX_AHEAD })
    if (number === undefined) throw fault(`date must be one of the next ${MAX_AHEAD} due dates`)
    if (!isFree(asked)) throw fault('this due date is skipped already')
    return asked
  }
  for (let number = runCount; number < runCount + MAX_AHEAD; number++) {
    const date = dueDateAt(schedule, number)
    if (date !== undefined && isFree(date)) return date
  }
  throw fault('all due dates ahead are skipped already')
}

function decideAmount(
  books: Books,
  recurring: LedgerRecurringPayment,
  { amount, from }: Omit<ChangeRecurringPaymentInput, 'recurringPaymentId'>,
): RecurringPayment {
  requireAllowed(recurringPaymentRules, 'changeRecurringPayment', recurring.status)
  const { changes, nextDueDate } = recurring
  const fault = (message: string) => invalidRequest([{ pointer: '/from', code: 'out_of_range', message }])
  if (from !== undefined && parseInstant(from) === undefined) throw fault('from is no day of the calendar')
  const before = from === undefined ? [] : changes.amounts.filter((each) => each.from < from)
  const given = [...before, { from: from ?? nextDueDate ?? '', amount }]
  if (given.length > MAX_AMOUNTS) throw fault(`at most ${MAX_AMOUNTS} changes can lie ahead`)
  const next = amountsFrom({ amount: recurring.amount, changes: { ...changes, amounts: given } }, nextDueDate)
  return changed(books, { ...recurring, amount: next.amount, changes: { ...changes, amounts: next.amounts } })
}

function changed(books: Books, recurring: LedgerRecurringPayment): RecurringPayment {
  return emitRecurring(books, 'recurringPayment.changed', books.of(recurringPayments).update(recurring))
}

async function listRecurringPayments(
  { database }: BankParts,
  { organisationId }: Caller,
  query: ListRecurringPaymentsQuery,
): Promise<Page<RecurringPayment>> {
  const page = pageWindow(query)
  const filter = {
    ...query,
    organisationId,
    accountId: optionalIdNumber(query.accountId),
    customerId: optionalIdNumber(query.customerId),
    externalAccountId: optionalIdNumber(query.counterpartyAccountId),
  }
  const rows = await listRecurringRows(database, filter, page)
  const total = query.count ? await database.transaction((each) => countRecurring(each, filter)) : undefined
  return toCursorPage(rows, page.limit, recurringPaymentOf).counted(total)
}

async function listRuns(
  bank: BankParts,
  caller: Caller,
  { recurringPaymentId, status, ...query }: ListRecurringPaymentRunsQuery,
): Promise<Page<RecurringPaymentRun>> {
  const { id } = await requireRecurring(bank, caller, recurringPaymentId)
  const page = pageWindow(query)
  const rows = await listRunRows(bank.database, { recurringPaymentId: id, status: status ?? null }, page)
  return toCursorPage(rows, page.limit, recurringRunOf)
}

const YEAR_DAYS = 366

async function listPlannedPayments(
  { database }: BankParts,
  { organisationId }: Caller,
  { accountId, until, ...query }: ListPlannedPaymentsQuery,
): Promise<Page<PlannedPayment>> {
  const id = idNumber(accountId)
  if ((await findCustomerOf(database, organisationId, id)) == null) throw new Problem('account_not_found')
  const last = daysAfter(easternOf(await bankTime(database, organisationId)).day, YEAR_DAYS)
  const planned = plannedUntil(await activeOfAccount(database, id), until !== undefined && until < last ? until : last)
  const { limit, offset } = pageWindow(query)
  return new Page(planned.slice(offset, offset + limit), planned.length > offset + limit)
}
