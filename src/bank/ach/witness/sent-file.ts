import { createHash } from 'node:crypto'
import { StartupError } from '../../../base/startup-error.ts'
import type { Books, Command } from '../../../ledger/books.ts'
import { easternInstant } from '../../../rails/ach/calendar.ts'
import type { AchFile, Batch } from '../../../rails/ach/file.ts'
import { readAchFile } from '../../../rails/ach/read-file.ts'
import { numberDigest } from '../../../secrets/numbers.ts'
import { shownCounterparty } from '../../accounts/transaction-view.ts'
import { bankWrite } from '../../parts/bank-write.ts'
import { findRetried } from '../../payments/debit-retry.sql.ts'
import { emitChange } from '../../payments/payment-view.ts'
import { countSentRun, type SentPayment } from '../../payments/recurring/sent-runs.ts'
import { paymentFromRow } from '../../records/payment-columns.ts'
import { payments } from '../../records/payments.ts'
import type { LedgerPayment } from '../../records/records.ts'
import { insertBatches, type OutgoingBatch } from '../batches.sql.ts'
import { filesOfDay } from '../build-file.sql.ts'
import type { RailBank } from '../build-file.ts'
import { entriesOf, type IncomingEntry } from '../incoming/entries.ts'
import { applyException, applyOrder, writtenOffOrder } from '../incoming/exceptions.ts'
import { firstOrganisation } from '../incoming/incoming.sql.ts'
import { PORTION } from '../portions.ts'
import { type FoundVerification, isVerifying, matchingVerifications } from '../verifying/sent-verifications.ts'
import { noteLeft } from '../verifying/verification-files.sql.ts'
import { verificationBatch } from '../verifying/verification-files.ts'
import {
  fillBuilding,
  findOutgoing,
  insertEntries,
  insertSent,
  type KnownFile,
  noteDelivered,
  noteReturns,
  organisationsHere,
  paymentsByIds,
  type ReturnedPayment,
  receivedByTraces,
  storedEntries,
} from './sent-file.sql.ts'

/** More trace numbers than one file has. */
const MAX_DRAWN = 1_000_000

/** A file of this bank that has left, as the operator got it back from the receiving bank or from an archive. */
export interface SentFile {
  name: string
  bytes: Buffer
  sha256: Buffer
  file: AchFile
  entries: IncomingEntry[]
  credits: number
  debits: number
  lastTrace: string
}

/** Reads a file that has left. Refuses one that this bank did not make. */
export function readSent(bytes: Buffer, { ach }: Pick<RailBank, 'ach'>, path: string): SentFile {
  const { file, faults } = readAchFile(bytes, { sameDayLimit: Number.MAX_SAFE_INTEGER })
  const [fault] = faults
  if (!file) throw new StartupError(`${path} is no ACH file: ${fault?.line}:${fault?.column} ${fault?.code}`)
  const { origin, createdOn, createdAt, modifier } = file.header
  if (origin.trim() !== ach.origin.trim())
    throw new StartupError(`${path} is a file of ${origin.trim()}, not of this bank`)
  const entries = entriesOf(file).map((entry) => ({ ...entry, ...sideOf(entry) }))
  const day = createdOn.replaceAll('-', '')
  return {
    name: `${day}-${createdAt.replace(':', '')}-${origin.replace(/[^A-Za-z0-9]/g, '')}-${modifier}.ach`,
    ...{ bytes, sha256: createHash('sha256').update(bytes).digest(), file, entries },
    ...totalsOf(entries),
    lastTrace: lastTraceOf(entries),
  }
}

function totalsOf(entries: IncomingEntry[]): Pick<SentFile, 'credits' | 'debits'> {
  const sum = (side: IncomingEntry['direction']) =>
    entries.filter(({ direction }) => direction === side).reduce((total, { amount }) => total + amount, 0)
  return { credits: sum('Debit'), debits: sum('Credit') }
}

/** The trace number that was drawn last: the highest one, or after the highest if the numbers began anew in the file. */
function lastTraceOf(entries: IncomingEntry[]): string {
  const traces = entries.map(({ traceNumber }) => traceNumber).sort()
  const [first = '', last = ''] = [traces[0], traces.at(-1)]
  const isSplit = Number(last.slice(-7)) - Number(first.slice(-7)) > MAX_DRAWN
  return isSplit
    ? (traces.filter((trace) => Number(last.slice(-7)) - Number(trace.slice(-7)) > MAX_DRAWN).at(-1) ?? last)
    : last
}

