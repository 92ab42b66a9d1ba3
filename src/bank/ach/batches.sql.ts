import { bigint, integer, rowSet, text, timestamptz } from '../../database/arrays.ts'
import type { Queryable } from '../../database/database.ts'

/** A batch of a file that leaves. */
export interface OutgoingBatch {
  id: number
  organisationId: number
  fileId: number
  number: number
  companyName: string
  companyId: string
  secCode: string
  description: string
  effectiveDate: string
  entryCount: number
  debits: number
  credits: number
  settlesAt: string
  /** The side of the received payments that the batch returns; absent for a batch of payments. */
  returnSide?: 'Credit' | 'Debit'
}

const batchRows = rowSet<OutgoingBatch>({
  id: bigint(({ id }) => id),
  organisation_id: bigint(({ organisationId }) => organisationId),
  file_id: bigint(({ fileId }) => fileId),
  number: integer(({ number }) => number),
  company_name: text(({ companyName }) => companyName),
  company_id: text(({ companyId }) => companyId),
  sec_code: text(({ secCode }) => secCode),
  description: text(({ description }) => description),
  effective_date: text(({ effectiveDate }) => effectiveDate),
  entry_count: integer(({ entryCount }) => entryCount),
  debits: bigint(({ debits }) => debits),
  credits: bigint(({ credits }) => credits),
  settles_at: timestamptz(({ settlesAt }) => settlesAt),
  return_side: text(({ returnSide }) => returnSide ?? null),
})

const insertText = `
  insert into ach_batch (${batchRows.names}, created_at)
  select ${batchRows.names.replace('effective_date', 'effective_date::date')},
    (select window_at from ach_file where id = file_id)
  from (${batchRows.select}) b`

/** Stores the batches of a file; they were created at its window. */
export async function insertBatches(transaction: Queryable, batches: OutgoingBatch[]): Promise<void> {
  await transaction.query(insertText, batchRows.values(batches), 'once')
}

export interface UnsettledBatch {
  /** The side of the received payments that the batch returns; null for a batch of payments. */
  returnSide: 'Credit' | 'Debit' | null
  id: number
  amount: number
  /** Whether its entries verify accounts: credits and debits of the same sum, or none. */
  isVerification: boolean
  /** Whether its entries collect money. */
  isDebit: boolean
  settlesAt: string
}

/** The batches of an organisation that settle next: not rejected, and of files in any state or of acknowledged ones. */
export function nextUnsettled(
  database: Queryable,
  organisationId: number,
  { limit, acknowledged }: { limit: number; acknowledged: boolean },
): Promise<UnsettledBatch[]> {
  return database.query(
    `select id, debits + credits as amount, debits > 0 as "isDebit", debits = credits as "isVerification", settles_at as "settlesAt", return_side as "returnSide" from ach_batch b
     where organisation_id = $1::bigint and settled_at is null and rejected_at is null
       and (not $3::boolean or exists (
         select from ach_file f where f.id = b.file_id and (f.state = 'acknowledged' or f.arrived)))
     order by settles_at, id limit $2`,
    [organisationId, limit, acknowledged],
    'once',
  )
}

export interface RejectedBatch {
  id: number
  rejectedAt: string
  isOfReturns: boolean
  isVerification: boolean
}

/** The rejected batches of an organisation whose payments are still to be given back, or whose returns are to leave again. */
export function nextUnrefunded(database: Queryable, organisationId: number): Promise<RejectedBatch[]> {
  return database.query(
    `select id, rejected_at as "rejectedAt", return_side is not null as "isOfReturns", debits = credits as "isVerification" from ach_batch
     where organisation_id = $1::bigint and rejected_at is not null and refunded_at is null
     order by rejected_at, id limit 100`,
    [organisationId],
    'once',
  )
}

/** Notes that the money of all payments of a rejected batch is back, or that its returns leave again. */
export async function noteRefunded(database: Queryable, batchId: number): Promise<void> {
  await database.query(
    `update ach_batch set refunded_at = bank_time(organisation_id)
     where id = $1::bigint and rejected_at is not null and refunded_at is null`,
    [batchId],
  )
}

/**
 * Payments of a batch after an id, and whether each is still clearing. Entries are counted off before their payments are
 * looked up: a join of both is planned over the whole batch, for each portion of it.
 */
export function entriesIn(
  database: Queryable,
  { batchId, after, limit }: { batchId: number; after: number; limit: number },
): Promise<{ id: number; accountId: number; isClearing: boolean }[]> {
  return database.query(
    `select p.id, p.account_id as "accountId", p.status = 'Clearing' as "isClearing"
     from (
       select payment_id from ach_entry where batch_id = $1::bigint and payment_id > $2::bigint
       order by payment_id limit $3) e
     cross join lateral (select id, account_id, status from payment where id = e.payment_id offset 0) p
     order by p.id`,
    [batchId, after, limit],
    'once',
  )
}
