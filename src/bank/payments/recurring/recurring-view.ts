import type { RecurringPayment, RecurringPaymentRun } from '../../../banking/recurring-payments/recurring-payment.ts'
import { type EventType, emit } from '../../../events/event.ts'
import type { Books } from '../../../ledger/books.ts'
import type { LedgerRecurringPayment, LedgerRun } from '../../records/records.ts'

/** Emits an event of a recurring payment, and returns it as it is shown. */
export function emitRecurring(
  books: Books,
  type: Extract<EventType, `recurringPayment.${string}`>,
  recurring: LedgerRecurringPayment,
): RecurringPayment {
  return emit(books.events, type, recurring.version, recurringPaymentOf(recurring))
}

export function recurringPaymentOf(recurring: LedgerRecurringPayment): RecurringPayment {
  const { details, schedule, rules, changes } = recurring
  const { externalAccountId, toAccountId, nextDueDate, nextAt, lastRun, reason } = recurring
  return {
    id: String(recurring.id),
    status: recurring.status,
    ...(reason !== null && { reason }),
    type: recurring.type,
    direction: recurring.direction,
    accountId: String(recurring.accountId),
    customerId: String(recurring.customerId),
    ...(externalAccountId !== null && { counterpartyAccountId: String(externalAccountId) }),
    ...(toAccountId !== null && { toAccountId: String(toAccountId) }),
    amount: recurring.amount,
    description: details.description,
    ...(details.addenda !== undefined && { addenda: details.addenda }),
    ...(details.tags !== undefined && { tags: details.tags }),
    ...(details.sameDay !== undefined && { sameDay: details.sameDay }),
    interval: schedule.interval,
    startDate: schedule.startDate,
    ...(schedule.endDate !== undefined && { endDate: schedule.endDate }),
    ...(schedule.count !== undefined && { count: schedule.count }),
    ...(schedule.days !== undefined && { days: schedule.days }),
    onClosedDay: schedule.onClosedDay,
    onMissingMoney: rules.onMissingMoney,
    ...(rules.retryDays !== undefined && { retryDays: rules.retryDays }),
    onReturn: rules.onReturn,
    ...(nextDueDate !== null && { nextDueDate }),
    ...(nextAt !== null && { nextRunAt: nextAt }),
    runs: recurring.runCount,
    ...(lastRun !== null && { lastRun }),
    amountChanges: changes.amounts,
    skippedDates: changes.skipped,
    createdAt: recurring.createdAt,
    endedAt: recurring.endedAt,
  }
}

export function recurringRunOf(run: LedgerRun): RecurringPaymentRun {
  return {
    ...lastRunOf(run),
    recurringPaymentId: String(run.recurringPaymentId),
    tries: run.tries,
    createdAt: run.createdAt,
  }
}

/** The members of a run that its recurring payment shows. */
export function lastRunOf({ id, dueDate, status, reason, amount, paymentId, at }: LedgerRun) {
  return {
    ...{ id: String(id), dueDate, status, reason, amount },
    ...(paymentId !== null && { paymentId: String(paymentId) }),
    at,
  }
}
