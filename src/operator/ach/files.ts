import { idNumber } from '../../base/ids.ts'
import { StartupError } from '../../base/startup-error.ts'
import type { Config } from '../../config.ts'
import type { Database, Queryable } from '../../database/database.ts'
import { holdTimers, noteState } from '../../providers/builtin/ach/operator-moves.ts'
import { openSeals } from '../../secrets/seals.ts'
import { storedEncryptionKey } from '../../secrets/secret-file.ts'
import { type Surroundings, UsageError } from '../command.ts'
import { cellColumn, labelled, visitCells } from '../organisations/cells.ts'
import type { Output } from '../output.ts'
import type { AchWork } from './ach.ts'
import { dollars } from './check.ts'
import {
  batchesOfFile,
  findContent,
  findFile,
  latestFiles,
  lockFile,
  noteRejected,
  type OperatorBatch,
  type OperatorFile,
} from './files.sql.ts'

const MAX_LISTED = 200

const states = ['building', 'built', 'delivering', 'unknown', 'delivered', 'acknowledged', 'rejected', 'void']

/** Lists files, the latest first. */
export function listFiles(state: string | undefined): (surroundings: Surroundings) => Promise<void> {
  if (state !== undefined && !states.includes(state)) throw new UsageError(`--state takes ${states.join(', ')}`)
  return async ({ config, out, closers }) => {
    const settings = config()
    const read = (database: Database) => latestFiles(database, state ?? null, MAX_LISTED)
    const found = (await visitCells(settings, labelled(settings, read), closers)).flat()
    // Ids of different cells are not in the order of their times.
    if (settings.cells.length > 0) found.sort((one, other) => (one.windowAt < other.windowAt ? 1 : -1))
    const files = found.slice(0, MAX_LISTED)
    out.table(
      files.map((file) => ({ ...fileRecord(file, out), ...(file.cell !== undefined && { cell: file.cell }) })),
      { ...fileHeadings, ...cellColumn(settings) },
    )
    if (files.length === MAX_LISTED) out.note(`only the latest ${MAX_LISTED} files are listed`)
  }
}

const fileHeadings = {
  id: 'ID',
  name: 'NAME',
  direction: 'DIRECTION',
  state: 'STATE',
  organisationId: 'ORGANISATION',
  windowAt: 'CUT-OFF',
  entries: 'ENTRIES',
  debits: 'DEBITS',
  credits: 'CREDITS',
  deliveredAt: 'DELIVERED',
}

function fileRecord({ id, name, direction, state, ...file }: OperatorFile, out: Output) {
  const organisationId = file.organisationId === null ? null : String(file.organisationId)
  return {
    id: String(id),
    name,
    direction,
    state,
    organisationId: out.json ? organisationId : (organisationId ?? 'all'),
    windowAt: file.windowAt,
    entries: file.entryCount,
    ...amounts(file, out),
    deliveredAt: file.deliveredAt,
  }
}

/** Amounts: cents in JSON, dollars for people. */
function amounts({ debits, credits }: { debits: number; credits: number }, { json }: Output) {
  return json ? { debits, credits } : { debits: dollars(debits), credits: dollars(credits) }
}

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

function batchRecord(batch: OperatorBatch, out: Output) {
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
    ...amounts(batch, out),
    settlesAt,
  }
}

/** Shows a file with its batches, or its content. */
export function showFile(id: string, isContent: boolean): AchWork {
  return async (database, out, settings) => {
    const file = await findFile(database, idNumber(id))
    if (!file) throw noFile(id)
    if (isContent) return void process.stdout.write(await contentOf(database, file, settings))
    const batches = (await batchesOfFile(database, file.id)).map((batch) => batchRecord(batch, out))
    const record = fileRecord(file, out)
    if (out.json) return out.result({ ...record, batches }, '')
    out.table([record], fileHeadings)
    out.result({}, '')
    out.table(batches, batchHeadings)
  }
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

export function moveFileBy(command: keyof typeof moves, id: string): AchWork {
  const { from, to, says } = moves[command]
  return async (database, out) => {
    const fileId = idNumber(id)
    await database.transaction(async (transaction) => {
      await requireState(transaction, id, from, command)
      await noteState(transaction, { id: fileId, from, to })
    })
    out.result({ id, state: to }, `ACH file ${id}: ${says}`)
  }
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
 * and returns leave with the next file, also where it is started later.
 */
export function rejectFile(id: string, batch: string | undefined): AchWork {
  if (batch !== undefined && !/^[1-9]\d{0,3}$/.test(batch)) throw new UsageError('--batch takes the number of a batch')
  return async (database, out) => {
    const fileId = idNumber(id)
    const rejected = await database.transaction(async (transaction) => {
      await requireState(transaction, id, rejectable, 'reject')
      const batches = await lockBatches(transaction, fileId)
      const chosen = batches.filter(({ number, rejectedAt }) =>
        batch === undefined ? rejectedAt === null : number === Number(batch),
      )
      if (batch !== undefined && chosen.length === 0) throw new StartupError(`ACH file ${id} has no batch ${batch}`)
      for (const each of chosen) requireUnsettled(id, each)
      await noteRejected(
        transaction,
        chosen.map((each) => each.id),
      )
      if (batch === undefined) await noteState(transaction, { id: fileId, from: rejectable, to: 'rejected' })
      return chosen.length
    })
    const what = batch === undefined ? `ACH file ${id}` : `batch ${batch} of ACH file ${id}`
    const record = {
      id,
      ...(batch === undefined ? { state: 'rejected' } : { batch: Number(batch) }),
      batches: rejected,
    }
    out.result(
      record,
      `${what}: noted as rejected. The service gives the money of payments back within seconds; returns leave with the next file`,
    )
  }
}

/** Reads the batches of a file behind the locks of their organisations' clocks, so that none settles meanwhile. */
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
