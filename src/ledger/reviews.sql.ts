import { arrayOf, bigint, boolean, rowSet, text, timestamptz } from '../database/arrays.ts'
import type { Queryable } from '../database/database.ts'
import type { Rows } from './books.ts'
import type { LedgerReview, ReviewDecision } from './records.ts'

const newReviews = rowSet<LedgerReview>({
  id: bigint(({ id }) => id),
  organisation_id: bigint(({ organisationId }) => organisationId),
  created_at: timestamptz(({ createdAt }) => createdAt),
  reason: text(({ reason }) => reason),
})
const insertReviews = `insert into payment_review (${newReviews.names}) ${newReviews.select}`

const newReasons = rowSet<LedgerReview>({
  organisation_id: bigint(({ organisationId }) => organisationId),
  request_id: text(({ screening }) => screening?.requestId ?? null),
  record_id: bigint(({ id }) => id),
  subject_id: bigint(({ screening }) => screening?.customerId ?? null),
  reason: text(({ screening }) => screening?.reason ?? null),
})
const insertReasons = `
  insert into decision_reason (action, ${newReasons.names}) select 'payment.created', n.* from (${newReasons.select}) n`

const decisions = rowSet<ReviewDecision>({
  id: bigint(({ payment }) => payment.id),
  decision: text(({ decision }) => decision),
  decided_at: timestamptz(({ decidedAt }) => decidedAt),
  same_day: boolean(({ payment }) => payment.sameDay),
  sec_code: text(({ payment }) => payment.secCode),
  cutoff_at: timestamptz(({ payment }) => payment.cutoffAt),
  settles_at: timestamptz(({ payment }) => payment.settlesAt),
  destination_account_id: bigint(({ payment }) => payment.destinationAccountId),
  review_note: text(({ payment }) => payment.reviewNote),
})
const decideReviews = `
  with n as (${decisions.select}),
  decided as (
    update payment_review r set decision = n.decision, decided_at = n.decided_at
    from n where r.id = n.id and r.id = any($1::bigint[]) and r.decision is null
    returning 1),
  set_once as (
    update payment p
    set same_day = n.same_day, sec_code = n.sec_code, cutoff_at = n.cutoff_at, settles_at = n.settles_at,
      destination_account_id = n.destination_account_id, review_note = n.review_note
    from n where p.id = n.id and p.id = any($1::bigint[])
    returning 1)
  select require((select count(*) from decided) = $${decisions.next}::bigint
    and (select count(*) from set_once) = $${decisions.next}::bigint, 'a payment was reviewed twice')`

/** Locked in the order of their ids, so that two batches never wait for each other in a circle. */
const knowPayees = `
  update external_account e set known = true
  from (
    select id from external_account where id = any($1::bigint[]) and not known order by id for no key update) n
  where e.id = n.id`

/** Writes new reviews of payments, and the decisions about others. Fails where a decision was made before. */
export async function writeReviews(
  transaction: Queryable,
  { reviews, reviewDecisions, knownPayees }: Pick<Rows, 'reviews' | 'reviewDecisions' | 'knownPayees'>,
): Promise<void> {
  if (reviews.length > 0) await transaction.query(insertReviews, newReviews.values(reviews))
  const screened = reviews.filter(({ screening }) => screening)
  if (screened.length > 0) await transaction.query(insertReasons, newReasons.values(screened))
  if (knownPayees.length > 0) await transaction.query(knowPayees, [arrayOf('bigint', knownPayees)])
  if (reviewDecisions.length === 0) return
  await transaction.query(decideReviews, [...decisions.values(reviewDecisions), reviewDecisions.length])
}
