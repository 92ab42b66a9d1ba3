import { inTurns } from '../../../../base/in-turns.ts'
import { paymentFromRow } from '../../../../ledger/payment-columns.ts'
import type { LedgerPayment } from '../../../../ledger/records.ts'
import type { Seal } from '../../../../secrets/seal.ts'
import { type CustomerSeals, customerSeals } from '../../customer-seals.ts'
import { applyChange } from './changes.ts'
import type { IncomingEntry } from './entries.ts'
import { applyException } from './exceptions.ts'
import {
  accountsByNumber,
  countExceptions,
  type EntryName,
  findRepeated,
  insertEntries,
  type NamedAccount,
  paymentsByTrace,
} from './incoming.sql.ts'
import { entryRow, entryWrite, type IntakeBank } from './intake.ts'
import { applyReceived } from './received.ts'
import { applyReturn } from './returns.ts'

/** Entries whose records are read together, and whose commands are in the lane at the same time. */
const AT_A_TIME = 50

/**
 * Applies the entries of a file. Each is a change of its own. Those of one account are applied in the order of the file,
 * so that the same file has the same outcome each time. An error leaves the entries behind it for the next try.
 */
export async function applyEntries(intake: IntakeBank, entries: IncomingEntry[]): Promise<{ exceptions: number }> {
  for (let from = 0; from < entries.length; from += AT_A_TIME) {
    const portion = entries.slice(from, from + AT_A_TIME)
    const known = await recordsOf(intake, portion)
    await inTurns(
      portion,
      (entry) => accountIn(intake, known, entry) ?? entry,
      (entry) => applyEntry(intake, known, entry),
    )
  }
  return { exceptions: await countExceptions(intake.database, intake.fileId) }
}

/** The id of the account that an entry moves money of; undefined where there is none. */
function accountIn(intake: IntakeBank, known: Known, entry: IncomingEntry): number | undefined {
  const { addenda } = entry
  if (addenda && 'originalTrace' in addenda) return answeredBy(known, addenda).at(-1)?.accountId
  return receiverOf(intake, known, entry)?.id
}

/** The records that entries name. */
interface Known {
  repeated: Set<string>
  payments: LedgerPayment[]
  accounts: Map<string, NamedAccount>
  seals: CustomerSeals
}

async function recordsOf(intake: IntakeBank, entries: IncomingEntry[]): Promise<Known> {
  const { database, organisationId, fileId, mode } = intake
  // In live mode one file holds entries of all organisations; a sandbox has files of its own for each.
  const scope = mode === 'live' ? null : organisationId
  const traces = entries.flatMap(({ addenda }) => (addenda && 'originalTrace' in addenda ? addenda.originalTrace : []))
  const numbers = entries.filter(({ kind }) => kind === 'payment').map(({ accountNumber }) => accountNumber.trim())
  const [repeated, payments, accounts] = await Promise.all([
    findRepeated(database, { organisationId: scope, fileId }, entries),
    traces.length === 0 ? [] : paymentsByTrace(database, scope, traces),
    numbers.length === 0 ? [] : accountsByNumber(database, scope, numbers),
  ])
  const seals = await sealsOf(intake, accounts)
  return {
    seals,
    repeated: new Set(repeated.map(nameOf)),
    payments: payments.map((row) => paymentFromRow(row)),
    accounts: new Map(accounts.map((account) => [account.accountNumber, account])),
  }
}

/** The seals of the customers of accounts, which may be of several organisations. */
async function sealsOf(intake: IntakeBank, accounts: NamedAccount[]): Promise<CustomerSeals> {
  const seals = new Map<number, Seal>()
  for (const organisationId of new Set(accounts.map((account) => account.organisationId))) {
    const own = accounts.filter((account) => account.organisationId === organisationId)
    const found = await customerSeals(
      intake,
      organisationId,
      own.map(({ customerId }) => customerId),
    )
    for (const [id, seal] of found) seals.set(id, seal)
  }
  return seals
}

function nameOf({ traceNumber, settlesOn, amount, code }: EntryName): string {
  return [traceNumber, settlesOn, amount, code].join(' ')
}

async function applyEntry(intake: IntakeBank, known: Known, entry: IncomingEntry): Promise<void> {
  const { addenda } = entry
  if (known.repeated.has(nameOf(entry))) return noteEntry(intake, entry, 'repeated')
  switch (addenda?.type) {
    case 'return':
      return applyReturn(intake, entry, addenda, answeredBy(known, addenda))
    case 'change':
      return applyChange(intake, entry, addenda, answeredBy(known, addenda))
    case 'refusedChange':
      return applyException(intake, entry, 'change_refused', `${addenda.code} refuses ${addenda.refusedCode}`)
    case 'dishonour':
      return applyException(intake, entry, 'return_dishonored', `${addenda.code} of return ${addenda.returnTrace}`)
    case 'contest':
      return applyException(intake, entry, 'dishonor_contested', `${addenda.code} of ${addenda.dishonourTrace}`)
  }
  if (entry.kind === 'prenote') return noteEntry(intake, entry, 'applied')
  return applyReceived(intake, entry, receiverOf(intake, known, entry), known.seals)
}

/** The payments that an answer of another bank can be about, the latest last. */
function answeredBy(
  { payments }: Known,
  { originalTrace, originalBank }: { originalTrace: string; originalBank: string },
): LedgerPayment[] {
  return payments.filter(
    ({ traceNumber, counterparty }) =>
      traceNumber === originalTrace && counterparty.routingNumber.startsWith(originalBank),
  )
}

/** The account that an entry is for. The bank has no loans and no ledger accounts of customers. */
function receiverOf(
  { routingNumber }: IntakeBank,
  { accounts }: Known,
  { code, ...entry }: IncomingEntry,
): NamedAccount | undefined {
  const isDeposit = code < 40
  return isDeposit && entry.routingNumber === routingNumber ? accounts.get(entry.accountNumber.trim()) : undefined
}

/** Stores an entry that has no further effect. */
async function noteEntry(intake: IntakeBank, entry: IncomingEntry, outcome: 'applied' | 'repeated'): Promise<void> {
  const { organisationId, runOnce } = intake
  await runOnce.transaction(entryWrite(intake, organisationId, entry), async (transaction) => {
    await insertEntries(transaction, [entryRow(intake, entry, { organisationId, outcome })])
    return null
  })
}
