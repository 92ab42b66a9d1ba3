import type { Mandate } from '../../banking/external-accounts/external-account.ts'
import type { ReviewReason } from '../../banking/payments/review-reason.ts'
import type { Queryable } from '../../database/database.ts'
import { conditions, isOfOrganisation, type ListWindow, named, orderOf, pageMembers } from '../../database/lists.ts'
import { type PaymentRow, paymentColumns } from '../records/payment-columns.ts'

export interface ReviewRow extends PaymentRow {
  reviewReason: ReviewReason
  /** Null for a payment that sends money, and for a reversal. */
  mandate: Mandate | null
}

/** Payments that wait for a review, along the index of undecided reviews. A review has the id and the time of its payment. */
export function listReviewRows(
  database: Queryable,
  filter: { organisationId: number; accountId: number | null },
  page: ListWindow,
): Promise<ReviewRow[]> {
  const undecided = {
    always: [isOfOrganisation, 'decision is null'],
    matching: ['exists (select from payment q where q.id = payment_review.id and q.account_id = $accountId::bigint)'],
  }
  return database.query(
    ...named(
      `select p.*, r.reason as "reviewReason", (select mandate from debit where id = r.id) as mandate
     from (
       select id, created_at, reason from payment_review
       where ${conditions(undecided, filter, page)}
       order by ${orderOf(page)} limit $take offset $offset) r
     cross join lateral (select ${paymentColumns} from payment where id = r.id offset 0) p
     where p.status = 'PendingReview'
     order by ${orderOf(page).replaceAll(/created_at|id/g, 'r.$&')}`,
      pageMembers(page),
      filter,
    ),
  )
}
