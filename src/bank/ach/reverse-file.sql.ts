import type { Queryable } from '../../database/database.ts'

/** The batches of payments of a file that were not rejected: all, or that of a number. */
export function batchesToReverse(
  database: Queryable,
  fileId: number,
  batch: number | null,
): Promise<{ id: number; organisationId: number }[]> {
  return database.query(
    `select id, organisation_id as "organisationId" from ach_batch
     where file_id = $1::bigint and ($2::int is null or number = $2) and return_side is null and debits <> credits
       and rejected_at is null and organisation_id not in (select id from organisation where ended_at is not null)
     order by number`,
    [fileId, batch],
    'once',
  )
}
