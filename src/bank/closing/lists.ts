import type { Database } from '../../database/database.ts'
import { daysAfter, isBankingDay } from '../../rails/ach/calendar.ts'
import { bankDay } from '../ach/watch/rail-state.sql.ts'
import { unclosedDays } from './banking-days.ts'
import { itemsOfDays, type ListedStatement, latestStatements, openItems } from './closing.sql.ts'

/** Lines and movements that a list shows at most. */
const MOST = 10_000
const DAY_MS = 86_400_000

/** The work that waits for a person before days can be closed. */
export interface ClosingState {
  /** Banking days that are over and not closed. */
  days: number
  /** Open items. */
  items: number
}

export async function readClosingState(database: Database): Promise<ClosingState> {
  return {
    days: (await unclosedDays(database, MOST)).length,
    items: (await openItems(database, null, MOST)).length,
  }
}

/** The latest files of statements. */
export function latestFiles(database: Database): Promise<ListedStatement[]> {
  return latestStatements(database, 400)
}

/** An item as commands show it. Ids are texts, as in the API. */
export interface ShownItem {
  id: string
  side: 'statement' | 'ledger'
  day: string
  ageDays: number
  amount: number | null
  description: string
  hint: string | null
  owner: string | null
  note: string | null
  match: string | null
  reason: string | null
}

/** The first of the days that belong to a banking day: weekends and holidays belong to the next one. */
function firstOf(day: string): string {
  let first = day
  while (isBankingDay(day) && !isBankingDay(daysAfter(first, -1))) first = daysAfter(first, -1)
  return first
}

/** The open items, the oldest first; or all items of a day, and of the weekend before it. */
export async function listItems(database: Database, day: string | undefined): Promise<ShownItem[]> {
  const rows =
    day === undefined ? await openItems(database, null, MOST) : await itemsOfDays(database, firstOf(day), day, MOST)
  const today = Date.parse((await bankDay(database)) ?? '')
  return rows.map(
    ({ id, side, day: on, amount, hasDirection, description, hint, owner, note, matchId, matchReason }) => ({
      ...{ id: String(id), side, day: on, ageDays: Math.round((today - Date.parse(on)) / DAY_MS) },
      ...{ amount: hasDirection ? amount : null, description, hint, owner, note },
      ...{ match: matchId === null ? null : String(matchId), reason: matchReason },
    }),
  )
}
