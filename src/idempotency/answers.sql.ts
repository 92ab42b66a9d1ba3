import type { Write } from '../base/operation.ts'
import { arrayOf } from '../database/arrays.ts'
import type { Queryable } from '../database/database.ts'

export interface StoredAnswer {
  status: number
  /** Empty if the answer is sealed, and if it shows a payment. Of a sealed account number it keeps the id. */
  body: string
  /** The payment that the answer shows, in its first state unless `paymentStatus` says otherwise. */
  paymentId: number | null
  /** The status that it shows if that is not the first one. */
  paymentStatus: 'Pending' | 'PendingReview' | 'Sent' | 'Rejected' | 'Canceled' | 'Returned' | null
  sealed: Buffer | null
  fingerprint: Buffer
  /** When it was stored, in real time. */
  createdAt: string
}

/** The part of an answer that is made before it is stored. */
export type NewAnswer = Omit<StoredAnswer, 'paymentId' | 'paymentStatus' | 'fingerprint' | 'createdAt'>

const selectAnswer = `
  select status, body, payment_id as "paymentId", payment_status as "paymentStatus", sealed, fingerprint, created_at as "createdAt"
  from answer where organisation_id = $1::bigint and key_hash = $2::bytea`

export async function findAnswer(database: Queryable, write: Write<never>): Promise<StoredAnswer | undefined> {
  const [row] = await database.query<StoredAnswer>(selectAnswer, [write.caller.organisationId, write.key.hash])
  return row
}

/**
 * Finds an answer for a replay, and makes sure that it cannot be lost any more. PostgreSQL shows a commit that waits for
 * its synchronous standby once the server was restarted, although no other server has it. The row lock writes to the log,
 * so this transaction's own commit waits for the standby, and for the answer's with it.
 */
export async function findDurableAnswer(database: Queryable, write: Write<never>): Promise<StoredAnswer | undefined> {
  const [row] = await database.query<StoredAnswer>(`${selectAnswer} for key share`, [
    write.caller.organisationId,
    write.key.hash,
  ])
  return row
}

/** The same for many keys of one organisation. */
export function findDurableAnswers(
  database: Queryable,
  organisationId: number,
  hashes: Buffer[],
): Promise<(StoredAnswer & { keyHash: Buffer })[]> {
  return database.query(
    `select key_hash as "keyHash", status, body, payment_id as "paymentId", payment_status as "paymentStatus", sealed,
       fingerprint, created_at as "createdAt"
     from answer where organisation_id = $1::bigint and key_hash = any($2::bytea[]) order by key_hash for key share`,
    [organisationId, arrayOf('bytea', hashes)],
  )
}

/** Stores the answer after waiting for another transaction that holds the key; false if that one committed. */
export async function insertAnswer(transaction: Queryable, write: Write<never>, answer: NewAnswer): Promise<boolean> {
  const rows = await transaction.query(
    `insert into answer (organisation_id, key_hash, fingerprint, status, body, sealed, created_at)
     values ($1::bigint, $2::bytea, $3::bytea, $4::smallint, $5::text, $6::bytea, clock_timestamp())
     on conflict do nothing returning true`,
    [write.caller.organisationId, write.key.hash, write.key.fingerprint, answer.status, answer.body, answer.sealed],
  )
  return rows.length === 1
}

export async function deleteAnswer(transaction: Queryable, write: Write<never>): Promise<void> {
  await transaction.query(`delete from answer where organisation_id = $1::bigint and key_hash = $2::bytea`, [
    write.caller.organisationId,
    write.key.hash,
  ])
}
