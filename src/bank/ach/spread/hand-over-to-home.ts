import { StartupError } from '../../../base/startup-error.ts'
import type { Database } from '../../../database/database.ts'
import type { Seals } from '../../../secrets/seals.ts'
import { firstOrganisation } from '../incoming/incoming.sql.ts'
import { adoptFile, firstKeptFile, releaseFile } from './hand-over-files.sql.ts'

interface Sealed {
  database: Database
  seals: Seals
}

/**
 * Hands the files of all organisations over to the first database, one after the other, when theirs is retired. `handed` hears
 * how many it has. A file is in both databases for a moment: a command that is killed there hands it over again.
 */
export async function handOverToHome(cell: Sealed, home: Sealed, handed: (files: number) => unknown): Promise<void> {
  for (let files = 1; ; files++) {
    const file = await firstKeptFile(cell.database)
    if (!file) return
    const { id, keyOrganisationId, sealedContent, row } = file
    const holder = await firstOrganisation(home.database)
    if (holder === undefined) {
      throw new StartupError('the home cell has no organisation that could hold the ACH files: create one there first')
    }
    const column = { table: 'ach_file', row: id, column: 'sealed_content' }
    const bytes = (await cell.seals.of(keyOrganisationId)).unseal(sealedContent, column)
    const sealed = (await home.seals.of(holder)).seal(bytes, column)
    await adoptFile(home.database, { row, keyOrganisationId: holder, sealedContent: sealed })
    await handed(files)
    await releaseFile(cell.database, id)
  }
}
