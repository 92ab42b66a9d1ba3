import { arrayOf, bigint, boolean, jsonb, rowSet, text, timestamptz } from '../../database/arrays.ts'
import type { Queryable } from '../../database/database.ts'
import type { KeptWaiting, LedgerReview, ReviewDecision, StoppedPayment } from './records.ts'

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

const stops = rowSet<StoppedPayment>({
  id: bigint(({ payment }) => payment.id),
  organisation_id: bigint(({ payment }) => payment.organisationId),
  created_at: timestamptz(({ payment }) => payment.createdAt),
  reason: text(({ reason }) => reason),
  departures: jsonb(({ payment }) => JSON.stringify(payment.departures)),
})
/** A payment that is stopped may have been approved before. */
const stopPayments = `
  with n as (${stops.select}),
  begun as (
    insert into payment_review as r (id, organisation_id, created_at, reason)
    select id, organisation_id, created_at, reason from n
    on conflict (id) do update set reason = excluded.reason, decision = null, decided_at = null where r.decision is not null
    returning 1),
  stopped as (
    update payment p set cutoff_at = null, settles_at = null, review_note = null, departures = n.departures
    from n where p.id = n.id and p.id = any($1::bigint[])
    returning 1)
  select require((select count(*) from begun) = $${stops.next}::bigint
    and (select count(*) from stopped) = $${stops.next}::bigint, 'a payment was stopped twice')`

const stopReasons = rowSet<StoppedPayment>({
  organisation_id: bigint(({ payment }) => payment.organisationId),
  request_id: text(({ given }) => given?.requestId ?? null),
  record_id: bigint(({ payment }) => payment.id),
  subject_id: bigint(({ payment }) => payment.customerId),
  reason: text(({ given }) => given?.reason ?? null),
})
const insertStopReasons = `
  insert into decision_reason (action, ${stopReasons.names})
  select 'payment.pendingReview', n.* from (${stopReasons.select}) n`

/** A payment whose external account was rejected follows that. */
const keepWaiting = `
  update payment_review r set reason = $3::text
  from payment p join external_account e on e.id = p.external_account_id
  where r.organisation_id = $1::bigint and r.decision is null and r.reason = 'externalAccount'
    and p.id = r.id and p.account_id = $2::bigint and e.review is distinct from 'Rejected'`

/** Locked in the order of their ids, so that two batches never wait for each other in a circle. */
const knowPayees = `
  update external_account e set known = true
  from (
    select id from external_account where id = any($1::bigint[]) and not known order by id for no key update) n
  where e.id = n.id`

export interface ReviewRows {
  reviews: LedgerReview[]
  /** Decisions about payments, and payments that were stopped, in their order. */
  steps: ReviewStep[]
  /** External accounts to which a payment was approved. */
  knownPayees: number[]
  keptWaiting: KeptWaiting[]
}

type ReviewStep = ReviewDecision | StoppedPayment

/** Writes new reviews of payments, and the decisions about others. Fails if a decision was made before. */
export async function writeReviews(
  transaction: Queryable,
  { reviews, steps: all, knownPayees, keptWaiting }: ReviewRows,
): Promise<void> {
  if (reviews.length > 0) await transaction.query(insertReviews, newReviews.values(reviews))
  const screened = reviews.filter(({ screening }) => screening)
  if (screened.length > 0) await transaction.query(insertReasons, newReasons.values(screened))
  if (knownPayees.length > 0) await transaction.query(knowPayees, [arrayOf('bigint', knownPayees)])
  for (const steps of roundsOf(all)) {
    const decided = steps.filter((step) => 'decision' in step)
    const stopped = steps.filter((step) => 'reason' in step)
    if (decided.length > 0) await transaction.query(decideReviews, [...decisions.values(decided), decided.length])
    if (stopped.length > 0) await transaction.query(stopPayments, [...stops.values(stopped), stopped.length])
    const given = stopped.filter((step) => step.given)
    if (given.length > 0) await transaction.query(insertStopReasons, stopReasons.values(given))
  }
  for (const { organisationId, accountId, reason } of keptWaiting) {
    await transaction.query(keepWaiting, [organisationId, accountId, reason], 'once')
  }
}

/** The steps in rounds, each with at most one step of a payment: a batch may approve a payment and stop it again. */
function roundsOf(steps: ReviewStep[]): ReviewStep[][] {
  const rounds: ReviewStep[][] = []
  const reached = new Map<number, number>()
  for (const step of steps) {
    const round = reached.get(step.payment.id) ?? 0
    reached.set(step.payment.id, round + 1)
    rounds[round] = [...(rounds[round] ?? []), step]
  }
  return rounds
}
