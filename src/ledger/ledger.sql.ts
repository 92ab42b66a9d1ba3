import { arrayOf } from '../database/arrays.ts'
import type { Queryable } from '../database/database.ts'
import type { LedgerAccount } from './records.ts'

const lockText = (waiting: string) => `
  select id, organisation_id as "organisationId", customer_id as "customerId", name, account_number as "accountNumber",
    status, balance, hold, seq, posted_at as "postedAt", limits, payment_block as "paymentBlock", ctid
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
  limits: unknown
  hash: Buffer | null
}

/**
 * Reads bank times, limits of organisations and the keys that have an answer, in a statement after the locks. Keys are compared with a plain
 * list: a join is planned as a walk over all answers if the table was empty at its last analysis.
 */
export async function readTimesAndKeys(
  transaction: Queryable,
  organisationIds: number[],
  hashes: Buffer[],
): Promise<{ times: Map<number, string>; limits: Map<number, unknown>; keys: AnsweredKey[] }> {
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

/**
 * Fixes the plans of a connection. The lane's tables keep growing, so a plan that was made while a table was small must not
 * use a sequential scan. No plan depends on its parameter values, so each statement is planned once (generic plans).
 */
export async function fixPlans(connection: Queryable): Promise<void> {
  await connection.query(`set enable_seqscan = off`)
  await connection.query(`set plan_cache_mode = force_generic_plan`)
}