/** An entry that leaves takes money from the bank if an incoming one brings some. */
function sideOf({ code, kind }: IncomingEntry): Pick<IncomingEntry, 'direction' | 'kind'> {
  const isReturn = kind === 'return' || kind === 'dishonour' || kind === 'contest'
  return { direction: code % 10 < 5 ? 'Debit' : 'Credit', kind: isReturn ? 'lostReturn' : 'lostPayment' }
}

export interface TakenFile {
  fileId: number
  /** The number of exceptions that are left to the operator. */
  lost: number
  /** Whether the database knew it with all of its entries. */
  wasKnown: boolean
}

/** The line of a file in the journal, if there is one. */
interface Noted {
  windowAt?: string | undefined
  /** The organisation of each batch, by its number. */
  organisations?: Record<string, number> | undefined
}

/** Refuses a file with payments that have to be decided first, before anything is changed. */
export async function requireTakeable(bank: RailBank, sent: SentFile): Promise<void> {
  const known = await findOutgoing(bank.database, sent.name)
  const isOpen = !known || known.state === 'building' || known.state === 'void'
  if (!isOpen && !known.sha256?.equals(sent.sha256))
    throw new StartupError(`ACH file ${known.id} is another one of the name ${sent.name}`)
  const payments = await matchingPayments(bank, sent)
  const returns = await matchingReturns(bank, sent)
  requireReady(sent, [...payments.values()], [...returns.values()])
}

/**
 * Takes a file that has left into a database that lacks it, or had not finished it: its payments are in it from now on, and
 * settle with it. The money of an entry whose payment the database has lost goes to suspense, with an exception. A repeated
 * call goes on where the first one ended.
 */
export async function takeSent(bank: RailBank, given: SentFile, noted: Noted): Promise<TakenFile> {
  const { database } = bank
  const known = await findOutgoing(database, given.name)
  const sent = await ownPart(bank, given, noted)
  if (known && known.state !== 'building' && known.state !== 'void') {
    const { batched, lost } = await storedEntries(database, known.id)
    if (batched + lost >= sent.entries.length) {
      await noteDelivered(database, known.id)
      return { fileId: known.id, lost: 0, wasKnown: true }
    }
  }
  const payments = await matchingPayments(bank, sent)
  const returns = await matchingReturns(bank, sent)
  const owners = [...payments.values(), ...returns.values()].map(({ organisationId }) => organisationId)
  const holder = owners[0] ?? (await firstOrganisation(database))
  if (holder === undefined) throw new StartupError('there is no organisation')
  const fileId = await stored(bank, sent, { known, holder, windowAt: noted.windowAt })
  await clear(bank, fileId, payments)
  const found = await matchingPayments(bank, sent)
  const verifications = await matchingVerifications(bank, sent.entries, fileId)
  const verifying = new Set(verifications.flatMap(({ entries }) => entries))
  const isThere = (entry: IncomingEntry) =>
    found.get(entry)?.achFileId === fileId || isOf(returns.get(entry), fileId) || verifying.has(entry)
  const lost = sent.entries.filter((entry) => !isThere(entry))
  const owned = new Map([...found].map(([{ batch }, { organisationId }]) => [batch, organisationId]))
  for (const entry of lost) {
    const organisationId = noted.organisations?.[entry.batch.number] ?? owned.get(entry.batch) ?? holder
    await lose(bank, { fileId, organisationId, sent, entry, leftAt: cutoffOf(sent, noted) })
  }
  await finish(bank, fileId, sent, { payments: found, returns, verifications })
  return { fileId, lost: lost.filter((entry) => !isVerifying(entry)).length, wasKnown: false }
}

/** The entries of a file that are of organisations in this database: others have moved with their payments. */
async function ownPart({ database }: RailBank, sent: SentFile, { organisations }: Noted): Promise<SentFile> {
  if (!organisations) return sent
  const here = await organisationsHere(database, Object.values(organisations))
  const entries = sent.entries.filter(({ batch }) => {
    const owner = organisations[batch.number]
    return owner === undefined || here.has(owner)
  })
  return entries.length === sent.entries.length ? sent : { ...sent, entries, ...totalsOf(entries) }
}

