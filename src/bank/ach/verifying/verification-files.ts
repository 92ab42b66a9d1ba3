import type { Queryable } from '../../../database/database.ts'
import { easternOf } from '../../../rails/ach/calendar.ts'
import { codeFor } from '../../../rails/ach/codes.ts'
import type { Batch, Entry } from '../../../rails/ach/file.ts'
import { plainText } from '../../../rails/ach/plain-text.ts'
import { sequenceIn } from '../../../rails/ach/shares.ts'
import { clearNumber } from '../../../secrets/numbers.ts'
import type { BankParts } from '../../parts/bank-parts.ts'
import type { DueRun, Forecast, Timer } from '../../time/due.ts'
import type { OutgoingBatch } from '../batches.sql.ts'
import type { RailBank } from '../build-file.ts'
import type { Delivery } from '../delivery.ts'
import { findCompany } from '../finish-file.sql.ts'
import { insertBuiltFile } from '../returning/return-files.sql.ts'
import { buildDue, fileOf } from '../returning/return-files.ts'
import { ownShare } from '../spread/own-share.ts'
import {
  type LeavingVerification,
  nextLeaving,
  noteLeft,
  pastVerificationCutoff,
  takeVerifications,
} from './verification-files.sql.ts'

/** Verifications in one file. The rest leaves with the next one. */
const MAX_VERIFICATIONS = 2_000

/** The timer of a sandbox: at each cut-off with verifications, their entries leave with a file of their own, which is delivered. */
export function leavingTimerOf(bank: RailBank, delivery: Delivery): Timer {
  return async (organisationId) => {
    const [first] = await nextLeaving(bank.database, organisationId, 1)
    return first && { at: first.at, run: (run) => leaveAt(bank, delivery, { organisationId, at: first.at }, run) }
  }
}

/** The verifications whose entries settle next. */
export function leavingForecastOf({ database }: Pick<BankParts, 'database'>): Forecast {
  return async (organisationId, limit) =>
    (await nextLeaving(database, organisationId, limit)).map(({ externalAccountId, at }) => ({
      at,
      type: 'externalAccount.verifying',
      id: String(externalAccountId),
    }))
}

async function leaveAt(
  bank: RailBank,
  delivery: Delivery,
  { organisationId, at }: { organisationId: number; at: string },
  run: DueRun,
): Promise<void> {
  do await bank.database.transaction((transaction) => buildVerifications(bank, transaction, organisationId, at))
  while ((await nextLeaving(bank.database, organisationId, 1))[0]?.at === at)
  await delivery.deliverOf(organisationId, run)
}

/** Builds the files of verifications whose cut-offs have passed in live mode: for all organisations. */
export function buildDueVerifications(bank: RailBank): Promise<void> {
  return buildDue(bank, pastVerificationCutoff, (transaction, windowAt) =>
    buildVerifications(bank, transaction, null, windowAt),
  )
}

async function buildVerifications(
  bank: RailBank,
  transaction: Queryable,
  organisationId: number | null,
  windowAt: string,
): Promise<void> {
  const taken = await takeVerifications(transaction, { organisationId, windowAt, limit: MAX_VERIFICATIONS })
  const [first] = taken
  if (!first) return
  const share = await ownShare(transaction, organisationId)
  const id = await bank.ids.next()
  const batches: Batch[] = []
  const rows: OutgoingBatch[] = []
  const left: { id: number; batchId: number; traces: string[] }[] = []
  for (const group of groupsOf(taken)) {
    const batchId = await bank.ids.next()
    const entries: Entry[] = []
    for (const each of group) {
      const sequences = each.sequences.map((sequence) => sequenceIn(share, sequence))
      const own = await entriesOf(bank, { ...each, sequences })
      left.push({ id: each.id, batchId, traces: own.map(({ traceNumber }) => traceNumber) })
      entries.push(...own)
    }
    const batch = await batchOf(bank, group[0], { entries, number: batches.length + 1 })
    batches.push(batch)
    rows.push(verificationBatch(batch, { id: batchId, fileId: id, first: group[0] }))
  }
  const scope = { id, organisationId, keyOrganisationId: organisationId ?? first.organisationId, windowAt }
  await insertBuiltFile(transaction, await fileOf(bank, scope, batches), rows)
  await noteLeft(transaction, id, left)
}

