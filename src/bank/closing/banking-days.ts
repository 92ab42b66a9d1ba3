import type { KeyObject } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { clock, instantOf } from '../../base/clock.ts'
import { Problem } from '../../base/problem.ts'
import type { Database, Queryable } from '../../database/database.ts'
import { bankingDaysAfter, daysAfter, isBankingDay } from '../../rails/ach/calendar.ts'
import { bankDay } from '../ach/watch/rail-state.sql.ts'
import { type Certificate, type CertifiedStatement, sha256Of, signedText, sumFaults } from './certificate.ts'
import {
  closedSince,
  closingLock,
  currentStatements,
  type DayRow,
  edgesOfDays,
  type ItemRow,
  insertDay,
  lastClosed,
  openItems,
  reopenRow,
  type StatementRow,
  versionsOf,
} from './closing.sql.ts'
import type { LedgerAtEnd } from './ledger.sql.ts'
import { type ReadLedgers, reconcile, settlementOf, sumAtEnd } from './reconcile.ts'

export interface ClosingBank {
  database: Database
  ledgers: ReadLedgers
  routingNumber: string
  account: string
  windowDays: number
}

/** A day as it stands: what its certificate would say, and what keeps it open. */
export interface DayState {
  day: string
  /** Each names the cents that it is about. */
  reasons: string[]
  terms: Omit<Certificate, 'closedAt'>
}

/** Reads a banking day that is not closed. Movements and matches are brought up to date first. */
export async function readDay(bank: ClosingBank, day: string): Promise<DayState> {
  const { database, ledgers, windowDays } = bank
  if (!isBankingDay(day)) throw noDay(`${day} is no banking day: its movements belong to the next one`)
  await reconcile(database, ledgers, windowDays)
  const closed = await lastClosed(database)
  if (closed && day <= closed.day) {
    throw wrongState(`${day} is closed: \`purser day show ${day}\` shows its certificate`)
  }
  const [replaced] = await versionsOf(database, day)
  return decideDay(bank, {
    ...{ day, today: await bankDay(database), closed, replaced },
    statements: await currentStatements(database, closed ? daysAfter(closed.day, 1) : null, day),
    ledger: await sumAtEnd(ledgers, day),
    items: await openItems(database, day),
  })
}

/** All that is known about a day. */
export interface DayFacts {
  day: string
  /** The day of the bank in Eastern time. */
  today: string | undefined
  closed: Pick<DayRow, 'day' | 'sha256' | 'certificate'> | undefined
  /** The last version of the day, if it was closed before. */
  replaced: Pick<DayRow, 'version' | 'sha256' | 'reopenedBecause'> | undefined
  /** The statements since the last closed day. */
  statements: StatementRow[]
  ledger: LedgerAtEnd
  /** The items that no match had at the end of the day. */
  items: ItemRow[]
}

/** Decides whether a day can be closed. */
export function decideDay(
  { routingNumber, account, windowDays }: Pick<ClosingBank, 'routingNumber' | 'account' | 'windowDays'>,
  { day, today, closed, replaced, statements, ledger, items }: DayFacts,
): DayState {
  const due = closed ? bankingDaysAfter(daysAfter(closed.day, 1), 0) : firstDay(statements, day)
  const chain = chainOf(statements, closed && certificateIn(closed).settlement.statement, day)
  const sumOf = (side: ItemRow['side']) =>
    items.reduce((sum, item) => sum + (item.side === side && item.hasDirection ? item.amount : 0), 0)
  const terms: DayState['terms'] = {
    ...{ format: 'purser-closed-day-1', routingNumber, account, day, version: (replaced?.version ?? 0) + 1 },
    previous: closed ? { day: closed.day, sha256: closed.sha256 } : null,
    replaces: replaced ? { sha256: replaced.sha256, because: replaced.reopenedBecause ?? '' } : null,
    ...{ statements: chain.statements, ledger: ledger.balances, heads: ledger.heads, items: items.map(certified) },
    settlement: {
      ...{ statement: chain.closing, ledger: settlementOf(ledger.balances) },
      ...{ statementItems: sumOf('statement'), ledgerItems: sumOf('ledger') },
    },
  }
  const isOver = today !== undefined && day < today
  const reasons = [
    ...(isOver ? [] : [`the day is not over in Eastern time: today is ${today ?? 'unknown'}`]),
    ...(due < day ? [`the banking day ${due} is not closed yet`] : []),
    ...chain.faults,
    ...ledger.unbalanced.map((id) => `the accounts of organisation ${id} do not add up to zero`),
    ...items.flatMap((item) => openReason(item, day, windowDays)),
    // Without a statement its sums say nothing that the faults above do not.
    ...(chain.faults.length > 0 ? [] : sumFaults({ ...terms, closedAt: '' })),
  ]
  return { day, reasons, terms }
}