/** Stores the file with its bytes, in the state unknown, and returns its id. */
async function stored(
  bank: RailBank,
  sent: SentFile,
  { known, holder, windowAt }: { known: KnownFile | undefined; holder: number; windowAt: string | undefined },
): Promise<number> {
  const { database } = bank
  const { createdOn, modifier } = sent.file.header
  const fileId = known?.id ?? (await bank.ids.next())
  const seal = await bank.seals.of(holder)
  const row = {
    ...{ id: fileId, keyOrganisationId: holder, name: sent.name, sha256: sent.sha256, modifier, createdOn },
    sealedContent: seal.seal(sent.bytes, { table: 'ach_file', row: fileId, column: 'sealed_content' }),
    ...{ entryCount: sent.entries.length, debits: sent.debits, credits: sent.credits },
  }
  if (known) {
    await fillBuilding(database, row)
    return fileId
  }
  const cutoff = cutoffOf(sent, { windowAt })
  const { lastPart } = await filesOfDay(database, { organisationId: null, windowAt: cutoff, createdOn })
  await insertSent(database, { ...row, windowAt: cutoff, part: lastPart + 1 }, 'unknown')
  return fileId
}

const isOf = (received: ReturnedPayment | undefined, fileId: number) =>
  received !== undefined && (received.fileId === null || received.fileId === fileId)

/** The payments that entries name: with the same id, amount and payee. Ids alone are given again after a restore. */
async function matchingPayments(
  { database, seals }: RailBank,
  { entries }: SentFile,
): Promise<Map<IncomingEntry, LedgerPayment>> {
  const wanted = entries.filter(
    ({ kind, identification }) => kind === 'lostPayment' && /^\d+$/.test(identification.trim()),
  )
  const found = new Map<IncomingEntry, LedgerPayment>()
  for (let at = 0; at < wanted.length; at += PORTION) {
    const portion = wanted.slice(at, at + PORTION)
    const rows = await paymentsByIds(
      database,
      portion.map(({ identification }) => Number(identification)),
    )
    const byId = new Map(rows.map((row) => [row.id, paymentFromRow(row)]))
    for (const entry of portion) {
      const payment = byId.get(Number(entry.identification))
      if (!payment) continue
      const seal = seals.known(payment.organisationId) ?? (await seals.of(payment.organisationId))
      const { routingNumber, accountNumber } = shownCounterparty(payment, seal)
      const isSame = routingNumber === entry.routingNumber && accountNumber === entry.accountNumber.trim()
      if (isSame && payment.amount === entry.amount) found.set(entry, payment)
    }
  }
  return found
}

/** The received payments that entries return, and whose return is not in another file. */
async function matchingReturns(
  { database }: RailBank,
  { entries, name }: SentFile,
): Promise<Map<IncomingEntry, ReturnedPayment>> {
  const returned = entries.flatMap((entry) => {
    const trace = answeredTrace(entry)
    return trace === undefined ? [] : [{ entry, trace }]
  })
  if (returned.length === 0) return new Map()
  const known = await findOutgoing(database, name)
  const rows = await receivedByTraces(
    database,
    returned.map(({ trace }) => trace),
  )
  const found = new Map<IncomingEntry, ReturnedPayment>()
  for (const { entry, trace } of returned) {
    const received = rows.find(
      ({ traceNumber, amount, fileId }) =>
        traceNumber === trace && amount === entry.amount && (fileId === null || fileId === known?.id),
    )
    if (received) found.set(entry, received)
  }
  return found
}

/** The trace number of the entry that one of ours sends back. */
function answeredTrace({ addenda }: IncomingEntry): string | undefined {
  if (addenda?.type === 'return') return addenda.originalTrace
  if (addenda?.type === 'dishonour') return addenda.returnTrace
  return addenda?.type === 'contest' ? addenda.dishonourTrace : undefined
}

/** Refuses a file with payments that have to be decided first, and names them. */
function requireReady(sent: SentFile, payments: LedgerPayment[], returns: ReturnedPayment[]): void {
  const inReview = payments.filter(({ status }) => status === 'PendingReview').map(({ id }) => id)
  if (inReview.length > 0) {
    throw new StartupError(`approve the payments ${listOf(inReview)} first: they left with ${sent.name}`)
  }
  const unmarked = returns.filter(({ settlesAt }) => settlesAt === null).map(({ id }) => id)
  if (unmarked.length > 0) {
    throw new StartupError(
      `return the received payments ${listOf(unmarked)} first: their returns left with ${sent.name}`,
    )
  }
}

