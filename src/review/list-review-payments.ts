import { type Static, Type } from 'typebox'
import { Id } from '../base/ids.ts'
import { cursorRule, queueQuery } from '../base/page.ts'
import { reviewRead } from './review.ts'
import { ReviewPayment } from './review-payment.ts'

const ListReviewPaymentsFilter = Type.Object(
  {
    accountId: Type.Optional(Id('account', 'Only payments of this account')),
    ...queueQuery,
  },
  { 'x-rules': [cursorRule] },
)
export type ListReviewPaymentsQuery = Static<typeof ListReviewPaymentsFilter>

/** Extension. Lists the payments that wait for a review, oldest first. */
export const listReviewPayments = reviewRead({
  id: 'listReviewPayments',
  resource: 'reviewPayments',
  verb: 'list',
  path: '/v0/review/payments',
  summary: 'List payments to review',
  description:
    'Lists the payments in `PendingReview`, oldest first, with the reason why each waits. A payment leaves the list when it is approved, rejected or canceled.',
  query: ListReviewPaymentsFilter,
  data: Type.Array(ReviewPayment),
  problems: [],
  run: ({ review, caller }, { query }) => review.listReviewPayments(caller, query),
})
