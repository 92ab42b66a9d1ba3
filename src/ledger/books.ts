import type { Answer, Write } from '../base/operation.ts'
import type { EventSink } from '../events/event.ts'
import type { NewEvent } from '../events/record.ts'
import type { Lock } from './attempts.ts'
import type { AnyKind, Reads, RecordKind } from './kinds.ts'
import type { InternalKind, LedgerAccount, Transfer, TransferOrder } from './records.ts'

/** The rows that a batch has locked and read. */
export interface BooksState {
  accounts: LedgerAccount[]
  /** The internal accounts among them. */
  internals: Internals
  /** Bank time of each organisation, read after the locks were taken. */
  times: Map<number, string>
  /** The limits of organisations that have some, as they are stored. */
  limits: Map<number, unknown>
  /** The records of other kinds. */
  records: Map<AnyKind, unknown[]>
}

/** The ids of the internal accounts that a batch posts to, by organisation and kind. */
export type Internals = Map<number, Partial<Record<InternalKind, number>>>

/** The rows that a decision can read and change. A decision refuses by throwing a Problem; its changes are then undone. */
export interface Books {
  now(organisationId: number): string
  account(id: number): LedgerAccount | undefined
  /** The internal account of this kind of the caller's organisation. The command must list the kind in `internal`. */
  internal(kind: InternalKind): LedgerAccount
  transfer(order: TransferOrder): Transfer
  /** The records of a kind. The command must name those that were to be read, in `reads`. */
  of<Id, Row, Book>(kind: RecordKind<Id, Row, Book>): Book
  /** The events of the command. */
  events: EventSink
}

/** The commands of one request that are decided in their order on each account, such as the payments of a batch. */
export type Group = symbol

/** A change to money: the rows to lock and read, and the pure decision over them. */
export interface Command<Data = unknown, Lack = unknown> {
  write: Write<Data>
  group?: Group | undefined
  /** Characters of its texts that may be long, such as tags. A batch takes fewer commands that have many. */
  characters?: number
  accountIds: number[]
  /** The kinds of internal accounts that it posts to. */
  internal?: InternalKind[]
  /** The records of other kinds that it reads. */
  reads?: Reads[]
  decide(books: Books): Data | Needs<Lack>
  /** Makes the next attempt of a command whose decision answered `needs`. */
  supply?(lack: Lack): Promise<Command<Data, Lack>>
}

/** The answer of a decision that lacks locks or ids: the lane runs the command again with them. */
export class Needs<Lack> {
  readonly lack: Lack
  constructor(lack: Lack) {
    this.lack = lack
  }
}

export function needs<Lack>(lack: Lack): Needs<Lack> {
  return new Needs(lack)
}

/** Thrown by a decision whose share of a record is too small: the command is decided again with all shares under lock. */
export class ShortShare extends Error {}

export type Outcome =
  | { answer: Answer }
  | { refused: unknown }
  | { lack: unknown }
  /** The share of a record is too small: the batch locks all shares. */
  | { short: true }
  /** An internal account of this kind has no room for the command's transfers: the batch opens another. */
  | { full: InternalKind }
  /** Nothing was done: another transaction holds these locks. */
  | { held: Lock[] }
  /** Nothing was done: an earlier command of the group on the same accounts is not decided yet. */
  | { behind: true }

/** The rows of the ledger that a batch writes. */
export interface Rows {
  transfers: Transfer[]
  /** Accounts in their last state, with the sequence number that they were read with. */
  accounts: { account: LedgerAccount; expectedSeq: number }[]
  answers: {
    write: Write<never>
    answer: Answer
    /** The payment that the answer shows; it is stored in place of the body. */
    paymentId: number | null
    /** The status that it shows if that is not the first one. */
    paymentStatus: 'Pending' | 'PendingReview' | 'Sent' | 'Rejected' | 'Canceled' | 'Returned' | null
    /** Its version, if it may have had that status before. */
    paymentVersion: number | null
  }[]
  events: NewEvent[]
}

/** The outcome of each command, and all that they change. */
export interface Decided {
  outcomes: Outcome[]
  rows: Rows
  /** The records of other kinds that decisions have used. */
  records: Map<AnyKind, unknown>
}
