import type { Answer, Write } from '../../base/operation.ts'
import { Problem } from '../../base/problem.ts'
import { sha256 } from '../../base/sha256.ts'
import type { Database, Queryable } from '../../database/database.ts'
import { KeyTaken, requireUnanswered } from '../../idempotency/run-once.ts'
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
  largestAmount,
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

/** A database for decisions. Its transactions may be parts of one that has begun. */
export type Transactor = Pick<Database, 'transaction'>

/** Matches items by hand. Both sides must have the same sum. */
export async function matchByHand(database: Transactor, ids: number[], { person, reason }: Said): Promise<void> {
  await changing(database, async (transaction) => {
    const items = await requireOpen(transaction, ids)
    const sums = { statement: 0, ledger: 0 }
    for (const { side, amount } of items) sums[side] += amount
    if (items.length < 2) throw wrongState('name two items at least')
    if (sums.statement !== sums.ledger) {
      const difference = sums.statement - sums.ledger
      throw sumsDiffer(
        `the items differ by ${difference} cents: lines ${sums.statement} cents, movements ${sums.ledger} cents`,
      )
    }
    await insertMatches(transaction, [{ items, reason }], person)
  })
}

/** Ends the match of an item. Its items are open again, and no rule matches them. */
export async function endMatchOf(database: Transactor, id: number, { person, reason }: Said): Promise<void> {
  await changing(database, async (transaction) => {
    const [item] = await lockItems(transaction, [id])
    if (!item) throw unknownItem(id)
    if (item.matchId === null) throw wrongState(`item ${id} is in no match`)
    await endMatch(transaction, item.matchId, `${person}: ${reason}`, true)
  })
}

/** Splits an item into parts, which are matched each by itself. */
export async function splitItem(
  database: Transactor,
  id: number,
  amounts: number[],
  { person, reason }: Said,
): Promise<void> {
  await changing(database, async (transaction) => {
    const [item] = await requireOpen(transaction, [id])
    if (!item) return
    const sum = amounts.reduce((total, amount) => total + amount, 0)
    if (amounts.length < 2 || amounts.some((amount) => !Number.isSafeInteger(amount) || amount === 0)) {
      throw sumsDiffer('name two parts at least, in whole cents with the sign of the item')
    }
    if (sum !== item.amount) throw sumsDiffer(`the parts make ${sum} cents, and item ${id} has ${item.amount} cents`)
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
export async function noteOn(database: Transactor, id: number, owner: string, note: string): Promise<void> {
  await changing(database, async (transaction) => {
    await requireOpen(transaction, [id], { withoutDirection: true })
    await noteItem(transaction, id, owner, note)
  })
}

/** Says which way the money of a line went. */
export async function directItem(
  database: Transactor,
  id: number,
  direction: 'credit' | 'debit',
  { person, reason }: Said,
): Promise<void> {
  await changing(database, async (transaction) => {
    const [item] = await requireOpen(transaction, [id], { withoutDirection: true })
    if (!item || item.hasDirection) throw wrongState(`item ${id} has a direction`)
    await setDirection(transaction, id, direction === 'credit' ? item.amount : -item.amount)
    await noteItem(transaction, id, person, `${direction}: ${reason}`)
  })
}

/**
 * Books an item that the ledger does not know, or takes back a movement that the bank does not know. The movement goes through the
 * lane, is of today, and is matched with the item. It is made once, however often it is asked for. The answer to a request of the
 * API, if there is one, is stored under its key, too.
 */
export async function bookItem(
  { database, runOnce, lane, ids }: BankParts,
  id: number,
  { to, organisationId, person, reason }: Booking,
  request?: Write<null>,
): Promise<Answer> {
  const owner = organisationId ?? (await firstOrganisation(database))
  if (owner === undefined || !(await isOrganisation(database, owner))) {
    throw wrongState('there is no such organisation in the home cell')
  }
  const plain = request ?? bankWrite<null>(owner)
  const key = { text: null, hash: sha256(`settlement item ${id}`), fingerprint: Buffer.alloc(32), fromCaller: true }
  const write = { ...plain, key, alsoKey: request?.key }
  const answer = await runOnce.attempt(request ?? write, async () => {
    if (request) await requireUnanswered(database, request)
    const [item] = await database.transaction((transaction) => requireOpen(transaction, [id]))
    if (!item) throw unknownItem(id)
    const transferId = await ids.nextPair()
    const description = `${person}: ${reason}`.slice(0, 500)
    const booking = bookingOf(write, item, { kind: bookingAccounts[to], transferId, description })
    return lane.run(booking).catch((error: unknown) => {
      throw error instanceof KeyTaken ? bookedBefore(id) : error
    })
  })
  if (!request && answer.replayed) throw bookedBefore(id)
  return answer
}

/** The cents that a booking is about. Parts of a split item count as the whole, so that a split avoids no second signature. */
export function bookableAmount(database: Transactor, id: number): Promise<number> {
  return database.transaction(async (transaction) => {
    await requireOpen(transaction, [id])
    return largestAmount(transaction, id)
  })
}

function bookingOf(
  write: Write<null>,
  { id, side, amount: own }: ItemRow,
  { kind, transferId, description }: { kind: InternalKind; transferId: number; description: string },
): Command<null> {
  const amount = side === 'statement' ? own : -own
  return {
    write,
    accountIds: [],
    internal: ['ach_settlement', kind],
    decide: (books) => {
      const [settlement, other] = [books.internal('ach_settlement').id, books.internal(kind).id]
      const [debitAccountId, creditAccountId] = amount > 0 ? [settlement, other] : [other, settlement]
      const transfer = { id: transferId, debitAccountId, creditAccountId, amount: Math.abs(amount), sourceId: id }
      books.transfer({ ...transfer, sourceKind: 'statement_booking', party: null, description })
      return null
    },
  }
}

function changing<T>(database: Transactor, work: (transaction: Queryable) => Promise<T>): Promise<T> {
  return database.transaction(async (transaction) => {
    await closingLock(transaction)
    return work(transaction)
  })
}

/** Locks the items of these ids. Refuses any that are settled already. */
async function requireOpen(
  transaction: Queryable,
  ids: number[],
  { withoutDirection = false } = {},
): Promise<ItemRow[]> {
  const items = await lockItems(transaction, [...new Set(ids)])
  for (const id of ids) {
    const item = items.find((each) => each.id === id)
    if (!item) throw unknownItem(id)
    if (item.matchId !== null) throw wrongState(`item ${id} is in a match: ${item.matchReason}`)
    if (!item.hasDirection && !withoutDirection) throw wrongState(`item ${id} has no direction yet: say it first`)
  }
  return items
}

const unknownItem = (id: number) =>
  new Problem('settlement_item_not_found', { detail: `There is no settlement item ${id} that counts.` })
const wrongState = (detail: string) => new Problem('settlement_item_wrong_state', { detail })
const bookedBefore = (id: number) => wrongState(`item ${id} was booked before`)
const sumsDiffer = (detail: string) => new Problem('settlement_sums_differ', { detail })
