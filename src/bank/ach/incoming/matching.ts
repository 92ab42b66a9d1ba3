import type { Database } from '../../../database/database.ts'
import type { Addenda } from '../../../rails/ach/file.ts'
import { isTraceIn, type Share } from '../../../rails/ach/shares.ts'
import { paymentFromRow } from '../../records/payment-columns.ts'
import type { LedgerPayment } from '../../records/records.ts'
import { returnsByTrace, type SentBack } from '../returning/return-files.sql.ts'
import { type SentVerification, verificationsByTrace } from '../verifying/verification-files.sql.ts'
import type { IncomingEntry } from './entries.ts'
import { accountsByNumber, type NamedAccount, paymentsByTrace } from './incoming.sql.ts'
import { groupsBy } from './together.ts'

/** The payments and accounts that entries name. */
export interface Matches {
  /** By trace number, the latest last: several where trace numbers came again. */
  payments: Map<string, LedgerPayment[]>
  accounts: Map<string, NamedAccount>
  /** The verifications of external accounts, by the trace numbers of their entries. */
  verifications: Map<string, SentVerification>
  /** The entries of other banks that were sent back, the latest last. */
  sentBack: SentBack[]
}

/** Reads the payments and accounts that entries name: of one organisation, or of all. */
export async function matchesOf(
  database: Database,
  organisationId: number | null,
  entries: IncomingEntry[],
): Promise<Matches> {
  const traces = entries.flatMap(({ addenda }) => (addenda && 'originalTrace' in addenda ? addenda.originalTrace : []))
  const numbers = entries
    .filter(hasReceiver)
    .flatMap(({ accountNumber }) => [accountNumber.trim(), plainNumber(accountNumber)])
  const refused = entries.flatMap(({ addenda }) => refusedTrace(addenda) ?? [])
  const [payments, accounts, verifications, sentBack] = await Promise.all([
    traces.length === 0 ? [] : paymentsByTrace(database, organisationId, traces),
    numbers.length === 0 ? [] : accountsByNumber(database, organisationId, numbers),
    traces.length === 0 ? [] : verificationsByTrace(database, organisationId, traces),
    refused.length === 0 ? [] : returnsByTrace(database, organisationId, refused),
  ])
  return {
    payments: new Map(
      groupsBy(
        payments.map((row) => paymentFromRow(row)),
        ({ traceNumber }) => traceNumber,
      ).map((group) => [group[0]?.traceNumber ?? '', group]),
    ),
    accounts: new Map(accounts.map((account) => [account.accountNumber, account])),
    verifications: new Map(verifications.map((each) => [each.traceNumber, each])),
    sentBack,
  }
}

/** The trace number of our return that was dishonored, or of our dishonor that was contested. */
function refusedTrace(addenda: Addenda | null): string | undefined {
  if (addenda?.type === 'dishonour') return addenda.returnTrace
  return addenda?.type === 'contest' ? addenda.dishonourTrace : undefined
}

/** The entry that we sent back, and that the other bank does not take. */
export function sentBackBy({ sentBack }: Matches, { addenda, amount }: IncomingEntry): SentBack | undefined {
  const trace = refusedTrace(addenda)
  return sentBack.findLast((each) => each.returnTrace === trace && each.amount === amount)
}

/** Whether an entry names an account here, and not a payment that it answers. */
function hasReceiver({ kind }: Pick<IncomingEntry, 'kind'>): boolean {
  return kind === 'payment' || kind === 'other'
}

/** The payments that an answer of another bank can be about, the latest last. */
export function answeredBy(
  { payments }: Matches,
  { originalTrace, originalBank }: { originalTrace: string; originalBank: string },
): LedgerPayment[] {
  const found = payments.get(originalTrace) ?? []
  return found.filter(({ counterparty }) => counterparty.routingNumber.startsWith(originalBank))
}

/** The verification that an answer of another bank is about. */
export function verificationBy(
  { verifications }: Matches,
  { originalTrace, originalBank }: { originalTrace: string; originalBank: string },
): SentVerification | undefined {
  const found = verifications.get(originalTrace)
  return found?.routingNumber.startsWith(originalBank) ? found : undefined
}

/**
 * An account number without blanks, dashes and leading zeros, with which some banks fill the field. The numbers of this bank
 * have none of them, so that one account at most has it.
 */
function plainNumber(accountNumber: string): string {
  return accountNumber.replace(/[ -]/g, '').replace(/^0+/, '')
}

/** The account that an entry is for. The bank has no loans and no ledger accounts of customers. */
export function receiverOf(
  { routingNumber }: { routingNumber: string },
  { accounts }: Matches,
  entry: IncomingEntry,
): NamedAccount | undefined {
  const isDeposit = entry.code < 40
  if (!isDeposit || entry.routingNumber !== routingNumber) return undefined
  return accounts.get(entry.accountNumber.trim()) ?? accounts.get(plainNumber(entry.accountNumber))
}

/**
 * Whether an entry is for an account of this database, or about a payment of it: with a trace number of its share, or with
 * any. Entries of other kinds belong to no database.
 */
export function isOwn(
  bank: { routingNumber: string },
  share: Share | 'any',
  matches: Matches,
  entry: IncomingEntry,
): boolean {
  const { addenda } = entry
  if (hasReceiver(entry)) return receiverOf(bank, matches, entry) !== undefined
  if (refusedTrace(addenda) !== undefined) return sentBackBy(matches, entry) !== undefined
  if (addenda?.type !== 'return' && addenda?.type !== 'change') return false
  const isInShare = share === 'any' || isTraceIn(share, addenda.originalTrace)
  return isInShare && (answeredBy(matches, addenda).length > 0 || verificationBy(matches, addenda) !== undefined)
}
