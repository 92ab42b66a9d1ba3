import { UsageError } from '../../../ground/failure.ts'
import type { Output } from '../../../ground/output.ts'
import { holdTimers, noteState } from '../../bank/ach/operator-moves.ts'
import { noteByHand } from '../../bank/ach/witness/witness.ts'
import { idNumber } from '../../base/ids.ts'
import { StartupError } from '../../base/startup-error.ts'
import type { CellPlace } from '../../cells/settings.ts'
import { cellColumn, labelled, notingAway, visitCells, visitOthers } from '../../cells/visit.ts'
import type { Config } from '../../config.ts'
import type { Database, Queryable } from '../../database/database.ts'
import { visitDatabase } from '../../database/visit.ts'
import { openSeals } from '../../secrets/seals.ts'
import { storedEncryptionKey } from '../../secrets/secret-file.ts'
import type { OperatorCall, OperatorCommand } from '../command.ts'
import { placeOfRecord } from '../place-of-record.ts'
import {
  batchesOfFile,
  type FileShare,
  findContent,
  findFile,
  latestFiles,
  lockFile,
  noteRejected,
  type OperatorBatch,
  type OperatorFile,
  sharesOf,
} from './files.sql.ts'

const MAX_LISTED = 200

/** Lists files of the cells that are there, the latest first. */
export const listFiles: OperatorCommand = async ({ options: { state }, config, out, closers }) => {
  const settings = config()
  const read = (database: Database) => latestFiles(database, (state as string) ?? null, MAX_LISTED)
  const away = notingAway(out)
  const found = (await visitCells(settings, labelled(settings, read), closers, away.note)).flat()
  // Ids of different cells are not in the order of their times.
  if (settings.cells.length > 0) found.sort((one, other) => (one.windowAt < other.windowAt ? 1 : -1))
  const listed = found.slice(0, MAX_LISTED)
  const ids = listed.map(({ id }) => id)
  const isAlone = settings.cells.length === 0
  const shares = isAlone ? [] : await visitCells(settings, (database) => sharesOf(database, ids), closers, away.note)
  const files = listed.map((file) => withShares(file, shares.flat()))
  await out.records(
    files.map((file) => ({ ...fileRecord(file, out), ...(file.cell !== undefined && { cell: file.cell }) })),
    fileHeadings(cellColumn(settings)),
    { money },
  )
  if (files.length === MAX_LISTED) out.note(`only the latest ${MAX_LISTED} files are listed`)
  return away.code()
}

/** A file with the totals of all cells: organisations may have moved with their entries. */
function withShares<File extends OperatorFile>(file: File, shares: FileShare[]): File {
  const own = [file, ...shares.filter(({ id }) => id === file.id)]
  const sum = (of: 'entryCount' | 'debits' | 'credits') => own.reduce((total, each) => total + each[of], 0)
  return { ...file, entryCount: sum('entryCount'), debits: sum('debits'), credits: sum('credits') }
}

const fileHeadings = (cell: { cell?: string } = {}) => ({
  ...{ id: 'ID', name: 'NAME', direction: 'DIRECTION', state: 'STATE', ...cell, entries: 'ENTRIES', debits: 'DEBITS' },
  ...{ credits: 'CREDITS', windowAt: 'CUT-OFF', deliveredAt: 'DELIVERED', organisationId: 'ORGANISATION' },
})

function fileRecord({ id, name, direction, state, ...file }: OperatorFile, out: Output) {
  const organisationId = file.organisationId === null ? null : String(file.organisationId)
  return {
    id: String(id),
    name,
    direction,
    state,
    organisationId: out.forPeople ? (organisationId ?? 'all') : organisationId,
    windowAt: file.windowAt,
    entries: file.entryCount,
    debits: file.debits,
    credits: file.credits,
    deliveredAt: file.deliveredAt,
  }
}

const money = ['debits', 'credits']

const batchHeadings = {
  number: 'BATCH',
  state: 'STATE',
  organisationId: 'ORGANISATION',
  companyName: 'COMPANY',
  companyId: 'COMPANY ID',
  secCode: 'SEC CODE',
  description: 'DESCRIPTION',
  entries: 'ENTRIES',
  debits: 'DEBITS',
  credits: 'CREDITS',
  settlesAt: 'SETTLES',
}

