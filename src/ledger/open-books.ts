import type { EventDraft } from '../events/event.ts'
import { accountBooks } from './books/account-books.ts'
import { openUndoLog } from './books/undo-log.ts'
import type { Books, BooksState, Rows } from './books.ts'
import type { AnyKind, OpenBatch, RecordKind } from './kinds.ts'
import type { InternalKind } from './records.ts'

/** The books of one batch. `undo` takes back the changes of a command, `keep` makes them stay. */
export interface OpenBooks {
  books: Books
  rows: Rows
  /** The records of other kinds that decisions have used. */
  records: Map<AnyKind, unknown>
  /** The events of the current command. */
  emitted: EventDraft[]
  /** Starts the next command, which is the organisation's. */
  begin(organisationId: number): void
  keep(): void
  undo(): void
  /** The kind of internal account that the current command took past the largest exact balance. */
  fullInternal(): InternalKind | undefined
  changedAccounts(): Rows['accounts']
}

export function openBooks(state: BooksState): OpenBooks {
  const undo = openUndoLog()
  const rows: Rows = { transfers: [], accounts: [], answers: [], events: [] }
  const emitted: EventDraft[] = []
  const times = postingTimes(state)
  const accounts = accountBooks(state, rows, undo, now)
  const { account, internal, transfer, addHold, block, organisation } = accounts
  const records = new Map<AnyKind, unknown>()
  const batch: OpenBatch = { undo, now, organisation, limits: state.limits, addHold, block, account, of }

  function now(organisationId: number): string {
    const time = times.get(organisationId)
    if (time === undefined) throw new Error(`no time was read for organisation ${organisationId}`)
    return time
  }

  function of<Id, Row, Book>(kind: RecordKind<Id, Row, Book>): Book {
    const known = records.get(kind as AnyKind)
    if (known !== undefined) return known as Book
    const opened = kind.open((state.records.get(kind as AnyKind) ?? []) as Row[], batch)
    records.set(kind as AnyKind, opened)
    return opened
  }

  return {
    books: { now, account, internal, transfer, of, events: emitted },
    rows,
    records,
    emitted,
    begin: accounts.begin,
    keep: undo.clear,
    undo: () => {
      emitted.length = 0
      undo.run()
    },
    fullInternal: accounts.full,
    changedAccounts: accounts.changed,
  }
}

/** Bank time, but never before the last posting of a locked account: along an account's transfers time does not fall. */
function postingTimes({ accounts, times }: BooksState): Map<number, string> {
  const latest = new Map(times)
  for (const { organisationId, postedAt } of accounts) {
    const time = latest.get(organisationId)
    if (postedAt !== null && time !== undefined && postedAt > time) latest.set(organisationId, postedAt)
  }
  return latest
}
