import type { EventDraft } from '../events/event.ts'
import { accountBooks } from './books/account-books.ts'
import { authorizationBooks } from './books/authorization-books.ts'
import { byId } from './books/by-id.ts'
import { paymentBooks, receivedBooks } from './books/payment-books.ts'
import { purchaseBooks } from './books/purchase-books.ts'
import { openUndoLog } from './books/undo-log.ts'
import type { Books, BooksState, Rows } from './books.ts'
import { holdBooks } from './holds/hold-books.ts'
import { organisationBooks, usageBooks } from './limits/usage-books.ts'
import type { InternalKind } from './records.ts'

/** The books of one batch. `undo` takes back the changes of a command, `keep` makes them stay. */
export interface OpenBooks {
  books: Books
  rows: Rows
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

export function openBooks(state: BooksState, rows: Rows): OpenBooks {
  const undo = openUndoLog()
  const emitted: EventDraft[] = []
  const times = postingTimes(state)
  const accounts = accountBooks(state, rows, undo, now)

  function now(organisationId: number): string {
    const time = times.get(organisationId)
    if (time === undefined) throw new Error(`no time was read for organisation ${organisationId}`)
    return time
  }

  const { account, internal, transfer } = accounts
  const books: Books = {
    now,
    account,
    internal,
    transfer,
    ...referenceBooks(state),
    ...paymentBooks(state, rows, undo),
    insertReview: (review) => undo.append(rows.reviews, review),
    knowPayee: (id) => undo.append(rows.knownPayees, id),
    decideReview: (decided) => undo.append(rows.reviewSteps, decided),
    insertStop: (stopped) => undo.append(rows.reviewSteps, stopped),
    keepWaiting: (waiting) => undo.append(rows.keptWaiting, waiting),
    isBuilding: (achFileId) => state.buildingFiles.has(achFileId),
    settleBatch: (id) => {
      if (!state.unsettledBatches.delete(id)) return false
      undo.push(() => state.unsettledBatches.add(id))
      undo.append(rows.settledBatches, { id, at: now(accounts.organisation()) })
      return true
    },
    insertIncomingFile: (file) => undo.append(rows.incomingFiles, { file, takenAt: now(accounts.organisation()) }),
    ...receivedBooks(state, rows, undo),
    ...authorizationBooks(state, rows, undo, accounts.addHold),
    ...holdBooks(state, rows, undo, accounts.addHold),
    ...purchaseBooks(state, rows, undo),
    ...usageBooks(state, rows, undo, (id) => account(id)?.organisationId ?? 0),
    ...organisationBooks(state, rows, undo, accounts.organisation),
    events: emitted,
  }
  return {
    books,
    rows,
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

/** Rows that decisions read and the lane does not write. */
function referenceBooks(state: BooksState): Pick<Books, 'payee' | 'card' | 'link'> {
  const payees = byId(state.payees)
  const cards = byId(state.cards)
  const links = byId(state.links)
  return { payee: (id) => payees.get(id), card: (id) => cards.get(id), link: (id) => links.get(id) }
}