function batchRecord(batch: OperatorBatch) {
  const { number, companyName, companyId, secCode, description, settlesAt } = batch
  return {
    number,
    state: batch.rejectedAt !== null ? 'rejected' : batch.settledAt !== null ? 'settled' : 'clearing',
    organisationId: String(batch.organisationId),
    companyName,
    companyId,
    secCode,
    description,
    entries: batch.entryCount,
    debits: batch.debits,
    credits: batch.credits,
    settlesAt,
  }
}

/** Work on the database of the cell that has a file. */
type FileWork<T> = (database: Database, place: CellPlace) => Promise<T>

async function visitFile<T>({ config, closers }: OperatorCall, id: string, work: FileWork<T>): Promise<T> {
  const place = await placeOfRecord(config(), 'achFile', idNumber(id), closers)
  return visitDatabase(place, (database) => work(database, place), closers)
}

/** Shows a file with its batches in all cells, or its content. */
export const showFile: OperatorCommand = (call) => {
  const { args, options, out, config, closers } = call
  const [id = ''] = args
  return visitFile(call, id, async (database, place) => {
    const settings = config()
    const file = await findFile(database, idNumber(id))
    if (!file) throw noFile(id)
    if (options.content === true) return out.bytes(await contentOf(database, file, settings))
    const moved = await visitOthers(settings, place, (other) => shareIn(other, file.id), closers)
    const found = [await batchesOfFile(database, file.id), ...moved.map((each) => each.batches)].flat()
    const batches = found.toSorted((one, other) => one.number - other.number).map((batch) => batchRecord(batch))
    const shares = moved.flatMap((each) => each.shares)
    const record = fileRecord(withShares(file, shares), out)
    if (!out.forPeople) return out.record({ ...record, batches })
    await out.records([record], fileHeadings(), { money })
    out.line('')
    await out.records(batches, batchHeadings, { money })
  })
}

async function shareIn(database: Database, fileId: number) {
  return { shares: await sharesOf(database, [fileId]), batches: await batchesOfFile(database, fileId) }
}

async function contentOf(database: Database, file: OperatorFile, settings: Config): Promise<Buffer> {
  const sealed = await findContent(database, file.id)
  if (!sealed) throw new StartupError(`ACH file ${file.id} has no content yet: it is being built`)
  const { encryptionKey, newEncryptionKey, dataDir } = settings
  const key = encryptionKey ?? (await storedEncryptionKey(dataDir))
  const seals = openSeals(database, newEncryptionKey ? [key, newEncryptionKey] : [key])
  const seal = await seals.of(file.keyOrganisationId)
  return seal.unseal(sealed, { table: 'ach_file', row: file.id, column: 'sealed_content' })
}

function noFile(id: string): StartupError {
  return new StartupError(`there is no ACH file ${id}: \`purser ach list\` lists all`)
}

/** The moves of a file that the operator notes. */
const moves = {
  deliver: { from: ['unknown'], to: 'built', says: 'the service delivers it within seconds' },
  delivered: { from: ['built', 'unknown'], to: 'delivered', says: 'noted as delivered' },
  acknowledge: { from: ['delivered', 'unknown'], to: 'acknowledged', says: 'noted as acknowledged' },
} as const

export const deliverFile: OperatorCommand = (call) => moveFileBy('deliver', call)
export const noteDelivered: OperatorCommand = (call) => moveFileBy('delivered', call)
export const noteAcknowledged: OperatorCommand = (call) => moveFileBy('acknowledge', call)

function moveFileBy(command: keyof typeof moves, call: OperatorCall): Promise<void> {
  const { args, out, config } = call
  const [id = ''] = args
  const { from, to, says } = moves[command]
  return visitFile(call, id, async (database, place) => {
    const fileId = idNumber(id)
    await noteLeft(database, place, { config: config(), fileId, command })
    await database.transaction(async (transaction) => {
      await requireState(transaction, id, from, command)
      await noteState(transaction, { id: fileId, from, to })
    })
    out.result({ id, state: to }, `ACH file ${id}: ${says}`)
  })
}

/** Writes a file to the journal of a live bank that was brought to the receiving bank by hand. */
async function noteLeft(
  database: Database,
  place: CellPlace,
  { config, fileId, command }: { config: Config; fileId: number; command: string },
): Promise<void> {
  const { mode, ach } = config
  if (command !== 'delivered' || mode !== 'live' || ach === 'instant') return
  if ((await findFile(database, fileId))?.state !== 'built') return
  await visitDatabase(place, (locks) => noteByHand({ database, locks, ach }, fileId))
}

