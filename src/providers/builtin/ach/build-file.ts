import { createHash } from 'node:crypto'
import type { Books, Command } from '../../../ledger/books.ts'
import { paymentFromRow } from '../../../ledger/payment-columns.ts'
import type { LedgerPayment } from '../../../ledger/records.ts'
import { easternOf } from '../../../rails/ach/calendar.ts'
import type { Batch } from '../../../rails/ach/file.ts'
import type { AchSettings } from '../../../rails/ach/settings.ts'
import type { Seal } from '../../../secrets/seal.ts'
import { shownCounterparty } from '../bank/transaction-view.ts'
import type { BankParts } from '../bank-parts.ts'
import { bankWrite } from '../bank-write.ts'
import type { DueRun, Forecast, Timer } from '../clock/due.ts'
import { renderFile } from './file-bytes.ts'
import {
  type BuildingFile,
  type BuiltBatch,
  countFiles,
  deleteBuilding,
  findBuilding,
  findCompany,
  insertBuilding,
  insertBuilt,
  nextPending,
  type PendingPayment,
  paymentsInFile,
  sumInFile,
  takePending,
} from './files.sql.ts'
import { emitChange } from './payment-view.ts'

/** The parts of a bank whose payments leave with files. */
export interface RailBank extends BankParts {
  ach: AchSettings
}

/** Payments that become clearing in one command. It locks their accounts, and other payments of these wait for it. */
const PORTION = 200
/** Limits of one file, well below those of its fields. Payments past them leave with the next part. */
const MAX_PAYMENTS = 300_000
const MAX_TOTAL_CENTS = 900_000_000_000

