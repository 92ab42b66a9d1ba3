import { type Period, periodEnd } from '../../banking/statements/statement.ts'
import { monthAfter } from '../../base/calendar.ts'
import type { Queryable } from '../../database/database.ts'
import { bankOrigin, recordEvents } from '../../events/record.ts'
import { awaitOpenings } from '../accounts/accounts.sql.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import type { DueRun, Forecast, Timer } from '../time/due.ts'
import { creationOf, makeStatements } from './statement-records.ts'
import { findUnturnedPeriod, lockAccounts, nextAccounts, updateUnturnedPeriod } from './statements.sql.ts'

/** The work that the end of a month brings: a statement for every account. */
export interface MonthTurns {
  /** The oldest month whose turn has not been finished, and when in bank time it is due; the last of all never is. */
  nextMonthTurn(organisationId: number): Promise<{ period: Period; dueAt: string | undefined }>
  /**
   * Makes the statements of a month that is over, one for every account that was opened before its end, and returns how
   * many it made. Stopped half-way it completes them when it is called again; two calls at once make each statement once.
   */
  turnMonth(organisationId: number, period: Period, options?: TurnOptions): Promise<number>
  /** Notes that the turn of a month is made: the next one is that of the month after. */
  finishTurn(organisationId: number, period: Period): Promise<void>
}

interface TurnOptions {
  /** Accounts in one transaction: a payment may have to wait for all of them. */
  chunk?: number
  /** Called with what each transaction made, before it commits. An error thrown here rolls that transaction back. */
  made?(transaction: Queryable, statements: { id: number; accountId: number }[]): Promise<void> | void
}

type TurnParts = Pick<BankParts, 'database' | 'ids'>

const CHUNK = 1_000
/** The month in which bank time ends, and which therefore is never over. */
const LAST_PERIOD = '9999-12'

export function monthTurnsOf(parts: TurnParts): MonthTurns {
  return {
    nextMonthTurn: (organisationId) => nextMonthTurn(parts, organisationId),
    turnMonth: (organisationId, period, options) => turnMonth(parts, organisationId, period, options),
    finishTurn: (organisationId, period) => finishTurn(parts, organisationId, period),
  }
}

async function nextMonthTurn({ database }: TurnParts, organisationId: number) {
  const period = await findUnturnedPeriod(database, organisationId)
  if (period === undefined) throw new Error(`there is no organisation ${organisationId}`)
  return { period, dueAt: period < LAST_PERIOD ? periodEnd(period) : undefined }
}

async function turnMonth(
  parts: TurnParts,
  organisationId: number,
  period: Period,
  options: TurnOptions = {},
): Promise<number> {
  await awaitOpenings(parts.database, organisationId)
  let count = 0
  let chunk: TurnedChunk | undefined
  do {
    chunk = await turnChunk(parts, { organisationId, period, after: chunk?.lastAccountId ?? 0 }, options)
    count += chunk?.statements ?? 0
  } while (chunk)
  return count
}

function finishTurn({ database }: TurnParts, organisationId: number, period: Period): Promise<void> {
  return updateUnturnedPeriod(database, organisationId, monthAfter(period))
}

interface TurnedChunk {
  lastAccountId: number
  statements: number
}

/** Makes the statements of the next accounts after `after`; undefined if there are no more accounts. */
async function turnChunk(
  { database, ids }: TurnParts,
  { organisationId, period, after }: { organisationId: number; period: Period; after: number },
  { chunk = CHUNK, made = () => undefined }: TurnOptions,
): Promise<TurnedChunk | undefined> {
  const accounts = await nextAccounts(database, { organisationId, end: periodEnd(period), after, limit: chunk })
  const last = accounts.at(-1)
  if (!last) return undefined
  const accountIds = accounts.filter(({ wasThere }) => wasThere).map(({ id }) => id)
  if (accountIds.length === 0) return { lastAccountId: last.id, statements: 0 }
  const statements = await Promise.all(accountIds.map(async (accountId) => ({ id: await ids.next(), accountId })))
  const count = await database.transaction(async (transaction) => {
    await lockAccounts(transaction, accountIds)
    const rows = await makeStatements(transaction, organisationId, period, statements)
    if (rows.length > 0) await made(transaction, rows)
    const origin = bankOrigin(organisationId)
    await recordEvents(
      transaction,
      rows.map((row) => ({ event: creationOf(row), origin })),
    )
    return rows.length
  })
  return { lastAccountId: last.id, statements: count }
}

/** How far the turn of a month has come in an organisation. */
interface Progress {
  period: Period
  lastAccountId: number
}

/** Makes a month's turn when its time comes. A run that is over stops between two chunks, and the next goes on there. */
export function monthTimerOf(parts: TurnParts, chunk = CHUNK): Timer {
  // Not in the database: after a restart the turn begins anew and finds the statements that are there.
  const unfinished = new Map<number, Progress>()
  return async (organisationId) => {
    const { period, dueAt } = await nextMonthTurn(parts, organisationId)
    if (dueAt === undefined) return undefined
    const before = unfinished.get(organisationId)
    const progress = before?.period === period ? before : { period, lastAccountId: 0 }
    return {
      at: dueAt,
      run: async (run) => {
        const isFinished = await goOn(parts, { organisationId, dueAt, progress, chunk }, run)
        isFinished ? unfinished.delete(organisationId) : unfinished.set(organisationId, progress)
      },
    }
  }
}

/** The month that ends next. */
export function monthForecastOf(parts: TurnParts): Forecast {
  return async (organisationId) => {
    const { period, dueAt } = await nextMonthTurn(parts, organisationId)
    return dueAt === undefined ? [] : [{ at: dueAt, type: 'month.ended', id: period }]
  }
}

/** Returns whether the turn is finished. */
async function goOn(
  parts: TurnParts,
  turn: { organisationId: number; dueAt: string; progress: Progress; chunk: number },
  run: DueRun,
): Promise<boolean> {
  const { organisationId, dueAt, progress, chunk: accounts } = turn
  const { period } = progress
  const options: TurnOptions = {
    chunk: accounts,
    made: (_transaction, statements) => {
      for (const { id } of statements) run.happened({ at: dueAt, type: 'statement.created', id: String(id) })
    },
  }
  if (progress.lastAccountId === 0) await awaitOpenings(parts.database, organisationId)
  for (;;) {
    const chunk = await turnChunk(parts, { organisationId, period, after: progress.lastAccountId }, options)
    if (!chunk) break
    progress.lastAccountId = chunk.lastAccountId
    if (run.isOver()) return false
  }
  await finishTurn(parts, organisationId, period)
  return true
}