/** Locks a file and refuses one that is in another state. */
async function requireState(
  transaction: Queryable,
  id: string,
  from: readonly string[],
  command: string,
): Promise<void> {
  const file = await lockFile(transaction, idNumber(id))
  if (!file) throw noFile(id)
  if (from.includes(file.state)) return
  throw new StartupError(
    `ACH file ${id} is ${file.state}: \`purser ach ${command}\` takes one that is ${from.join(' or ')}`,
  )
}

const rejectable = ['built', 'unknown', 'delivered', 'acknowledged']

/**
 * Notes that the receiving bank has refused a file or one of its batches. The service then gives the money of payments back,
 * and returns leave with the next file, also if it is started later. Batches of organisations that have moved are noted first,
 * so that a command that was killed can be run again.
 */
export const rejectFile: OperatorCommand = async (call) => {
  const { args, options, out, config, closers } = call
  const [id = ''] = args
  const { batch } = options as { batch?: string }
  if (batch !== undefined && !/^[1-9]\d{0,3}$/.test(batch)) throw new UsageError('--batch takes the number of a batch')
  await visitFile(call, id, async (database, place) => {
    const fileId = idNumber(id)
    const settings = config()
    await database.transaction((transaction) => requireState(transaction, id, rejectable, 'reject'))
    const isChosen = ({ number, rejectedAt }: OperatorBatch) =>
      batch === undefined ? rejectedAt === null : number === Number(batch)
    const moved = await visitOthers(settings, place, (other) => batchesOfFile(other, fileId), closers)
    const chosen = [await batchesOfFile(database, fileId), ...moved].flat().filter(isChosen)
    if (batch !== undefined && chosen.length === 0) throw new StartupError(`ACH file ${id} has no batch ${batch}`)
    for (const each of chosen) requireUnsettled(id, each)
    const rejectIn = (other: Database) => other.transaction((transaction) => rejectBatches(transaction, id, isChosen))
    const elsewhere = await visitOthers(settings, place, rejectIn, closers)
    await database.transaction(async (transaction) => {
      await requireState(transaction, id, rejectable, 'reject')
      const rejected = [...elsewhere, await rejectBatches(transaction, id, isChosen)].reduce(
        (sum, count) => sum + count,
      )
      if (rejected !== chosen.length) throw new StartupError('an organisation has just moved: run the command again')
      if (batch === undefined) await noteState(transaction, { id: fileId, from: rejectable, to: 'rejected' })
    })
    const what = batch === undefined ? `ACH file ${id}` : `batch ${batch} of ACH file ${id}`
    const record = {
      id,
      ...(batch === undefined ? { state: 'rejected' } : { batch: Number(batch) }),
      batches: chosen.length,
    }
    out.result(
      record,
      `${what}: noted as rejected. The service gives the money of payments back within seconds; returns leave with the next file`,
    )
  })
}

/** Notes that batches of a file in one cell were rejected. Returns their number. */
async function rejectBatches(
  transaction: Queryable,
  id: string,
  isChosen: (batch: OperatorBatch) => boolean,
): Promise<number> {
  const chosen = (await lockBatches(transaction, idNumber(id))).filter(isChosen)
  for (const each of chosen) requireUnsettled(id, each)
  await noteRejected(
    transaction,
    chosen.map((each) => each.id),
  )
  return chosen.length
}

/** Reads the batches of a file after the locks of their organisations' clocks, so that none settles meanwhile. */
async function lockBatches(transaction: Queryable, fileId: number): Promise<OperatorBatch[]> {
  await holdTimers(
    transaction,
    (await batchesOfFile(transaction, fileId)).map(({ organisationId }) => organisationId),
  )
  return batchesOfFile(transaction, fileId)
}

function requireUnsettled(id: string, { number, settledAt, isDue, rejectedAt }: OperatorBatch): void {
  if (settledAt !== null || isDue) {
    throw new StartupError(`batch ${number} of ACH file ${id} has settled: a refusal after that comes as returns`)
  }
  if (rejectedAt !== null) throw new StartupError(`batch ${number} of ACH file ${id} was rejected before`)
}