/** The timer that builds a file at each cut-off with pending payments. */
export function cutoffTimerOf(bank: RailBank): Timer {
  return async (organisationId) => {
    // A file that a killed process left behind comes first.
    const building = await findBuilding(bank.database, organisationId)
    const at = building?.windowAt ?? (await nextCutoff(bank, organisationId))
    return at === undefined ? undefined : { at, run: (run) => buildAt(bank, organisationId, at, run) }
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

async function nextCutoff({ database }: RailBank, organisationId: number): Promise<string | undefined> {
  const [first] = await nextPending(database, organisationId, 1)
  return first?.at
}

async function buildAt(bank: RailBank, organisationId: number, windowAt: string, run: DueRun): Promise<void> {
  do {
    const building = await findBuilding(bank.database, organisationId)
    const file = building ?? (await startFile(bank, organisationId, windowAt))
    await fillFile(bank, file, run)
    await finishFile(bank, file)
  } while ((await nextCutoff(bank, organisationId)) === windowAt)
}

const MODIFIERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'

async function startFile(bank: RailBank, organisationId: number, windowAt: string): Promise<BuildingFile> {
  const { database, ach } = bank
  const { day: createdOn, time } = easternOf(windowAt)
  const { ofWindow, ofDay } = await countFiles(database, { organisationId, windowAt, createdOn })
  const modifier = MODIFIERS[ofDay]
  if (modifier === undefined) throw new Error(`${ofDay} ACH files of ${createdOn} leave no modifier for another`)
  const origin = ach.origin.replace(/[^A-Za-z0-9]/g, '')
  const name = `${createdOn.replaceAll('-', '')}-${time.replace(':', '')}-${origin}-${modifier}.ach`
  const id = await bank.ids.next()
  await insertBuilding(database, { id, organisationId, windowAt, part: ofWindow + 1, modifier, createdOn, name })
  const file = await findBuilding(database, organisationId)
  if (!file) throw new Error(`no ACH file of organisation ${organisationId} is being built`)
  return file
}

/** Moves the pending payments of the cut-off into the file, portion by portion. */
async function fillFile(bank: RailBank, file: BuildingFile, run: DueRun): Promise<void> {
  const { organisationId, windowAt } = file
  let after = 0
  let { count, amount } = await sumInFile(bank.database, file.id)
  while (count < MAX_PAYMENTS) {
    const taken = await takePending(bank.database, { organisationId, windowAt, after, limit: PORTION })
    const portion: PendingPayment[] = []
    for (const payment of taken) {
      if (amount + payment.amount > MAX_TOTAL_CENTS) break
      amount += payment.amount
      portion.push(payment)
    }
    if (portion.length > 0) await clearPortion(bank, file, portion)
    for (const { id } of portion) run.happened({ at: windowAt, type: 'payment.clearing', id: String(id) })
    if (portion.length < PORTION) return
    count += portion.length
    after = portion.at(-1)?.id ?? after
  }
}

async function clearPortion(bank: RailBank, file: BuildingFile, portion: PendingPayment[]): Promise<void> {
  const write = bankWrite(file.organisationId)
  const ownDigits = bank.routingNumber.slice(0, 8)
  const command: Command<void> = {
    write,
    accountIds: [...new Set(portion.map(({ accountId }) => accountId))],
    paymentIds: portion.map(({ id }) => id),
    decide: (books) => decideClearing(books, file.id, ownDigits, portion),
  }
  await bank.runOnce.attempt(write, () => bank.lane.run(command))
}

/** Puts payments into a file. One that was canceled a moment ago stays out. */
function decideClearing(books: Books, achFileId: number, bank: string, portion: PendingPayment[]): void {
  for (const { id, sequence } of portion) {
    const payment = books.payment(id)
    if (payment?.status !== 'Pending') continue
    const traceNumber = bank + String(sequence).padStart(7, '0')
    emitChange(books, books.updatePayment({ ...payment, status: 'Clearing', achFileId, traceNumber }))
  }
}

/** Writes the bytes of a file from its rows, and stores them with its batches and entries. */
async function finishFile(bank: RailBank, file: BuildingFile): Promise<void> {
  const { database, ids, seals, ach: settings, routingNumber } = bank
  const { id, organisationId } = file
  const seal = await seals.of(organisationId)
  const payments = (await paymentsInFile(database, id)).map((row) => withClearNumber(paymentFromRow(row), seal))
  if (payments.length === 0) return deleteBuilding(database, id)
  const found = await findCompany(database, organisationId)
  const company = { name: found.name ?? settings.companyName, companyId: found.companyId ?? settings.companyId }
  const { batches, writing } = renderFile(file, payments, company, { settings, routingNumber })
  if (writing.bytes === null) {
    const [first] = writing.findings
    throw new Error(`ACH file ${file.name} cannot be written: ${first?.line}:${first?.column} ${first?.code}`)
  }
  const bytes = Buffer.from(writing.bytes)
  const settlesAt = new Map(payments.map((payment) => [String(payment.id), payment.settlesAt]))
  const built: BuiltBatch[] = []
  for (const batch of batches) built.push(builtBatch(await ids.next(), file, batch, settlesAt))
  const row = {
    id,
    sealedContent: seal.seal(bytes, { table: 'ach_file', row: id, column: 'sealed_content' }),
    sha256: createHash('sha256').update(bytes).digest(),
    entryCount: payments.length,
    debits: 0,
    credits: built.reduce((total, { credits }) => total + credits, 0),
  }
  await database.transaction((transaction) => insertBuilt(transaction, row, built))
}

function withClearNumber(payment: LedgerPayment, seal: Seal): LedgerPayment {
  return { ...payment, counterparty: shownCounterparty(payment, seal) }
}

function builtBatch(
  id: number,
  file: BuildingFile,
  { entries, number, companyName, companyId, secCode, description, effectiveDate }: Batch,
  settlesAt: Map<string, string | null>,
): BuiltBatch {
  // All entries of a batch have the same dates, so that they settle at the same time.
  const settles = settlesAt.get(entries[0]?.identification ?? '')
  if (!settles || effectiveDate === null) throw new Error('a batch without a settlement')
  return {
    id,
    organisationId: file.organisationId,
    fileId: file.id,
    number,
    companyName,
    companyId,
    secCode,
    description,
    effectiveDate,
    entryCount: entries.length,
    debits: 0,
    credits: entries.reduce((total, { amount }) => total + amount, 0),
    settlesAt: settles,
    paymentIds: entries.map(({ identification }) => Number(identification)),
  }
}
