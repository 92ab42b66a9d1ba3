import { createHash } from 'node:crypto'
import type { ConcurrencyLimit } from '../../../base/concurrency-limit.ts'
import { inSlices } from '../../../base/pace.ts'
import { counted } from '../../../base/text.ts'
import { easternOf } from '../../../rails/ach/calendar.ts'
import type { AchFile } from '../../../rails/ach/file.ts'
import { type Reading, readingOf } from '../../../rails/ach/read-file.ts'
import type { IncomingAchFile } from '../../records/received-records.ts'
import { bankTime } from '../../time/clock.sql.ts'
import type { RailBank } from '../build-file.ts'
import { joinedDatabases } from '../spread/databases.sql.ts'
import { type Awaited, type OtherDatabase, spreadFile } from '../spread/spread.ts'
import { applyEntries } from './apply-entries.ts'
import { entriesOf, totalsOf } from './entries.ts'
import { appliedLines, countExceptions, findTaken, insertIncoming, intakeLock, markApplied } from './incoming.sql.ts'

export interface IncomingFile {
  /** The organisation to which the file belongs. In live mode its entries may be of others. */
  organisationId: number
  name: string
  bytes: Buffer
}

export type Intake =
  | { state: 'applied' | 'already applied'; fileId: number; entries: number; exceptions: number }
  | { state: 'refused'; fileId: number; reason: string }
  /** Some entries wait for databases that are away. The file has to be taken again. */
  | { state: 'waiting'; fileId: number; entries: number; exceptions: number; awaited: Awaited[] }

/**
 * Takes an incoming ACH file. It is checked as a whole before anything is applied. A file that was taken before has no
 * further effect; one whose intake was interrupted goes on where it stopped. The first database of a live bank also lets the
 * further databases take the entries that are theirs.
 */
export function takeFile(bank: RailBank, file: IncomingFile, others: readonly OtherDatabase[] = []): Promise<Intake> {
  return bank.database.transaction(async (transaction) => {
    await intakeLock(transaction, file.organisationId)
    return takeHeldFile(bank, file, { others })
  })
}

/**
 * Takes a file that nobody else can take: the caller has the intake of the organisation, or the sandbox itself has made it
 * while the organisation's clock is locked.
 */
export async function takeHeldFile(
  bank: RailBank,
  file: IncomingFile,
  { others = [], turn }: { others?: readonly OtherDatabase[]; turn?: ConcurrencyLimit } = {},
): Promise<Intake> {
  const { database } = bank
  const { organisationId, bytes } = file
  const hash = createHash('sha256').update(bytes).digest()
  const known = await findTaken(database, scopeOf(bank, file), { sha256: hash })
  if (known?.state === 'refused') return { state: 'refused', fileId: known.id, reason: 'the file was refused before' }
  const reading = await inSlices(readingOf(bytes, { sameDayLimit: Number.MAX_SAFE_INTEGER }))
  const { trusted: content } = reading
  const reason = known ? undefined : await refusalOf(bank, file, reading)
  if (!content || reason !== undefined) {
    return refuse(bank, file, hash, reading, reason ?? 'the file has faults')
  }
  const fileId = known?.id ?? (await storeFile(bank, file, hash, content))
  const entries = entriesOf(content)
  const taken = { fileId, entries: entries.length }
  if (known?.state === 'applied') {
    return { state: 'already applied', ...taken, exceptions: await countExceptions(database, fileId) }
  }
  const intake = { ...bank, organisationId, fileId, hash, ...(turn && { turn }) }
  if (bank.mode === 'live' && (others.length > 0 || (await joinedDatabases(database)).length > 0)) {
    const checked = { name: file.name, bytes, hash, content }
    const { exceptions, awaited } = await spreadFile(intake, checked, entries, others)
    return awaited.length > 0
      ? { state: 'waiting', ...taken, exceptions, awaited }
      : { state: 'applied', ...taken, exceptions }
  }
  const done = await appliedLines(database, scopeOf(bank, file), hash)
  const { exceptions } = await applyEntries(
    intake,
    entries.filter(({ line }) => !done.has(line)),
  )
  await markApplied(database, fileId)
  return { state: 'applied', ...taken, exceptions }
}

