import { reservedBy } from '../../banking/account-holds/account-hold.ts'
import { recordBook, recordKind } from '../../ledger/kinds.ts'
import { readHolds, writeHolds } from './holds.sql.ts'
import type { LedgerHold } from './records.ts'

/** Holds that the app or the bank makes and ends. Each changes the amount that is held on its account. */
export const holds = recordKind({
  name: 'holds',
  read: (transaction, ids: number[]) => readHolds(transaction, ids),
  open: (rows: LedgerHold[], batch) =>
    recordBook('hold', rows, batch, (after, before) =>
      batch.addHold(after.accountId, reservedBy(after) - (before ? reservedBy(before) : 0)),
    ),
  write: (transaction, book) => writeHolds(transaction, book),
})
