import { dollars } from '../../../ground/text.ts'
import { startOfMonth } from '../../base/calendar.ts'
import type { Address } from '../address.ts'
import type { ListedTransaction } from '../transactions/transaction.ts'
import { type Period, periodEnd } from './statement.ts'

/** All that a statement's document says, whatever it is printed on. */
export interface StatementDocument {
  statementId: string
  createdAt: string
  bank: string
  holder: string
  address: string[]
  accountNumber: string
  routingNumber: string
  period: Period
  openingBalance: number
  closingBalance: number
  lines: StatementLine[]
  /** Sums of many movements can be more than one balance may hold. */
  credits: { count: number; total: bigint }
  debits: { count: number; total: bigint }
}

interface StatementLine {
  createdAt: string
  summary: string
  /** Negative where money left the account. */
  amount: number
  balance: number
}

/** More would keep the whole service waiting while one document is drawn. */
export const MAX_LINES = 20_000

type Facts = Omit<StatementDocument, 'bank' | 'address' | 'lines' | 'credits' | 'debits'>

export function statementDocument(
  facts: Facts & { address: Address | null },
  transactions: ListedTransaction[],
): StatementDocument {
  const lines = transactions.map(({ createdAt, summary, amount, direction, balance }) => ({
    createdAt,
    // Between name and description stand spaces that only a list has room for.
    summary: summary.replace(/\s+/g, ' ').trim(),
    amount: direction === 'Credit' ? amount : -amount,
    balance,
  }))
  return {
    ...facts,
    bank: 'Purser',
    address: facts.address ? addressLines(facts.address) : [],
    lines,
    credits: totalOf(lines.filter(({ amount }) => amount > 0)),
    debits: totalOf(lines.filter(({ amount }) => amount < 0)),
  }
}

function totalOf(lines: StatementLine[]): { count: number; total: bigint } {
  return { count: lines.length, total: lines.reduce((sum, { amount }) => sum + BigInt(amount), 0n) }
}

function addressLines({ street, street2, city, state, postalCode, country = 'US' }: Address): string[] {
  const place = `${city}, ${state} ${postalCode}`
  return [street, ...(street2 ? [street2] : []), place, ...(country === 'US' ? [] : [country])]
}

/** `+$1,234.56`, where the sign says which way the money went. */
export function signedDollars(cents: number | bigint): string {
  return cents > 0 ? `+${dollars(cents)}` : dollars(cents)
}

const longFormat = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', dateStyle: 'long' })
const shortFormat = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', month: 'short', day: 'numeric' })
const monthFormat = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', month: 'long', year: 'numeric' })

/** `January 31, 2026`. */
export function longDate(timestamp: string): string {
  return longFormat.format(Date.parse(timestamp))
}

/** `Jan 31`. */
export function shortDate(timestamp: string): string {
  return shortFormat.format(Date.parse(timestamp))
}

/** `January 2026`. */
export function monthName(period: Period): string {
  return monthFormat.format(Date.parse(startOfMonth(period)))
}

/** The first and the last day of a month, written out. */
export function periodDates(period: Period): { first: string; last: string } {
  return { first: longDate(startOfMonth(period)), last: longFormat.format(Date.parse(periodEnd(period)) - 1) }
}