/** The reason why a file is not applied; undefined if it can be. */
async function refusalOf(
  bank: RailBank,
  incoming: IncomingFile,
  { trusted: file, untrusted }: Reading,
): Promise<string | undefined> {
  const { database, routingNumber, ach } = bank
  if (!file) {
    const [first] = untrusted
    return `${counted(untrusted.length, 'fault')}, the first at ${first?.line}:${first?.column}: ${first?.text}`
  }
  const { destination } = file.header
  if (destination !== routingNumber && destination !== ach.origin.trim()) {
    return `the file is for ${destination}, and this bank is ${routingNumber}`
  }
  const other = await findTaken(database, scopeOf(bank, incoming), { header: headerOf(file) })
  return other && `file ${other.id} has the same origin, creation time and modifier, and other content`
}

/** The organisation of a file; null in live mode, where files are the bank's. */
function scopeOf({ mode }: RailBank, { organisationId }: IncomingFile): number | null {
  return mode === 'live' ? null : organisationId
}

/** The fields that no two files of one origin share. */
function headerOf({ header }: AchFile): string {
  const { origin, destination, createdOn, createdAt, modifier } = header
  return [origin, destination, createdOn, createdAt ?? '', modifier].join(' ')
}

/** Stores a file that has been read without a fault, before its entries are applied. */
export async function storeFile(bank: RailBank, file: IncomingFile, hash: Buffer, content: AchFile): Promise<number> {
  const id = await bank.ids.next()
  const row = await incomingRow(bank, { ...file, id, hash, state: 'taken' }, content)
  await bank.database.transaction((transaction) => insertIncoming(transaction, row, []))
  return id
}

/** The row of a file that has been read without a fault. */
export async function incomingRow(
  bank: RailBank,
  file: IncomingFile & { id: number; hash: Buffer; state: 'taken' | 'applied' },
  content: AchFile,
): Promise<IncomingAchFile> {
  const { id, organisationId: keyOrganisationId, name, bytes, hash, state } = file
  const seal = await bank.seals.of(keyOrganisationId)
  const { modifier, createdOn } = content.header
  return {
    ...{ id, keyOrganisationId, name, modifier, createdOn, state, sha256: hash },
    organisationId: scopeOf(bank, file),
    header: headerOf(content),
    sealedContent: seal.seal(bytes, { table: 'ach_file', row: id, column: 'sealed_content' }),
    ...totalsOf(entriesOf(content)),
  }
}

/** Stores that a file was refused, with an exception for the operator. Its bytes stay where they are. */
async function refuse(
  bank: RailBank,
  incoming: IncomingFile,
  hash: Buffer,
  { trusted: file }: Reading,
  reason: string,
): Promise<Intake> {
  const { database, ids } = bank
  const { organisationId, name } = incoming
  const id = await ids.next()
  const exceptionId = await ids.next()
  const createdOn = file?.header.createdOn ?? easternOf(await bankTime(database, organisationId)).day
  const row: IncomingAchFile = {
    ...{ id, keyOrganisationId: organisationId, name, createdOn, state: 'refused', sha256: hash, sealedContent: null },
    organisationId: scopeOf(bank, incoming),
    header: file ? headerOf(file) : null,
    modifier: file?.header.modifier ?? 'A',
    ...{ entryCount: 0, debits: 0, credits: 0 },
  }
  const exception = {
    ...{ id: exceptionId, organisationId, fileId: id, line: null, kind: 'file_refused' as const },
    ...{ detail: reason, direction: null, amount: 0, paymentId: null },
  }
  await database.transaction((transaction) => insertIncoming(transaction, row, [exception]))
  return { state: 'refused', fileId: id, reason }
}
