import type { ExternalAccount } from '../../../../client/src/index.ts'
import { Time } from '../../../components/display/time.tsx'
import { Empty } from '../../../components/feedback/empty.tsx'
import type { Column } from '../../../components/lists/table.tsx'
import { RecordLink } from '../../../components/records/record-link.tsx'
import { useList } from '../../../data/list.ts'
import { ReviewQueue } from './review-queue.tsx'

const columns: Column<ExternalAccount>[] = [
  { head: 'Holder', cell: ({ name }) => name },
  { head: 'Bank', cell: ({ bank }) => bank, wide: true },
  { head: 'Number', cell: ({ accountNumber }) => `··${accountNumber.slice(-4)}` },
  { head: 'Kind', cell: ({ type, accountType }) => `${type}, ${accountType.toLowerCase()}`, wide: true },
  { head: 'Customer', cell: ({ customerId }) => <RecordLink type="customer" id={customerId} /> },
  { head: 'Created', cell: ({ createdAt }) => <Time of={createdAt} />, number: true, wide: true },
]

/** The external accounts that the screening left to a reviewer, oldest first. */
export function ReviewExternalAccounts() {
  const list = useList('listReviewExternalAccounts', { query: { limit: 100 } })
  return (
    <ReviewQueue
      title="External accounts"
      type="externalAccount"
      list={list}
      columns={columns}
      decisions={['approveExternalAccount', 'rejectExternalAccount']}
      target={(externalAccountId) => ({ externalAccountId })}
      empty={
        <Empty title="No external account waits">
          <p>
            With <code>PURSER_SCREENING_URL</code> your screening service may leave a new external account to a
            reviewer. Payments to it wait for the decision.
          </p>
        </Empty>
      }
    />
  )
}
