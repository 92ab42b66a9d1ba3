import { bigint, rowSet } from '../../database/arrays.ts'
import type { Queryable } from '../../database/database.ts'
import { type PaymentRow, paymentColumns } from '../records/payment-columns.ts'
import { insertBatches, type OutgoingBatch } from './batches.sql.ts'

/** Deletes the row of a file that no payment left with, because all were canceled. */
export async function deleteBuilding(transaction: Queryable, fileId: number): Promise<void> {
  // Behind the lock, all payments of the file can be seen.
  await transaction.query(`select from ach_file where id = $1::bigint for update`, [fileId])
  await transaction.query(
    `delete from ach_file where id = $1::bigint and state = 'building'
       and not exists (select from payment where ach_file_id = $1::bigint)`,
    [fileId],
  )
}

/** Payments of a file after an id. */
export function paymentsInFile(
  database: Queryable,
  { fileId, after, limit }: { fileId: number; after: number; limit: number },
): Promise<PaymentRow[]> {
  return database.query(
    `select ${paymentColumns} from payment where ach_file_id = $1::bigint and id > $2::bigint order by id limit $3`,
    [fileId, after, limit],
    'once',
  )
}

/** The company of an organisation; null if the settings have it. */
export async function findCompany(
  database: Queryable,
  organisationId: number,
): Promise<{ name: string | null; companyId: string | null }> {
  const [row] = await database.query<{ name: string | null; companyId: string | null }>(
    `select ach_company_name as name, ach_company_id as "companyId" from organisation where id = $1::bigint`,
    [organisationId],
  )
  return row ?? { name: null, companyId: null }
}

export interface BuiltFile {
  id: number
  keyOrganisationId: number
  sealedContent: Buffer
  sha256: Buffer
  entryCount: number
  debits: number
  credits: number
}

export interface BuiltBatch extends OutgoingBatch {
  paymentIds: number[]
}

const entryRows = rowSet<{ paymentId: number; organisationId: number; batchId: number }>({
  payment_id: bigint(({ paymentId }) => paymentId),
  organisation_id: bigint(({ organisationId }) => organisationId),
  batch_id: bigint(({ batchId }) => batchId),
})

/** Entries that are inserted in one statement. */
const ENTRIES = 5_000

/**
 * Stores a file that has been built. Nothing is stored if another process has stored it, or has put a payment into it that the
 * bytes lack: such a process waits for the lock of the file's row, or has committed before it was taken. The next round then writes
 * the file anew, if it is not written.
 */
export async function insertBuilt(transaction: Queryable, file: BuiltFile, batches: BuiltBatch[]): Promise<void> {
  await transaction.query(`select from ach_file where id = $1::bigint for update`, [file.id])
  const built = await transaction.query(
    `update ach_file set state = 'built', sealed_content = $2::bytea, sha256 = $3::bytea, entry_count = $4::int,
       debits = $5::bigint, credits = $6::bigint, key_organisation_id = $7::bigint
     where id = $1::bigint and state = 'building' and (select count(*) from payment where ach_file_id = $1::bigint) = $4::int
     returning 1`,
    [file.id, file.sealedContent, file.sha256, file.entryCount, file.debits, file.credits, file.keyOrganisationId],
  )
  if (built.length === 0) return
  await insertBatches(transaction, batches)
  const entries = batches.flatMap(({ id: batchId, organisationId, paymentIds }) =>
    paymentIds.map((paymentId) => ({ paymentId, organisationId, batchId })),
  )
  const insertEntries = `insert into ach_entry (${entryRows.names}) ${entryRows.select}`
  for (let at = 0; at < entries.length; at += ENTRIES) {
    await transaction.query(insertEntries, entryRows.values(entries.slice(at, at + ENTRIES)), 'once')
  }
}
