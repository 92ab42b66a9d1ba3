import { dayAfter } from './bank-time.ts'
import { words } from './format.ts'

/** The kinds of accounts of the ledger, as people read them. */
export const kindNames: Record<string, string> = {
  deposit: 'Deposits of customers',
  achClearing: 'ACH clearing',
  cardSettlement: 'Card settlement',
  rewardsFunding: 'Rewards funding',
  achSettlement: 'ACH settlement',
  achSuspense: 'ACH suspense',
  achWriteOff: 'ACH write-offs',
}

/** The kinds of accounts of the ledger. */
export const accountKinds = Object.keys(kindNames)

export function kindName(kind: string): string {
  return kindNames[kind] ?? words(kind)
}

/** A balance on its side of the trial balance: the bank owes a positive one (credit), and a negative one is owed to it (debit). */
export interface TrialRow {
  kind: string
  debit: number
  credit: number
}

/** The balances of the last day by kind of account, each on its side. Kinds without an account have no row. */
export function trialBalance(balances: readonly { date: string; kind: string; balance: number }[]): {
  rows: TrialRow[]
  debit: number
  credit: number
} {
  const last = balances.at(-1)?.date
  const rows = balances
    .filter(({ date }) => date === last)
    .map(({ kind, balance }) => ({ kind, debit: Math.max(0, -balance), credit: Math.max(0, balance) }))
  const sum = (side: 'debit' | 'credit') => rows.reduce((total, row) => total + row[side], 0)
  return { rows, debit: sum('debit'), credit: sum('credit') }
}

/** An amount of a day, or of a week by its first day. */
export interface Amount {
  date: string
  amount: number
}

/** The change of a balance by day. The first day has none before it, and is left out. */
export function changesOf(days: readonly { date: string; balance: number }[]): Amount[] {
  return days.slice(1).map(({ date, balance }, at) => ({ date, amount: balance - (days[at]?.balance ?? 0) }))
}

/** Days summed by their weeks, which begin on Monday. */
export function byWeek(days: readonly Amount[]): Amount[] {
  const weeks = new Map<string, number>()
  for (const { date, amount } of days) {
    const weekday = (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7
    const monday = dayAfter(date, -weekday)
    weeks.set(monday, (weeks.get(monday) ?? 0) + amount)
  }
  return [...weeks].map(([date, amount]) => ({ date, amount }))
}

/** Money that came to the deposits and that left them, for each of the days up to `last`. */
export function inAndOut(
  flows: readonly { date?: string; debitKind: string; creditKind: string; amount: number }[],
  last: string,
  days: number,
): (Amount & { out: number })[] {
  return Array.from({ length: days }, (_, at) => {
    const date = dayAfter(last, at - days + 1)
    const own = flows.filter((flow) => flow.date === date && flow.debitKind !== flow.creditKind)
    const sum = (side: 'debitKind' | 'creditKind') =>
      own.reduce((total, flow) => total + (flow[side] === 'deposit' ? flow.amount : 0), 0)
    return { date, amount: sum('creditKind'), out: sum('debitKind') }
  })
}
