import type { Queryable } from '../../../database/database.ts'
import { type Share, shareOf, wholeShare } from '../../../rails/ach/shares.ts'
import { numberAmongDatabases } from './databases.sql.ts'

/** The share of a database in the modifiers and trace numbers of the bank. In a sandbox each organisation has all of them. */
export async function ownShare(database: Queryable, organisationId: number | null): Promise<Share> {
  const number = organisationId === null ? await numberAmongDatabases(database) : undefined
  if (number === undefined) return wholeShare
  const share = shareOf(number)
  // A start refuses such a database.
  if (!share) throw new Error(`the cell with the range ${number} has no file id modifiers`)
  return share
}
