import type { ReviewReason } from '../../banking/payments/review-reason.ts'
import type { Queryable } from '../../database/database.ts'
import { afterClause, afterValues, type ListWindow, orderOf } from '../../database/lists.ts'
import { type PaymentRow, paymentColumns } from '../records/payment-columns.ts'

export interface ReviewRow extends PaymentRow {
  reviewReason: ReviewReason
}

/** Payments that wait for a review, along the index of undecided reviews. A review has the id and the time of its payment. */
export function listReviewRows(
  database: Queryable,
  { organisationId, accountId }: { organisationId: number; accountId: number | null },
  page: ListWindow,
): Promise<ReviewRow[]> {
  return database.query(
    `select p.*, r.reason as "reviewReason"
     from (
       select id, created_at, reason from payment_review
       where organisation_id = $1::bigint and decision is null ${afterClause(page, 5)}
         and ($2::bigint is null or exists (
           select from payment q where q.id = payment_review.id and q.account_id = $2))
       order by ${orderOf(page)} limit $3 offset $4) r
     cross join lateral (select ${paymentColumns} from payment where id = r.id offset 0) p
     where p.status = 'PendingReview'
     order by ${orderOf(page).replaceAll(/created_at|id/g, 'r.$&')}`,
    [organisationId, accountId, page.take, page.offset, ...afterValues(page)],
  )
}