function listOf(ids: number[]): string {
  const more = ids.length > 20 ? ` and ${ids.length - 20} more` : ''
  return `${ids.slice(0, 20).join(', ')}${more}`
}

/** Puts the pending ones among the payments into the file, with the trace numbers of their entries. */
async function clear(bank: RailBank, fileId: number, matched: Map<IncomingEntry, LedgerPayment>): Promise<void> {
  const byOrganisation = new Map<number, [IncomingEntry, LedgerPayment][]>()
  for (const pair of matched) {
    const { organisationId, status } = pair[1]
    if (status !== 'Pending') continue
    byOrganisation.set(organisationId, [...(byOrganisation.get(organisationId) ?? []), pair])
  }
  for (const [organisationId, all] of byOrganisation) {
    for (let at = 0; at < all.length; at += PORTION) {
      const portion = all.slice(at, at + PORTION)
      const write = bankWrite(organisationId)
      const command: Command<void> = {
        write,
        accountIds: [...new Set(portion.map(([, { accountId }]) => accountId))],
        reads: [payments.ids(portion.map(([, { id }]) => id))],
        decide: (books) => decideSent(books, fileId, portion),
      }
      await bank.runOnce.attempt(write, () => bank.lane.run(command))
    }
  }
}

function decideSent(books: Books, achFileId: number, portion: [IncomingEntry, LedgerPayment][]): void {
  for (const [{ traceNumber }, { id }] of portion) {
    const payment = books.of(payments).get(id)
    if (payment?.status !== 'Pending') continue
    emitChange(books, books.of(payments).update({ ...payment, status: 'Clearing', achFileId, traceNumber }))
  }
}

interface Lost {
  fileId: number
  organisationId: number
  sent: SentFile
  entry: IncomingEntry
  /** The cut-off of the file. */
  leftAt: string
}

function sentPayment({ organisationId, sent, entry, leftAt }: Omit<Lost, 'fileId'>): SentPayment {
  const { routingNumber, accountNumber, amount, line } = entry
  const direction = entry.direction === 'Debit' ? 'Credit' : 'Debit'
  const name = `line ${line} of the ACH file ${sent.sha256.toString('hex')}`
  return { organisationId, routingNumber, accountNumber: accountNumber.trim(), amount, direction, leftAt, name }
}

/** The cut-off of a file; without a line of the journal, its time of creation. */
function cutoffOf({ file: { header } }: SentFile, { windowAt }: Noted): string {
  return windowAt ?? easternInstant(header.createdOn, header.createdAt)
}

/**
 * Books the money of an entry without a payment to suspense, once, and leaves it to the operator. If it is the payment of a recurring one that
 * is due, that is not made again. The entries of a lost verification are the bank's own money and add up to zero: they are written off.
 */
async function lose(bank: RailBank, { fileId, organisationId, sent, entry, leftAt }: Lost): Promise<void> {
  const intake = { ...bank, organisationId, fileId, hash: sent.sha256 }
  if (isVerifying(entry)) {
    const kind = 'payment_lost' as const
    const detail = `an entry that verifies an account, of trace ${entry.traceNumber}, left with ${sent.name}`
    const order = await writtenOffOrder(intake, entry, { organisationId, kind, detail, reason: 'Verification lost' })
    await applyOrder(intake, entry, order)
    return
  }
  const [kind, what] =
    entry.kind === 'lostReturn'
      ? (['return_lost', 'the return'] as const)
      : (['payment_lost', `payment ${entry.identification.trim()}`] as const)
  const recurring =
    kind === 'payment_lost' ? await countSentRun(bank, sentPayment({ organisationId, sent, entry, leftAt })) : undefined
  const retried =
    kind === 'payment_lost'
      ? await findLostRetry(bank, sentPayment({ organisationId, sent, entry, leftAt }), entry)
      : null
  const run = recurring === undefined ? '' : `, a run of recurring payment ${recurring}`
  await applyException(
    intake,
    entry,
    kind,
    `${what} of trace ${entry.traceNumber} left with ${sent.name}${run}`,
    retried,
  )
}

