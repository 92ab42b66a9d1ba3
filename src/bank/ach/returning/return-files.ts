import { createHash } from 'node:crypto'
import type { Queryable } from '../../../database/database.ts'
import { easternOf } from '../../../rails/ach/calendar.ts'
import { type Batch, noTotals, type Totals } from '../../../rails/ach/file.ts'
import { sequenceIn } from '../../../rails/ach/shares.ts'
import { writeAchFile } from '../../../rails/ach/write-file.ts'
import type { BankParts } from '../../parts/bank-parts.ts'
import { pauseWithoutLimit } from '../../time/clock.sql.ts'
import type { DueRun, Forecast, Timer } from '../../time/due.ts'
import { freeName, type RailBank } from '../build-file.ts'
import type { Delivery } from '../delivery.ts'
import { ownShare } from '../spread/own-share.ts'
import { type KeptEntry, openEntry, receivedIn } from './kept-entries.ts'
import { type OriginalEntry, returnBatchesOf, type SentReturn } from './return-batches.ts'
import {
  filesOf,
  insertReturnFile,
  type LeavingReturn,
  nextReturnCutoff,
  nextReturns,
  pastReturnCutoff,
  type ReturnBatch,
  type ReturnFile,
  returnLock,
  returnsByTrace,
  takeReturns,
} from './return-files.sql.ts'

/** Returns in one file. The rest leaves with the next one. */
const MAX_RETURNS = 5_000

/** The timer of a sandbox: at each cut-off with returns, they leave with a file of their own, which is delivered. */
export function returnTimerOf(bank: RailBank, delivery: Delivery): Timer {
  return async (organisationId) => {
    const at = await nextReturnCutoff(bank.database, organisationId)
    return at === undefined ? undefined : { at, run: (run) => leaveAt(bank, delivery, { organisationId, at }, run) }
  }
}

/** The returns that leave next. Their batches settle after that, as those of payments do. */
export function returnForecastOf({ database }: Pick<BankParts, 'database'>): Forecast {
  return async (organisationId, limit) =>
    (await nextReturns(database, organisationId, limit)).map(({ id, at }) => ({
      at,
      type: 'receivedPayment.returning',
      id: String(id),
    }))
}

async function leaveAt(
  bank: RailBank,
  delivery: Delivery,
  { organisationId, at }: { organisationId: number; at: string },
  run: DueRun,
): Promise<void> {
  do await bank.database.transaction((transaction) => buildReturns(bank, transaction, organisationId, at))
  while ((await nextReturnCutoff(bank.database, organisationId)) === at)
  await delivery.deliverOf(organisationId, run)
}

/** Builds the files of returns whose cut-offs have passed in live mode: for all organisations. */
export function buildDueReturns(bank: RailBank): Promise<void> {
  return buildDue(bank, pastReturnCutoff, (transaction, windowAt) => buildReturns(bank, transaction, null, windowAt))
}

/** Builds files as long as a cut-off has passed. One process at a time. */
export async function buildDue(
  { database }: Pick<RailBank, 'database'>,
  pastCutoff: (database: Queryable) => Promise<string | undefined>,
  build: (transaction: Queryable, windowAt: string) => Promise<void>,
): Promise<void> {
  await database.transaction(async (lock) => {
    if (!(await returnLock(lock))) return
    await pauseWithoutLimit(lock)
    for (let at = await pastCutoff(database); at; at = await pastCutoff(database)) {
      const windowAt = at
      await database.transaction((transaction) => build(transaction, windowAt))
    }
  })
}

async function buildReturns(
  bank: RailBank,
  transaction: Queryable,
  organisationId: number | null,
  windowAt: string,
): Promise<void> {
  const { routingNumber } = bank
  const taken = await takeReturns(transaction, { organisationId, windowAt, limit: MAX_RETURNS })
  const [first] = taken
  if (!first) return
  const share = await ownShare(transaction, organisationId)
  const leaving = taken.map((each) => ({ ...each, sequence: sequenceIn(share, each.sequence) }))
  const batches = returnBatchesOf(await sentReturns(bank, transaction, leaving), routingNumber.slice(0, 8))
  const id = await bank.ids.next()
  const built: (ReturnBatch & { returns: SentReturn[] })[] = []
  for (const each of batches) built.push({ ...builtBatch(await bank.ids.next(), id, each), returns: each.returns })
  const scope = { id, organisationId, keyOrganisationId: organisationId ?? first.organisationId, windowAt }
  const file = await fileOf(bank, scope, batches)
  const entries = built.flatMap(({ id: batchId, returns }) =>
    returns.map(({ received, traceNumber }) => ({ id: received.id, batchId, trace: traceNumber })),
  )
  await insertReturnFile(transaction, file, built, entries)
}

