import { sha256 } from '../../base/sha256.ts'
import { StartupError } from '../../base/startup-error.ts'
import type { Database, Queryable } from '../../database/database.ts'
import type { Command } from '../../ledger/books.ts'
import type { InternalKind } from '../../ledger/records.ts'
import { firstOrganisation, isOrganisation } from '../ach/incoming/incoming.sql.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import { bankWrite } from '../parts/bank-write.ts'
import {
  closingLock,
  endMatch,
  type ItemRow,
  insertItems,
  insertMatches,
  lockItems,
  markSplit,
  noteItem,
  setDirection,
} from './closing.sql.ts'

/** The accounts that a person can book an item to. */
export const bookingAccounts = {
  fees: 'bank_fees',
  funding: 'bank_funding',
  suspense: 'bank_suspense',
  'write-off': 'ach_write_off',
} as const satisfies Record<string, InternalKind>
export type BookingAccount = keyof typeof bookingAccounts

/** A person and the reason of a decision. */
export interface Said {
  person: string
  reason: string
}

export interface Booking extends Said {
  to: BookingAccount
  /** The organisation whose accounts it is booked to; the first one if it is not given. */
  organisationId?: number | undefined
}

/** Matches items by hand. Both sides must have the same sum. */
export async function matchByHand(database: Database, ids: number[], { person, reason }: Said): Promise<void> {
  await changing(database, async (transaction) => {
    const items = await requireOpen(transaction, ids)
    const sums = { statement: 0, ledger: 0 }
    for (const { side, amount } of items) sums[side] += amount
    if (items.length < 2) throw new StartupError('name two items at least')
    if (sums.statement !== sums.ledger) {
      const difference = sums.statement - sums.ledger
      throw new StartupError(
        `the items differ by ${difference} cents: lines ${sums.statement}, movements ${sums.ledger}`,
      )
    }
    await insertMatches(transaction, [{ items, reason }], person)
  })
}

/** Ends the match of an item. Its items are open again, and no rule matches them. */
export async function endMatchOf(database: Database, id: number, { person, reason }: Said): Promise<void> {
  await changing(database, async (transaction) => {
    const [item] = await lockItems(transaction, [id])
    if (!item || item.matchId === null) throw new StartupError(`item ${id} is in no match`)
    await endMatch(transaction, item.matchId, `${person}: ${reason}`, true)
  })
}

/** Splits an item into parts, which are matched each by itself. */
export async function splitItem(
  database: Database,
  id: number,
  amounts: number[],
  { person, reason }: Said,
): Promise<void> {
  await changing(database, async (transaction) => {
    const [item] = await requireOpen(transaction, [id])
    if (!item) return
    const sum = amounts.reduce((total, amount) => total + amount, 0)
    if (amounts.length < 2 || amounts.some((amount) => !Number.isSafeInteger(amount) || amount === 0)) {
      throw new StartupError('name two parts at least, in whole cents with the sign of the item')
    }
    if (sum !== item.amount) throw new StartupError(`the parts make ${sum} cents, and item ${id} has ${item.amount}`)
    const parts = amounts.map((amount) => ({
      ...item,
      amount,
      groups: [],
      description: `part of ${id}: ${item.description}`,
    }))
    await insertItems(transaction, parts, { statementId: item.statementId, parentId: id })
    await markSplit(transaction, id, `${person}: ${reason}`)
  })
}

/** Answers for an item that stays open: it is listed in the certificates of days until it is matched. */
export async function noteOn(database: Database, id: number, owner: string, note: string): Promise<void> {
  await changing(database, async (transaction) => {
    await requireOpen(transaction, [id], { withoutDirection: true })
    await noteItem(transaction, id, owner, note)
  })
}

/** Says which way the money of a line went. */
export async function directItem(
  database: Database,
  id: number,
  direction: 'credit' | 'debit',
  { person, reason }: Said,
): Promise<void> {
  await changing(database, async (transaction) => {
    const [item] = await requireOpen(transaction, [id], { withoutDirection: true })
    if (!item || item.hasDirection) throw new StartupError(`item ${id} has a direction`)
    await setDirection(transaction, id, direction === 'credit' ? item.amount : -item.amount)
    await noteItem(transaction, id, person, `${direction}: ${reason}`)
  })
}

/**
 * Books an item that the ledger does not know, or takes back a movement that the bank does not know. The movement goes through the
 * lane, is of today, and is matched with the item. It is made once, however often it is asked for.
 */
export async function bookItem(
  bank: BankParts,
  id: number,
  { to, organisationId, person, reason }: Booking,
): Promise<void> {
  const { database, runOnce, lane, ids } = bank
  const [item] = await database.transaction((transaction) => requireOpen(transaction, [id]))
  const owner = organisationId ?? (await firstOrganisation(database))
  if (!item || owner === undefined || !(await isOrganisation(database, owner))) {
    throw new StartupError('there is no such organisation in the home cell')
  }
  const amount = item.side === 'statement' ? item.amount : -item.amount
  const transferId = await ids.nextPair()
  const plain = bankWrite(owner)
  const write = { ...plain, key: { ...plain.key, hash: sha256(`settlement item ${id}`), fromCaller: true } }
  const kind = bookingAccounts[to]
  const command: Command<void> = {
    write,
    accountIds: [],
    internal: ['ach_settlement', kind],
    decide: (books) => {
      const [settlement, other] = [books.internal('ach_settlement').id, books.internal(kind).id]
      const [debitAccountId, creditAccountId] = amount > 0 ? [settlement, other] : [other, settlement]
      books.transfer({
        ...{
          id: transferId,
          debitAccountId,
          creditAccountId,
          amount: Math.abs(amount),
          sourceKind: 'statement_booking',
        },
        ...{ sourceId: id, party: null, description: `${person}: ${reason}`.slice(0, 500) },
      })
    },
  }
  const { replayed } = await runOnce.attempt(write, () => lane.run(command))
  if (replayed) throw new StartupError(`item ${id} was booked before`)
}

function changing<T>(database: Database, work: (transaction: Queryable) => Promise<T>): Promise<T> {
  return database.transaction(async (transaction) => {
    await closingLock(transaction)
    return work(transaction)
  })
}

/** The items of these ids, which must all be open. */
async function requireOpen(
  transaction: Queryable,
  ids: number[],
  { withoutDirection = false } = {},
): Promise<ItemRow[]> {
  const items = await lockItems(transaction, [...new Set(ids)])
  for (const id of ids) {
    const item = items.find((each) => each.id === id)
    if (!item) throw new StartupError(`there is no open item ${id}: \`purser settlement items\` lists them`)
    if (item.matchId !== null) throw new StartupError(`item ${id} is in a match: ${item.matchReason}`)
    if (!item.hasDirection && !withoutDirection) throw new StartupError(`item ${id} has no direction yet: say it first`)
  }
  return items
}
