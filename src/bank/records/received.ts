import { type RecordBook, recordBook, recordKind } from '../../ledger/kinds.ts'
import { type IncomingRows, readReceived, writeReceived } from './received.sql.ts'
import type { AchException, AchResolution, IncomingAchFile, LedgerReceived, ReceivedEntry } from './received-records.ts'

interface ReceivedBook extends RecordBook<LedgerReceived> {
  /** Adds an incoming ACH file whose entries are applied by the same command. */
  insertFile(file: IncomingAchFile): void
  /** Notes the outcome of an entry of an incoming ACH file. */
  insertEntry(entry: ReceivedEntry): void
  insertException(exception: AchException): void
  /** Notes how an exception was resolved. Fails the batch if it was resolved before. */
  resolveException(resolution: AchResolution): void
  incoming: IncomingRows
}

/** Received payments, and the files, entries and exceptions that they came with. */
export const receivedPayments = recordKind({
  name: 'received payments',
  read: (transaction, ids: number[]) => readReceived(transaction, ids),
  open(rows: LedgerReceived[], batch): ReceivedBook {
    const { undo, now, organisation } = batch
    const incoming: IncomingRows = { files: [], entries: [], exceptions: [], resolutions: [] }
    return {
      ...recordBook('received payment', rows, batch),
      insertFile: (file) => undo.append(incoming.files, { file, takenAt: now(organisation()) }),
      insertEntry: (entry) => undo.append(incoming.entries, entry),
      insertException: (exception) => undo.append(incoming.exceptions, exception),
      resolveException: (resolution) => undo.append(incoming.resolutions, resolution),
      incoming,
    }
  },
  write: (transaction, book) => writeReceived(transaction, book),
})
