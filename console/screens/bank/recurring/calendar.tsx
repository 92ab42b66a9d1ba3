import type { PlannedPayment } from '../../../../client/src/index.ts'
import { Card } from '../../../components/layout/card.tsx'
import { ListBody, useInput } from '../../../components/lists/list-screen.tsx'
import { useSettlementDay } from '../../../data/bank-time.ts'
import { pick } from '../../../data/filters.ts'
import { money, month } from '../../../data/format.ts'
import { useList } from '../../../data/list.ts'
import styles from './calendar.module.css'
import { planned, RecurringHead } from './lists.tsx'

const list = { ...planned, query: { limit: 1_000 }, filters: [pick('account', 'Account')] }

const noAccount = ['Choose an account', 'Its calendar shows the payments of the next year.'] as const

/** The calendar of an account: the payments of the next year as months and as a list. */
export function RecurringCalendar() {
  const { values, set } = useInput(list)
  const { accountId } = values
  const today = useSettlementDay()
  const input = { params: { accountId: accountId ?? '' }, query: { limit: 1_000 } }
  const found = useList('listPlannedPayments', input, { enabled: accountId !== undefined })
  const first = (today ?? found.rows[0]?.date)?.slice(0, 7)
  return (
    <>
      <RecurringHead />
      <ListBody
        of={accountId ? list : { ...list, none: noAccount }}
        rows={{ ...found, isPending: accountId !== undefined && found.isPending }}
        input={accountId ? input : undefined}
        values={values}
        set={set}
      >
        {first && found.rows.length > 0 && (
          <Card title="The next year">
            <div className={styles.year}>
              {monthsFrom(first).map((each) => (
                <Month key={each} of={each} payments={found.rows.filter(({ date }) => date.startsWith(each))} />
              ))}
            </div>
          </Card>
        )}
      </ListBody>
    </>
  )
}

/** This month and the twelve after it. */
function monthsFrom(first: string): string[] {
  const [year = 0, number = 0] = first.split('-').map(Number)
  return Array.from({ length: 13 }, (_, at) => new Date(Date.UTC(year, number - 1 + at)).toISOString().slice(0, 7))
}

/** A month with the days on which payments are made, and what they sum up to. The list has the same for screen readers. */
function Month({ of, payments }: { of: string; payments: readonly PlannedPayment[] }) {
  const first = new Date(`${of}-01T00:00:00Z`)
  const length = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  const sum = (direction: string) =>
    payments.reduce((total, each) => total + (each.direction === direction && !each.isSkipped ? each.amount : 0), 0)
  const [out, back] = [sum('Credit'), sum('Debit')]
  return (
    <figure className={styles.month}>
      <figcaption>
        <b>{month(of)}</b>
        <span className="muted">
          {[out > 0 && `${money(out)} out`, back > 0 && `${money(back)} in`].filter(Boolean).join(', ')}
        </span>
      </figcaption>
      <div className={styles.days} aria-hidden="true">
        {Array.from({ length }, (_, at) => at + 1).map((day) => {
          const own = payments.filter(({ date }) => Number(date.slice(8)) === day)
          const isPaid = own.some(({ isSkipped }) => !isSkipped)
          return (
            <span
              key={day}
              {...(day === 1 && { style: { gridColumnStart: first.getUTCDay() + 1 } })}
              {...(own.length > 0 && {
                className: isPaid ? styles.paid : styles.skipped,
                title: own.map(({ description, amount }) => `${description}, ${money(amount)}`).join('\n'),
              })}
            >
              {day}
            </span>
          )
        })}
      </div>
    </figure>
  )
}
