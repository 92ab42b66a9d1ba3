import type { Database } from '../../database/database.ts'
import type { Books, Command } from '../../ledger/books.ts'
import { daysAfter, easternOf } from '../../rails/ach/calendar.ts'
import type { AchSettings } from '../../rails/ach/settings.ts'
import { sequenceIn } from '../../rails/ach/shares.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import { bankWrite } from '../parts/bank-write.ts'
import { emitChange } from '../payments/payment-view.ts'
import { buildingFiles } from '../records/ach-files.ts'
import { payments } from '../records/payments.ts'
import { pauseWithoutLimit } from '../time/clock.sql.ts'
import type { DueRun, Forecast, Timer } from '../time/due.ts'
import {
  type BuildingFile,
  buildLock,
  type FileLoad,
  filesOfDay,
  findBuilding,
  insertBuilding,
  loadOf,
  nextPending,
  organisationsAt,
  type PendingPayment,
  pastCutoff,
  takePending,
} from './build-file.sql.ts'
import type { Delivery } from './delivery.ts'
import { finishFile } from './finish-file.ts'
import { changePortions, PORTION, type Portion } from './portions.ts'
import { ownShare } from './spread/own-share.ts'

/** The parts of a bank whose payments leave with files. */
export interface RailBank extends BankParts {
  ach: AchSettings
}

/** Limits of one file: that of batches, and others well below those of its fields. The rest leaves with the next part. */
const MAX_BATCHES = 9_999
const MAX_PAYMENTS = 300_000
const MAX_TOTAL_CENTS = 900_000_000_000
/** Time after a cut-off in which payments from before it are committed. A live bank has 36 files a day, so none is wasted. */
const LATE_MS = 10_000

/**
 * The timer of a sandbox, where each organisation has its own time: builds a file at each cut-off with pending payments,
 * and delivers it.
 */
export function cutoffTimerOf(bank: RailBank, delivery: Delivery): Timer {
  return async (organisationId) => {
    // A file that a killed process left behind comes first.
    const building = await findBuilding(bank.database, organisationId)
    const at = building?.windowAt ?? (await nextCutoff(bank, organisationId))
    return at === undefined ? undefined : { at, run: (run) => leaveAt(bank, delivery, { organisationId, at }, run) }
  }
}

/** The cut-offs that are next. */
export function cutoffForecastOf({ database }: Pick<BankParts, 'database'>): Forecast {
  return async (organisationId, limit) =>
    (await nextPending(database, organisationId, limit)).map(({ id, at }) => ({
      at,
      type: 'payment.clearing',
      id: String(id),
    }))
}

async function nextCutoff({ database }: { database: Database }, organisationId: number): Promise<string | undefined> {
  const [first] = await nextPending(database, organisationId, 1)
  return first?.at
}

async function leaveAt(
  bank: RailBank,
  delivery: Delivery,
  { organisationId, at }: { organisationId: number; at: string },
  run: DueRun,
): Promise<void> {
  await buildAt(bank, organisationId, at, run)
  await delivery.deliverOf(organisationId, run)
}

async function buildAt(bank: RailBank, organisationId: number, windowAt: string, run: DueRun): Promise<void> {
  do {
    await buildFile(bank, organisationId, windowAt, run)
  } while ((await nextCutoff(bank, organisationId)) === windowAt)
}

/** Builds the files of the cut-offs that have passed in live mode: one for all organisations. One process at a time does it. */
export async function buildDueFiles(bank: RailBank): Promise<void> {
  await bank.database.transaction(async (transaction) => {
    if (!(await buildLock(transaction))) return
    await pauseWithoutLimit(transaction)
    for (;;) {
      const building = await findBuilding(bank.database, null)
      const at = building?.windowAt ?? (await pastCutoff(bank.database, LATE_MS))
      if (at === undefined) return
      await buildFile(bank, null, at, { happened: () => undefined })
    }
  })
}

type Scope = BuildingFile['organisationId']

async function buildFile(bank: RailBank, scope: Scope, windowAt: string, run: Pick<DueRun, 'happened'>): Promise<void> {
  const file = (await findBuilding(bank.database, scope)) ?? (await startFile(bank, scope, windowAt))
  if (!file) return
  await changePortions(portionsFor(bank, file, run))
  await finishFile(bank, file)
}

