import { clock } from '../../../base/clock.ts'
import type { Database } from '../../../database/database.ts'
import type { Seals } from '../../../secrets/seals.ts'
import { findSealedBy, nextSealedBy, otherOrganisation, replaceSealed } from './hand-over-files.sql.ts'

/**
 * Seals the files of all organisations anew that are sealed with the key of one that has left, with the key of another,
 * so that they can be read when its key is deleted. Returns whether none is left: time may be up, or the database may have no other
 * organisation.
 */
export async function handOverFiles(
  { database, seals }: { database: Database; seals: Seals },
  organisationId: number,
  endsMs = Number.POSITIVE_INFINITY,
): Promise<boolean> {
  for (let after = 0; ; ) {
    const fileId = await nextSealedBy(database, organisationId, after)
    // A file that was built meanwhile may have a smaller id.
    if (fileId === undefined) return (await nextSealedBy(database, organisationId, 0)) === undefined
    const holder = await otherOrganisation(database, organisationId)
    if (holder === undefined || clock.elapsedMs() >= endsMs) return false
    const column = { table: 'ach_file', row: fileId, column: 'sealed_content' }
    const sealed = await findSealedBy(database, organisationId, fileId)
    const bytes = sealed && (await seals.of(organisationId)).unseal(sealed, column)
    const sealedContent = bytes ? (await seals.of(holder)).seal(bytes, column) : null
    await replaceSealed(database, { fileId, from: organisationId, to: holder, sealedContent })
    after = fileId
  }
}
