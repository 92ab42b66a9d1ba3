import type { OverdueRule } from '../../../banking/recurring-payments/overdue-rule.ts'
import { addDays, addMs } from '../../../base/clock.ts'
import type { ProblemCode } from '../../../base/problem.ts'
import type { Books } from '../../../ledger/books.ts'
import type { Reads } from '../../../ledger/kinds.ts'
import { daysAfter, easternOf } from '../../../rails/ach/calendar.ts'
import type { LedgerPayment, LedgerRecurringPayment, LedgerRun } from '../../records/records.ts'
import { recurringPayments } from '../../records/recurring/recurring-payments.ts'
import { emitRecurring, lastRunOf } from './recurring-view.ts'
import { dueDateAt, instantOfRuns, runDate } from './schedule.ts'

/** A recurring payment that has not ended. */
type Going = LedgerRecurringPayment & { nextDueDate: string; nextAt: string }

export function isGoing(recurring: LedgerRecurringPayment): recurring is Going {
  return recurring.nextDueDate !== null && recurring.nextAt !== null
}

/** The reason why the next due date is skipped; undefined if it is paid. */
export function skipReason(
  recurring: Going,
  now: string,
  rule: OverdueRule,
): 'requested' | 'paused' | 'overdue' | undefined {
  const { status, changes, nextDueDate, nextAt } = recurring
  if (changes.skipped.includes(nextDueDate)) return 'requested'
  if (status === 'Paused') return 'paused'
  if (rule === 'all' || now <= addDays(nextAt, 1)) return undefined
  const following = instantBehind(recurring)
  return rule === 'skip' || (following !== undefined && following <= now) ? 'overdue' : undefined
}

/** The instant of the run after the next one. */
function instantBehind({ schedule, runCount }: LedgerRecurringPayment): string | undefined {
  const date = dueDateAt(schedule, runCount + 1)
  return date === undefined ? undefined : instantOfRuns(runDate(schedule, date))
}

type Outcome = Pick<LedgerRun, 'id' | 'status' | 'reason' | 'paymentId'>
type Ending = Outcome & { status: Exclude<LedgerRun['status'], 'Waiting'> }

/** Ends the next due date: the one after it is next, or the recurring payment is completed. */
export function endRun(books: Books, recurring: Going, outcome: Ending): LedgerRecurringPayment {
  const { schedule, changes, nextDueDate, runCount } = recurring
  const tries = recurring.tries + (outcome.status === 'Skipped' ? 0 : 1)
  const run = noteRun(books, recurring, { ...outcome, id: runIdOf(recurring, outcome.id), tries })
  const following = dueDateAt(schedule, runCount + 1) ?? null
  const { amount, amounts } = amountsFrom(recurring, following)
  const next = books.of(recurringPayments).update({
    ...recurring,
    amount,
    changes: { amounts, skipped: changes.skipped.filter((date) => date > nextDueDate) },
    runCount: runCount + 1,
    tries: 0,
    nextDueDate: following,
    nextAt: following && instantOfRuns(runDate(schedule, following)),
    lastRun: lastRunOf(run),
  })
  emitRecurring(books, `recurringPayment.run${outcome.status}`, next)
  return following === null ? endRecurring(books, next, 'Completed') : next
}

/** The amount of a due date, and the changes of later ones. */
export function amountsFrom(
  { amount, changes }: Pick<LedgerRecurringPayment, 'amount' | 'changes'>,
  date: string | null,
): { amount: number; amounts: LedgerRecurringPayment['changes']['amounts'] } {
  if (date === null) return { amount, amounts: [] }
  const reached = changes.amounts.filter(({ from }) => from <= date)
  return { amount: reached.at(-1)?.amount ?? amount, amounts: changes.amounts.slice(reached.length) }
}

/** The id of the run of the next due date: one that waits keeps its own. */
function runIdOf({ tries, lastRun }: Going, fresh: number): number {
  return tries > 0 && lastRun ? Number(lastRun.id) : fresh
}

function noteRun(books: Books, recurring: Going, outcome: Outcome & { tries: number }): LedgerRun {
  const { id: recurringPaymentId, organisationId, nextDueDate: dueDate, amount } = recurring
  const at = books.now(organisationId)
  const run: LedgerRun = { ...outcome, organisationId, recurringPaymentId, dueDate, amount, createdAt: at, at }
  books.of(recurringPayments).note(run)
  return run
}