function firstDay([first]: StatementRow[], day: string): string {
  return first ? bankingDaysAfter(first.asOf, 0) : day
}

export function certificateIn({ certificate }: Pick<DayRow, 'certificate'>): Certificate {
  return (JSON.parse(certificate) as { certificate: Certificate }).certificate
}

interface Chain {
  statements: CertifiedStatement[]
  closing: number
  faults: string[]
}

/** The statements since the last closed day, each of which must open with what the one before closed with. */
function chainOf(rows: StatementRow[], before: number | undefined, day: string): Chain {
  const faults: string[] = []
  const statements: CertifiedStatement[] = []
  let closing = before
  let page = 0
  for (const row of rows) {
    const opening = row.opening ?? closing ?? (row.closing ?? 0) - row.net
    if (closing !== undefined && opening !== closing) {
      faults.push(
        `the statement of ${row.asOf} opens with ${opening} cents, and the one before closes with ${closing} cents: ${opening - closing} cents`,
      )
    }
    page = row.page === 1 ? 1 : page + 1
    if (row.page !== page) faults.push(`page ${page} of the statement of ${row.asOf} is missing`)
    const end = row.closing ?? opening + row.net
    if (row.isLast && row.closing === null) faults.push(`the statement of ${row.asOf} has no closing ledger balance`)
    if (opening + row.net !== end) {
      faults.push(`the statement of ${row.asOf} differs from its entries by ${opening + row.net - end} cents`)
    }
    const { asOf, reference, names, fileSha256, entries, net } = row
    statements.push({ asOf, page: row.page, reference, names, sha256: fileSha256, entries, opening, net, closing: end })
    closing = end
  }
  const last = rows.at(-1)
  if (last?.asOf !== day) faults.push(`no final statement of ${day} was taken`)
  else if (!last.isLast) faults.push(`the last page of the statement of ${day} is missing`)
  return { statements, closing: closing ?? 0, faults }
}

function certified({ id, side, day, amount, description, owner, note, matchDay, matchReason }: ItemRow) {
  return { id, side, day, amount, description, owner, note, matchedOn: matchDay, reason: matchReason }
}

/**
 * Why an item keeps a day open. One that was matched later, or for which somebody answers, does not. A movement may be ahead of the
 * statement for the days of the window; a line that the ledger does not know may not.
 */
function openReason({ hasDirection, ...item }: ItemRow, day: string, windowDays: number): string[] {
  const { id, side, amount, hint, owner, matchDay, description } = item
  const what = `item ${id} of ${item.day}, ${amount} cents, ${description}${hint ? ` (${hint})` : ''}`
  if (!hasDirection) return [`the direction is not known: ${what}`]
  if (owner !== null || matchDay !== null) return []
  if (side === 'statement') return [`the ledger does not have ${what}`]
  const isDue = bankingDaysAfter(bankingDaysAfter(item.day, 0), windowDays) <= day
  return isDue ? [`the statement does not have ${what}`] : []
}

/** Closes a day for good, with a signed certificate. Returns the reasons if it cannot be closed. */
export async function closeDay(
  bank: ClosingBank,
  day: string,
  key: KeyObject,
): Promise<DayRow | { reasons: string[] }> {
  const state = await readDay(bank, day)
  if (state.reasons.length > 0) return { reasons: state.reasons }
  return bank.database.transaction((transaction) => certify(transaction, state, key))
}

