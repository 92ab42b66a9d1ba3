import { join } from 'node:path'
import { UsageError } from '../../../ground/failure.ts'
import { readFirstRows } from '../../bank/first-states/first-states.ts'
import { proveRecords } from '../../bank/proof/verify-records.ts'
import { openProgress } from '../../base/progress.ts'
import { StartupError } from '../../base/startup-error.ts'
import { claimHome, requireMode } from '../../cells/claim.ts'
import { addShares, announceArrival, markArrived, migrationsOf } from '../../cells/move/copies.ts'
import type { Config } from '../../config.ts'
import type { Database, Queryable } from '../../database/database.ts'
import { migrate } from '../../database/migrate.ts'
import { visitDatabase } from '../../database/visit.ts'
import { walkChains } from '../../events/chain/verify-chain.ts'
import { findBreachesIn } from '../../ledger/verify.ts'
import { requireKey } from '../../secrets/marker.ts'
import { storeKeys } from '../../secrets/seals.ts'
import { encryptionKeysOf } from '../../secrets/secret-file.ts'
import type { OperatorCall, OperatorCommand } from '../command.ts'
import { writeArchiveAsFiles } from '../former-files/from-archive.ts'
import { identitiesIn, readEncrypted } from './age.ts'
import { figuresOf } from './figures.ts'
import {
  type ArchiveFigures,
  type ArchiveLine,
  type ArchiveManifest,
  faultAt,
  linesOf,
  manifestOf,
  shownFigures,
} from './format.ts'
import * as sql from './import.sql.ts'
import { takeRows } from './take-rows.ts'

interface Plan {
  manifest: ArchiveManifest
  lines: AsyncIterator<ArchiveLine>
  encryptionKeys: Buffer[]
  /** Whether the former bank has stopped for good, so that keys, webhooks and payments go on here. */
  takeOver: boolean
  keepAnswersMs: number
  progress: (done: number, of: number, now: string) => void
}

/** The outcome of an import. */
type Outcome = { state: 'imported' | 'checked'; figures: ArchiveFigures } | { state: 'known'; id: number }

const OR_AS_FILES = 'or write the archive with --files as files, whose records get ids and numbers of this bank'

/** Ends a trial. */
class Trial extends Error {
  readonly figures: ArchiveFigures

  constructor(figures: ArchiveFigures) {
    super('nothing is kept')
    this.figures = figures
  }
}

/** Reads an archive of an organisation into an empty bank: all of it, or nothing. */
export const importOrganisation: OperatorCommand = async (call) => {
  const {
    args: [file = ''],
    options,
    config,
    root,
    closers,
  } = call
  const { identity, takeOver, check, files } = options as {
    identity?: string
    takeOver?: boolean
    check?: boolean
    files?: string
  }
  if (identity === undefined)
    throw new UsageError('an archive is encrypted: name the file of its identity with --identity')
  const identities = identitiesIn(identity)
  if (files !== undefined) return writeArchiveAsFiles(call, { to: files, identities })
  const settings = config()
  const lines = linesOf(await readEncrypted(file, identities))
  try {
    const manifest = await firstLine(lines)
    requireFit(manifest, settings, takeOver === true)
    const progress = openProgress(`importing ${manifest.organisation.name}`)
    const encryptionKeys = await encryptionKeysOf(settings)
    const plan: Plan = {
      manifest,
      lines,
      encryptionKeys,
      takeOver: takeOver === true,
      keepAnswersMs: settings.keep.answersMs,
      progress: progress.at,
    }
    const work = async (database: Database) => {
      await migrate(database, join(root, 'migrations'))
      await claimHome(database)
      await requireMode(database, settings.mode)
      await requireKey(database, encryptionKeys)
      return takeArchive(database, plan, check === true)
    }
    const outcome = await visitDatabase(settings, work, closers, { create: true }).finally(progress.clear)
    await report(call, plan, outcome)
  } finally {
    await lines.return(undefined)
  }
}

async function firstLine(lines: AsyncIterator<ArchiveLine>): Promise<ArchiveManifest> {
  const first = await lines.next()
  if (first.done) throw faultAt(1, 'the archive is empty')
  return manifestOf(first.value)
}

