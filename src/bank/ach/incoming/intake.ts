import type { ConcurrencyLimit } from '../../../base/concurrency-limit.ts'
import { emptyAnswer, type Write } from '../../../base/operation.ts'
import { sha256 } from '../../../base/sha256.ts'
import type { Books } from '../../../ledger/books.ts'
import type { Reads } from '../../../ledger/kinds.ts'
import type { InternalKind } from '../../../ledger/records.ts'
import type { Share } from '../../../rails/ach/shares.ts'
import type { ReceivedEntry } from '../../records/received-records.ts'
import type { RailBank } from '../build-file.ts'
import type { IncomingEntry } from './entries.ts'

/** The bank, and the file whose entries are applied. */
export interface IntakeBank extends RailBank {
  /** The organisation of the file. Entries that match nothing are its own. */
  organisationId: number
  fileId: number
  /** SHA-256 of the file. */
  hash: Buffer
  /**
   * The trace numbers of a database that takes only its own entries. Absent if all entries that are given are taken.
   */
  share?: Share | 'any'
  /** Lets organisations apply portions of their files in turns. Absent if the caller waits for this file alone. */
  turn?: ConcurrencyLimit
}

/** The decision about an entry, and the records that it needs. A command decides several. */
export interface EntryOrder {
  organisationId: number
  accountIds: number[]
  internal: InternalKind[]
  paymentIds?: number[]
  /** Further records that it reads. */
  reads?: Reads[]
  /** `again` if the command has to come again, with what another one of its batch has written. */
  decide(books: Books): 'again' | undefined
}

/** The write of one entry. Its key is a hash of the file and the line, so that a repeated intake has one effect. */
export function entryWrite(
  { hash }: Pick<IntakeBank, 'hash'>,
  organisationId: number,
  { line }: Pick<IncomingEntry, 'line'>,
): Write<null> {
  return {
    caller: { organisationId, keyId: 0 },
    requestId: null,
    key: {
      text: null,
      hash: sha256(`ach file ${hash.toString('hex')} line ${line}`),
      fingerprint: Buffer.alloc(32),
      fromCaller: true,
    },
    render: () => emptyAnswer,
  }
}

type Outcome = Pick<ReceivedEntry, 'organisationId' | 'outcome'> &
  Partial<Pick<ReceivedEntry, 'paymentId' | 'receivedPaymentId' | 'exceptionId'>>

export function entryRow(
  { fileId }: Pick<IntakeBank, 'fileId'>,
  { line, kind, code, amount, traceNumber, settlesOn }: IncomingEntry,
  outcome: Outcome,
): ReceivedEntry {
  const { organisationId, outcome: word, paymentId = null, receivedPaymentId = null, exceptionId = null } = outcome
  const entry = { fileId, line, kind, code, amount, traceNumber, settlesOn }
  return { ...entry, organisationId, outcome: word, paymentId, receivedPaymentId, exceptionId }
}
