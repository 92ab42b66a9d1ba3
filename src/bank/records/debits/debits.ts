import type { Mandate, Permissions } from '../../../banking/external-accounts/external-account.ts'
import { byId, recordKind } from '../../../ledger/kinds.ts'
import type { LedgerPayee } from '../records.ts'
import {
  type DebitReturn,
  type DebitRow,
  readSources,
  readUsedByDebits,
  type UsedByDebits,
  writeDebits,
} from './debits.sql.ts'

/** An external account that money is collected from. `known` says whether a debit of it was sent or approved before. */
export interface DebitSource extends LedgerPayee {
  permissions: Permissions
  mandate: Mandate | null
}

/** The external accounts that money is collected from, read after the accounts: a revocation takes their locks. */
export const debitSources = recordKind({
  name: 'sources of debits',
  read: (transaction, ids: number[]) => readSources(transaction, ids),
  open: (rows: DebitSource[]) => byId(rows),
})

interface UsageBook {
  /** The amounts and the number of debits of an account so far. */
  of(accountId: number): UsedByDebits
  /** Counts a new debit. */
  add(accountId: number, amount: number, isEarly: boolean): void
}

/** The parts of their limits that the debits of accounts have used. Named by accounts. */
export const debitUsage = recordKind({
  name: 'usage of debits',
  read: (transaction, ids: number[], { times }) => readUsedByDebits(transaction, ids, times),
  open(rows: UsedByDebits[], { undo }): UsageBook {
    const used = byId(rows)
    const of = (accountId: number) => used.get(accountId) ?? { id: accountId, day: 0, month: 0, dayCount: 0, early: 0 }
    return {
      of,
      add(accountId, amount, isEarly) {
        const before = of(accountId)
        const { id, day, month, dayCount, early } = before
        const after = { id, day: day + amount, month: month + amount, dayCount: dayCount + 1 }
        undo.replace(used, { ...after, early: early + (isEarly ? amount : 0) }, before)
      },
    }
  },
})

interface DebitBook {
  insert(debit: DebitRow): void
  /** Notes that there is nothing left to credit. */
  finish(id: number): void
  /** Notes when another bank returned it. */
  noteReturn(returned: DebitReturn): void
  /** Notes that it is not presented again by itself any more. */
  dropRetry(id: number): void
  inserted: DebitRow[]
  finished: number[]
  returned: DebitReturn[]
  notRetried: number[]
}

/** The terms of payments that collect money, which other payments lack. */
export const debits = recordKind({
  name: 'debits',
  open(_rows: never[], { undo }): DebitBook {
    const inserted: DebitRow[] = []
    const finished: number[] = []
    const returned: DebitReturn[] = []
    const notRetried: number[] = []
    return {
      insert: (debit) => undo.append(inserted, debit),
      finish: (id) => undo.append(finished, id),
      noteReturn: (debit) => undo.append(returned, debit),
      dropRetry: (id) => undo.append(notRetried, id),
      inserted,
      finished,
      returned,
      notRetried,
    }
  },
  write: (transaction, book) => writeDebits(transaction, book),
})