/** Refuses an archive that this bank could not carry on with. */
function requireFit(
  { mode, routingNumber, figures, served, exportedAt }: ArchiveManifest,
  settings: Config,
  takeOver: boolean,
): void {
  if (settings.cells.length > 0) {
    throw new StartupError(
      'an import needs a bank of one database: import first, and move the organisation to a cell then',
    )
  }
  if (mode === 'sandbox' && settings.mode === 'live') {
    throw new StartupError('the archive is of a sandbox, whose money is invented: a live bank does not take it')
  }
  if (routingNumber !== settings.routingNumber) {
    throw new StartupError(
      `account numbers of the archive belong to the routing number ${routingNumber}, and this bank has ${settings.routingNumber}: set PURSER_ROUTING_NUMBER=${routingNumber}, ${OR_AS_FILES}`,
    )
  }
  const again = 'stop the former bank for good, export once more, and import with --take-over'
  if (settings.mode === 'live' && figures.leaving > 0 && !takeOver) {
    throw new StartupError(`${figures.leaving} payments of the archive would leave from here, too: ${again}`)
  }
  if (settings.mode === 'live' && figures.leaving > 0 && served) {
    throw new StartupError(
      `the former bank ran when the archive was written at ${exportedAt}, and may have sent some of its ${figures.leaving} payments since: ${again}`,
    )
  }
}

/** Imports in one transaction: a run that is killed leaves nothing behind. */
async function takeArchive(database: Database, plan: Plan, isTrial: boolean): Promise<Outcome> {
  const run = database.transaction<Outcome>(
    async (transaction) => {
      await sql.beginImport(transaction)
      const known = await sql.findImport(transaction, plan.manifest.archive)
      if (known !== undefined) return { state: 'known', id: known }
      await requireRoom(transaction, plan.manifest)
      const numbers = await writeRecords(transaction, plan)
      const figures = await requireSame(transaction, plan.manifest)
      await settle(transaction, plan)
      await requireProof(transaction, plan)
      if (isTrial) throw new Trial(figures)
      // A service that was started meanwhile has given out ids.
      if (!(await sql.isUnused(transaction, numbers.highest))) throw usedBank()
      const recordId = await sql.raiseSequences(transaction, numbers)
      const { organisation, archive } = plan.manifest
      const compared = comparedFigures(plan.manifest.figures, figures)
      await sql.noteImport(transaction, { id: organisation.id, archive, recordId, figures: compared })
      return { state: 'imported', figures }
    },
    { unlimited: true },
  )
  return run.catch((error: unknown) => {
    if (error instanceof Trial) return { state: 'checked', figures: error.figures }
    throw error
  })
}

async function requireRoom(transaction: Queryable, { migrations, organisation }: ArchiveManifest): Promise<void> {
  const present = await migrationsOf(transaction)
  const missing =
    present.find((name) => !migrations.includes(name)) ?? migrations.find((name) => !present.includes(name))
  if (missing !== undefined) {
    const older = present.includes(missing) ? 'the former bank' : 'this bank'
    throw new StartupError(`the tables of ${older} are of an older version (${missing}): upgrade it, and export again`)
  }
  const other = await sql.findInTheWay(transaction, organisation)
  if (other) {
    throw new StartupError(
      `the bank has an organisation ${other.name} already: name the data folder or database of a new bank, ${OR_AS_FILES}`,
    )
  }
  if (!(await sql.hasOnlyImports(transaction))) throw usedBank()
}

function usedBank(): StartupError {
  return new StartupError(
    `the bank has given out ids of its own, which the archive may have as well: import before the first start, into a new data folder or database, ${OR_AS_FILES}`,
  )
}

/** Writes all rows, and returns the numbers that they have. */
async function writeRecords(
  transaction: Queryable,
  { manifest, lines, encryptionKeys, progress }: Plan,
): Promise<sql.UsedNumbers> {
  const { organisation, keys } = manifest
  const columns = await sql.readColumns(transaction)
  const expected = columns.get('organisation') ?? []
  const names = Object.keys(organisation)
  if (names.length !== expected.length || !expected.every((column) => Object.hasOwn(organisation, column))) {
    throw faultAt(1, 'the organisation has other columns than its table')
  }
  await sql.insertOrganisationRow(transaction, JSON.stringify(organisation))
  await storeKeys(transaction, encryptionKeys, organisation.id, {
    dataKey: Buffer.from(keys.data, 'base64'),
    digestKey: Buffer.from(keys.digest, 'base64'),
  })
  const shares = JSON.stringify(manifest.shares)
  await sql.insertFiles(transaction, shares)
  await takeRows(transaction, lines, { manifest, columns, progress })
  await addShares(transaction, organisation.id, shares)
  const strangers = await sql.findStrangers(transaction, organisation.id, columns)
  if (strangers.length > 0) {
    throw new StartupError(`the archive names records of another organisation: ${strangers.join(', ')}`)
  }
  const numbers = await sql.readNumbers(transaction, organisation.id, columns)
  if (numbers.lowest < 1 || !numbers.inRange) {
    throw new StartupError(
      'the archive has ids of another cell: move the organisation to the home cell before the export',
    )
  }
  if (!(await sql.isUnused(transaction, numbers.highest))) throw usedBank()
  return numbers
}

