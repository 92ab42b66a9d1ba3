import { arrayOf } from '../database/arrays.ts'
import type { Queryable } from '../database/database.ts'
import type { OrganisationLimits } from './limits/shares.ts'
import { type PaymentRow, paymentColumns, paymentFromRow } from './payment-columns.ts'
import type { LedgerAccount, LedgerAuthorization, LedgerCard, LedgerPayee, LedgerPayment } from './records.ts'

const lockText = (waiting: string) => `
  select id, organisation_id as "organisationId", customer_id as "customerId", name, account_number as "accountNumber",
    status, balance, hold, seq, posted_at as "postedAt", limits, ctid
  from account where id = any($1::bigint[]) order by id for no key update ${waiting}`
const lockWaiting = lockText('')
const lockFree = lockText('skip locked')

/** Locks accounts in the order of their ids, so that two batches never wait for each other in a circle. */
export function lockAccounts(transaction: Queryable, ids: number[]): Promise<LedgerAccount[]> {
  return transaction.query(lockWaiting, [arrayOf('bigint', ids)])
}

/** Locks the accounts that no other transaction holds, and leaves out the rest. */
export function lockFreeAccounts(transaction: Queryable, ids: number[]): Promise<LedgerAccount[]> {
  return transaction.query(lockFree, [arrayOf('bigint', ids)])
}

export async function existingAccounts(transaction: Queryable, ids: number[]): Promise<Set<number>> {
  const rows = await transaction.query<{ id: number }>(`select id from account where id = any($1::bigint[])`, [ids])
  return new Set(rows.map(({ id }) => id))
}

/** An idempotency key that has an answer. */
export interface AnsweredKey {
  organisationId: number
  hash: Buffer
}

interface TimeOrKey {
  organisationId: number
  time: string | null
  limits: OrganisationLimits | null
  hash: Buffer | null
}

/**
 * Reads bank times, limits of organisations and the keys that have an answer, in a statement behind the locks. Keys are compared with a plain
 * list: a join is planned as a walk over all answers where the table was empty at its last analysis.
 */
export async function readTimesAndKeys(
  transaction: Queryable,
  organisationIds: number[],
  hashes: Buffer[],
): Promise<{ times: Map<number, string>; limits: Map<number, OrganisationLimits>; keys: AnsweredKey[] }> {
  const rows = await transaction.query<TimeOrKey>(
    `select id as "organisationId", bank_time(id) as time, limits, null::bytea as hash
     from organisation where id = any($1::bigint[])
     union all
     select organisation_id, null, null, key_hash from answer
     where organisation_id = any($1::bigint[]) and key_hash = any($2::bytea[])`,
    [arrayOf('bigint', organisationIds), arrayOf('bytea', hashes)],
  )
  return {
    times: new Map(rows.flatMap(({ organisationId, time }) => (time === null ? [] : [[organisationId, time]]))),
    limits: new Map(rows.flatMap(({ organisationId, limits }) => (limits === null ? [] : [[organisationId, limits]]))),
    keys: rows.flatMap(({ organisationId, hash }) => (hash === null ? [] : [{ organisationId, hash }])),
  }
}

/** Reads rows by id. Most batches have payments only, so an empty list costs no round trip. */
async function readById<Row>(transaction: Queryable, text: string, ids: number[]): Promise<Row[]> {
  return ids.length === 0 ? [] : transaction.query(text, [arrayOf('bigint', ids)])
}

export function readPayees(transaction: Queryable, ids: number[]): Promise<LedgerPayee[]> {
  return readById(
    transaction,
    `select id, customer_id as "customerId", name, routing_number as "routingNumber",
       account_number as "accountNumber", account_type as "accountType", type,
       review is not distinct from 'PendingReview' as "underReview", known
     from external_account where id = any($1::bigint[]) and deleted_at is null`,
    ids,
  )
}

export function readCards(transaction: Queryable, ids: number[]): Promise<LedgerCard[]> {
  return readById(
    transaction,
    `select id, organisation_id as "organisationId", customer_id as "customerId", account_id as "accountId", last4, expires,
       status, limits
     from card where id = any($1::bigint[])`,
    ids,
  )
}

export function readAuthorizations(transaction: Queryable, ids: number[]): Promise<LedgerAuthorization[]> {
  return readById(
    transaction,
    `select id, organisation_id as "organisationId", account_id as "accountId", customer_id as "customerId",
       card_id as "cardId", card_last4 as "cardLast4", status, amount, settled, refunded, merchant_name as "merchantName",
       merchant_category as "merchantCategory", merchant_location as "merchantLocation",
       decline_reason as "declineReason", over_settlement as "overSettlement", created_at as "createdAt", expires_at as "expiresAt", version
     from card_authorization where id = any($1::bigint[])`,
    ids,
  )
}

/** Those of some ACH files that are being built. None of them can be finished before the transaction ends. */
export async function holdBuildingFiles(transaction: Queryable, ids: number[]): Promise<Set<number>> {
  const rows = await readById<{ id: number }>(
    transaction,
    `select id from ach_file where id = any($1::bigint[]) and state = 'building' for share`,
    ids,
  )
  return new Set(rows.map(({ id }) => id))
}

/** Those of some batches of ACH files that are to settle. No other process settles or rejects one before the transaction ends. */
export async function holdUnsettledBatches(transaction: Queryable, ids: number[]): Promise<Set<number>> {
  const rows = await readById<{ id: number }>(
    transaction,
    `select id from ach_batch where id = any($1::bigint[]) and settled_at is null and rejected_at is null
     order by id for no key update`,
    ids,
  )
  return new Set(rows.map(({ id }) => id))
}

const selectPayments = `
  select ${paymentColumns}, case when status = 'PendingReview' then (
    select reason from payment_review r where r.id = payment.id and decision is null) end as "waitsFor"
  from payment where id = any($1::bigint[])`

export async function readPayments(transaction: Queryable, ids: number[]): Promise<LedgerPayment[]> {
  return (await readById<PaymentRow>(transaction, selectPayments, ids)).map((row) => paymentFromRow(row))
}

/** The payments of accounts that have not left. Planned for its values: most accounts have few, and some a long history. */
export async function readPending(transaction: Queryable, accountIds: number[]): Promise<LedgerPayment[]> {
  if (accountIds.length === 0) return []
  const rows = await transaction.query<PaymentRow>(
    `select ${paymentColumns} from payment
     where account_id = any($1::bigint[]) and status = 'Pending'
       and organisation_id in (select organisation_id from account where id = any($1))
     order by id`,
    [accountIds],
    'once',
  )
  return rows.map((row) => paymentFromRow(row))
}

/**
 * Fixes the plans of a connection. The lane's tables keep growing, so a plan that was made while a table was small must not
 * use a sequential scan. No plan depends on its parameter values, so each statement is planned once (generic plans).
 */
export async function fixPlans(connection: Queryable): Promise<void> {
  await connection.query(`set enable_seqscan = off`)
  await connection.query(`set plan_cache_mode = force_generic_plan`)
}
