import { bigint, integer, rowSet, text, timestamptz } from '../../database/arrays.ts'
import type { Queryable } from '../../database/database.ts'
import { type Changed, lastVersions, type RecordBook } from '../../ledger/kinds.ts'
import {
  dated,
  entryRows,
  exceptionRows,
  fileRows,
  newReceived,
  receivedColumns,
  resolutionRows,
} from './received-columns.ts'
import type { AchException, AchResolution, IncomingAchFile, LedgerReceived, ReceivedEntry } from './received-records.ts'

/** The files, entries and exceptions that came with received payments, and how exceptions were resolved. */
export interface IncomingRows {
  files: { file: IncomingAchFile; takenAt: string }[]
  entries: ReceivedEntry[]
  exceptions: AchException[]
  resolutions: AchResolution[]
}

const changedReceived = rowSet<Changed<LedgerReceived>>({
  id: bigint(({ row }) => row.id),
  status: text(({ row }) => row.status),
  booked_at: timestamptz(({ row }) => row.bookedAt),
  return_code: text(({ row }) => row.returnCode),
  return_cutoff_at: timestamptz(({ row }) => row.returnCutoffAt),
  return_settles_at: timestamptz(({ row }) => row.returnSettlesAt),
  version: integer(({ row }) => row.version),
  expected_version: integer(({ expectedVersion }) => expectedVersion),
})

/** Under lock: one that names no account has no other, and two processes may book it or settle its return at the same time. */
const selectReceived = `
  select ${receivedColumns} from received_payment where id = any($1::bigint[]) order by id for no key update`

export async function readReceived(transaction: Queryable, ids: number[]): Promise<LedgerReceived[]> {
  return transaction.query(selectReceived, [ids])
}

const insertReceived = `
  insert into received_payment (${newReceived.names})
  select ${dated(newReceived.names)} from (${newReceived.select}) n`

const updateReceived = `
  with changed as (
    update received_payment r
    set status = n.status, booked_at = n.booked_at, return_code = n.return_code, return_cutoff_at = n.return_cutoff_at,
      return_settles_at = n.return_settles_at, version = n.version
    from (${changedReceived.select}) n
    where r.id = n.id and r.id = any($1::bigint[]) and r.version = n.expected_version
    returning 1)
  select require((select count(*) from changed) = $${changedReceived.next}::bigint,
    'a received payment changed under its lock')`

const insertFiles = `
  insert into ach_file (direction, part, ${fileRows.names})
  select 'in', 1, ${fileRows.names.replace('created_on', 'created_on::date')} from (${fileRows.select}) n`

const insertEntries = `
  insert into ach_received_entry (${entryRows.names})
  select ${dated(entryRows.names)} from (${entryRows.select}) n`

const insertExceptions = `insert into ach_exception (${exceptionRows.names}) ${exceptionRows.select}`

const resolveExceptions = `
  with resolved as (
    update ach_exception x set resolution = n.resolution, reason = n.reason, account_id = n.account_id,
      resolved_at = n.resolved_at, version = version + 1
    from (${resolutionRows.select}) n where x.id = n.id and x.resolved_at is null
    returning 1)
  select require((select count(*) from resolved) = $${resolutionRows.next}::bigint, 'an ACH exception was resolved twice')`

/** Writes the outcomes of entries of incoming ACH files. */
export async function writeReceived(
  transaction: Queryable,
  {
    inserted,
    updated,
    incoming,
  }: Pick<RecordBook<LedgerReceived>, 'inserted' | 'updated'> & { incoming: IncomingRows },
): Promise<void> {
  const { files, entries, exceptions, resolutions } = incoming
  if (files.length > 0) await transaction.query(insertFiles, fileRows.values(files))
  if (inserted.length > 0) await transaction.query(insertReceived, newReceived.values(inserted))
  if (updated.length > 0) {
    const changes = lastVersions(updated)
    await transaction.query(updateReceived, [...changedReceived.values(changes), changes.length])
  }
  if (entries.length > 0) await transaction.query(insertEntries, entryRows.values(entries))
  if (exceptions.length > 0) await transaction.query(insertExceptions, exceptionRows.values(exceptions))
  if (resolutions.length > 0)
    await transaction.query(resolveExceptions, [...resolutionRows.values(resolutions), resolutions.length])
}