type Group = [LeavingVerification, ...LeavingVerification[]]

/** One batch for everything of the same organisation, method, SEC code and settlement. */
function groupsOf(taken: LeavingVerification[]): Group[] {
  const groups = new Map<string, Group>()
  for (const each of taken) {
    const key = [each.organisationId, each.method, secCodeOf(each), each.settlesAt].join(' ')
    const group = groups.get(key)
    if (group) group.push(each)
    else groups.set(key, [each])
  }
  return [...groups.values()]
}

function secCodeOf({ type }: LeavingVerification): 'CCD' | 'PPD' {
  return type === 'Business' ? 'CCD' : 'PPD'
}

/** Two credits and a debit of their sum, or a prenote of debits. */
export function sidesOf(
  method: LeavingVerification['method'],
  [first = 0, second = 0]: number[],
): (readonly [side: 'credit' | 'debit', kind: 'live' | 'prenote', amount: number])[] {
  if (method === 'Prenote') return [['debit', 'prenote', 0]]
  return [
    ['credit', 'live', first],
    ['credit', 'live', second],
    ['debit', 'live', first + second],
  ]
}

async function entriesOf(
  { seals, routingNumber: own }: RailBank,
  { id, organisationId, externalAccountId, method, amounts, sequences, ...account }: LeavingVerification,
): Promise<Entry[]> {
  const { routingNumber, accountType, name } = account
  const seal = await seals.of(organisationId)
  const sides = sidesOf(method, amounts)
  return sides.map(([side, kind, amount], at) => {
    const code = codeFor(accountType as 'Checking' | 'Savings', side, kind)
    if (code === undefined) throw new Error(`no transaction code for a ${kind} ${side} of ${accountType}`)
    return {
      ...{ code, routingNumber, amount, identification: String(id), name: plainText(name, 22), discretionary: '' },
      accountNumber: clearNumber(seal, externalAccountId, account.accountNumber),
      traceNumber: own.slice(0, 8) + String(sequences[at]).padStart(7, '0'),
      addenda: null,
    }
  })
}

async function batchOf(
  { ach, database, routingNumber }: RailBank,
  first: LeavingVerification,
  { entries, number }: { entries: Entry[]; number: number },
): Promise<Batch> {
  const { name, companyId } = await findCompany(database, first.organisationId)
  return {
    serviceClass: first.method === 'Prenote' ? 225 : 200,
    companyName: plainText(name ?? ach.companyName, 16),
    companyId: companyId ?? ach.companyId,
    secCode: secCodeOf(first),
    description: first.method === 'Prenote' ? 'PRENOTE' : 'ACCTVERIFY',
    effectiveDate: easternOf(first.settlesAt).day,
    ...{ companyData: '', descriptiveDate: '', settlementDay: '', originatorStatus: '1', authentication: '' },
    ...{ bank: routingNumber.slice(0, 8), number },
    entries: entries.toSorted((a, b) => (a.traceNumber < b.traceNumber ? -1 : 1)),
  }
}

/** The row of a batch of verifications. */
export function verificationBatch(
  {
    number,
    companyName,
    companyId,
    secCode,
    description,
    effectiveDate,
    entries,
  }: Omit<Batch, 'entries'> & {
    entries: { amount: number }[]
  },
  {
    id,
    fileId,
    first,
  }: { id: number; fileId: number; first: Pick<LeavingVerification, 'organisationId' | 'settlesAt'> },
): OutgoingBatch {
  // The sum of the credits is that of the debits.
  const credits = entries.reduce((sum, { amount }) => sum + amount, 0) / 2
  const { organisationId, settlesAt } = first
  return {
    ...{ id, organisationId, fileId, number, companyName, companyId, secCode, description },
    ...{ effectiveDate: effectiveDate ?? easternOf(settlesAt).day, entryCount: entries.length },
    ...{ debits: credits, credits, settlesAt },
  }
}
