import type { PaymentBlock } from '../banking/accounts/payment-block.ts'
import type { RowSet } from '../database/arrays.ts'
import type { Queryable } from '../database/database.ts'
import type { Lock, Locking } from './attempts.ts'
import type { UndoLog } from './books/undo-log.ts'
import type { LedgerAccount } from './records.ts'

/** A kind of record that commands of the lane lock, read, change and write together with the ledger. */
export interface RecordKind<Id, Row, Book> {
  name: string
  /**
   * Whether it is read right after the accounts. Its first statement is sent without waiting for them, so that it does not know them
   * nor bank time.
   */
  early?: boolean
  /** The names of the locks that a read of an id takes, if another transaction may hold them for long. */
  locks?(id: Id): Lock[]
  /** Locks and reads the records that the commands of a batch name. Absent for a kind that is only written. */
  read?(transaction: Queryable, ids: Id[], batch: ReadBatch): Promise<Row[]>
  /** The records that were read, as decisions read and change them. */
  open(rows: Row[], batch: OpenBatch): Book
  /** Writes the changes of a batch. Absent for a kind that is only read. */
  write?(transaction: Queryable, book: Book, slot: number): Promise<void>
  /** One statement after the one that writes accounts, which finds them by their places: an update of a row moves it. */
  writeBehind?(transaction: Queryable, book: Book): Promise<void> | undefined
  /** New records that are inserted by the statement that writes transfers. */
  joined?: {
    table: string
    /** The new records as rows, in the parameters from `first` on. */
    rows(first: number): RowSet<Row>
    of(book: Book): Row[]
  }
  /** Names the records that a command reads. */
  ids(ids: Id[]): Reads
}

export type AnyKind = RecordKind<unknown, unknown, unknown>

/** Records that a command reads. */
export interface Reads {
  kind: AnyKind
  ids: unknown[]
}

/** The batch that a kind is read for. */
export interface ReadBatch {
  locking: Locking
  /** The slot of the connection. */
  slot: number
  /** Whether records of which a connection has a share are all locked. */
  exact: boolean
  /** Gets the locks that another transaction holds, if `locking` says to leave them out. */
  held: Set<Lock>
  accounts: LedgerAccount[]
  /** Bank time of each organisation. */
  times: Map<number, string>
  /** The limits of organisations that have some, as they are stored. */
  limits: Map<number, unknown>
  /** The rows of a kind that comes before this one. */
  of<Id, Row, Book>(kind: RecordKind<Id, Row, Book>): Row[]
  /** Names further records, of a kind that comes after this one. */
  add(reads: Reads): void
}

/** The batch that the records of a kind are opened in. */
export interface OpenBatch {
  undo: UndoLog
  now(organisationId: number): string
  /** The organisation of the command that is decided. */
  organisation(): number
  limits: Map<number, unknown>
  /** Changes the amount that is held on a locked account. */
  addHold(accountId: number, amount: number): void
  /** Blocks the outgoing payments of a locked account. */
  block(accountId: number, block: PaymentBlock): void
  account(id: number): LedgerAccount | undefined
  of<Id, Row, Book>(kind: RecordKind<Id, Row, Book>): Book
}

export function recordKind<Id, Row, Book>(
  definition: Omit<RecordKind<Id, Row, Book>, 'ids'>,
): RecordKind<Id, Row, Book> {
  const kind: RecordKind<Id, Row, Book> = { ...definition, ids: (ids) => ({ kind: kind as AnyKind, ids }) }
  return kind
}

/** Records with versions, which decisions insert and replace. */
export interface RecordBook<Row> {
  get(id: number): Row | undefined
  all(): Iterable<Row>
  insert(row: Row): void
  /** Replaces a record that was read by its next version, and returns it. */
  update(row: Row): Row
  inserted: Row[]
  updated: Row[]
}

/** Opens records with versions. `changing` is called before each change, and may refuse it. */
export function recordBook<Row extends { id: number; version: number }>(
  name: string,
  rows: Row[],
  { undo }: Pick<OpenBatch, 'undo'>,
  changing?: (after: Row, before: Row | undefined) => void,
): RecordBook<Row> {
  const records = byId(rows)
  const inserted: Row[] = []
  const updated: Row[] = []
  return {
    get: (id) => records.get(id),
    all: () => records.values(),
    inserted,
    updated,
    insert(row) {
      changing?.(row, undefined)
      records.set(row.id, row)
      inserted.push(row)
      undo.push(() => {
        records.delete(row.id)
        inserted.pop()
      })
    },
    update(row) {
      const before = records.get(row.id)
      if (!before) throw new Error(`${name} ${row.id} was not read under lock`)
      const changed = { ...row, version: before.version + 1 }
      changing?.(changed, before)
      undo.replace(records, changed, before)
      undo.append(updated, changed)
      return changed
    },
  }
}

/** A record in its last version, and the version that it was read with. */
export interface Changed<Row> {
  row: Row
  expectedVersion: number
}

/** The last versions of records that a batch may have changed several times. */
export function lastVersions<Row extends { id: number; version: number }>(updated: Row[]): Changed<Row>[] {
  const changes = new Map<number, Changed<Row>>()
  for (const row of updated) {
    const expectedVersion = changes.get(row.id)?.expectedVersion ?? row.version - 1
    changes.set(row.id, { row, expectedVersion })
  }
  return [...changes.values()]
}

export function byId<Row extends { id: number }>(rows: Row[]): Map<number, Row> {
  return new Map(rows.map((row) => [row.id, row]))
}