/** The debit that a lost entry presented again. It counts as a retry, so that no third one leaves. */
async function findLostRetry(
  bank: RailBank,
  { organisationId, routingNumber, accountNumber, amount, direction }: SentPayment,
  { batch }: IncomingEntry,
): Promise<number | null> {
  if (direction !== 'Debit' || batch.description.trim() !== 'RETRY PYMT') return null
  const digest = numberDigest(await bank.seals.of(organisationId), accountNumber)
  const found = await findRetried(bank.database, { organisationId, digest, routingNumber, amount })
  return found?.id ?? null
}

interface Matched {
  payments: Map<IncomingEntry, LedgerPayment>
  returns: Map<IncomingEntry, ReturnedPayment>
  verifications: FoundVerification[]
}

/** Stores the batches with the entries that the database knows, and ends the unknown state. */
async function finish(
  bank: RailBank,
  fileId: number,
  sent: SentFile,
  { payments, returns, verifications }: Matched,
): Promise<void> {
  const isStored = (await storedEntries(bank.database, fileId)).batched > 0
  const batches: OutgoingBatch[] = []
  const entries: { paymentId: number; organisationId: number; batchId: number }[] = []
  const noted: { id: number; batchId: number; trace: string }[] = []
  const left: { id: number; batchId: number; traces: string[] }[] = []
  const byBatch = new Map<Batch, IncomingEntry[]>(sent.file.batches.map((batch) => [batch, []]))
  for (const entry of sent.entries) byBatch.get(entry.batch)?.push(entry)
  for (const [batch, own] of isStored ? [] : byBatch) {
    const paid = own.flatMap((entry) => {
      const payment = payments.get(entry)
      return payment?.achFileId === fileId ? [payment] : []
    })
    const back = own.flatMap((entry) => {
      const received = returns.get(entry)
      return received ? [{ ...received, trace: entry.traceNumber }] : []
    })
    const verified = verifications.filter(({ entries: [entry] }) => entry?.batch === batch)
    if (verified[0]) {
      const id = await bank.ids.next()
      const row = { ...batch, entries: verified.flatMap((each) => each.entries) }
      batches.push(verificationBatch(row, { id, fileId, first: verified[0] }))
      for (const each of verified)
        left.push({ id: each.id, batchId: id, traces: each.entries.map(({ traceNumber }) => traceNumber) })
      continue
    }
    const [first] = [...paid, ...back]
    if (!first?.settlesAt) continue
    const id = await bank.ids.next()
    batches.push(batchOf({ id, fileId, batch, first: { ...first, settlesAt: first.settlesAt }, paid, back }))
    for (const { id: paymentId, organisationId } of paid) entries.push({ paymentId, organisationId, batchId: id })
    for (const { id: received, trace } of back) noted.push({ id: received, batchId: id, trace })
  }
  await bank.database.transaction(async (transaction) => {
    if (batches.length > 0) await insertBatches(transaction, batches)
    await insertEntries(transaction, entries)
    if (noted.length > 0) await noteReturns(transaction, fileId, noted)
    if (left.length > 0) await noteLeft(transaction, fileId, left)
    await noteDelivered(transaction, fileId)
  })
}

interface Found {
  id: number
  fileId: number
  batch: Batch
  first: { organisationId: number; settlesAt: string }
  paid: LedgerPayment[]
  back: ReturnedPayment[]
}

function batchOf({ id, fileId, batch, first, paid, back }: Found): OutgoingBatch {
  const { number, companyName, companyId, secCode, description, effectiveDate } = batch
  const [returned] = back
  const amount = [...paid, ...back].reduce((sum, each) => sum + each.amount, 0)
  const isCredit = (returned ?? paid[0])?.direction !== 'Debit'
  return {
    ...{ id, organisationId: first.organisationId, fileId, number, companyName, companyId, secCode, description },
    effectiveDate: effectiveDate ?? first.settlesAt.slice(0, 10),
    entryCount: paid.length + back.length,
    ...{ debits: isCredit ? 0 : amount, credits: isCredit ? amount : 0 },
    settlesAt: first.settlesAt,
    ...(returned && { returnSide: returned.direction }),
  }
}
