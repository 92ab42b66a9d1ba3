import { createHash } from 'node:crypto'
import { easternOf } from '../../../rails/ach/calendar.ts'
import type { Batch } from '../../../rails/ach/file.ts'
import { readAchFile } from '../../../rails/ach/read-file.ts'
import type { IncomingAchFile } from '../../records/received-records.ts'
import type { RailBank } from '../build-file.ts'
import { entriesOf, type IncomingEntry } from '../incoming/entries.ts'
import { incomingRow } from '../incoming/take-file.ts'
import { incomingHeader, writtenBytes } from './answers.ts'

/** A file with one entry, which the sandbox makes for a request. */
export interface OneEntryFile {
  /** The row of the file. It is stored with the effects of its entry and the answer of the request. */
  row: IncomingAchFile
  entry: IncomingEntry
}

/**
 * Makes a file with one entry and reads it as the intake would. The entry's sequence number follows from the id of the
 * file, so that no two files have the same entry.
 */
export async function oneEntryFile(
  bank: RailBank,
  { organisationId, now, name }: { organisationId: number; now: string; name: string },
  batchOf: (sequence: string) => Batch,
): Promise<OneEntryFile> {
  const id = await bank.ids.next()
  const sequence = String((id % 9_999_999) + 1).padStart(7, '0')
  const header = incomingHeader(bank.routingNumber, { fileId: id, ...easternOf(now) })
  const bytes = writtenBytes({ header, batches: [batchOf(sequence)] })
  const reading = readAchFile(bytes, { sameDayLimit: Number.MAX_SAFE_INTEGER })
  const [entry] = reading.file ? entriesOf(reading.file) : []
  if (!reading.file || !entry) throw new Error('a file with one entry cannot be read')
  const taken = {
    ...{ organisationId, name: `${name}-${id}.ach`, bytes, id, state: 'applied' as const },
    hash: createHash('sha256').update(bytes).digest(),
  }
  return { row: await incomingRow(bank, taken, reading.file), entry }
}

/** The fields of a batch that are the same in every file of the sandbox. */
export const plainBatch = {
  ...{ companyData: '', companyId: '1000000000', descriptiveDate: '', originatorStatus: '1' },
  ...{ number: 1, authentication: '' },
}
