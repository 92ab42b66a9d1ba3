import { Link } from 'wouter'
import type { RecurringPayment as Recurring } from '../../../../client/src/index.ts'
import { Time } from '../../../components/display/time.tsx'
import { Reason } from '../../../components/feedback/reason.tsx'
import { ShortList } from '../../../components/lists/list-screen.tsx'
import { AccountLink, NamedLink } from '../../../components/records/record-link.tsx'
import { recordScreen } from '../../../components/records/record-page.tsx'
import { date, money, words } from '../../../data/format.ts'
import { recurringAmount, runs } from './lists.tsx'

/** One recurring payment: its runs, what comes next, and its operations. */
export const RecurringPaymentScreen = recordScreen('recurringPayment', ({ id, record }) => {
  const { accountId, counterpartyAccountId, toAccountId, description, status, direction, interval } = record
  return {
    name: `Recurring payment ${id}`,
    title: recurringAmount(record),
    beside: (
      <>
        {words(interval).toLowerCase()} for <b>{description}</b>
      </>
    ),
    state: status,
    first: <WhyNot record={record} />,
    main: (
      <ShortList
        of={runs}
        params={{ recurringPaymentId: id }}
        columns={['Due', 'State', 'Reason', 'Last try', 'Amount']}
        none="No due date has come yet. The clock of a sandbox can be advanced."
        shown={24}
      />
    ),
    details: {
      [direction === 'Debit' ? 'To' : 'From']: <AccountLink id={accountId} />,
      [direction === 'Debit' ? 'From' : 'To']:
        toAccountId === undefined ? (
          <NamedLink type="externalAccount" id={counterpartyAccountId ?? ''} />
        ) : (
          <AccountLink id={toAccountId} />
        ),
      ...schedule(record),
      Calendar: (
        <Link href={`/recurring-payments/calendar?${new URLSearchParams({ accountId })}`}>Calendar of the account</Link>
      ),
      'On a closed day': closedDay[record.onClosedDay],
      'If money is missing': missingMoney(record),
      'After a return': record.onReturn === 'Stop' ? 'Ends' : 'Goes on',
    },
    without: ['account', 'payment', 'externalAccount'],
  }
})

function schedule({ startDate, endDate, count, days, runs: over, ...rest }: Recurring) {
  const { nextDueDate, nextRunAt, endedAt, amountChanges, skippedDates } = rest
  return {
    'Next due date': nextDueDate && date(nextDueDate),
    'Next run': nextRunAt && <Time of={nextRunAt} />,
    ...Object.fromEntries(amountChanges.map(({ from, amount }) => [`From ${date(from)}`, money(amount)])),
    'Skipped ahead': skippedDates.length > 0 && skippedDates.map((day) => date(day)).join(', '),
    'Days of the month': days?.map((day) => (day === 31 ? 'last' : day)).join(', '),
    Starts: date(startDate),
    Ends: endDate && date(endDate),
    'Due dates over': count === undefined ? String(over) : `${over} of ${count}`,
    Ended: endedAt && <Time of={endedAt} />,
  }
}

const closedDay: Record<string, string> = {
  After: 'On the next banking day',
  Before: 'On the banking day before',
  AsItComes: 'As it comes',
}

function missingMoney({ onMissingMoney, retryDays }: Recurring): string {
  if (onMissingMoney === 'Retry') return `Tries again for ${retryDays === 1 ? 'a day' : `${retryDays} days`}`
  return onMissingMoney === 'Stop' ? 'Ends' : 'Skips the due date'
}

/** Why it has ended, or why the last due date has no payment yet. */
function WhyNot({ record: { status, reason, lastRun } }: { record: Recurring }) {
  if (status === 'Stopped') {
    return (
      <Reason tone="bad" title={`Stopped: ${words(reason ?? '').toLowerCase()}`}>
        It pays no more. A new one can be made at the account.
      </Reason>
    )
  }
  if (lastRun?.status !== 'Waiting' && lastRun?.status !== 'Failed') return null
  const isWaiting = lastRun.status === 'Waiting'
  return (
    <Reason
      tone={isWaiting ? 'warn' : 'bad'}
      title={`No payment for ${date(lastRun.dueDate)}${isWaiting ? ' yet' : ''}: ${words(lastRun.reason ?? '').toLowerCase()}`}
    >
      {isWaiting ? 'It is tried again.' : 'Later due dates are tried.'}
    </Reason>
  )
}
