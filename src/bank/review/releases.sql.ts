import type { Queryable } from '../../database/database.ts'

export interface WaitingPayment {
  id: number
  createdAt: string
  amount: number
  /** The decision about its external account. */
  review: 'Approved' | 'Rejected'
}

/** Payments that wait for an external account about which a reviewer has decided, the oldest first. */
export function nextReleases(database: Queryable, organisationId: number, limit: number): Promise<WaitingPayment[]> {
  return database.query(
    `select r.id, r.created_at as "createdAt", p.amount, e.review
     from payment_review r
     cross join lateral (select external_account_id as id, amount from payment where id = r.id offset 0) p
     join external_account e on e.id = p.id
     where r.organisation_id = $1::bigint and r.decision is null and r.reason = 'externalAccount'
       and e.review in ('Approved', 'Rejected')
     order by r.created_at, r.id limit $2`,
    [organisationId, limit],
  )
}

/** Lets all payments that wait follow their external account, which is being rejected, whatever they wait for. */
export async function followRejected(
  transaction: Queryable,
  organisationId: number,
  externalAccountId: number,
): Promise<void> {
  await transaction.query(
    `update payment_review r set reason = 'externalAccount' from payment p
     where r.organisation_id = $1::bigint and r.decision is null and r.reason <> 'externalAccount'
       and p.id = r.id and p.external_account_id = $2::bigint`,
    [organisationId, externalAccountId],
    'once',
  )
}

/** Leaves a payment to a reviewer of its own, because it cannot follow its external account. */
export async function leavePaymentToReviewer(database: Queryable, id: number): Promise<void> {
  await database.query(`update payment_review set reason = 'screening' where id = $1::bigint and decision is null`, [
    id,
  ])
}
