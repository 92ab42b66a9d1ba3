import type { ReviewPayment } from '../../../../client/src/index.ts'
import { money, words } from '../../../data/format.ts'
import { useList } from '../../../data/list.ts'
import { Card } from '../../../parts/card.tsx'
import { Empty } from '../../../parts/empty.tsx'
import { RecordLink } from '../../../parts/record-link.tsx'
import { type Column, ListTable } from '../../../parts/table.tsx'
import { Time } from '../../../parts/time.tsx'
import { recordPath } from '../../../routes.ts'
import { Decision } from './decision.tsx'
import styles from './review.module.css'
import { ReviewHead } from './review-head.tsx'

const columns: Column<ReviewPayment>[] = [
  { head: 'Counterparty', cell: ({ counterparty }) => counterparty.name },
  { head: 'Cause', cell: ({ reviewReason }) => words(reviewReason) },
  { head: 'Account', cell: ({ accountId }) => <RecordLink type="account" id={accountId} />, wide: true },
  { head: 'Created', cell: ({ createdAt }) => <Time of={createdAt} />, number: true, wide: true },
  { head: 'Amount', cell: ({ amount }) => money(amount), number: true },
  { head: 'Decision', cell: ({ id }) => <Decisions id={id} />, number: true, wide: true },
]

/** The payments that wait for a reviewer, oldest first. */
export function ReviewPayments() {
  const list = useList('listReviewPayments', { query: { limit: 100 } })
  return (
    <>
      <ReviewHead />
      <Card title="Payments" flush bare>
        <ListTable
          label="Payments that wait for a review"
          list={list}
          columns={columns}
          keyOf={({ id }) => id}
          path={({ id }) => recordPath('payment', id)}
          empty={
            <Empty title="No payment waits">
              <p>A payment above a soft limit waits here, and so does one to an external account under review.</p>
            </Empty>
          }
        />
      </Card>
    </>
  )
}

function Decisions({ id }: { id: string }) {
  return (
    <span className={styles.decisions}>
      <Decision operation="approvePayment" target={{ paymentId: id }} />
      <Decision operation="rejectPayment" target={{ paymentId: id }} />
    </span>
  )
}