async function startFile(bank: RailBank, scope: Scope, windowAt: string): Promise<BuildingFile | undefined> {
  const { database, ach } = bank
  const [keyOrganisationId] = scope === null ? await organisationsAt(database, windowAt) : [scope]
  if (keyOrganisationId === undefined) return undefined
  const { day, time } = easternOf(windowAt)
  const { createdOn, modifier, part } = await freeName(database, scope, windowAt, day)
  const origin = ach.origin.replace(/[^A-Za-z0-9]/g, '')
  const name = `${createdOn.replaceAll('-', '')}-${time.replace(':', '')}-${origin}-${modifier}.ach`
  const id = await bank.ids.next()
  const own = { id, organisationId: scope, keyOrganisationId }
  await insertBuilding(database, { ...own, windowAt, part, modifier, createdOn, name })
  // Another process may have started it.
  return findBuilding(database, scope)
}

/** The next modifier of a day in the share of the database. If all are used up, it is one of the next day that has some. */
export async function freeName(database: Database, organisationId: Scope, windowAt: string, day: string) {
  const { modifiers } = await ownShare(database, organisationId)
  for (let createdOn = day; ; createdOn = daysAfter(createdOn, 1)) {
    const { used, lastPart } = await filesOfDay(database, { organisationId, windowAt, createdOn })
    const modifier = [...modifiers].find((each) => !used.includes(each))
    if (modifier !== undefined) return { createdOn, modifier, part: lastPart + 1 }
  }
}

/** The pending payments of the cut-off, in portions that move into the file, until it is full. */
async function* portionsFor(
  bank: RailBank,
  file: BuildingFile,
  run: Pick<DueRun, 'happened'>,
): AsyncGenerator<Portion> {
  const { windowAt } = file
  const load = await loadOf(bank.database, file.id)
  const share = await ownShare(bank.database, file.organisationId)
  const sources = file.organisationId === null ? await organisationsAt(bank.database, windowAt) : [file.organisationId]
  for (const organisationId of sources) {
    for (let after = 0, left = true; left; ) {
      const pending = await takePending(bank.database, { organisationId, windowAt, after, limit: PORTION })
      const taken = pending.map((payment) => ({ ...payment, sequence: sequenceIn(share, payment.sequence) }))
      const payments = taken.slice(0, fittingIn(load, taken))
      const change = async () => {
        const cleared = await clearPortion(bank, file.id, organisationId, payments)
        for (const id of cleared) run.happened({ at: windowAt, type: 'payment.clearing', id: String(id) })
      }
      if (payments.length > 0) yield { payments, change }
      if (payments.length < taken.length) return
      after = taken.at(-1)?.id ?? after
      left = taken.length === PORTION
    }
  }
}

/** The number of payments that still fit into a file. They are added to its load. */
function fittingIn(load: FileLoad, payments: PendingPayment[]): number {
  for (const [at, { amount, batch }] of payments.entries()) {
    const isNew = !load.batches.has(batch)
    const isFull = load.count >= MAX_PAYMENTS || (isNew && load.batches.size >= MAX_BATCHES)
    if (isFull || load.amount + amount > MAX_TOTAL_CENTS) return at
    load.count++
    load.amount += amount
    load.batches.add(batch)
  }
  return payments.length
}

/** Puts payments into a file, and returns the ids of those that are in it now. */
async function clearPortion(
  bank: RailBank,
  achFileId: number,
  organisationId: number,
  portion: PendingPayment[],
): Promise<number[]> {
  const write = bankWrite(organisationId)
  const ownDigits = bank.routingNumber.slice(0, 8)
  let cleared: number[] = []
  const command: Command<void> = {
    write,
    accountIds: [...new Set(portion.map(({ accountId }) => accountId))],
    reads: [payments.ids(portion.map(({ id }) => id)), buildingFiles.ids([achFileId])],
    decide: (books) => {
      cleared = decideClearing(books, achFileId, ownDigits, portion)
    },
  }
  await bank.runOnce.attempt(write, () => bank.lane.run(command))
  return cleared
}

/** Puts payments into a file. One that was canceled or stopped a moment ago stays out. */
function decideClearing(books: Books, achFileId: number, bank: string, portion: PendingPayment[]): number[] {
  const cleared: number[] = []
  // A process that has lost its lock may come late, after another has written the file. The next file takes the payments.
  if (!books.of(buildingFiles).has(achFileId)) return cleared
  for (const { id, sequence } of portion) {
    const payment = books.of(payments).get(id)
    if (payment?.status !== 'Pending') continue
    const traceNumber = bank + String(sequence).padStart(7, '0')
    emitChange(books, books.of(payments).update({ ...payment, status: 'Clearing', achFileId, traceNumber }))
    cleared.push(id)
  }
  return cleared
}
