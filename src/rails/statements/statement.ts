/** The largest statement that is read. A day of an account with a line for each of 100,000 entries has less than half of it. */
export const MAX_BYTES = 32 * 1024 * 1024
const MAX_ENTRIES = 250_000

/** One booking of a statement. */
export interface StatementEntry {
  /** Its number in the statement, from 1. Two equal entries may be two bookings, so that nothing else identifies one. */
  place: number
  /** Cents: positive if money came in, negative if it left. Without a direction, the amount as it is written. */
  amount: number
  /** Null if the type code does not say which way the money went. */
  direction: 'Credit' | 'Debit' | null
  /** The bank's codes for it, the most specific one first: a BAI type code, or domain, family and sub-family. */
  codes: string[]
  bookedOn: string
  valueOn: string | null
  bankReference: string
  /** References of the customer, of batches and of single transactions. */
  references: string[]
  text: string
}

export interface BankStatement {
  format: 'bai2' | 'camt.053' | 'csv'
  /** The bank: its routing number, or its BIC. Empty if the file does not say. */
  servicer: string
  account: string
  currency: string
  /** The day whose end the closing balance is of. */
  asOf: string
  /** The name of a statement among those of an account and a day: the id of the statement, or the modifier of the day. */
  reference: string
  /** Further names of the file and the statement, which a person may ask the bank for. */
  names: Record<string, string>
  /** `update` adds a day, `correction` replaces it, `deletion` removes it, `test` has no effect. */
  status: 'update' | 'correction' | 'deletion' | 'test'
  /** Whether the day continues after it, so that it cannot be closed on this statement. */
  isInterim: boolean
  page: { number: number; last: boolean } | null
  /** Ledger balances in cents; null if the file has none. */
  opening: number | null
  closing: number | null
  entries: StatementEntry[]
  /** Entries that are not booked: pending and informational ones, and messages. */
  notBooked: number
  /** Unusual things that do not keep the statement from being read. */
  flags: Flag[]
}

export type Flag =
  | 'control_total_signed'
  | 'control_total_details'
  | 'text_without_88'
  | 'opening_missing'
  | 'closing_missing'
  | 'type_code_custom'
  | 'type_code_unknown'
  | 'message_890'
  | 'totals_differ'
  | 'entries_not_booked'
  | 'pages_missing'
  | 'details_differ'
  | 'copy'

export type FaultCode =
  | 'too_large'
  | 'encoding'
  | 'format'
  | 'unexpected_end'
  | 'record_order'
  | 'record_unknown'
  | 'record_count'
  | 'control_total'
  | 'field'
  | 'amount'
  | 'date'
  | 'balances'
  | 'dtd_forbidden'
  | 'xml'
  | 'namespace'

/** The reason why a whole file is refused. */
export class StatementFault extends Error {
  readonly code: FaultCode
  /** The line in the file, from 1. */
  readonly line: number | undefined

  constructor(code: FaultCode, detail: string, line?: number) {
    super(line === undefined ? detail : `line ${line}: ${detail}`)
    this.code = code
    this.line = line
  }
}

/** The sum of the entries; undefined if the direction of one is not known. */
export function netOf({ entries }: Pick<BankStatement, 'entries'>): number | undefined {
  let net = 0
  for (const { amount, direction } of entries) {
    if (direction === null) return undefined
    net += amount
  }
  return Number.isSafeInteger(net) ? net : undefined
}

/** Refuses a statement whose balances differ by something else than its entries. Returns whether it could be checked. */
export function requireBalance(statement: BankStatement): boolean {
  const { opening, closing, account, asOf } = statement
  const net = netOf(statement)
  if (opening === null || closing === null || net === undefined) return false
  const difference = opening + net - closing
  if (difference === 0) return true
  const sides = `opening ${opening} and entries of ${net} do not make closing ${closing}`
  throw new StatementFault('balances', `account ${account}, ${asOf}: ${sides}; the difference is ${difference} cents`)
}

/** A statement cannot have more entries than this: each one is a row, and an open item. */
export function requireFew(count: number): void {
  if (count > MAX_ENTRIES) throw new StatementFault('too_large', `a statement may have ${MAX_ENTRIES} entries`)
}
