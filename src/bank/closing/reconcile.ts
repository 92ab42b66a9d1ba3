import type { Database, Queryable } from '../../database/database.ts'
import { daysAfter } from '../../rails/ach/calendar.ts'
import {
  closingLock,
  currentStatements,
  insertItems,
  insertMatches,
  lastClosed,
  openItems,
  type StatementRow,
  storeHints,
} from './closing.sql.ts'
import { itemOfMovement } from './items.ts'
import { type LedgerAtEnd, ledgerAtEnd, movementsSince } from './ledger.sql.ts'
import { matchItems } from './match-items.ts'

/** Reads the ledger of every cell, each without the organisations that another one owns. */
export type ReadLedgers = <T>(read: (database: Database, elsewhere: number[]) => Promise<T>) => Promise<T[]>

/**
 * Takes the movements of the ledger as items, and matches what can be matched. Returns the number of new matches; undefined if
 * there is no statement yet.
 */
export async function reconcile(
  database: Database,
  ledgers: ReadLedgers,
  windowDays: number,
): Promise<number | undefined> {
  const [first] = await currentStatements(database, null, null)
  if (!first) return undefined
  const closed = await lastClosed(database)
  const since = closed?.day ?? first.asOf
  const movements = (await ledgers((ledger, elsewhere) => movementsSince(ledger, since, elsewhere))).flat()
  const before = await sumAtEnd(ledgers, daysAfter(first.asOf, -1))
  return database.transaction(async (transaction) => {
    await closingLock(transaction)
    await startWith(transaction, first, settlementOf(before.balances))
    if (movements.length > 0) await insertItems(transaction, movements.map(itemOfMovement))
    const { matches, hints } = matchItems(await openItems(transaction, null), windowDays)
    if (matches.length > 0) await insertMatches(transaction, matches, null)
    await storeHints(transaction, hints)
    return matches.length
  })
}

/** The amount that the account at the bank holds beyond the ledger before the first statement: money of the program, or older differences. */
async function startWith(transaction: Queryable, first: StatementRow, ledger: number): Promise<void> {
  const opening = first.opening ?? (first.closing === null ? null : first.closing - first.net)
  if (opening === null || opening === ledger) return
  const start = {
    ...{ side: 'statement' as const, place: 0, transferId: null, day: first.asOf, amount: opening - ledger },
    ...{ hasDirection: true, byHand: false, kinds: ['other'], keys: [], groups: [] },
    description: `held at the bank before the first statement, and not in the ledger`,
  }
  await insertItems(transaction, [start], { statementId: first.id })
}

/** The ledgers of all cells together at the end of a day. */
export async function sumAtEnd(ledgers: ReadLedgers, day: string): Promise<LedgerAtEnd> {
  const found = await ledgers((ledger, elsewhere) =>
    ledger.transaction((snapshot) => ledgerAtEnd(snapshot, day, elsewhere)),
  )
  const kinds = new Map<string, number>()
  for (const { kind, balance } of found.flatMap(({ balances }) => balances))
    kinds.set(kind, (kinds.get(kind) ?? 0) + balance)
  return {
    balances: [...kinds].sort(([one], [other]) => (one < other ? -1 : 1)).map(([kind, balance]) => ({ kind, balance })),
    unbalanced: found.flatMap(({ unbalanced }) => unbalanced),
    heads: found.flatMap(({ heads }) => heads),
  }
}

/** The balance that the account at the bank has by the ledger. Its own account is the other side of that. */
export function settlementOf(balances: LedgerAtEnd['balances']): number {
  return 0 - (balances.find(({ kind }) => kind === 'ach_settlement')?.balance ?? 0)
}