/** Stores the certificate of a day that can be closed, if its statements and items are still those that were read. */
export async function certify(transaction: Queryable, { day, terms }: DayState, key: KeyObject): Promise<DayRow> {
  await closingLock(transaction)
  const closed = await lastClosed(transaction)
  if ((closed?.sha256 ?? null) !== (terms.previous?.sha256 ?? null))
    throw wrongState('another day was closed or opened meanwhile')
  const rows = await currentStatements(transaction, closed ? daysAfter(closed.day, 1) : null, day)
  const { statements } = chainOf(rows, closed && certificateIn(closed).settlement.statement, day)
  const items = (await openItems(transaction, day)).map(certified)
  if (!isDeepStrictEqual({ statements, items }, { statements: terms.statements, items: terms.items }))
    throw wrongState(`the statements or items of ${day} were changed meanwhile: look at them, and close the day again`)
  const certificate = signedText({ ...terms, closedAt: instantOf(clock.nowMs()) }, key)
  const sha256 = Buffer.from(sha256Of(certificate), 'hex')
  await insertDay(transaction, { day, version: terms.version, certificate, sha256 })
  const [row] = await versionsOf(transaction, day)
  return row as DayRow
}

/** Opens the last closed day again. Its certificate stays, and the next one names it. */
export async function reopenDay(
  database: Pick<Database, 'transaction'>,
  day: string,
  because: string,
): Promise<DayRow> {
  return database.transaction(async (transaction) => {
    await closingLock(transaction)
    const closed = await lastClosed(transaction)
    if (closed?.day !== day) {
      throw wrongState(
        closed ? `the last closed day is ${closed.day}: days are reopened from the last one on` : 'no day is closed',
      )
    }
    await reopenRow(transaction, day, because)
    const [row] = await versionsOf(transaction, day)
    return row as DayRow
  })
}

const wrongState = (detail: string) => new Problem('closing_day_wrong_state', { detail })
export const noDay = (detail?: string) => new Problem('closing_day_not_found', detail === undefined ? {} : { detail })

export function certificatesOf(database: Database, day: string): Promise<DayRow[]> {
  return versionsOf(database, day)
}

export interface CalendarDay {
  day: string
  state: 'closed' | 'open'
  version: number | null
  sha256: string | null
  hasStatement: boolean
  /** The items of the day that are in no match, and what its lines bring without its movements. */
  openItems: number
  missing: number
}

/** The banking days that are over, from the first statement on, the latest last. */
export async function listDays(database: Database, limit = 400): Promise<CalendarDay[]> {
  const statements = await currentStatements(database, null, null)
  const [first] = statements
  const today = await bankDay(database)
  if (!first || today === undefined) return []
  const closed = new Map((await closedSince(database, first.asOf)).map((row) => [row.day, row]))
  const given = new Set(statements.map(({ asOf }) => asOf))
  const open = groupOpen(await openItems(database, null))
  const days: CalendarDay[] = []
  for (let day = bankingDaysAfter(first.asOf, 0); day < today; day = bankingDaysAfter(day, 1)) {
    const { version = null, sha256 = null } = closed.get(day) ?? {}
    const { openItems: count = 0, missing = 0 } = open.get(day) ?? {}
    const state = version === null ? 'open' : 'closed'
    days.push({ day, state, version, sha256, hasStatement: given.has(day), openItems: count, missing })
  }
  return days.slice(-limit)
}

/** The banking days that are over and wait to be closed, the earliest first. */
export async function unclosedDays(database: Database, most: number): Promise<string[]> {
  const { closed, first } = await edgesOfDays(database)
  const today = first === null ? undefined : await bankDay(database)
  if (first === null || today === undefined) return []
  const days: string[] = []
  let day = closed === null ? bankingDaysAfter(first, 0) : bankingDaysAfter(closed, 1)
  for (; day < today && days.length < most; day = bankingDaysAfter(day, 1)) days.push(day)
  return days
}

/** Open items by the banking day that they belong to. */
function groupOpen(items: ItemRow[]): Map<string, Pick<CalendarDay, 'openItems' | 'missing'>> {
  const days = new Map<string, Pick<CalendarDay, 'openItems' | 'missing'>>()
  for (const { side, amount, hasDirection, day: on } of items) {
    const day = bankingDaysAfter(on, 0)
    const known = days.get(day) ?? { openItems: 0, missing: 0 }
    const change = hasDirection ? (side === 'statement' ? amount : -amount) : 0
    days.set(day, { openItems: known.openItems + 1, missing: known.missing + change })
  }
  return days
}
