import type { BatchOutcome } from '../../../../client/src/index.ts'
import type { BatchedPayment } from '../../../../client/src/payment-list.ts'
import { State } from '../../../components/display/state.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { mono } from '../../../components/layout/details.tsx'
import { Figures } from '../../../components/layout/figures.tsx'
import { type Column, Table } from '../../../components/lists/table.tsx'
import { count, money, words } from '../../../data/format.ts'
import { recordPath } from '../../../routes.ts'
import styles from './pay-many.module.css'

/** One payment of the list, with its outcome once it was sent. */
export interface ListedPayment {
  item: number
  payment: BatchedPayment
  outcome: BatchOutcome | undefined
}

/** Reasons that are shown in full. */
const SHOWN_REASONS = 10

/** A JSON list may hold anything. */
function cents(amount: unknown): string {
  return Number.isSafeInteger(amount) ? money(amount as number) : String(amount ?? '')
}

const columns: Column<ListedPayment>[] = [
  { head: 'Purpose', cell: ({ item, payment }) => `${item}. ${payment.description ?? ''}` },
  { head: 'From', cell: ({ payment }) => mono(String(payment.accountId ?? '')), wide: true },
  { head: 'To', cell: ({ payment }) => mono(String(payment.counterpartyAccountId ?? '')), wide: true },
  { head: 'Amount', cell: ({ payment }) => cents(payment.amount), number: true },
]
const outcomeColumns: Column<ListedPayment>[] = [
  { head: 'Outcome', cell: ({ outcome }) => <Outcome outcome={outcome} /> },
  {
    head: 'Payment or problem',
    cell: ({ outcome }) => mono(outcome?.payment?.id ?? outcome?.problem?.code),
    wide: true,
  },
]

function Outcome({ outcome }: { outcome: BatchOutcome | undefined }) {
  if (!outcome) return <span className="muted">Not sent</span>
  if (outcome.payment) return <State of={outcome.payment.status} />
  return <State of="Refused" />
}

/** The payments of the list as they were read or, once they are sent, with their outcomes. */
export function ListedPayments({ rows, isSent }: { rows: readonly ListedPayment[]; isSent: boolean }) {
  const made = rows.filter(({ outcome }) => outcome?.payment)
  return (
    <Card title={isSent ? 'Outcomes' : 'Payments of the list'} flush>
      <div className={styles.figures}>
        <Figures
          items={
            isSent
              ? [
                  ['Made', `${count(made.length)} of ${count(rows.length)}`],
                  ['Amount', money(totalOf(made))],
                  ['Not made', count(rows.length - made.length)],
                ]
              : [
                  ['Payments', count(rows.length)],
                  ['Amount', money(totalOf(rows))],
                  ['Accounts that pay', new Set(rows.map(({ payment }) => payment.accountId)).size],
                ]
          }
        />
      </div>
      <Table
        label="Payments of the list"
        rows={rows}
        columns={isSent ? [...columns, ...outcomeColumns] : columns}
        keyOf={({ item }) => item}
        path={({ outcome }) => outcome?.payment && recordPath('payment', outcome.payment.id)}
      />
    </Card>
  )
}

function totalOf(rows: readonly ListedPayment[]): number {
  const amounts = rows.map(({ payment }) => (Number.isSafeInteger(payment.amount) ? payment.amount : 0))
  return amounts.reduce((sum, amount) => sum + amount, 0)
}

/** The reasons why payments were not made, each once with its payments. */
export function Reasons({ rows }: { rows: readonly ListedPayment[] }) {
  const items = new Map<string, { code: string; numbers: number[] }>()
  for (const { item, outcome } of rows) {
    if (!outcome?.problem) continue
    const { code, detail, errors = [] } = outcome.problem
    const reason = errors.length > 0 ? errors.map(({ message }) => message).join('; ') : detail
    const known = items.get(reason) ?? { code, numbers: [] }
    known.numbers.push(item)
    items.set(reason, known)
  }
  if (items.size === 0) return null
  const shown = [...items].slice(0, SHOWN_REASONS)
  return (
    <Card title="Why payments were not made">
      <ul className={styles.faults}>
        {shown.map(([reason, { code, numbers }]) => (
          <li key={reason}>
            <b>{words(code)}</b>{' '}
            <span className="muted">
              {numbers.length === 1 ? `payment ${numbers[0]}` : `${numbers.length} payments, first ${numbers[0]}`}
            </span>
            <p>{reason}</p>
          </li>
        ))}
      </ul>
      {items.size > SHOWN_REASONS && <p className="muted">and {items.size - SHOWN_REASONS} other reasons</p>}
    </Card>
  )
}
