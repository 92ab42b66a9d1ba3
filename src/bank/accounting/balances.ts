import { accountKinds } from '../../accounting/ledger-account.ts'
import type { LedgerBalance } from '../../accounting/ledger-balance.ts'
import type { ListLedgerBalancesQuery } from '../../accounting/list-ledger-balances.ts'
import { addDays } from '../../base/clock.ts'
import { concurrencyLimit } from '../../base/concurrency-limit.ts'
import type { Caller } from '../../base/operation.ts'
import { Page } from '../../base/page.ts'
import { Problem } from '../../base/problem.ts'
import type { Queryable } from '../../database/database.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import { bankTime } from '../time/clock.sql.ts'
import { type DailyBalanceRow, findAccountsToRead, readDailyBalances } from './balances.sql.ts'
import { ledgerIdNumber, shownKind } from './words.ts'

const MAX_DAYS = 366
const DEFAULT_DAYS = 30

/** Two at a time: the balances of all internal accounts over a year take the database some tenths of a second. */
export function ledgerBalancesOf({ database }: Pick<BankParts, 'database'>) {
  const limited = concurrencyLimit({ total: 2, perOrganisation: 1, waitMs: 10_000 })
  return (caller: Caller, query: ListLedgerBalancesQuery) =>
    limited(caller.organisationId, () => listLedgerBalances(database, caller, query))
}

async function listLedgerBalances(
  database: Queryable,
  { organisationId }: Caller,
  query: ListLedgerBalancesQuery,
): Promise<Page<LedgerBalance>> {
  const days = daysOf(query, await bankTime(database, organisationId))
  const [first] = days
  if (first === undefined) return new Page<LedgerBalance>([], false)
  const accountId = query.accountId === undefined ? null : ledgerIdNumber(query.accountId)
  const accounts = await findAccountsToRead(database, organisationId, accountId)
  const kinds = new Map(accounts.map(({ id, kind }) => [id, shownKind(kind)]))
  const rows = await readDailyBalances(database, [...kinds.keys()], first, days.length)
  if (accountId === null) return new Page(sumsByKind(rows, kinds, days), false)
  const balances = rows.slice(1).map(({ day, balance, seq }, index) => ({
    date: days[day] ?? '',
    accountId: String(accountId),
    kind: kinds.get(accountId) ?? '',
    balance,
    transfers: seq - (rows[index]?.seq ?? 0),
  }))
  return new Page(balances, false)
}

/** The days that were asked for, oldest first, up to today and from the year 1 on: a date cannot say an earlier one. */
function daysOf({ since, until }: ListLedgerBalancesQuery, now: string): string[] {
  const last = dayNumber(until === undefined || until > now ? now : until)
  const first = since === undefined ? Math.max(FIRST_DAY, last - DEFAULT_DAYS + 1) : dayNumber(since)
  const count = Math.max(0, last - first + 1)
  if (count > MAX_DAYS) {
    throw new Problem('range_too_long', { detail: `At most ${MAX_DAYS} days are answered; ask for shorter ranges.` })
  }
  return Array.from({ length: count }, (_, index) => addDays(EPOCH, first + index).slice(0, 10))
}

const EPOCH = '1970-01-01T00:00:00.000Z'

const FIRST_DAY = dayNumber('0001-01-01T00:00:00.000Z')

function dayNumber(instant: string): number {
  return Math.floor(Date.parse(instant) / 86_400_000)
}

/**
 * The balances of each day by kind. Those of customers are not read: all balances of an organisation are zero together,
 * and it has few internal accounts.
 */
function sumsByKind(rows: DailyBalanceRow[], kinds: Map<number, string>, days: string[]): LedgerBalance[] {
  const totals = new Map<string, { balance: bigint; seq: number }>()
  const totalOf = (day: number, kind: string) => totals.get(`${day} ${kind}`) ?? { balance: 0n, seq: 0 }
  for (const { accountId, day, balance, seq } of rows) {
    const kind = kinds.get(accountId) ?? ''
    const total = totalOf(day, kind)
    totals.set(`${day} ${kind}`, { balance: total.balance + BigInt(balance), seq: total.seq + seq })
  }
  // The accounts of ACH files, and of a former bank, are shown if the organisation has them.
  const opened = new Set(kinds.values())
  const shown = accountKinds.slice(1).filter((kind) => !isRare(kind) || opened.has(kind))
  return days.flatMap((date, day) => {
    const internal = shown.map((kind) => ({ kind, ...totalOf(day, kind) }))
    const deposits = -internal.reduce((sum, { balance }) => sum + balance, 0n)
    return [
      { date, accountId: null, kind: 'deposit', balance: toNumber(deposits), transfers: null },
      ...internal.map(({ kind, balance, seq }) => {
        const transfers = seq - totalOf(day - 1, kind).seq
        return { date, accountId: null, kind, balance: toNumber(balance), transfers }
      }),
    ]
  })
}

function isRare(kind: string): boolean {
  return /^(bank[A-Z]|achSettlement$|achSuspense$|achWriteOff$|movedIn$)/.test(kind)
}

function toNumber(sum: bigint): number {
  const number = Number(sum)
  if (Number.isSafeInteger(number)) return number
  throw new Problem('balance_limit', { detail: 'A sum of a day passes 9,007,199,254,740,991 cents.' })
}