/** Compares the figures of the bank with those of the archive. */
async function requireSame(
  transaction: Queryable,
  { organisation, figures }: ArchiveManifest,
): Promise<ArchiveFigures> {
  const found = await figuresOf(transaction, organisation.id)
  const differences = Object.entries(found.counts)
    .filter(([table, count]) => count !== (figures.counts[table] ?? 0))
    .map(([table, count]) => `${table} has ${count} rows here and ${figures.counts[table] ?? 0} in the archive`)
  if (found.accounts !== figures.accounts || found.balance !== figures.balance) differences.push('balances differ')
  if (found.events !== figures.events) differences.push('the latest events differ')
  if (differences.length > 0)
    throw new StartupError(`the archive is not what its manifest says: ${differences.join('; ')}`)
  return found
}

/** Lets the organisation live here. */
async function settle(transaction: Queryable, { manifest: { organisation }, takeOver }: Plan): Promise<void> {
  await sql.endAccess(transaction, organisation.id, { all: !takeOver })
  await sql.expireProposals(transaction, organisation.id)
  await markArrived(transaction, organisation.id)
  await announceArrival(transaction, organisation.id)
}

/** Refuses what `purser verify` would find. */
async function requireProof(
  transaction: Queryable,
  { manifest: { organisation }, encryptionKeys, keepAnswersMs, progress }: Plan,
): Promise<void> {
  progress(1, 1, 'checking the laws of the ledger')
  const broken = await findBreachesIn(transaction, organisation.id)
  if (broken.length > 0) throw new StartupError(`laws of the ledger do not hold in the archive: ${broken.join('; ')}`)
  progress(1, 1, 'walking the chain of events')
  const chains = await walkChains(transaction, { readRows: readFirstRows, organisationId: organisation.id })
  const [gap] = chains.flatMap(({ breaches }) => breaches)
  if (gap) {
    throw new StartupError(
      `the chain of events does not hold in the archive: ${gap.reason}, ${gap.first} to ${gap.last}`,
    )
  }
  progress(1, 1, 'comparing records with their events')
  const [breach] = await proveRecords(transaction, { encryptionKeys, keepAnswersMs })
  if (breach) throw new StartupError(`the archive is not as its events show it: ${breach.record}, ${breach.reason}`)
}

function comparedFigures(before: ArchiveFigures, after: ArchiveFigures) {
  const here = shownFigures(after)
  return shownFigures(before).map(({ what, figure }, at) => ({ what, before: figure, after: here[at]?.figure ?? '' }))
}

async function report({ out }: OperatorCall, { manifest, takeOver }: Plan, outcome: Outcome): Promise<void> {
  const { id, name } = manifest.organisation
  const about = { organisation: name, id: String(id) }
  if (outcome.state === 'known') {
    return out.result({ ...about, state: 'known' }, `${name} was imported from this archive already: nothing was done.`)
  }
  const compared = comparedFigures(manifest.figures, outcome.figures)
  const rows = compared.map(({ what, before, after }) => ({ what, archive: before, bank: after }))
  if (out.forPeople) {
    await out.records(rows, { what: 'WHAT', archive: 'ARCHIVE', bank: 'BANK' }, { right: ['archive', 'bank'] })
  }
  const access = takeOver
    ? 'Its keys and webhooks work here.'
    : `Its keys and webhooks have ended here: make a key with purser keys create --organisation '${name}'.`
  const text =
    outcome.state === 'checked'
      ? `${name} can be imported: everything was checked, and nothing was kept.`
      : `${name} is in this bank. ${access}`
  out.result({ ...about, state: outcome.state, figures: rows }, text)
}
