import type { Queryable } from '../../../database/database.ts'
import {
  amountRange,
  countRows,
  isOfOrganisation,
  type ListWindow,
  listRows,
  type OwnFilter,
  period,
} from '../../../database/lists.ts'
import type { LedgerRecurringPayment, LedgerRun } from '../../records/records.ts'
import { recurringColumns, recurringRunColumns } from '../../records/recurring/recurring-payments.sql.ts'

export async function findRecurringPayment(
  database: Queryable,
  organisationId: number,
  id: number,
): Promise<LedgerRecurringPayment | undefined> {
  const [row] = await database.query<LedgerRecurringPayment>(
    `select ${recurringColumns} from recurring_payment where organisation_id = $1::bigint and id = $2::bigint`,
    [organisationId, id],
  )
  return row
}

const filters = {
  always: [isOfOrganisation],
  along: ['account_id = $accountId::bigint', ...period],
  matching: [
    'customer_id = $customerId::bigint',
    'external_account_id = $externalAccountId::bigint',
    'status = any($status::text[])',
    ...amountRange,
  ],
}

export function listRecurringRows(
  database: Queryable,
  filter: OwnFilter,
  page: ListWindow,
): Promise<LedgerRecurringPayment[]> {
  return listRows(database, `select ${recurringColumns} from recurring_payment`, filters, filter, page)
}

export function countRecurring(transaction: Queryable, filter: OwnFilter): Promise<string> {
  return countRows(transaction, 'recurring_payment', filters, filter)
}

export function listRunRows(
  database: Queryable,
  filter: { recurringPaymentId: number; status: string | null },
  page: ListWindow,
): Promise<LedgerRun[]> {
  const of = { always: ['recurring_payment_id = $recurringPaymentId::bigint'], matching: ['status = $status::text'] }
  return listRows(database, `select ${recurringRunColumns} from recurring_payment_run`, of, filter, page)
}

/** Whether an account has so many recurring payments that have not ended. */
export async function hasManyRecurring(database: Queryable, accountId: number, most: number): Promise<boolean> {
  const [row] = await database.query<{ count: number }>(
    `select count(*)::int as count from (
       select from recurring_payment where account_id = $1::bigint and next_at is not null limit $2) r`,
    [accountId, most],
  )
  return (row?.count ?? 0) >= most
}

/** The recurring payments of an account that are Active. */
export function activeOfAccount(database: Queryable, accountId: number): Promise<LedgerRecurringPayment[]> {
  return database.query(
    `select ${recurringColumns} from recurring_payment
     where account_id = $1::bigint and next_at is not null and status = 'Active' order by next_at, id`,
    [accountId],
  )
}

/** The runs that are due until a time, in the order of their times; without those that leave by the rail while it is held. */
export function dueRecurring(
  database: Queryable,
  organisationId: number,
  { until, isHeld, most }: { until: string; isHeld: boolean; most: number },
): Promise<(LedgerRecurringPayment & { nextAt: string; nextDueDate: string })[]> {
  return database.query(
    `select ${recurringColumns} from recurring_payment
     where organisation_id = $1::bigint and next_at <= $2::timestamptz and (not $3::boolean or type = 'bookPayment')
     order by next_at, id limit $4`,
    [organisationId, until, isHeld, most],
  )
}

/** The recurring payment whose next due date a payment of an external account fits that left with a cut-off. */
export async function findDueFor(
  database: Queryable,
  sent: {
    organisationId: number
    digest: Buffer
    routingNumber: string
    amount: number
    direction: 'Credit' | 'Debit'
    leftAt: string
  },
): Promise<LedgerRecurringPayment | undefined> {
  const { organisationId, digest, routingNumber, amount, direction, leftAt } = sent
  const [row] = await database.query<LedgerRecurringPayment>(
    `select ${recurringColumns} from recurring_payment
     where organisation_id = $1::bigint and next_at <= $6::timestamptz and amount = $4::bigint and direction = $5::text
       and external_account_id in (
         select id from external_account
         where organisation_id = $1::bigint and number_digest = $2::bytea and routing_number = $3::text)
     order by next_at, id limit 1`,
    [organisationId, digest, routingNumber, amount, direction, leftAt],
  )
  return row
}
