import type { RecurringPayment } from '../../../../client/src/index.ts'
import { State } from '../../../components/display/state.tsx'
import { Time } from '../../../components/display/time.tsx'
import { mono } from '../../../components/layout/details.tsx'
import { PageTitle } from '../../../components/layout/page-title.tsx'
import { defineList, ListScreen } from '../../../components/lists/list-screen.tsx'
import { amounts, choiceOfMany, days, pick } from '../../../data/filters.ts'
import { date, money, words } from '../../../data/format.ts'
import { recordPath } from '../../../routes.ts'
import { Holder } from '../lists.tsx'

/** The head of the list and of the calendar. */
export function RecurringHead() {
  const tabs = [
    { name: 'Recurring payments', path: '/recurring-payments' },
    { name: 'Calendar', path: '/recurring-payments/calendar' },
  ]
  return <PageTitle title="Recurring payments" tabs={tabs} />
}

export const recurringPayments = defineList({
  title: 'Recurring payments',
  operation: 'listRecurringPayments',
  type: 'recurringPayment',
  filters: [
    choiceOfMany('status', 'State', ['Active', 'Paused', 'Completed', 'Canceled', 'Stopped']),
    pick('customer', 'Customer'),
    pick('account', 'Account'),
    ...days,
    ...amounts,
  ],
  columns: [
    { head: 'For', cell: ({ description }) => description },
    { head: 'Account', cell: ({ accountId }) => <Holder accountId={accountId} />, wide: true },
    { head: 'How often', cell: ({ interval }) => words(interval), wide: 'widest' },
    { head: 'State', cell: ({ status }) => <State of={status} /> },
    { head: 'Last run', cell: ({ lastRun }) => lastRun && <State of={lastRun.status} />, wide: true },
    { head: 'Id', cell: ({ id }) => mono(id), wide: true, optional: true },
    {
      head: 'Next',
      cell: ({ nextDueDate }) => nextDueDate && date(nextDueDate),
      number: true,
      wide: true,
      card: 'when',
    },
    { head: 'Amount', cell: recurringAmount, number: true },
  ],
  none: [
    'No recurring payment yet',
    'Open an account and choose “New…” at its recurring payments, or call createRecurringPayment.',
  ],
})

/** The amount with the direction of the money. */
export function recurringAmount({ amount, direction }: Pick<RecurringPayment, 'amount' | 'direction'>): string {
  return `${direction === 'Debit' ? 'collects ' : ''}${money(amount)}`
}

export const RecurringPayments = () => <ListScreen of={recurringPayments} head={<RecurringHead />} />

export const runs = defineList({
  title: 'Runs',
  operation: 'listRecurringPaymentRuns',
  type: 'payment',
  keyOf: ({ id }) => id,
  path: ({ paymentId }) => (paymentId === undefined ? undefined : recordPath('payment', paymentId)),
  columns: [
    { head: 'Due', cell: ({ dueDate }) => date(dueDate) },
    { head: 'State', cell: ({ status }) => <State of={status} /> },
    { head: 'Reason', cell: ({ reason }) => <span className="muted">{reason && words(reason)}</span> },
    { head: 'Last try', cell: ({ at }) => <Time of={at} />, wide: true, card: 'when', number: true },
    { head: 'Amount', cell: ({ amount }) => money(amount), number: true, wide: true },
  ],
  none: ['No due date has come yet'],
})

export const planned = defineList({
  title: 'Planned payments',
  operation: 'listPlannedPayments',
  keyOf: ({ recurringPaymentId, dueDate }) => `${recurringPaymentId} ${dueDate}`,
  path: ({ recurringPaymentId }) => recordPath('recurringPayment', recurringPaymentId),
  columns: [
    { head: 'Day', cell: ({ date: day }) => date(day) },
    { head: 'Due', cell: ({ dueDate }) => date(dueDate), wide: true },
    { head: 'For', cell: ({ description }) => description },
    { head: 'State', cell: ({ isSkipped }) => isSkipped && <State of="Skipped" />, wide: true },
    { head: 'Amount', cell: recurringAmount, number: true },
  ],
  none: ['Nothing is planned', 'The account has no active recurring payment with a due date in the next year.'],
})
