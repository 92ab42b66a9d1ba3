import type { PlannedPayment } from '../../../banking/recurring-payments/recurring-payment.ts'
import { easternOf } from '../../../rails/ach/calendar.ts'
import type { LedgerRecurringPayment } from '../../records/records.ts'
import { amountsFrom } from './run-decisions.ts'
import { dueDateAt, instantOfRuns, runDate } from './schedule.ts'

/** The payments that recurring payments will make until a day, the earliest first. */
export function plannedUntil(all: LedgerRecurringPayment[], until: string): PlannedPayment[] {
  return all
    .flatMap((recurring) => plannedBy(recurring, until))
    .sort((a, b) => order(a.at, b.at) || Number(a.recurringPaymentId) - Number(b.recurringPaymentId))
}

function order(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}

function plannedBy(recurring: LedgerRecurringPayment, until: string): PlannedPayment[] {
  const { id, schedule, type, direction, details, changes } = recurring
  const planned: PlannedPayment[] = []
  let rest = recurring
  for (let number = recurring.runCount; ; number++) {
    const dueDate = dueDateAt(schedule, number)
    if (dueDate === undefined) return planned
    const isNext = number === recurring.runCount && recurring.nextAt !== null
    const at = isNext && recurring.nextAt ? recurring.nextAt : instantOfRuns(runDate(schedule, dueDate))
    const date = isNext ? easternOf(at).day : runDate(schedule, dueDate)
    if (date > until) return planned
    const { amount, amounts } = amountsFrom(rest, dueDate)
    rest = { ...rest, amount, changes: { ...changes, amounts } }
    planned.push({
      ...{ date, at, dueDate, recurringPaymentId: String(id), type, direction, amount },
      description: details.description,
      isSkipped: changes.skipped.includes(dueDate),
    })
  }
}