/** Ends a recurring payment. A run that waits for money fails with it. */
export function endRecurring(
  books: Books,
  recurring: LedgerRecurringPayment,
  status: 'Completed' | 'Canceled' | 'Stopped',
  reason: string | null = null,
): LedgerRecurringPayment {
  const { tries, lastRun } = recurring
  let [last, runCount] = [lastRun, recurring.runCount]
  if (tries > 0 && lastRun && isGoing(recurring)) {
    const { reason: missing } = lastRun
    const failed = { id: Number(lastRun.id), status: 'Failed', reason: missing, paymentId: null } as const
    last = lastRunOf(noteRun(books, recurring, { ...failed, tries }))
    runCount++
  }
  const ended = books.of(recurringPayments).update({
    ...{ ...recurring, status, reason, runCount, lastRun: last, tries: 0, nextDueDate: null, nextAt: null },
    endedAt: books.now(recurring.organisationId),
    changes: { amounts: [], skipped: [] },
  })
  const type = ({ Completed: 'completed', Canceled: 'canceled', Stopped: 'stopped' } as const)[status]
  emitRecurring(books, `recurringPayment.${type}`, ended)
  return ended
}

/** Refusals after which no later run could succeed, or which the customer asked for by revoking a mandate. */
const lasting: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'account_closed',
  'account_not_found',
  'external_account_not_found',
  'external_account_not_debitable',
  'debit_not_permitted',
  'mandate_missing',
  'same_account',
  'sec_code_not_allowed',
])

/** Decides what follows from the refusal of a run: another try, the next due date, or the end. */
export function decideFailure(books: Books, recurring: Going, refusal: ProblemCode, runId: number): void {
  const isClosed = books.account(recurring.accountId)?.status === 'Closed'
  const reason = refusal === 'account_not_open' && isClosed ? 'account_closed' : refusal
  const isShort = reason === 'insufficient_funds'
  const { onMissingMoney } = recurring.rules
  if (isShort && onMissingMoney === 'Retry' && waitForMoney(books, recurring, runId)) return
  const failed = endRun(books, recurring, { id: runId, status: 'Failed', reason, paymentId: null })
  const stops = lasting.has(reason) || (isShort && onMissingMoney === 'Stop')
  if (stops && failed.endedAt === null) endRecurring(books, failed, 'Stopped', reason)
}

export const DEFAULT_RETRY_DAYS = 3

/** Tries again tomorrow, unless it was tried often enough or the next run comes first. */
function waitForMoney(books: Books, recurring: Going, runId: number): boolean {
  const { rules, organisationId, tries } = recurring
  const now = books.now(organisationId)
  const nextAt = instantOfRuns(daysAfter(easternOf(now).day, 1))
  const following = instantBehind(recurring)
  if (tries >= (rules.retryDays ?? DEFAULT_RETRY_DAYS) || (following !== undefined && nextAt >= following)) return false
  const outcome = {
    id: runIdOf(recurring, runId),
    status: 'Waiting',
    reason: 'insufficient_funds',
    paymentId: null,
  } as const
  const run = noteRun(books, recurring, { ...outcome, tries: tries + 1 })
  const waiting = { ...recurring, tries: tries + 1, nextAt, lastRun: lastRunOf(run) }
  emitRecurring(books, 'recurringPayment.runWaiting', books.of(recurringPayments).update(waiting))
  return true
}

/** The reads of the recurring payments of some payments. Most payments have none. */
export function recurringReads(of: readonly Pick<LedgerPayment, 'recurringPaymentId'>[]): Reads[] {
  const ids = [...new Set(of.flatMap(({ recurringPaymentId }) => recurringPaymentId ?? []))]
  return ids.length === 0 ? [] : [recurringPayments.ids(ids)]
}

/** Stops a recurring payment whose payment was returned, if its rule says so. The command must have read it. */
export function noteReturn(books: Books, { recurringPaymentId }: LedgerPayment, returnCode: string): void {
  if (recurringPaymentId === null) return
  const recurring = books.of(recurringPayments).get(recurringPaymentId)
  if (!recurring || recurring.endedAt !== null || recurring.rules.onReturn !== 'Stop') return
  endRecurring(books, recurring, 'Stopped', `Returned ${returnCode}`)
}

/** The instant of a first run: at once if its time has passed. */
export function firstInstant(schedule: LedgerRecurringPayment['schedule'], dueDate: string, now: string): string {
  const at = instantOfRuns(runDate(schedule, dueDate))
  return at < now ? addMs(now, 0) : at
}
