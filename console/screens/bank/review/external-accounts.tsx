import type { ExternalAccount } from '../../../../client/src/index.ts'
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

const columns: Column<ExternalAccount>[] = [
  { head: 'Holder', cell: ({ name }) => name },
  { head: 'Bank', cell: ({ bank }) => bank, wide: true },
  { head: 'Number', cell: ({ accountNumber }) => `··${accountNumber.slice(-4)}` },
  { head: 'Kind', cell: ({ type, accountType }) => `${type}, ${accountType.toLowerCase()}`, wide: true },
  { head: 'Customer', cell: ({ customerId }) => <RecordLink type="customer" id={customerId} /> },
  { head: 'Created', cell: ({ createdAt }) => <Time of={createdAt} />, number: true, wide: true },
  { head: 'Decision', cell: ({ id }) => <Decisions id={id} />, number: true, wide: true },
]

/** The external accounts that the screening left to a reviewer, oldest first. */
export function ReviewExternalAccounts() {
  const list = useList('listReviewExternalAccounts', { query: { limit: 100 } })
  return (
    <>
      <ReviewHead />
      <Card title="External accounts" flush bare>
        <ListTable
          label="External accounts that wait for a review"
          list={list}
          columns={columns}
          keyOf={({ id }) => id}
          path={({ id }) => recordPath('externalAccount', id)}
          empty={
            <Empty title="No external account waits">
              <p>
                With <code>PURSER_SCREENING_URL</code> your screening service may leave a new external account to a
                reviewer. Payments to it wait for the decision.
              </p>
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
      <Decision operation="approveExternalAccount" target={{ externalAccountId: id }} />
      <Decision operation="rejectExternalAccount" target={{ externalAccountId: id }} />
    </span>
  )
}
