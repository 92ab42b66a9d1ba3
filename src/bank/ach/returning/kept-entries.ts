import type { Database } from '../../../database/database.ts'
import type { Batch, Entry } from '../../../rails/ach/file.ts'
import { readAchFile } from '../../../rails/ach/read-file.ts'
import type { Seal } from '../../../secrets/seal.ts'
import type { Seals } from '../../../secrets/seals.ts'
import { entriesOf, type IncomingEntry } from '../incoming/entries.ts'
import { keepSealed, linesToKeep, nextFileToKeep } from './kept-entries.sql.ts'
import { filesOf, type StoredFile } from './return-files.sql.ts'

/** The members of a received entry that its return repeats. */
export type KeptEntry = Pick<
  Entry,
  | 'code'
  | 'routingNumber'
  | 'accountNumber'
  | 'amount'
  | 'identification'
  | 'name'
  | 'discretionary'
  | 'traceNumber'
  | 'addenda'
> & { batch: Pick<Batch, 'companyName' | 'companyId' | 'companyData' | 'secCode' | 'description' | 'bank'> }

/** The entries of an incoming file by their lines. */
export function receivedIn(seal: Seal, { id, sealedContent }: StoredFile): Map<number, IncomingEntry> {
  const bytes = seal.unseal(sealedContent, { table: 'ach_file', row: id, column: 'sealed_content' })
  const { trusted } = readAchFile(bytes, { sameDayLimit: Number.MAX_SAFE_INTEGER })
  return new Map((trusted ? entriesOf(trusted) : []).map((entry) => [entry.line, entry]))
}

/** The entry of a received payment that a move has kept. */
export function openEntry(seal: Seal, { id, sealedEntry }: { id: number; sealedEntry: Buffer }): KeptEntry {
  return JSON.parse(seal.unseal(sealedEntry, placeOf(id)).toString())
}

/**
 * Keeps the entries of an organisation's received payments with them, so that they can be returned from a database that lacks the
 * files. `kept` hears how many files are read.
 */
export async function keepEntries(
  { database, seals }: { database: Database; seals: Seals },
  organisationId: number,
  kept: (files: number) => void,
): Promise<void> {
  const own = await seals.of(organisationId)
  for (let after = 0, files = 0; ; ) {
    const fileId = await nextFileToKeep(database, organisationId, after)
    if (fileId === undefined) return
    const [file] = await filesOf(database, [fileId])
    if (!file) throw new Error(`ACH file ${fileId} has no content`)
    const entries = receivedIn(await seals.of(file.keyOrganisationId), file)
    const lacking = await linesToKeep(database, organisationId, fileId)
    await keepSealed(
      database,
      lacking.map(({ id, line }) => {
        const entry = entries.get(line)
        if (!entry) throw new Error(`received payment ${id} is not in file ${fileId}`)
        return { id, sealedEntry: own.seal(Buffer.from(JSON.stringify(keptOf(entry))), placeOf(id)) }
      }),
    )
    after = fileId
    kept(++files)
  }
}

/** Whether an organisation has received payments whose entries are still to be kept. */
export async function lacksEntries(database: Database, organisationId: number): Promise<boolean> {
  return (await nextFileToKeep(database, organisationId, 0)) !== undefined
}

function keptOf({ batch, ...entry }: KeptEntry): KeptEntry {
  const { code, routingNumber, accountNumber, amount, identification, name, discretionary, traceNumber, addenda } =
    entry
  const { companyName, companyId, companyData, secCode, description, bank } = batch
  return {
    ...{ code, routingNumber, accountNumber, amount, identification, name, discretionary, traceNumber, addenda },
    batch: { companyName, companyId, companyData, secCode, description, bank },
  }
}

function placeOf(id: number) {
  return { table: 'received_payment', row: id, column: 'sealed_entry' }
}