/** A file with its bytes, which is built at once. */
export async function fileOf(
  bank: RailBank,
  scope: Pick<ReturnFile, 'id' | 'organisationId' | 'keyOrganisationId' | 'windowAt'>,
  batches: Batch[],
): Promise<ReturnFile> {
  const { id, organisationId, keyOrganisationId, windowAt } = scope
  const { day, time } = easternOf(windowAt)
  const { createdOn, modifier, part } = await freeName(bank.database, organisationId, windowAt, day)
  const { bytes, totals } = writtenFile(bank, { createdOn, modifier, createdAt: time }, batches)
  const seal = await bank.seals.of(keyOrganisationId)
  const origin = bank.ach.origin.replace(/[^A-Za-z0-9]/g, '')
  return {
    ...{ ...scope, part, modifier, createdOn },
    name: `${createdOn.replaceAll('-', '')}-${time.replace(':', '')}-${origin}-${modifier}.ach`,
    sealedContent: seal.seal(bytes, { table: 'ach_file', row: id, column: 'sealed_content' }),
    sha256: createHash('sha256').update(bytes).digest(),
    entryCount: batches.reduce((sum, { entries }) => sum + entries.length, 0),
    ...{ debits: totals.debits, credits: totals.credits },
  }
}

/** The returns with the entries that they answer: from the files that brought them, or as a move has kept them. */
async function sentReturns(
  { seals }: Pick<BankParts, 'seals'>,
  transaction: Queryable,
  leaving: LeavingReturn[],
): Promise<OriginalEntry[]> {
  const files = new Map<number, Map<number, KeptEntry>>()
  const wanted = leaving.filter(({ sealedEntry }) => sealedEntry === null).map(({ fileId }) => fileId)
  for (const file of await filesOf(transaction, [...new Set(wanted)])) {
    files.set(file.id, receivedIn(await seals.of(file.keyOrganisationId), file))
  }
  const originals: OriginalEntry[] = []
  for (const received of leaving) {
    const { id, organisationId, sealedEntry, fileId, line } = received
    const entry =
      sealedEntry === null
        ? files.get(fileId)?.get(line)
        : openEntry(await seals.of(organisationId), { id, sealedEntry })
    if (!entry) throw new Error(`received payment ${id} is not in file ${fileId}`)
    originals.push({ received, entry })
  }
  return withContested(transaction, originals)
}

/** Adds our returns that the other banks dishonored, which contests name. */
async function withContested(transaction: Queryable, originals: OriginalEntry[]): Promise<OriginalEntry[]> {
  const traceOf = ({ entry: { addenda } }: OriginalEntry) => (addenda?.type === 'dishonour' ? addenda.returnTrace : [])
  const traces = originals.flatMap(traceOf)
  if (traces.length === 0) return originals
  const returned = await returnsByTrace(transaction, null, traces)
  return originals.map((original) => {
    const { organisationId } = original.received
    const own = returned.findLast(
      (each) => each.organisationId === organisationId && each.returnTrace === traceOf(original),
    )
    const contested = own && { originalSettledOn: own.settlesOn, returnedOn: easternOf(own.returnSettlesAt).day }
    return { ...original, contested }
  })
}

function writtenFile(
  { ach }: RailBank,
  { createdOn, modifier, createdAt }: { createdOn: string; modifier: string; createdAt: string },
  batches: Batch[],
): { bytes: Buffer; totals: Totals } {
  const { destination, origin, destinationName, originName } = ach
  const header = { destination, origin, createdOn, createdAt, modifier, destinationName, originName, reference: '' }
  const writing = writeAchFile({ header, batches }, { limits: { sameDayLimit: Number.MAX_SAFE_INTEGER } })
  if (writing.bytes !== null) return { bytes: Buffer.from(writing.bytes), totals: writing.totals }
  const [first] = writing.findings
  throw new Error(`a file cannot be written: ${first?.line}:${first?.column} ${first?.code}`)
}

function builtBatch(id: number, fileId: number, batch: Batch & { returns: SentReturn[] }): ReturnBatch {
  const { number, companyName, companyId, secCode, description, effectiveDate, entries, returns } = batch
  const [first] = returns
  if (!first || !effectiveDate) throw new Error('a batch without returns')
  const { organisationId, direction: returnSide, settlesAt } = first.received
  const total = entries.reduce((sum, { amount }) => sum + amount, 0)
  const { debits, credits } = { ...noTotals(), ...(returnSide === 'Credit' ? { credits: total } : { debits: total }) }
  return {
    ...{ id, organisationId, fileId, number, companyName, companyId, secCode, description, effectiveDate },
    ...{ entryCount: entries.length, debits, credits, settlesAt, returnSide },
  }
}
