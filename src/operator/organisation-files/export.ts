import { randomUUID } from 'node:crypto'
import { renameSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { UsageError } from '../../../ground/failure.ts'
import { keepEntries, lacksEntries } from '../../bank/ach/returning/kept-entries.ts'
import { clock } from '../../base/clock.ts'
import { openProgress } from '../../base/progress.ts'
import { StartupError } from '../../base/startup-error.ts'
import { findUnderWay, isConverting, migrationsOf, readShares } from '../../cells/move/copies.ts'
import { requireOwner, visitCell } from '../../cells/visit.ts'
import type { Database, Queryable } from '../../database/database.ts'
import { requireKey } from '../../secrets/marker.ts'
import { clearKeysOf, openSeals } from '../../secrets/seals.ts'
import { encryptionKeysOf } from '../../secrets/secret-file.ts'
import type { OperatorCommand } from '../command.ts'
import { encrypterFor, writeEncrypted } from './age.ts'
import { beginExport, closeRows, fetchRows, isServed, openRows, readOrganisation } from './export.sql.ts'
import { figuresOf } from './figures.ts'
import { type ArchiveManifest, FORMAT, shownFigures } from './format.ts'
import { archivedTables, portionOf } from './tables.ts'

/** The members of the manifest about the bank. */
type Origin = Pick<ArchiveManifest, 'purser' | 'mode' | 'routingNumber'>

interface Source {
  id: number
  name: string
  encryptionKeys: Buffer[]
  origin: Origin
}

/** Writes all that an organisation has into one encrypted file, while the service runs or not. */
export const exportOrganisation: OperatorCommand = async ({
  args: [name = ''],
  options,
  config,
  out,
  closers,
  version,
}) => {
  const { to, recipient = [] } = options as { to?: string; recipient?: string[] }
  if (to === undefined || recipient.length === 0) throw new UsageError('an archive needs --to and --recipient')
  const encrypter = encrypterFor(recipient)
  const settings = config()
  const { place, organisation } = await requireOwner(settings, name, closers)
  if (organisation.state !== null) throw new StartupError(`${name} is being moved to another cell: finish that first`)
  const origin = { purser: version, mode: settings.mode, routingNumber: settings.routingNumber }
  const source: Source = { id: organisation.id, name, encryptionKeys: await encryptionKeysOf(settings), origin }
  const path = resolve(to)
  const part = `${path}.part`
  const progress = openProgress(`exporting ${name}`)
  closers.add(async () => rmSync(part, { force: true }))
  let manifest: ArchiveManifest | undefined
  const write = async (database: Database) => {
    await prepare(database, source, (files) => progress.at(0, 1, `keeping entries of ACH files, ${files} files so far`))
    return database.transaction(
      async (transaction) => {
        manifest = await readManifest(transaction, source)
        return writeEncrypted(part, encrypter, textsOf(transaction, manifest, progress.at))
      },
      { unlimited: true },
    )
  }
  let written: Awaited<ReturnType<typeof writeEncrypted>>
  try {
    written = await visitCell(settings, place, write, closers)
    // The name appears when the file is whole.
    renameSync(part, path)
  } finally {
    progress.clear()
    rmSync(part, { force: true })
  }
  const shown = manifest ? shownFigures(manifest.figures) : []
  if (out.forPeople) await out.records(shown, { what: 'WHAT', figure: 'ARCHIVE' }, { right: ['figure'] })
  out.result(
    {
      organisation: name,
      id: String(source.id),
      file: path,
      ...written,
      figures: Object.fromEntries(shown.map(({ what, figure }) => [what, figure])),
    },
    `${name} is in ${path}, ${written.bytes} bytes with the SHA-256 ${written.sha256}.`,
  )
  if (manifest?.served && manifest.figures.leaving > 0) {
    out.note('The service runs, so that payments leave from here: to move for good, stop it and export once more.')
  }
}

/** Refuses what could not be exported whole, and keeps what returns need of received files of the whole bank. */
async function prepare(
  database: Database,
  { id, name, encryptionKeys }: Source,
  kept: (files: number) => void,
): Promise<void> {
  await requireKey(database, encryptionKeys)
  if (await isConverting(database)) {
    throw new StartupError('the service is still converting rows of a former version: start it, and try again later')
  }
  await requireNoFile(database, { id, name })
  const seals = openSeals(database, encryptionKeys)
  // Its keys are made if it has none.
  await seals.of(id)
  if (await lacksEntries(database, id)) await keepEntries({ database, seals }, id, kept)
}

async function requireNoFile(database: Queryable, { id, name }: Pick<Source, 'id' | 'name'>): Promise<void> {
  const file = await findUnderWay(database, id)
  if (!file) return
  throw new StartupError(
    `${name} has entries in the ACH file ${file.id} (${file.name}), which is ${file.state}: try again when it is delivered or applied`,
  )
}

async function readManifest(transaction: Queryable, source: Source): Promise<ArchiveManifest> {
  const { id, name, encryptionKeys, origin } = source
  await beginExport(transaction)
  await requireNoFile(transaction, source)
  const organisation = await readOrganisation(transaction, id)
  if (!organisation) throw new StartupError(`${name} has ended`)
  const { dataKey, digestKey } = await clearKeysOf(transaction, encryptionKeys, id)
  return {
    format: FORMAT,
    archive: randomUUID(),
    ...origin,
    migrations: await migrationsOf(transaction),
    exportedAt: clock.now().toISOString(),
    served: await isServed(transaction),
    organisation,
    keys: { data: dataKey.toString('base64'), digest: digestKey.toString('base64') },
    figures: await figuresOf(transaction, id),
    shares: JSON.parse(await readShares(transaction, id)),
  }
}

/** The lines of an archive. Memory holds one portion of a table. */
async function* textsOf(
  transaction: Queryable,
  manifest: ArchiveManifest,
  progress: (done: number, of: number, now: string) => void,
): AsyncGenerator<string> {
  yield `${JSON.stringify(manifest)}\n`
  const { counts } = manifest.figures
  const all = archivedTables.reduce((sum, { name }) => sum + (counts[name] ?? 0), 0)
  let written = 0
  for (const table of archivedTables) {
    if (counts[table.name] === 0) continue
    await openRows(transaction, table, manifest.organisation.id)
    for (;;) {
      const rows = await fetchRows(transaction, portionOf(table.name))
      if (rows.length === 0) break
      written += rows.length
      progress(written, all, table.name)
      yield rows.map((row) => `{"table":"${table.name}","row":${row}}\n`).join('')
    }
    await closeRows(transaction)
  }
  yield `${JSON.stringify({ end: written })}\n`
}
