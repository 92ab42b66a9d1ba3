import { fingerprintOf } from '../../cells/move/copies.ts'
import type { Queryable } from '../../database/database.ts'
import { readSums } from './export.sql.ts'
import type { ArchiveFigures } from './format.ts'

/** The figures of an organisation, as a transaction sees it. */
export async function figuresOf(transaction: Queryable, id: number): Promise<ArchiveFigures> {
  return { ...(await fingerprintOf(transaction, id)), ...(await readSums(transaction, id)) }
}
