import type { ReviewPayment } from '../../../../client/src/index.ts'
import { Time } from '../../../components/display/time.tsx'
import { Empty } from '../../../components/feedback/empty.tsx'
import type { Column } from '../../../components/lists/table.tsx'
import { RecordLink } from '../../../components/records/record-link.tsx'
import { money, words } from '../../../data/format.ts'
import { useList } from '../../../data/list.ts'
import { ReviewQueue } from './review-queue.tsx'

const columns: Column<ReviewPayment>[] = [
  { head: 'Counterparty', cell: ({ counterparty }) => counterparty.name },
  { head: 'Cause', cell: ({ reviewReason }) => words(reviewReason) },
  { head: 'Account', cell: ({ accountId }) => <RecordLink type="account" id={accountId} />, wide: true },
  { head: 'Created', cell: ({ createdAt }) => <Time of={createdAt} />, number: true, wide: true },
  { head: 'Amount', cell: ({ amount }) => money(amount), number: true },
]

/** The payments that wait for a reviewer, oldest first. */
export function ReviewPayments() {
  const list = useList('listReviewPayments', { query: { limit: 100 } })
  return (
    <ReviewQueue
      title="Payments"
      type="payment"
      list={list}
      columns={columns}
      decisions={['approvePayment', 'rejectPayment']}
      target={(paymentId) => ({ paymentId })}
      empty={
        <Empty title="No payment waits">
          <p>
            A payment above a soft limit waits here, one to an external account under review, and one that was stopped
            before it left.
          </p>
        </Empty>
      }
    />
  )
}
