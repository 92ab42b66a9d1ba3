import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream, renameSync } from 'node:fs'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { readSealedStates } from '../../bank/first-states/first-states.ts'
import type { Database } from '../../database/database.ts'
import { readEventLines } from '../../events/read-events.ts'
import { type ArchivedOrganisation, findBank, findOrganisations, listTransferLines } from './archive.sql.ts'
import { type ArchiveFile, type Manifest, openManifest, writeManifest } from './manifest.ts'

export interface ArchiveOptions {
  /** All databases, the home cell's first. */
  databases: Database[]
  folder: string
  /** Events and transfers of before this time are written. */
  before: string
  /** Called after each file. */
  written?: (file: ArchiveFile) => void
  /** Lines of a file, at most. */
  lines?: number
}

/** Rows that are read at a time: memory holds no more of them. */
const PAGE = 1_000
const LINES = 100_000
const BEGINNING = '-infinity'

/** Lines that follow a place; empty at the end. */
type NextLines = (place: Place, take: number) => Promise<{ number: number; line: string; createdAt?: string }[]>

interface Place {
  after: number
  afterAt: string
}

/**
 * Writes events and transfers to files of compressed lines of JSON, and a manifest after each of them. A run that was killed
 * is continued after the last file of the manifest.
 */
export async function writeArchive(options: ArchiveOptions): Promise<Manifest> {
  const { databases, folder, before } = options
  const [home] = databases
  const manifest = openManifest(folder, { bank: home ? await findBank(home) : 'empty', before })
  for (const database of databases) {
    for (const organisation of await findOrganisations(database, before)) {
      const transfers = transfersOf(database, before, organisation)
      await writeKind(options, manifest, { organisation, kind: 'events', next: eventsOf(database, organisation) })
      await writeKind(options, manifest, { organisation, kind: 'transfers', next: transfers })
    }
  }
  const complete = { ...manifest, complete: true }
  writeManifest(folder, complete)
  return complete
}

function eventsOf(database: Database, { id, after: floor, upTo }: ArchivedOrganisation): NextLines {
  return ({ after }, take) =>
    readEventLines(database, readSealedStates, { organisationId: id, after: Math.max(after, floor), upTo }, take)
}

function transfersOf(database: Database, before: string, { id: organisationId }: ArchivedOrganisation): NextLines {
  return (place, take) => listTransferLines(database, { organisationId, before, ...place, take })
}

interface Series {
  organisation: ArchivedOrganisation
  kind: ArchiveFile['kind']
  next: NextLines
}

async function writeKind(options: ArchiveOptions, manifest: Manifest, series: Series): Promise<void> {
  const organisationId = String(series.organisation.id)
  const isOwn = (file: ArchiveFile) => file.kind === series.kind && file.organisationId === organisationId
  for (;;) {
    const latest = manifest.files.findLast(isOwn)
    const file = await writeFile(options, series, { after: latest?.last ?? 0, afterAt: latest?.lastAt ?? BEGINNING })
    if (!file) return
    manifest.files.push(file)
    writeManifest(options.folder, manifest)
    options.written?.(file)
  }
}

/** Writes one file of the lines after a place; undefined if there are none. */
async function writeFile(
  { folder, lines = LINES }: ArchiveOptions,
  { organisation: { id }, kind, next }: Series,
  place: Place,
): Promise<ArchiveFile | undefined> {
  let page = await next(place, Math.min(PAGE, lines))
  const [start] = page
  if (!start) return undefined
  const name = `${kind}-${id}-${start.number}.jsonl.gz`
  const hash = createHash('sha256')
  const output = createWriteStream(join(folder, `${name}.part`), { flush: true })
  const gzip = createGzip()
  gzip.on('data', (chunk: Buffer) => hash.update(chunk))
  gzip.pipe(output)
  let count = 0
  let last = start
  while (page.length > 0) {
    count += page.length
    last = page.at(-1) ?? last
    if (!gzip.write(page.map(({ line }) => `${line}\n`).join(''))) await once(gzip, 'drain')
    const left = Math.min(PAGE, lines - count)
    page = left > 0 ? await next({ after: last.number, afterAt: last.createdAt ?? BEGINNING }, left) : []
  }
  gzip.end()
  await finished(output)
  renameSync(join(folder, `${name}.part`), join(folder, name))
  return {
    name,
    kind,
    organisationId: String(id),
    first: start.number,
    last: last.number,
    ...(last.createdAt !== undefined && { lastAt: last.createdAt }),
    count,
    bytes: output.bytesWritten,
    sha256: hash.digest('hex'),
  }
}
