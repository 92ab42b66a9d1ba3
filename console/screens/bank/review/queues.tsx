import type { OperationId } from '../../../../client/src/index.ts'
import { Time } from '../../../components/display/time.tsx'
import { Create } from '../../../components/forms/actions.tsx'
import { PageTitle } from '../../../components/layout/page-title.tsx'
import { defineList, ListScreen } from '../../../components/lists/list-screen.tsx'
import { CustomerLink } from '../../../components/records/record-link.tsx'
import { date, lastFour, money, words } from '../../../data/format.ts'
import { Holder } from '../lists.tsx'
import styles from './review.module.css'

const tabs = [
  { name: 'Applications', path: '/review' },
  { name: 'External accounts', path: '/review/external-accounts' },
  { name: 'Payments', path: '/review/payments' },
  { name: 'Over-settlements', path: '/review/over-settlements' },
  { name: 'Proposals', path: '/review/proposals' },
]

/** The head of every screen of reviewers. */
export function ReviewHead() {
  return <PageTitle title="Review" tabs={tabs} />
}

/** The column with the decisions about a record. */
function decisions(param: string, operations: readonly OperationId[]) {
  return {
    head: 'Decision',
    cell: ({ id }: { id: string }) => (
      <span className={styles.decisions}>
        {operations.map((operation) => (
          <Create key={operation} operation={operation} target={{ [param]: id }} />
        ))}
      </span>
    ),
    number: true,
    wide: true,
  }
}

const externalAccounts = defineList({
  title: 'External accounts that wait for a review',
  operation: 'listReviewExternalAccounts',
  type: 'externalAccount',
  query: { limit: 100 },
  scope: 'review:write',
  absent: 'Only the built-in bank has reviews.',
  columns: [
    { head: 'Holder', cell: ({ name }) => name },
    { head: 'Bank', cell: ({ bank }) => bank, wide: true },
    { head: 'Number', cell: ({ accountNumber }) => lastFour(accountNumber) },
    { head: 'Kind', cell: ({ type, accountType }) => `${type}, ${accountType.toLowerCase()}`, wide: true },
    { head: 'Customer', cell: ({ customerId }) => <CustomerLink id={customerId} /> },
    { head: 'Created', cell: ({ createdAt }) => <Time of={createdAt} />, number: true, wide: true, card: 'when' },
    decisions('externalAccountId', ['approveExternalAccount', 'rejectExternalAccount']),
  ],
  bulk: (['approveExternalAccount', 'rejectExternalAccount'] as const).map((operation) => ({
    operation,
    target: ({ id }: { id: string }) => ({ externalAccountId: id }),
  })),
  none: [
    'No external account waits',
    <>
      With <code>PURSER_SCREENING_URL</code> your screening service may leave a new external account to a reviewer.
      Payments to it wait for the decision.
    </>,
  ],
})

/** The external accounts that the screening left to a reviewer, oldest first. */
export const ReviewExternalAccounts = () => <ListScreen of={externalAccounts} head={<ReviewHead />} />

const payments = defineList({
  title: 'Payments that wait for a review',
  operation: 'listReviewPayments',
  type: 'payment',
  query: { limit: 100 },
  scope: 'review:write',
  absent: 'Only the built-in bank has reviews.',
  columns: [
    { head: 'Counterparty', cell: ({ counterparty }) => counterparty.name },
    { head: 'Cause', cell: ({ reviewReason }) => words(reviewReason) },
    {
      head: 'Mandate',
      cell: ({ mandate }) => mandate && `${mandate.authorization}, ${date(mandate.authorizedAt)}`,
      wide: 'widest',
    },
    { head: 'Account', cell: ({ accountId }) => <Holder accountId={accountId} />, wide: true },
    { head: 'Created', cell: ({ createdAt }) => <Time of={createdAt} />, number: true, wide: 'widest', card: 'when' },
    { head: 'Amount', cell: ({ amount }) => money(amount), number: true },
    decisions('paymentId', ['approvePayment', 'rejectPayment']),
  ],
  bulk: (['approvePayment', 'rejectPayment'] as const).map((operation) => ({
    operation,
    target: ({ id }: { id: string }) => ({ paymentId: id }),
  })),
  none: [
    'No payment waits',
    'A payment above a soft limit waits here, one to an external account under review, and one that was stopped before it left.',
  ],
})

/** The payments that wait for a reviewer, oldest first. */
export const ReviewPayments = () => <ListScreen of={payments} head={<ReviewHead />} />

const overSettlements = defineList({
  title: 'Authorizations that settled for more than their trade explains',
  operation: 'listOverSettlements',
  type: 'authorization',
  query: { limit: 100 },
  scope: 'review:write',
  absent: 'Only the built-in bank has reviews.',
  columns: [
    { head: 'Merchant', cell: ({ merchant }) => merchant.name },
    { head: 'Card', cell: ({ cardLast4Digits }) => lastFour(cardLast4Digits), wide: true },
    { head: 'Account', cell: ({ accountId }) => <Holder accountId={accountId} />, wide: true },
    { head: 'Authorized', cell: ({ amount }) => money(amount), number: true, wide: true },
    { head: 'Expected', cell: ({ tolerated }) => `up to ${money(tolerated)}`, number: true, wide: true },
    { head: 'Created', cell: ({ createdAt }) => <Time of={createdAt} />, number: true, wide: true, card: 'when' },
    { head: 'Settled', cell: ({ settled }) => money(settled), number: true },
    decisions('authorizationId', ['resolveOverSettlement']),
  ],
  bulk: [{ operation: 'resolveOverSettlement', target: ({ id }) => ({ authorizationId: id }) }],
  none: [
    'No over-settlement waits',
    'A settlement that is larger than the authorization and what its trade adds, such as a tip, waits here.',
  ],
})

/** The over-settlements that wait for a reviewer, oldest first. */
export const OverSettlements = () => <ListScreen of={overSettlements} head={<ReviewHead />} />
