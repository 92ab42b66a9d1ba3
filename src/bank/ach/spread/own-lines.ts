import type { Database } from '../../../database/database.ts'
import type { Share } from '../../../rails/ach/shares.ts'
import type { IncomingEntry } from '../incoming/entries.ts'
import { isOwn, matchesOf } from '../incoming/matching.ts'

/** Entries that are looked up together. */
const AT_A_TIME = 1_000

/** The lines of the entries that belong to a database, by trace numbers of its share or by any. */
export async function ownLines(
  { database, routingNumber }: { database: Database; routingNumber: string },
  share: Share | 'any',
  entries: IncomingEntry[],
): Promise<Set<number>> {
  const lines = new Set<number>()
  for (let from = 0; from < entries.length; from += AT_A_TIME) {
    const portion = entries.slice(from, from + AT_A_TIME)
    const matches = await matchesOf(database, null, portion)
    for (const entry of portion) if (isOwn({ routingNumber }, share, matches, entry)) lines.add(entry.line)
  }
  return lines
}
