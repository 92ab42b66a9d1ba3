import type { RailBank } from '../build-file.ts'
import { applyEntries } from '../incoming/apply-entries.ts'
import { type IncomingEntry, totalsOf } from '../incoming/entries.ts'
import {
  appliedLines,
  countExceptions,
  findTaken,
  firstOrganisation,
  intakeLock,
  linesOf,
  markApplied,
} from '../incoming/incoming.sql.ts'
import { storeFile } from '../incoming/take-file.ts'
import { requireOpenRail } from '../witness/witness.ts'
import { ownLines } from './own-lines.ts'
import { ownShare } from './own-share.ts'
import type { CheckedFile, ShareIntake, TakenShare } from './spread.ts'

/** A database's part in the intake of files, which the first database leads. */
export function shareIntakeOf(bank: RailBank): ShareIntake {
  const { database } = bank
  return {
    requireOpenRail: () => requireOpenRail(bank),
    take: async (file, entries) => takeShare(bank, file, entries, await ownShare(database, null)),
    own: (entries) => ownLines(bank, 'any', entries),
    takeMoved: (file, entries) => takeShare(bank, file, entries, 'any'),
    finish: async (hash, entries) => {
      const file = await findTaken(database, null, { sha256: hash })
      if (!file) return
      const lines = await linesOf(database, file.id)
      await markApplied(database, file.id, totalsOf(entries.filter(({ line }) => lines.has(line))))
    },
  }
}

/** Takes the entries of a file that are the database's. A file without such entries is not stored in the database. */
async function takeShare(
  bank: RailBank,
  file: CheckedFile,
  entries: IncomingEntry[],
  share: Parameters<typeof ownLines>[1],
): Promise<TakenShare> {
  const { database } = bank
  const { hash } = file
  const done = await appliedLines(database, null, hash)
  const open = entries.filter(({ line }) => !done.has(line))
  const own = await ownLines(bank, share, open)
  if (own.size === 0) {
    const known = await findTaken(database, null, { sha256: hash })
    return { lines: done, exceptions: known ? await countExceptions(database, known.id) : 0 }
  }
  const organisationId = await firstOrganisation(database)
  if (organisationId === undefined) throw new Error('the cell has no organisation')
  return database.transaction(async (transaction) => {
    // Several processes may lead at a time if the first database lost the connection that held its lock.
    await intakeLock(transaction, organisationId)
    const fileId = (await findTaken(database, null, { sha256: hash }))?.id ?? (await stored(bank, file, organisationId))
    const before = await appliedLines(database, null, hash)
    const { exceptions } = await applyEntries(
      { ...bank, organisationId, fileId, hash, share },
      open.filter(({ line }) => own.has(line) && !before.has(line)),
    )
    return { lines: await appliedLines(database, null, hash), exceptions }
  })
}

async function stored(
  bank: RailBank,
  { name, bytes, hash, content }: CheckedFile,
  organisationId: number,
): Promise<number> {
  return storeFile(bank, { organisationId, name, bytes }, hash, content)
}
